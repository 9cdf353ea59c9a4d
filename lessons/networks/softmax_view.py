"""The view “Softmax”: logits on sliders, the stable form and the one that overflows."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st
import torch

import ui
from drawing.events import Moved
from drawing.steps import StepRow
from lessons.networks.networks_state import SETTINGS
from lmcore import parsing
from lmcore.networks.softmax import SoftmaxTrace, trace_softmax
from lmcore.numbers import format_number, subscript

DEFAULT = (2.0, 1.0, 0.0)


def softmax_view() -> None:
    """Draw the sliders of the logits, their softmax step by step, and what overflows."""
    st.latex(r"\mathrm{softmax}(z)_i = \frac{e^{z_i/\tau}}{\sum_{j=1}^{K} e^{z_j/\tau}}")
    logits, temperature = ui.validated_or_previous("softmax", read_logits, lambda: (DEFAULT, 1.0))
    precision = SETTINGS.choice("soft_bits")
    now = trace_softmax(logits, temperature, precision)
    live = softmax_numbers(logits, temperature, precision)
    left, right = st.columns([1, 3])
    with left:
        ui.sliders(live, on_settled=store_logit)
        SETTINGS.draw("soft_z", "soft_t", "soft_bits")
    with right:
        st.markdown(finding(now, precision))
        ui.step_table(softmax_steps(len(logits)), live, caption="Softmax, one operation per row")
        st.button(
            "Add 1 to every logit",
            on_click=shift_logits,
            args=(logits,),
            help="Watch the probabilities: none changes, because e to the 1 cancels",
        )


def read_logits() -> tuple[tuple[float, ...], float]:
    """The logits and the temperature of the controls.

    Raises:
        ValueError: naming what is wrong.
    """
    logits = tuple(parsing.parse_numbers(st.session_state["soft_z"], "the logits z"))
    temperature = parsing.parse_number(st.session_state["soft_t"], "the temperature τ")
    trace_softmax(logits, temperature)
    return logits, temperature


def softmax_numbers(
    logits: tuple[float, ...], temperature: float, precision: str
) -> ui.LiveNumbers:
    """The numbers of every step, for the current logits and along the slider of each logit."""
    z = torch.tensor([logits], dtype=torch.float64)
    sliders, tables = [], []
    names, now = _named(trace_softmax(z, temperature, precision))
    for i, value in enumerate(logits):
        positions = ui.slider_positions(value, reach=8.0, limit=10_000.0)
        swept = z.repeat(len(positions), 1)
        swept[:, i] = torch.from_numpy(positions)
        tables.append(_named(trace_softmax(swept, temperature, precision))[1])
        label = f"z{subscript(i + 1)}"
        help_text = "One more logit: its share grows, all others shrink"
        sliders.append(
            ui.Slider(f"z{i + 1}", label, f"logit {i + 1}", value, positions, help_text, "score")
        )
    return ui.LiveNumbers("softmax", names, now[0], tuple(sliders), tables)


def _named(trace: SoftmaxTrace) -> tuple[tuple[str, ...], np.ndarray[Any, np.dtype[np.float64]]]:
    """The names of all numbers, and a row of them for each row of logits."""
    count = trace.logits.shape[-1]
    parts = {
        "z": trace.logits,
        "s": trace.scaled,
        "e": trace.exponentials,
        "n": trace.naive,
        "d": trace.shifted,
        "f": trace.stable_exponentials,
        "p": trace.probabilities,
    }
    names = [f"{letter}{i + 1}" for letter in parts for i in range(count)]
    sums = {"total": trace.total, "most": trace.largest, "stable": trace.stable_total}
    columns = [*parts.values(), *(each[..., None] for each in sums.values())]
    rows = torch.cat([each.double() for each in columns], dim=-1).numpy()
    return (*names, *sums), rows


def softmax_steps(count: int) -> tuple[StepRow, ...]:
    """The rows of the step table: the naive form, then the stable one."""
    each = range(1, count + 1)

    def listed(letter: str) -> str:
        return ", ".join(f"{{{letter}{i}}}" for i in each)

    plus = " + ".join
    shape = f"[{count}]"
    return (
        StepRow("scaled logits", "z / τ", listed("s"), "z/τ", "score", shape),
        StepRow("exponentials", "e^(z/τ)", listed("e"), "e", "activation", shape),
        StepRow("their sum", plus(f"{{e{i}}}" for i in each), "{total}", "Σ", "activation"),
        StepRow("naive softmax", "e / Σ", listed("n"), "", "activation", shape),
        StepRow("less the largest", "z/τ − {most}", listed("d"), "", "score", shape),
        StepRow(
            "exponentials, none above 1", "e^(z/τ − max)", listed("f"), "", "activation", shape
        ),
        StepRow("their sum", plus(f"{{f{i}}}" for i in each), "{stable}", "Σ", "activation"),
        StepRow("softmax", "e / Σ", listed("p"), "ŷ", "activation", shape),
    )


def finding(trace: SoftmaxTrace, precision: str) -> str:
    """A sentence that compares the results of the two forms."""
    finite = bool(trace.naive.isfinite().all()) and float(trace.total) > 0
    largest = format_number(float(trace.probabilities.max()))
    if finite:
        return (
            f"Both forms agree: the largest probability is **{largest}**. Raise a logit to 1000 to "
            "see the naive one break."
        )
    power = format_number(float(trace.largest))
    broken = format_number(float(trace.exponentials.max()))
    return (
        f"In {precision}, e^({power}) is **{broken}**, and dividing by a sum of {broken} is "
        "**undefined**. With the largest logit taken off, no exponential is above 1: the largest "
        f"probability is **{largest}**."
    )


def store_logit(moved: Moved) -> None:
    """Store a released slider's logit."""
    logits, _ = st.session_state["softmax-good"]
    try:
        value = parsing.parse_number(moved["typed"], moved["name"])
        changed = list(logits)
        changed[int(moved["name"][1:]) - 1] = value
        ui.set_controls({"soft_z": ", ".join(f"{each:.10g}" for each in changed)})
    except ValueError as error:
        ui.show_error_later(error)


def shift_logits(logits: tuple[float, ...]) -> None:
    """Raise every logit by 1."""
    ui.set_controls({"soft_z": ", ".join(f"{each + 1:.10g}" for each in logits)})
