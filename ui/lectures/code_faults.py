"""A slide's code on the stage: its faults put back one at a time, with a slider and a question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from drawing import code_lines
from drawing.code_lines import CODE_FAULTS, CodeFault
from drawing.events import Moved
from lmcore import parsing
from ui.components import main_picture, sliders
from ui.desk import Rows, stage_texts
from ui.questions import Question, predict_first
from ui.widgets import set_controls, show_error_later


def show_faults(
    rows: Rows,
    setting: str,
    chosen: int,
    code: tuple[Sequence[str], Sequence[CodeFault]],
    ends: tuple[Mapping[str, float], Sequence[str]],
) -> None:
    """Draw the corrected `code` with its faults, of which `chosen` is put back; 0: none.

    `setting` keeps that choice. `ends` are the numbers with which the corrected code ends, and the
    formula that prints them.
    """
    lines, faults = code
    numbers, formula = ends
    live = code_lines.numbers(
        f"{rows.lesson.slug}-faults", faults, min(chosen, len(faults)), numbers
    )
    with rows.rail:
        hidden = predict_first([count_question(rows.lesson.slug, faults)])
        sliders(live, on_settled=lambda moved: _store(setting, len(faults), moved))
    with rows.picture:
        texts = stage_texts(
            rows.lesson,
            sentences=code_lines.sentences(faults),
            formula=[formula],
            alt=code_lines.describe(lines, faults),
            kind="computed",
            hidden=hidden,
        )
        main_picture(CODE_FAULTS, live, code_lines.picture(lines, faults), texts)


def count_question(page: str, faults: Sequence[CodeFault]) -> Question:
    """The question: how many of the faults stop with an error."""
    found = code_lines.count_kinds(faults)
    return Question(
        f"{page}-faults",
        f"The slide’s code is wrong in {len(faults)} places. Each is put back alone and run: how "
        "many stop with an error?",
        float(found["stops"]),
        f"The other {len(faults) - found['stops']} run to their end: Python does not know what "
        "should come out.",
        hint="What would Python refuse, and what would it simply compute?",
        hides=code_lines.COUNTS,
    )


def _store(setting: str, most: int, moved: Moved) -> None:
    """Store the fault to which the slider was moved, or the number typed beside it."""
    try:
        fault = parsing.parse_integer(moved["typed"], "the fault")
        if not 0 <= fault <= most:
            raise ValueError(f"the fault must be from 0 to {most}; got {fault}")
        set_controls({setting: str(fault)})
    except ValueError as error:
        show_error_later(error)
