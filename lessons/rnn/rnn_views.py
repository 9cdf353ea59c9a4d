"""The closer looks of the unrolled network."""

from __future__ import annotations

from functools import partial

import streamlit as st
import torch
from jaxtyping import Float, Float64
from torch import Tensor

import ui
from lessons.rnn import rnn_figures, rnn_picture, rnn_state
from lmcore.corpora.microworld import microworld
from lmcore.models.language_model import LanguageModel
from lmcore.models.rnn import RNN, RNNWeights
from lmcore.recurrence import receptive_field, through_time, truncated_bptt, unrolled
from lmcore.recurrence.unrolled import Unrolled, UnrolledPosition
from lmcore.training.loss import cross_entropy
from ui import compute
from ui.models import ModelEntry


def step_by_step(entry: ModelEntry, walk: UnrolledPosition, live: ui.LiveNumbers) -> None:
    """Draw one hidden unit at the step shown, one operation a row."""
    config = unrolled.rnn_network(entry.model).config
    rows = rnn_picture.unit_steps(walk, (config.embedding, config.hidden))
    ui.step_table(rows, live, caption=f"Hidden unit {walk.unit}, one operation per row")


def loss(
    entry: ModelEntry, walk: UnrolledPosition, seen: Unrolled, truth: Float64[Tensor, " loss"]
) -> None:
    """Draw the loss at each step in nats, beside the grammar's own, `truth`."""
    found = unrolled.summarize_losses(seen.losses[:-1])
    spelled = entry.model.vocabulary.decode(walk.tokens)
    ui.show_figure(
        rnn_figures.loss_bars(found, truth, spelled, ui.theme_mode()),
        name="rnn-loss",
        reading="Bars: J(t). Dashed: their mean so far; its end is the loss of the text. ◇: the "
        "grammar's own loss; none where the grammar does not allow the word.",
        alt=rnn_figures.describe_losses(found, spelled),
    )
    st.latex(rnn_figures.loss_formula(found))
    st.markdown(rnn_figures.loss_without_log_words(found))


def gradient(entry: ModelEntry, walk: UnrolledPosition) -> None:
    """Draw ‖∂J(t)/∂h(k)‖ for every pair of steps, and what truncation keeps."""
    network = unrolled.rnn_network(entry.model)
    back = partial(gradient_norms, entry.model, tuple(walk.tokens))
    norms = compute.shared_result("through time", back, most=64, says="Back through time")
    kept = truncated_bptt.truncate(norms, reach(len(norms)))
    spelled = entry.model.vocabulary.decode(walk.tokens)
    ui.show_figure(
        rnn_figures.gradient_map(norms, kept, spelled, ui.theme_mode()),
        name="rnn-gradient",
        reading="Each row is a loss J(t), each column a state h(k) that its gradient may reach; "
        "the colour is the norm of the gradient. ×: cut off by truncation.",
        alt=rnn_figures.describe_gradients(norms, kept),
    )
    radius = through_time.spectral_radius(RNNWeights.from_torch(network.recurrent, 0).W_h)
    st.markdown(rnn_figures.reach_words(kept, truncated_bptt.factor_per_step(norms), radius))


def gradient_norms(model: LanguageModel, tokens: tuple[int, ...]) -> Float[Tensor, "loss time"]:
    """‖∂J(t)/∂h(k)‖ of each loss by each state of the text.

    Raises:
        ValueError: if there are fewer than 2 tokens.
    """
    network = unrolled.rnn_network(model)
    return through_time.gradient_through_time(network, torch.tensor(tokens))


def reach(most: int) -> int:
    """Read the reach of truncated backpropagation from its slider; the setting is text."""
    if most == 1:
        return 1
    key = ui.fresh_key("rnn_cut-shown", min(st.session_state["rnn_cut-good"], most))

    def chosen() -> None:
        if value := ui.changed_value("rnn_cut-shown", key):
            st.session_state["rnn_cut"] = str(value)

    return st.slider(
        "Truncated backpropagation goes back this many steps",
        1,
        most,
        key=key,
        on_change=chosen,
        help="1 keeps only the diagonal: each loss reaches only its own step",
    )


def size(network: RNN) -> None:
    """Draw the numbers of parameters against the context length."""
    found = receptive_field.parameter_counts(network.config)
    ui.show_figure(
        rnn_figures.size_curves(found, ui.theme_mode()),
        name="rnn-size",
        reading="Same embedding and hidden size. Only the feedforward model pays for context.",
        alt=rnn_figures.describe_sizes(found),
    )
    st.markdown(rnn_figures.size_words(found))


def sight(entry: ModelEntry, walk: UnrolledPosition) -> None:
    """Draw the receptive field of a stack of layers, one-way or bidirectional."""
    with st.container(horizontal=True):
        rnn_state.SETTINGS.draw("rnn_layers", "rnn_both")
    layers, both = (
        int(rnn_state.SETTINGS.choice("rnn_layers")),
        rnn_state.SETTINGS.switch("rnn_both"),
    )
    stack = receptive_field.RecurrentStack(layers, both)
    spelled = entry.model.vocabulary.decode(walk.tokens)
    seen = receptive_field.receptive_field(stack, len(walk.tokens))
    ui.show_figure(
        rnn_figures.receptive_field_map(seen, spelled, ui.theme_mode()),
        name="rnn-sight",
        reading="A square: the output at this place depends on that word.",
        alt=rnn_figures.describe_receptive_field_map(seen),
    )
    st.markdown(rnn_figures.stack_words(stack, unrolled.rnn_network(entry.model).config))
    try:
        found = receptive_field.context_probabilities(microworld(), walk.tokens)
    except ValueError:
        st.caption("The grammar cannot produce this text, so it has no probabilities for its gaps.")
        return
    rows = zip(spelled[1:], found.left.tolist(), found.both.tolist(), strict=True)
    columns = ["covered word", "p from the left", "p from both sides"]
    ui.table(columns, [*rows], name="rnn-cloze", caption="What reading both sides adds, exactly")


def source(entry: ModelEntry, walk: UnrolledPosition) -> None:
    """Show the code that ran, and a snippet that prints the losses on screen."""
    spelled = entry.model.vocabulary.decode(walk.tokens[1:])
    snippet = rnn_picture.snippet(spelled, ships=entry.label == rnn_state.SHIPPED)
    ui.show_code(
        unrolled.unroll, unrolled.summarize_losses, cross_entropy, snippet=snippet, name="rnn"
    )
