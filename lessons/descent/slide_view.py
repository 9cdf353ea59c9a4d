"""The view “Slide code”: the slides' PyTorch code beside the corrected code, both run."""

from __future__ import annotations

from functools import partial

import streamlit as st

import ui
from lessons.descent import descent_figures
from lessons.descent.descent_state import DescentState
from lessons.descent.numbers import Descent
from lessons.descent.surfaces import Pair
from lmcore.numbers import format_number
from lmcore.optimization.regression import (
    LinearRegression,
    regression_from_points,
    solve_regression,
)
from lmcore.optimization.slide_code import (
    SLIDE_CODE,
    SlideComparison,
    SlideFault,
    compare_slide_code,
)
from ui import compute

ERRATA = ("X46", "X47", "X48", "X05")


def slide_code(now: DescentState, run: Descent) -> None:
    """Run the slide's code, its two corrections, and each fault alone."""
    objective = run.surface.objective
    assert isinstance(objective, LinearRegression)
    compare = partial(_compare, now.points)
    compared = compute.shared_result("slide code", compare, most=32, says="Running both codes")
    left, right = st.columns(2)
    with left:
        st.markdown("**The slide’s code**, run as it stands")
        st.code(SLIDE_CODE, language="python", wrap_lines=True)
        st.markdown(f":material/close: `{compared.as_written}`")
    with right:
        _corrected_code(compared)
    least = float(solve_regression(objective).loss)
    ui.show_figure(
        descent_figures.code_figure(compared, least, ui.theme_mode()),
        name="slide-code",
        reading="Both corrected codes go through the same points in the same order.",
        alt=f"Both corrected codes reach L = {least:.4f}, the loss of the closed form.",
    )
    st.markdown("**Each fault alone**, put back into the corrected code and run")
    st.markdown("\n".join(fault_line(each) for each in compared.faults))
    ui.errata(ERRATA)


def _corrected_code(compared: SlideComparison) -> None:
    """One of the two corrected codes, which is chosen here, and how near it comes."""
    native, torch_nn = compared.corrected
    which = st.segmented_control(
        "Corrected code",
        [native.name, torch_nn.name],
        default=native.name,
        key="gd_corrected",
        label_visibility="collapsed",
    )
    line = torch_nn if which == torch_nn.name else native
    st.markdown(f"**Corrected**, {line.name}, run on the points of the picture")
    st.code(line.source, language="python", wrap_lines=True)
    beta = ", ".join(format_number(float(each)) for each in line.parameters)
    st.markdown(
        f":material/check: β = ({beta}) after {len(line.loss) - 1} epochs at "
        f"η = {format_number(line.rate)}: **{format_number(line.distance)}** from the closed "
        f"form. The two codes differ by at most {format_number(compared.difference)}."
    )


def _compare(points: tuple[Pair, ...]) -> SlideComparison:
    return compare_slide_code(regression_from_points(points))


def fault_line(fault: SlideFault) -> str:
    """A fault as a line of a list: what the slide writes, what happens, what is right."""
    happens = fault.happens.replace("`", "'")
    shown = f"`{happens}`" if fault.kind == "stops" else ui.escape_markdown(happens)
    return (
        f"- **{fault.kind}** · `{fault.slide}` · {shown}\n  - right: "
        f"{ui.escape_markdown(fault.right)} ({ui.escape_markdown(fault.heading)})"
    )
