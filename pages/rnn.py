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
from lmcore.numbers import significant
from lmcore.recurrence import receptive_field, through_time, truncated_bptt, unrolled
from lmcore.recurrence.unrolled import Unrolled, Walk, Weights
from ui import contents, settings
from ui.compute import shared_results
from ui.models import Entry

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
    entries = offered()
    with left:
        check_the_address(entries)
        controls(entries)
        entry, walk = ui.last_good("rnn", lambda: read(entries), lambda: opening(entries))
    network = unrolled.network_of(entry.model)
    weights = Weights.of(network)
    seen = unrolled.unroll(weights, walk.tokens)
    live, how = follow_the_hand(entry, weights, walk, seen)
    with right:
        ui.picture("unrolled", live, how, on_told=moved)
        say_what_stands_out(entry, walk, seen)
    draw = (
        lambda: ui.steps(
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
        lambda: ui.slide_says("rnn"),
    )
    ui.sections(dict(zip(VIEWS, draw, strict=True)), key="rnn_see")
    with top:
        ui.presets(LESSON)


def offered() -> dict[str, Entry]:
    """The RNN that comes with the app, and this session's own that `unroll` can read."""
    every = {"shipped": Entry(SHIPPED, ui.models.network("rnn").model)} | ui.models.own()
    return {name: entry for name, entry in every.items() if unrolled.readable(entry.model)}


def check_the_address(entries: dict[str, Entry]) -> None:
    """Controls that have no such value as the address gives them say so."""
    ui.expect("rnn_model", tuple(entries))
    ui.expect("rnn_all", ("true", "false"))
    ui.expect("rnn_both", ("true", "false"))
    ui.expect("rnn_layers", tuple(LAYERS))
    ui.expect("rnn_see", VIEWS)


def controls(entries: dict[str, Entry]) -> None:
    """The text, the unit that is opened, and how much is shown."""
    kept = {name: value for name, value in LESSON.looks.items() if name != "rnn_see"}
    settings.keep({**LESSON.defaults, **kept})
    ui.last_good("rnn_cut", cut, lambda: 1)
    settings.typed("rnn_text", "Text, in the microworld's words", "Watch where the loss is high")
    if len(entries) > 1:
        labels = {name: entry.label for name, entry in entries.items()}
        settings.chosen("rnn_model", "Model", labels)
    settings.typed(
        "rnn_unit", "Hidden unit to open", "Its row is framed; a press on h opens it too"
    )
    settings.switched("rnn_all", "Show all units, up to 256")
    st.caption("Step with the buttons, the slider, or ← and →; press a column to go there.")
    training = contents.page("training").script
    icon = ":material/model_training:"
    st.page_link(training, label="Train one yourself", icon=icon, query_params={"models": "rnn"})


def read(entries: dict[str, Entry]) -> tuple[Entry, Walk]:
    """The model, and the walk through its text, that the controls describe."""
    state = st.session_state
    entry = entries.get(state["rnn_model"], entries["shipped"])
    tokens = tuple(entry.model.vocabulary.read(state["rnn_text"]))
    step = parsing.whole(state["rnn_step"], "the step")
    unit = parsing.whole(state["rnn_unit"], "the hidden unit")
    most = unrolled.network_of(entry.model).config.hidden
    if unit > most:
        raise ValueError(f"the hidden unit must be from 1 to {most}; got {unit}")
    # A place after the end is that of a longer text, typed before.
    return entry, Walk(tokens, min(step, max(len(tokens), 1)), state["rnn_phase"], unit)


def opening(entries: dict[str, Entry]) -> tuple[Entry, Walk]:
    """What the page opens on."""
    entry = entries["shipped"]
    return entry, Walk(tuple(entry.model.vocabulary.read(LESSON.defaults["rnn_text"])))


def moved(to: dict[str, Any]) -> None:
    """The picture came to rest at a step, or a unit was pressed."""
    ui.put(
        {
            "rnn_step": str(to["step"]),
            "rnn_phase": str(to["phase"]),
            "rnn_unit": str(to["unit"]),
        }
    )


def follow_the_hand(
    entry: Entry, weights: Weights, walk: Walk, seen: Unrolled
) -> tuple[ui.Live, dict[str, object]]:
    """The numbers of the chosen unit now and at every step, and what the picture draws."""
    table = words.numbers(walk, seen, unrolled.unit_trace(weights, seen, walk.unit))
    whole = st.session_state["rnn_all"] == "true"
    how = words.picture(walk, seen, entry.model.vocabulary, table=table, whole=whole)
    now = {name: values[walk.step - 1] for name, values in table.items()}
    return ui.follow("rnn", now, [], {}), how


def say_what_stands_out(entry: Entry, walk: Walk, seen: Unrolled) -> None:
    found = unrolled.losses(seen.losses[:-1])
    spelled = entry.model.vocabulary.decode(walk.tokens)
    ui.notice(
        *words.notice(spelled, found, unrolled.losses_of(microworld(), walk.tokens)),
        kind="measured here",
    )
    st.caption(f"{entry.label}: a small model, trained on the microworld, one layer, g = tanh.")


def loss(entry: Entry, walk: Walk, seen: Unrolled) -> None:
    found = unrolled.losses(seen.losses[:-1])
    spelled = entry.model.vocabulary.decode(walk.tokens)
    ui.show(
        figures.loss_bars(found, unrolled.losses_of(microworld(), walk.tokens), spelled, ui.mode()),
        name="rnn-loss",
        reading="Bars: J(t). Dashed: their mean so far; its end is the loss of the text. ◇: what "
        "the grammar itself pays; none where it never says such a thing.",
        alt=figures.describe_losses(found, spelled),
    )
    st.latex(figures.loss_formula(found))
    st.markdown(figures.without_the_log(found))


def gradient(entry: Entry, walk: Walk) -> None:
    network = unrolled.network_of(entry.model)
    back = partial(through_time.gradient_through_time, network, torch.tensor(walk.tokens))
    norms = shared_results.kept(
        "through time", (network, tuple(walk.tokens)), back, most=64, says="Back through time"
    )
    kept = truncated_bptt.truncate(norms, reach(len(norms)))
    spelled = entry.model.vocabulary.decode(walk.tokens)
    ui.show(
        figures.gradient_map(norms, kept, spelled, ui.mode()),
        name="rnn-gradient",
        reading="A row is a loss J(t), a column a state h(k) it may learn from, colour the norm of "
        "the gradient. ×: cut off by truncation.",
        alt=figures.describe_gradients(norms, kept),
    )
    radius = through_time.spectral_radius(RNNWeights.of(network.recurrent, 0).W_h)
    st.markdown(figures.reach_words(kept, truncated_bptt.factor_per_step(norms), radius))


def cut() -> int:
    """The reach that the address asks for; `reach` cuts it to the text."""
    asked = parsing.whole(st.session_state["rnn_cut"], "the reach")
    if asked < 1:
        raise ValueError(f"the reach must be 1 or more; got {asked}")
    return asked


def reach(most: int) -> int:
    """How far back truncated backpropagation goes, by its slider; kept as text."""
    if most == 1:
        return 1
    key = ui.fresh_key("rnn_cut-shown", min(st.session_state["rnn_cut-good"], most))

    def chosen() -> None:
        if value := ui.heard("rnn_cut-shown", key):
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
    found = receptive_field.sizes(network.config)
    ui.show(
        figures.size_curves(found, ui.mode()),
        name="rnn-size",
        reading="Same embedding and hidden size. Only the feedforward model pays for context.",
        alt=figures.describe_sizes(found),
    )
    st.markdown(figures.size_words(found))


def deep(entry: Entry, walk: Walk) -> None:
    with st.container(horizontal=True):
        settings.chosen("rnn_layers", "Layers", LAYERS)
        settings.switched("rnn_both", "Read both ways")
    layers = st.session_state["rnn_layers"]
    layers = int(layers) if layers in LAYERS else 1
    stack = receptive_field.Stack(layers, st.session_state["rnn_both"] == "true")
    spelled = entry.model.vocabulary.decode(walk.tokens)
    seen = receptive_field.sight(stack, len(walk.tokens))
    ui.show(
        figures.sight_map(seen, spelled, ui.mode()),
        name="rnn-sight",
        reading="A square: what the network gives at this place depends on that word.",
        alt=figures.describe_sight(seen),
    )
    st.markdown(figures.stack_words(stack, unrolled.network_of(entry.model).config))
    try:
        found = receptive_field.cloze(microworld(), walk.tokens)
    except ValueError:
        st.caption("The grammar never says this text, so it has no chances for its gaps.")
        return
    rows = zip(spelled[1:], found.left.tolist(), found.both.tolist(), strict=True)
    columns = ["covered word", "p from the left", "p from both sides"]
    ui.table(columns, [*rows], name="rnn-cloze", caption="What both sides are worth, exactly")


def predict(entry: Entry, walk: Walk, seen: Unrolled) -> None:
    at = min(walk.step, len(walk.tokens) - 1)
    chance, word = float(torch.exp(-seen.losses[at - 1])), entry.model.vocabulary.tokens
    ui.check(
        f"At step {at} “{word[walk.tokens[at]]}” is given the chance {significant(chance)}. "
        "What is J, in nats?",
        answer=float(seen.losses[at - 1]),
        because="J(t) is −log of the chance of the word that came.",
        key="rnn-loss",
    )
    ui.check(
        f"This text has {len(walk.tokens)} tokens. How many does `for i in range(1, len(x))` read?",
        answer=float(len(range(1, len(walk.tokens)))),
        because="It stops before len(x), and begins after 0: one token is never read.",
        key="rnn-loop",
    )
    ui.check(
        "Each step back multiplies a gradient by 0.9. What share is left after 50?",
        answer=0.9**50,
        because="With 1.1 it would be 117.4 times as large; with 0.25, the steepest slope of σ, "
        "ten steps leave 0.25¹⁰, about a millionth.",
        key="rnn-vanish",
    )


def source(entry: Entry, walk: Walk) -> None:
    spelled = entry.model.vocabulary.decode(walk.tokens[1:])
    snippet = words.snippet(spelled, ships=entry.label == SHIPPED)
    ui.code(unrolled.unroll, unrolled.losses, registry.loss, snippet=snippet, name="rnn")


ui.page("rnn")
lab()
ui.neighbours("rnn")
