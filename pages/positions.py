"""Positional encoding: clocks that tell places apart, and what attention makes of words without."""

from __future__ import annotations

from typing import Any

import streamlit as st
import torch

import ui
from lessons.positions import figures as pictures
from lessons.positions import picture as words
from lessons.positions import position_views
from lmcore import parsing
from lmcore.attention import permutation
from lmcore.attention.permutation import OrderSpec
from lmcore.models import positions
from lmcore.models.positions import MOST, TwoPlaces
from ui import settings

LESSON = ui.lesson("positions")
VIEWS = (
    "Step by step",
    "Shuffle the words",
    "Four facts",
    "Learned or fixed",
    "Words to input",
    "Check yourself",
    "Code",
)
WIDTHS = {width: width for width in ("4", "8", "16", "64", "128", "512")}


@st.fragment
def lab() -> None:
    """Controls left, picture right; the two places follow the hand in the browser."""
    top = st.container(key="presets")
    left, right = st.columns([2, 5], gap="medium")
    with left:
        check_the_address()
        settings.keep({**LESSON.defaults, **looks()})
        settings.chosen("positions_width", "Width d", WIDTHS)
        spec, pair = ui.last_good("positions", read, lambda: (TwoPlaces(), 0))
        live = follow_the_hand(spec, pair)
        ui.sliders(live, on_settled=settle)
        st.caption("Or drag on the picture. A press on a clock opens that pair of dimensions.")
        st.markdown("\n\n".join(f"${line}$" for line in words.formula(spec)))
    with right:
        ui.picture("positions", live, words.picture(spec, pair), on_told=opened)
    found = positions.compare(torch.tensor(spec.place), torch.tensor(spec.offset), spec.width)
    ui.notice(*words.notice(spec, found))
    draw = (
        lambda: step_by_step(spec, pair, live),
        shuffle_the_words,
        four_facts,
        position_views.learned_or_fixed,
        position_views.words_to_input,
        lambda: predict(spec),
        lambda: source(spec),
    )
    ui.sections(dict(zip(VIEWS, draw, strict=True)), key="positions_see")
    with top:
        ui.presets(LESSON)


def looks() -> dict[str, str]:
    """The settings of the views, but for the one that says which view is open."""
    return {name: value for name, value in LESSON.looks.items() if name != "positions_see"}


def check_the_address() -> None:
    """Controls that have no such value as the address gives them say so."""
    ui.expect("positions_width", tuple(WIDTHS))
    ui.expect("positions_see", VIEWS)
    ui.expect("positions_on", ("true", "false"))
    ui.expect("positions_causal", ("true", "false"))


def read() -> tuple[TwoPlaces, int]:
    """The two places, and the pair of dimensions that is opened."""
    state = st.session_state
    width = int(settings.among("positions_width", [*WIDTHS][::-1]))
    place = parsing.whole(state["positions_place"], "the place")
    offset = parsing.whole(state["positions_offset"], "the offset")
    pair = parsing.whole(state["positions_pair"], "the pair")
    if pair < 0:
        raise ValueError(f"the pair must be 0 or more; got {pair}")
    # A pair after the last is that of a wider PE, pressed before.
    return TwoPlaces(place, offset, width), min(pair, width // 2 - 1)


def follow_the_hand(spec: TwoPlaces, pair: int) -> ui.Live:
    """Every number now, at every place, and at every offset."""
    every = torch.arange(MOST + 1).double().numpy()
    sliders = [
        ui.Slider(name, label, spoken, value, every, help=look_for, role=role)
        for (name, label, spoken, look_for, role), value in zip(
            words.SLIDERS, (spec.place, spec.offset), strict=True
        )
    ]
    return ui.follow("positions", words.now(spec, pair), sliders, words.swept(spec, pair))


def settle(moved: dict[str, Any]) -> None:
    """A slider was let go, or a number typed."""
    ui.put({moved["name"]: moved["typed"]})


def opened(told: dict[str, Any]) -> None:
    """A clock was pressed."""
    ui.put({"positions_pair": str(told["pair"])})


def step_by_step(spec: TwoPlaces, pair: int, live: ui.Live) -> None:
    """One pair of dimensions, operation by operation, and then all of them."""
    settings.typed("positions_pair", "Pair i to open", f"From 0 to {spec.width // 2 - 1}")
    caption = f"Pair {pair}, dimensions {2 * pair} and {2 * pair + 1}, one operation a row"
    ui.steps(words.steps(spec.width, pair), live, caption=caption)


def shuffle_the_words() -> None:
    """The same words in two orders through one small encoder, with and without positions."""
    left, right = st.columns([2, 5], gap="medium")
    with left:
        settings.typed("positions_text", "Words", f"2 to {permutation.MOST_WORDS}, any you like")
        settings.typed("positions_order", "New order", "seed 3, or places such as 0 4 2 3 1")
        st.button("Shuffle again", on_click=shuffle_again, icon=":material/shuffle:")
        settings.switched("positions_on", "Add positions")
        settings.switched("positions_causal", "Causal mask")
        spec = ui.last_good("positions_shuffle", read_order, opening)
    found = permutation.shuffle(spec)
    with right:
        st.markdown(f"“{ui.plain(' '.join(spec.words))}” → “{ui.plain(' '.join(spec.shuffled))}”")
        st.markdown(" ".join(pictures.verdict(spec, found)))
        ui.show(
            pictures.outputs(spec, found, ui.mode()),
            name="positions-order",
            reading="A row is a word's output vector. Compare the first picture with the third: "
            "there each word stands in its old place again.",
            alt=pictures.describe_outputs(spec, found),
        )
    columns = ["word", "place", "now at", "first number", "now", "largest difference"]
    caption = "The first number of each word's output, and the largest difference of all of them"
    ui.table(columns, pictures.moves(spec, found), name="positions-moves", caption=caption)
    st.caption(
        f"An encoder of two layers, {permutation.WIDTH} wide, in float64; its weights are drawn at "
        "random and not trained: what is shown holds for any weights."
    )
    position_views.trained(spec)


def read_order() -> OrderSpec:
    """The words and their new order."""
    state = st.session_state
    return permutation.read(
        state["positions_text"],
        state["positions_order"],
        positions=state["positions_on"] == "true",
        causal=state["positions_causal"] == "true",
    )


def opening() -> OrderSpec:
    """The words and the order that the page opens on."""
    return permutation.read(LESSON.looks["positions_text"], LESSON.looks["positions_order"])


def shuffle_again() -> None:
    """The next seed, or the first."""
    seed = permutation.next_seed(st.session_state["positions_order"])
    ui.put({"positions_order": f"seed {seed}"})


def four_facts() -> None:
    """The numbers of the lecture's formula, computed now."""
    st.markdown(words.fact_table(positions.facts()))
    st.caption("Computed now, in float64.")


def predict(spec: TwoPlaces) -> None:
    """Three questions, answered from the present state."""
    found = positions.compare(torch.tensor(spec.place), torch.tensor(spec.offset), spec.width)
    away = MOST - spec.place
    ui.check(
        f"d = {spec.width}. What is PE({away})·PE({away + spec.offset})?",
        answer=float(found.dot),
        because=f"The same as PE({spec.place})·PE({spec.place + spec.offset}): both are "
        f"{spec.offset} apart.",
        key="positions-dot",
    )
    ui.check(
        f"d = {spec.width}. What is ‖PE(1000)‖²?",
        answer=spec.width / 2,
        because="Each pair adds sin² + cos² = 1, at every place, and there are d/2 pairs.",
        key="positions-length",
    )
    count = len(permutation.read(LESSON.looks["positions_text"], "seed 1").words)
    last = permutation.shuffle(
        permutation.read(LESSON.looks["positions_text"], "0 4 2 3 1", causal=True)
    )
    ui.check(
        f"“{LESSON.looks['positions_text']}”, no positions, but a causal mask; the second and the "
        f"last word change places. How many of the {count} words keep their vector?",
        answer=float(last.kept),
        because="A word sees itself and what came before. Only the first sees what it saw: the "
        "mask itself tells of the order.",
        key="positions-mask",
    )


def source(spec: TwoPlaces) -> None:
    snippet = words.snippet(spec)
    ui.code(
        positions.sinusoids,
        positions.compare,
        permutation.shuffle,
        snippet=snippet,
        name="positions",
    )


ui.page("positions")
lab()
ui.neighbours("positions")
