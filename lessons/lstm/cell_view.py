"""The picture of one cell, and beside it the controls of the view that is open."""

from __future__ import annotations

import streamlit as st

import ui
from lessons.lstm import (
    cell_probes,
    lstm_picture,
    lstm_questions,
    lstm_state,
    lstm_text,
    lstm_views,
)
from lmcore.recurrence import gates
from lmcore.recurrence.gates import GateTrace, GateUnit

LONGEST_WORD = 20
"""Characters of a word that are drawn."""


def read(rows: ui.Rows) -> tuple[GateUnit, GateTrace, ui.LiveNumbers]:
    """The cell that the controls describe, its numbers now, and those at every slider position."""
    with rows.errors:
        unit = ui.validated_or_previous("gates", lstm_state.read_unit, lambda: lstm_state.REMEMBER)
    trace = gates.trace_gates(unit)
    return unit, trace, lstm_state.slider_numbers(unit, trace)


def show(rows: ui.Rows, unit: GateUnit, trace: GateTrace, live: ui.LiveNumbers, see: str) -> None:
    """Draw the cell on the stage, and in the rail its controls or those of the open view."""
    hidden: tuple[str, ...] = ()
    with rows.rail:
        match see:
            case "Gates over a text":
                lstm_views.text_controls(rows)
            case "Interpretable cells":
                cell_probes.controls(rows)
            case _:
                hidden = ui.predict_first(lstm_questions.gate_questions(unit, trace))
                ui.sliders(live, on_settled=lstm_state.store_slider)
                with ui.more(rows):
                    lstm_state.SETTINGS.draw("gates")
    with rows.picture:
        finding = lstm_views.FINDINGS.get(see)
        texts = ui.stage_texts(
            lstm_state.LESSON,
            sentences=[finding or sentence for _, sentence in lstm_text.SENTENCES],
            moved=lstm_text.MOVED,
            formula=[lstm_text.FORMULA],
            alt=lstm_text.ALT,
            kind="measured" if finding else "computed",
            hidden=hidden,
        )
        how = lstm_picture.cell_picture(st.session_state["gate_word"][:LONGEST_WORD])
        ui.main_picture(lstm_picture.LSTM, live, how, texts)
