"""Page “Transfer”: a pre-trained network put to work, beside the same one from scratch."""

from __future__ import annotations

import streamlit as st

import ui
from lessons.transfer import picture, sections, state


@st.fragment
def lab() -> None:
    """Everything that changes while a network is put to work."""
    rows = ui.rows(state.LESSON)
    with rows.errors:
        state.SETTINGS.restore()
        now = ui.validated_or_previous("transfer", state.read_state, state.default_state)
    live = state.live_numbers(now)
    with rows.rail:
        hidden = ui.predict_first(sections.questions(now, live))
        ui.sliders(live, on_settled=state.store_slider)
        state.SETTINGS.draw("tr_task", "tr_network")
    with rows.picture:
        texts = ui.stage_texts(
            state.LESSON,
            sentences=picture.transfer_sentences(now.parts),
            formula=picture.transfer_formulas(now.network, now.task, hidden="learn" in hidden),
            alt=picture.describe_transfer(now.network, now.task, state.NETWORK_NAMES[now.network]),
            kind="recorded",
            hidden=hidden,
            presses=True,
        )
        how = picture.transfer_picture(now.network, now.task)
        ui.main_picture(picture.TRANSFER, live, how, texts)
    ui.look_closer(rows, sections.views(now))
    ui.examples(rows)


with ui.page("transfer"):
    lab()
