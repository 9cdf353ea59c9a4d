"""The view “Faults put back”: the slide's snippet corrected, and each of its faults run alone."""

from __future__ import annotations

from functools import partial

import streamlit as st

import ui
from drawing.code_lines import CodeFault, Kind, code_lines
from lessons.descent import slide_view
from lessons.descent.descent_state import SETTINGS, DescentState
from lmcore.optimization import slide_snippet
from lmcore.optimization.regression import regression_from_points
from lmcore.optimization.slide_code import SlideFault, compare_slide_code
from lmcore.optimization.slide_snippet import PLACES, corrected_snippet, snippet_result
from ui import compute
from ui.lectures import code_faults

NAME = "Faults put back"
KINDS: dict[str, Kind] = {"stops": "stops", "wrong number": "runs", "missing": "missing"}
FORMULA = "the corrected code ends at **β = ([weight|{end 0}], [weight|{end 1}])**, the closed form"


def show(rows: ui.Rows, now: DescentState) -> None:
    """Draw the corrected snippet on the stage, with the chosen fault put back."""
    faults, beta = compute.shared_result(
        "faults put back", partial(_run, now.points), most=32, says="Running every fault"
    )
    lines = code_lines(corrected_snippet)
    ends = {f"end {n}": value for n, value in enumerate(beta)}
    chosen = int(SETTINGS.number("gd_fault"))
    code_faults.show_faults(rows, "gd_fault", chosen, (lines, faults), (ends, [FORMULA]))
    with rows.rail, ui.more(rows):
        st.caption(
            f"Run on the {len(now.points)} points of the page, with 400 steps at the best fixed η. "
            "The lines from loss.backward() on are ours: the slide ends with the loss."
        )
        ui.errata(slide_view.ERRATA[:1])


def _run(points: tuple[tuple[float, float], ...]) -> tuple[tuple[CodeFault, ...], list[float]]:
    """The faults as they ran on these points, and β of the corrected snippet."""
    regression = regression_from_points(points)
    run = {fault.slide: fault for fault in compare_slide_code(regression, epochs=1).faults}
    beta = snippet_result(regression).tolist()
    return tuple(_placed(place, run[place.slide]) for place in PLACES), beta


def _placed(place: slide_snippet.FaultPlace, fault: SlideFault) -> CodeFault:
    return CodeFault(*place[1:], KINDS[fault.kind], fault.happens, fault.right, fault.numbers)
