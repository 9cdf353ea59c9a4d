"""Page “Positions”: sinusoidal positions as clocks, and attention without positions."""

from __future__ import annotations

import streamlit as st
import torch

import ui
from lessons.positions import picture, sections, state, text
from lessons.positions.state import LESSON
from lmcore.models import positions
from lmcore.models.positions import PlacePair


@st.fragment
def lab() -> None:
    """Controls left, picture right; the browser moves the two places while a slider is dragged."""
    top = st.container(key="presets")
    left, right = st.columns([2, 5], gap="medium")
    with left:
        state.SETTINGS.restore()
        state.SETTINGS.draw("positions_width")
        spec, pair = ui.validated_or_previous(
            "positions", state.read_places, lambda: (PlacePair(), 0)
        )
        live = state.slider_numbers(spec, pair)
        ui.sliders(live, on_settled=state.store_slider)
        st.caption("Or drag in the picture. Press a clock to open its pair of dimensions.")
        st.markdown("\n\n".join(f"${line}$" for line in text.formula(spec)))
    with right:
        ui.picture(picture.POSITIONS, live, picture.picture(spec, pair), on_event=state.open_clock)
    comparison = positions.compare_places(
        torch.tensor(spec.place), torch.tensor(spec.offset), spec.width
    )
    ui.notice(*text.notice(spec, comparison))
    parts = {
        "Step by step": lambda: sections.step_by_step(spec, pair, live),
        "Shuffle the words": sections.shuffle_the_words,
        "Four facts": sections.four_facts,
        "Learned or fixed": sections.learned_or_fixed,
        "Words to input": sections.words_to_input,
        "Check yourself": lambda: sections.predict(spec),
        "Code": lambda: sections.source(spec),
    }
    ui.sections(parts, key="positions_see")
    with top:
        ui.presets(LESSON)


ui.open_page("positions")
lab()
ui.neighbour_links("positions")
