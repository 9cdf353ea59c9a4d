"""The views below the picture of the unrolled network."""

from __future__ import annotations

from functools import partial

import streamlit as st
import torch

import ui
from lessons.rnn import figures, picture, state
from lmcore.corpora.microworld import microworld
from lmcore.models import registry
from lmcore.models.rnn import RNN, RNNWeights
from lmcore.numbers import format_number
from lmcore.recurrence import receptive_field, through_time, truncated_bptt, unrolled
from lmcore.recurrence.unrolled import Unrolled, UnrolledPosition
from ui import compute
from ui.models import ModelEntry


def loss(entry: ModelEntry, walk: UnrolledPosition, seen: Unrolled) -> None:
    """Draw the loss at each step in nats, beside the grammar's own."""
    found = unrolled.summarize_losses(seen.losses[:-1])
    spelled = entry.model.vocabulary.decode(walk.tokens)
    ui.show_figure(
        figures.loss_bars(
            found, unrolled.token_losses(microworld(), walk.tokens), spelled, ui.theme_mode()
        ),
        name="rnn-loss",
        reading="Bars: J(t). Dashed: their mean so far; its end is the loss of the text. ◇: the "
        "grammar's own loss; none where the grammar does not allow the word.",
        alt=figures.describe_losses(found, spelled),
    )
    st.latex(figures.loss_formula(found))
    st.markdown(figures.loss_without_log_words(found))


def gradient(entry: ModelEntry, walk: UnrolledPosition) -> None:
    """Draw ‖∂J(t)/∂h(k)‖ for every pair of steps, and what truncation keeps."""
    network = unrolled.rnn_network(entry.model)
    back = partial(through_time.gradient_through_time, network, torch.tensor(walk.tokens))
    norms = compute.shared_result(
        "through time", (network, tuple(walk.tokens)), back, most=64, says="Back through time"
    )
    kept = truncated_bptt.truncate(norms, reach(len(norms)))
    spelled = entry.model.vocabulary.decode(walk.tokens)
    ui.show_figure(
        figures.gradient_map(norms, kept, spelled, ui.theme_mode()),
        name="rnn-gradient",
        reading="Each row is a loss J(t), each column a state h(k) that its gradient may reach; "
        "the colour is the norm of the gradient. ×: cut off by truncation.",
        alt=figures.describe_gradients(norms, kept),
    )
    radius = through_time.spectral_radius(RNNWeights.from_torch(network.recurrent, 0).W_h)
    st.markdown(figures.reach_words(kept, truncated_bptt.factor_per_step(norms), radius))


def reach(most: int) -> int:
    """Read the reach of truncated backpropagation from its slider; kept as text."""
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
        figures.size_curves(found, ui.theme_mode()),
        name="rnn-size",
        reading="Same embedding and hidden size. Only the feedforward model pays for context.",
        alt=figures.describe_sizes(found),
    )
    st.markdown(figures.size_words(found))


def deep(entry: ModelEntry, walk: UnrolledPosition) -> None:
    """Draw the receptive field of a stack of layers, one-way or bidirectional."""
    with st.container(horizontal=True):
        state.SETTINGS.draw("rnn_layers", "rnn_both")
    layers, both = int(state.SETTINGS.choice("rnn_layers")), state.SETTINGS.switch("rnn_both")
    stack = receptive_field.RecurrentStack(layers, both)
    spelled = entry.model.vocabulary.decode(walk.tokens)
    seen = receptive_field.receptive_field(stack, len(walk.tokens))
    ui.show_figure(
        figures.receptive_field_map(seen, spelled, ui.theme_mode()),
        name="rnn-sight",
        reading="A square: the output at this place depends on that word.",
        alt=figures.describe_receptive_field_map(seen),
    )
    st.markdown(figures.stack_words(stack, unrolled.rnn_network(entry.model).config))
    try:
        found = receptive_field.context_probabilities(microworld(), walk.tokens)
    except ValueError:
        st.caption("The grammar cannot produce this text, so it has no probabilities for its gaps.")
        return
    rows = zip(spelled[1:], found.left.tolist(), found.both.tolist(), strict=True)
    columns = ["covered word", "p from the left", "p from both sides"]
    ui.table(columns, [*rows], name="rnn-cloze", caption="What reading both sides adds, exactly")


def predict(entry: ModelEntry, walk: UnrolledPosition, seen: Unrolled) -> None:
    """Ask three questions: a loss, an off-by-one loop, and a gradient after 50 steps."""
    at = min(walk.step, len(walk.tokens) - 1)
    chance, word = float(torch.exp(-seen.losses[at - 1])), entry.model.vocabulary.tokens
    ui.check_yourself(
        f"At step {at} “{word[walk.tokens[at]]}” is given the probability {format_number(chance)}. "
        "What is J, in nats?",
        answer=float(seen.losses[at - 1]),
        because="J(t) is −log of the probability of the word that came next.",
        key="rnn-loss",
    )
    ui.check_yourself(
        f"This text has {len(walk.tokens)} tokens. How many does `for i in range(1, len(x))` read?",
        answer=float(len(range(1, len(walk.tokens)))),
        because="The range stops before len(x) and starts after 0, so one token is never read.",
        key="rnn-loop",
    )
    ui.check_yourself(
        "Each step back multiplies a gradient by 0.9. What share is left after 50?",
        answer=0.9**50,
        because="With 1.1 it would be 117.4 times as large; with 0.25, the steepest slope of σ, "
        "ten steps leave 0.25¹⁰, about a millionth.",
        key="rnn-vanish",
    )


def source(entry: ModelEntry, walk: UnrolledPosition) -> None:
    """Show the code that ran, and a snippet that prints the losses on screen."""
    spelled = entry.model.vocabulary.decode(walk.tokens[1:])
    snippet = picture.snippet(spelled, ships=entry.label == state.SHIPPED)
    ui.show_code(
        unrolled.unroll, unrolled.summarize_losses, registry.loss, snippet=snippet, name="rnn"
    )
