"""The picture of one cell, and beside it the controls of the view that is open."""

from __future__ import annotations

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
        ui.main_picture(lstm_picture.LSTM, live, lstm_picture.cell_picture(), texts)
