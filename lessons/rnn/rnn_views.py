"""The questions and the closer looks of the unrolled network."""

from __future__ import annotations

from functools import partial

import streamlit as st
import torch
from jaxtyping import Float, Float64
from torch import Tensor

import ui
from lessons.rnn import rnn_figures, rnn_picture, rnn_state
from lmcore.corpora.microworld import microworld
from lmcore.models import registry
from lmcore.models.language_model import LanguageModel
from lmcore.models.rnn import RNN, RNNWeights
from lmcore.numbers import format_number
from lmcore.recurrence import receptive_field, through_time, truncated_bptt, unrolled
from lmcore.recurrence.unrolled import Unrolled, UnrolledPosition
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
    back = partial(_gradient_through_time, entry.model, tuple(walk.tokens))
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


def _gradient_through_time(
    model: LanguageModel, tokens: tuple[int, ...]
) -> Float[Tensor, "loss time"]:
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


def deep(entry: ModelEntry, walk: UnrolledPosition) -> None:
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


def questions(entry: ModelEntry, walk: UnrolledPosition, seen: Unrolled) -> list[ui.Question]:
    """The questions: the next word, its loss, an off-by-one loop, a gradient 50 steps back."""
    t = min(walk.step, len(walk.tokens) - 1)
    spelled = entry.model.vocabulary.decode(walk.tokens)
    best = entry.model.vocabulary.decode(seen.probabilities[t - 1].topk(3).indices.tolist())
    chance, loss = float(torch.exp(-seen.losses[t - 1])), float(seen.losses[t - 1])
    return [
        ui.Question(
            "next",
            f"Step {t} has read “{ui.escape_markdown(spelled[t - 1])}”. Which next word does the "
            "model expect most?",
            best[0],
            f"Its probability is {format_number(float(seen.probabilities[t - 1].max()))}, the "
            f"highest of {len(entry.model.vocabulary)}.",
            hint="Read the words so far: what can follow them?",
            options=tuple(sorted({*best, spelled[t]})),
            hides=("y", "p", "J", "mean"),
        ),
        ui.Question(
            "loss",
            f"At step {t}, “{ui.escape_markdown(spelled[t])}” comes next. Its probability was "
            f"{format_number(chance)}. What is the loss J, in nats?",
            loss,
            "J(t) is −log of the probability of the word that came next.",
            hint="The natural logarithm, with its sign turned around.",
            hides=("J", "mean"),
        ),
        ui.Question(
            "loop",
            f"This text has {len(walk.tokens)} tokens. How many does `for i in range(1, len(x))` "
            "read?",
            float(len(range(1, len(walk.tokens)))),
            "The range stops before len(x) and starts after 0, so one token is never read.",
            hint="Python counts from 0.",
        ),
        ui.Question(
            "vanish",
            "Each step back multiplies a gradient by 0.9. What share is left after 50?",
            0.9**50,
            "With 1.1 it would be 117.4 times as large; with 0.25, the steepest slope of σ, ten "
            "steps leave 0.25¹⁰, about a millionth.",
            hint="0.9 times itself, 50 times.",
        ),
    ]


def source(entry: ModelEntry, walk: UnrolledPosition) -> None:
    """Show the code that ran, and a snippet that prints the losses on screen."""
    spelled = entry.model.vocabulary.decode(walk.tokens[1:])
    snippet = rnn_picture.snippet(spelled, ships=entry.label == rnn_state.SHIPPED)
    ui.show_code(
        unrolled.unroll, unrolled.summarize_losses, registry.loss, snippet=snippet, name="rnn"
    )
