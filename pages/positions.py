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
from lmcore.models.positions import MOST, PlacePair
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
        settings.keep_in_address({**LESSON.defaults, **view_settings()})
        settings.pills("positions_width", "Width d", WIDTHS)
        spec, pair = ui.validated_or_previous("positions", read_places, lambda: (PlacePair(), 0))
        live = slider_numbers(spec, pair)
        ui.sliders(live, on_settled=store_slider)
        st.caption("Or drag on the picture. A press on a clock opens that pair of dimensions.")
        st.markdown("\n\n".join(f"${line}$" for line in words.formula(spec)))
    with right:
        ui.picture("positions", live, words.picture(spec, pair), on_told=open_clock)
    found = positions.compare_places(
        torch.tensor(spec.place), torch.tensor(spec.offset), spec.width
    )
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


def view_settings() -> dict[str, str]:
    """The settings of the views, but for the one that says which view is open."""
    return {name: value for name, value in LESSON.looks.items() if name != "positions_see"}


def check_the_address() -> None:
    """Controls that have no such value as the address gives them say so."""
    ui.check_address_value("positions_width", tuple(WIDTHS))
    ui.check_address_value("positions_see", VIEWS)
    ui.check_address_value("positions_on", ("true", "false"))
    ui.check_address_value("positions_causal", ("true", "false"))


def read_places() -> tuple[PlacePair, int]:
    """The two places, and the pair of dimensions that is opened."""
    state = st.session_state
    width = int(settings.allowed_value("positions_width", [*WIDTHS][::-1]))
    place = parsing.parse_integer(state["positions_place"], "the place")
    offset = parsing.parse_integer(state["positions_offset"], "the offset")
    pair = parsing.parse_integer(state["positions_pair"], "the pair")
    if pair < 0:
        raise ValueError(f"the pair must be 0 or more; got {pair}")
    # A pair after the last is that of a wider PE, pressed before.
    return PlacePair(place, offset, width), min(pair, width // 2 - 1)


def slider_numbers(spec: PlacePair, pair: int) -> ui.LiveNumbers:
    """Every number now, at every place, and at every offset."""
    every = torch.arange(MOST + 1).double().numpy()
    sliders = [
        ui.Slider(name, label, spoken, value, every, help=look_for, role=role)
        for (name, label, spoken, look_for, role), value in zip(
            words.SLIDERS, (spec.place, spec.offset), strict=True
        )
    ]
    return ui.live_numbers(
        "positions", words.current_numbers(spec, pair), sliders, words.swept_numbers(spec, pair)
    )


def store_slider(moved: dict[str, Any]) -> None:
    """A slider was let go, or a number typed."""
    ui.set_controls({moved["name"]: moved["typed"]})


def open_clock(told: dict[str, Any]) -> None:
    """A clock was pressed."""
    ui.set_controls({"positions_pair": str(told["pair"])})


def step_by_step(spec: PlacePair, pair: int, live: ui.LiveNumbers) -> None:
    """One pair of dimensions, operation by operation, and then all of them."""
    settings.text_field("positions_pair", "Pair i to open", f"From 0 to {spec.width // 2 - 1}")
    caption = f"Pair {pair}, dimensions {2 * pair} and {2 * pair + 1}, one operation a row"
    ui.step_table(words.steps(spec.width, pair), live, caption=caption)


def shuffle_the_words() -> None:
    """The same words in two orders through one small encoder, with and without positions."""
    left, right = st.columns([2, 5], gap="medium")
    with left:
        settings.text_field(
            "positions_text", "Words", f"2 to {permutation.MOST_WORDS}, any you like"
        )
        settings.text_field("positions_order", "New order", "seed 3, or places such as 0 4 2 3 1")
        st.button("Shuffle again", on_click=shuffle_again, icon=":material/shuffle:")
        settings.toggle("positions_on", "Add positions")
        settings.toggle("positions_causal", "Causal mask")
        spec = ui.validated_or_previous("positions_shuffle", read_order, default_order)
    found = permutation.shuffle_words(spec)
    with right:
        st.markdown(
            f"“{ui.escape_markdown(' '.join(spec.words))}” → “{ui.escape_markdown(' '.join(spec.shuffled))}”"
        )
        st.markdown(" ".join(pictures.verdict(spec, found)))
        ui.show_figure(
            pictures.outputs(spec, found, ui.theme_mode()),
            name="positions-order",
            reading="A row is a word's output vector. Compare the first picture with the third: "
            "there each word stands in its old place again.",
            alt=pictures.describe_outputs(spec, found),
        )
    columns = ["word", "place", "now at", "first number", "now", "largest difference"]
    caption = "The first number of each word's output, and the largest difference of all of them"
    ui.table(columns, pictures.move_rows(spec, found), name="positions-moves", caption=caption)
    st.caption(
        f"An encoder of two layers, {permutation.WIDTH} wide, in float64; its weights are drawn at "
        "random and not trained: what is shown holds for any weights."
    )
    position_views.trained_encoder(spec)


def read_order() -> OrderSpec:
    """The words and their new order."""
    state = st.session_state
    return permutation.parse_order(
        state["positions_text"],
        state["positions_order"],
        positions=state["positions_on"] == "true",
        causal=state["positions_causal"] == "true",
    )


def default_order() -> OrderSpec:
    """The words and the order that the page opens on."""
    return permutation.parse_order(LESSON.looks["positions_text"], LESSON.looks["positions_order"])


def shuffle_again() -> None:
    """The next seed, or the first."""
    seed = permutation.next_seed(st.session_state["positions_order"])
    ui.set_controls({"positions_order": f"seed {seed}"})


def four_facts() -> None:
    """The numbers of the lecture's formula, computed now."""
    st.markdown(words.fact_table(positions.encoding_facts()))
    st.caption("Computed now, in float64.")


def predict(spec: PlacePair) -> None:
    """Three questions, answered from the present state."""
    found = positions.compare_places(
        torch.tensor(spec.place), torch.tensor(spec.offset), spec.width
    )
    away = MOST - spec.place
    ui.check_yourself(
        f"d = {spec.width}. What is PE({away})·PE({away + spec.offset})?",
        answer=float(found.dot),
        because=f"The same as PE({spec.place})·PE({spec.place + spec.offset}): both are "
        f"{spec.offset} apart.",
        key="positions-dot",
    )
    ui.check_yourself(
        f"d = {spec.width}. What is ‖PE(1000)‖²?",
        answer=spec.width / 2,
        because="Each pair adds sin² + cos² = 1, at every place, and there are d/2 pairs.",
        key="positions-length",
    )
    count = len(permutation.parse_order(LESSON.looks["positions_text"], "seed 1").words)
    last = permutation.shuffle_words(
        permutation.parse_order(LESSON.looks["positions_text"], "0 4 2 3 1", causal=True)
    )
    ui.check_yourself(
        f"“{LESSON.looks['positions_text']}”, no positions, but a causal mask; the second and the "
        f"last word change places. How many of the {count} words keep their vector?",
        answer=float(last.kept),
        because="A word sees itself and what came before. Only the first sees what it saw: the "
        "mask itself tells of the order.",
        key="positions-mask",
    )


def source(spec: PlacePair) -> None:
    snippet = words.snippet(spec)
    ui.show_code(
        positions.sinusoids,
        positions.compare_places,
        permutation.shuffle_words,
        snippet=snippet,
        name="positions",
    )


ui.open_page("positions")
lab()
ui.neighbour_links("positions")
