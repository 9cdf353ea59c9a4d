"""Page “Transfer”: a pre-trained network put to work, beside the same one from scratch."""

from __future__ import annotations

import streamlit as st

import ui
from lessons.transfer import (
    transfer_picture,
    transfer_questions,
    transfer_state,
    transfer_text,
    transfer_views,
)
from lessons.transfer.transfer_state import TransferState


@st.fragment
def lab() -> None:
    """Everything that changes while a network is put to work."""
    rows = ui.rows(transfer_state.LESSON)
    with rows.errors:
        transfer_state.SETTINGS.restore()
        now = ui.validated_or_previous(
            "transfer", transfer_state.read_state, transfer_state.default_state
        )
    if draw := transfer_views.PICTURES.get(transfer_state.seen()):
        draw(rows, now)
    else:
        accuracies(rows, now)
    ui.look_closer(rows, transfer_views.views(now))
    ui.examples(rows)


def accuracies(rows: ui.Rows, now: TransferState) -> None:
    """The network with a new head, and how many answers are right by the number of labels."""
    live = transfer_state.live_numbers(now)
    with rows.rail:
        hidden = ui.predict_first(transfer_questions.questions(now, live))
        ui.sliders(live, on_settled=transfer_state.store_slider)
        transfer_state.SETTINGS.draw("tr_task", "tr_network")
    with rows.picture:
        texts = ui.stage_texts(
            transfer_state.LESSON,
            sentences=transfer_text.transfer_sentences(now.parts),
            formula=transfer_text.transfer_formulas(
                now.network, now.task, hidden="learn" in hidden
            ),
            alt=transfer_text.describe_transfer(
                now.network, now.task, transfer_state.NETWORK_NAMES[now.network]
            ),
            kind="recorded",
            hidden=hidden,
        )
        how = transfer_picture.transfer_picture(now.network, now.task)
        ui.main_picture(transfer_picture.TRANSFER, live, how, texts)


with ui.page("transfer"):
    lab()
