"""A recurrent language model, unrolled: one word at a time, every number in view."""

from __future__ import annotations

from functools import partial
from typing import Any

import streamlit as st
import torch

import ui
from lessons.rnn import figures
from lessons.shared import unrolled_picture as words
from lmcore import parsing
from lmcore.corpora.microworld import microworld
from lmcore.models import registry
from lmcore.models.rnn import RNN, RNNWeights
from lmcore.numbers import format_number
from lmcore.recurrence import receptive_field, through_time, truncated_bptt, unrolled
from lmcore.recurrence.unrolled import RNNMatrices, Unrolled, UnrolledPosition
from ui import contents, settings
from ui.compute import shared_results
from ui.models import ModelEntry

LESSON = ui.lesson("rnn")
VIEWS = (
    "Step by step",
    "Loss",
    "Gradient through time",
    "Size",
    "Deep and both ways",
    "Check yourself",
    "Code",
    "The slide says",
)
SHIPPED = "The app's RNN"
LAYERS = {"1": "1", "2": "2", "3": "3", "4": "4"}


@st.fragment
def lab() -> None:
    """Controls left, picture right; steps through time are played in the browser."""
    top = st.container(key="presets")
    left, right = st.columns([2, 5], gap="medium")
    entries = available_models()
    with left:
        check_the_address(entries)
        controls(entries)
        entry, walk = ui.validated_or_previous(
            "rnn", lambda: read_walk(entries), lambda: default_walk(entries)
        )
    network = unrolled.rnn_network(entry.model)
    weights = RNNMatrices.from_network(network)
    seen = unrolled.unroll(weights, walk.tokens)
    live, how = slider_numbers(entry, weights, walk, seen)
    with right:
        ui.picture("unrolled", live, how, on_told=store_event)
        say_what_stands_out(entry, walk, seen)
    draw = (
        lambda: ui.step_table(
            words.unit_steps(walk, (network.config.embedding, network.config.hidden)),
            live,
            caption=f"Hidden unit {walk.unit}, one operation a row",
        ),
        lambda: loss(entry, walk, seen),
        lambda: gradient(entry, walk),
        lambda: size(network),
        lambda: deep(entry, walk),
        lambda: predict(entry, walk, seen),
        lambda: source(entry, walk),
        lambda: ui.slide_corrections("rnn"),
    )
    ui.sections(dict(zip(VIEWS, draw, strict=True)), key="rnn_see")
    with top:
        ui.presets(LESSON)


def available_models() -> dict[str, ModelEntry]:
    """The RNN that comes with the app, and this session's own that `unroll` can read."""
    every = {
        "shipped": ModelEntry(SHIPPED, ui.models.shipped_network("rnn").model)
    } | ui.models.session_models()
    return {name: entry for name, entry in every.items() if unrolled.can_unroll(entry.model)}


def check_the_address(entries: dict[str, ModelEntry]) -> None:
    """Controls that have no such value as the address gives them say so."""
    ui.check_address_value("rnn_model", tuple(entries))
    ui.check_address_value("rnn_all", ("true", "false"))
    ui.check_address_value("rnn_both", ("true", "false"))
    ui.check_address_value("rnn_layers", tuple(LAYERS))
    ui.check_address_value("rnn_see", VIEWS)


def controls(entries: dict[str, ModelEntry]) -> None:
    """The text, the unit that is opened, and how much is shown."""
    kept = {name: value for name, value in LESSON.looks.items() if name != "rnn_see"}
    settings.keep_in_address({**LESSON.defaults, **kept})
    ui.validated_or_previous("rnn_cut", read_reach, lambda: 1)
    settings.text_field(
        "rnn_text", "Text, in the microworld's words", "Watch where the loss is high"
    )
    if len(entries) > 1:
        labels = {name: entry.label for name, entry in entries.items()}
        settings.pills("rnn_model", "Model", labels)
    settings.text_field(
        "rnn_unit", "Hidden unit to open", "Its row is framed; a press on h opens it too"
    )
    settings.toggle("rnn_all", "Show all units, up to 256")
    st.caption("Step with the buttons, the slider, or ← and →; press a column to go there.")
    training = contents.page("training").script
    icon = ":material/model_training:"
    st.page_link(training, label="Train one yourself", icon=icon, query_params={"models": "rnn"})


def read_walk(entries: dict[str, ModelEntry]) -> tuple[ModelEntry, UnrolledPosition]:
    """The model, and the walk through its text, that the controls describe."""
    state = st.session_state
    entry = entries.get(state["rnn_model"], entries["shipped"])
    tokens = tuple(entry.model.vocabulary.read(state["rnn_text"]))
    step = parsing.parse_integer(state["rnn_step"], "the step")
    unit = parsing.parse_integer(state["rnn_unit"], "the hidden unit")
    most = unrolled.rnn_network(entry.model).config.hidden
    if unit > most:
        raise ValueError(f"the hidden unit must be from 1 to {most}; got {unit}")
    # A place after the end is that of a longer text, typed before.
    return entry, UnrolledPosition(tokens, min(step, max(len(tokens), 1)), state["rnn_phase"], unit)


def default_walk(entries: dict[str, ModelEntry]) -> tuple[ModelEntry, UnrolledPosition]:
    """What the page opens on."""
    entry = entries["shipped"]
    return entry, UnrolledPosition(tuple(entry.model.vocabulary.read(LESSON.defaults["rnn_text"])))


def store_event(to: dict[str, Any]) -> None:
    """The picture came to rest at a step, or a unit was pressed."""
    ui.set_controls(
        {
            "rnn_step": str(to["step"]),
            "rnn_phase": str(to["phase"]),
            "rnn_unit": str(to["unit"]),
        }
    )


def slider_numbers(
    entry: ModelEntry, weights: RNNMatrices, walk: UnrolledPosition, seen: Unrolled
) -> tuple[ui.LiveNumbers, dict[str, object]]:
    """The numbers of the chosen unit now and at every step, and what the picture draws."""
    table = words.numbers(walk, seen, unrolled.unit_trace(weights, seen, walk.unit))
    whole = st.session_state["rnn_all"] == "true"
    how = words.picture(walk, seen, entry.model.vocabulary, table=table, whole=whole)
    now = {name: values[walk.step - 1] for name, values in table.items()}
    return ui.live_numbers("rnn", now, [], {}), how


def say_what_stands_out(entry: ModelEntry, walk: UnrolledPosition, seen: Unrolled) -> None:
    found = unrolled.summarize_losses(seen.losses[:-1])
    spelled = entry.model.vocabulary.decode(walk.tokens)
    ui.notice(
        *words.notice(spelled, found, unrolled.token_losses(microworld(), walk.tokens)),
        kind="measured here",
    )
    st.caption(f"{entry.label}: a small model, trained on the microworld, one layer, g = tanh.")


def loss(entry: ModelEntry, walk: UnrolledPosition, seen: Unrolled) -> None:
    found = unrolled.summarize_losses(seen.losses[:-1])
    spelled = entry.model.vocabulary.decode(walk.tokens)
    ui.show_figure(
        figures.loss_bars(
            found, unrolled.token_losses(microworld(), walk.tokens), spelled, ui.theme_mode()
        ),
        name="rnn-loss",
        reading="Bars: J(t). Dashed: their mean so far; its end is the loss of the text. ◇: what "
        "the grammar itself pays; none where it never says such a thing.",
        alt=figures.describe_losses(found, spelled),
    )
    st.latex(figures.loss_formula(found))
    st.markdown(figures.loss_without_log_words(found))


def gradient(entry: ModelEntry, walk: UnrolledPosition) -> None:
    network = unrolled.rnn_network(entry.model)
    back = partial(through_time.gradient_through_time, network, torch.tensor(walk.tokens))
    norms = shared_results.shared_result(
        "through time", (network, tuple(walk.tokens)), back, most=64, says="Back through time"
    )
    kept = truncated_bptt.truncate(norms, reach(len(norms)))
    spelled = entry.model.vocabulary.decode(walk.tokens)
    ui.show_figure(
        figures.gradient_map(norms, kept, spelled, ui.theme_mode()),
        name="rnn-gradient",
        reading="A row is a loss J(t), a column a state h(k) it may learn from, colour the norm of "
        "the gradient. ×: cut off by truncation.",
        alt=figures.describe_gradients(norms, kept),
    )
    radius = through_time.spectral_radius(RNNWeights.from_torch(network.recurrent, 0).W_h)
    st.markdown(figures.reach_words(kept, truncated_bptt.factor_per_step(norms), radius))


def read_reach() -> int:
    """The reach that the address asks for; `reach` cuts it to the text."""
    asked = parsing.parse_integer(st.session_state["rnn_cut"], "the reach")
    if asked < 1:
        raise ValueError(f"the reach must be 1 or more; got {asked}")
    return asked


def reach(most: int) -> int:
    """How far back truncated backpropagation goes, by its slider; kept as text."""
    if most == 1:
        return 1
    key = ui.fresh_key("rnn_cut-shown", min(st.session_state["rnn_cut-good"], most))

    def chosen() -> None:
        if value := ui.changed_value("rnn_cut-shown", key):
            st.session_state["rnn_cut"] = str(value)

    return st.slider(
        "Truncated backpropagation goes back so many steps",
        1,
        most,
        key=key,
        on_change=chosen,
        help="1 keeps only the diagonal: each loss teaches its own step alone",
    )


def size(network: RNN) -> None:
    found = receptive_field.parameter_counts(network.config)
    ui.show_figure(
        figures.size_curves(found, ui.theme_mode()),
        name="rnn-size",
        reading="Same embedding and hidden size. Only the feedforward model pays for context.",
        alt=figures.describe_sizes(found),
    )
    st.markdown(figures.size_words(found))


def deep(entry: ModelEntry, walk: UnrolledPosition) -> None:
    with st.container(horizontal=True):
        settings.pills("rnn_layers", "Layers", LAYERS)
        settings.toggle("rnn_both", "Read both ways")
    layers = st.session_state["rnn_layers"]
    layers = int(layers) if layers in LAYERS else 1
    stack = receptive_field.RecurrentStack(layers, st.session_state["rnn_both"] == "true")
    spelled = entry.model.vocabulary.decode(walk.tokens)
    seen = receptive_field.receptive_field(stack, len(walk.tokens))
    ui.show_figure(
        figures.receptive_field_map(seen, spelled, ui.theme_mode()),
        name="rnn-sight",
        reading="A square: what the network gives at this place depends on that word.",
        alt=figures.describe_receptive_field_map(seen),
    )
    st.markdown(figures.stack_words(stack, unrolled.rnn_network(entry.model).config))
    try:
        found = receptive_field.context_probabilities(microworld(), walk.tokens)
    except ValueError:
        st.caption("The grammar never says this text, so it has no chances for its gaps.")
        return
    rows = zip(spelled[1:], found.left.tolist(), found.both.tolist(), strict=True)
    columns = ["covered word", "p from the left", "p from both sides"]
    ui.table(columns, [*rows], name="rnn-cloze", caption="What both sides are worth, exactly")


def predict(entry: ModelEntry, walk: UnrolledPosition, seen: Unrolled) -> None:
    at = min(walk.step, len(walk.tokens) - 1)
    chance, word = float(torch.exp(-seen.losses[at - 1])), entry.model.vocabulary.tokens
    ui.check_yourself(
        f"At step {at} “{word[walk.tokens[at]]}” is given the chance {format_number(chance)}. "
        "What is J, in nats?",
        answer=float(seen.losses[at - 1]),
        because="J(t) is −log of the chance of the word that came.",
        key="rnn-loss",
    )
    ui.check_yourself(
        f"This text has {len(walk.tokens)} tokens. How many does `for i in range(1, len(x))` read?",
        answer=float(len(range(1, len(walk.tokens)))),
        because="It stops before len(x), and begins after 0: one token is never read.",
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
    spelled = entry.model.vocabulary.decode(walk.tokens[1:])
    snippet = words.snippet(spelled, ships=entry.label == SHIPPED)
    ui.show_code(
        unrolled.unroll, unrolled.summarize_losses, registry.loss, snippet=snippet, name="rnn"
    )


ui.open_page("rnn")
lab()
ui.neighbour_links("rnn")
