"""Labels and steps for one LSTM cell and for vanishing gradients.

They are used by the pictures and the step table. Numbers are written as templates, {forget} or
{kept:p} (in parentheses if negative), and are filled in from the trace, both on the server and in
the browser.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias, TypedDict, get_args

import torch

from drawing.payload import NumberName, Script
from drawing.steps import StepRow
from lmcore.numbers import latex
from lmcore.recurrence.gates import FAR_STEPS, GateTrace
from lmcore.recurrence.vanishing import REFERENCES, STEPS, WIDTH, Gains, VanishingSpec, gains

if TYPE_CHECKING:
    from torch import Tensor
from lessons.lstm.lstm_text import GAIN_WORDS, SENTENCES, WORDS

LABELS = {
    "c_before": "cₜ₋₁",
    "z_f": "z_f",
    "z_i": "z_i",
    "z_c": "z_c",
    "z_o": "z_o",
}
SPOKEN = {
    "c_before": ("memory before", "What the cell holds when the step begins", "value"),
    "z_f": ("forget gate, pre-activation", "f = σ(z_f). Right: the memory is kept", "weight"),
    "z_i": ("input gate, pre-activation", "i = σ(z_i). Right: the candidate is written", "weight"),
    "z_c": ("candidate, pre-activation", "c̃ = tanh(z_c). Below 0 it lowers c", "input"),
    "z_o": ("output gate, pre-activation", "o = σ(z_o). Right: h shows the memory", "weight"),
}
HEADING = "Each z = W·[hₜ₋₁; eₜ] + b"
"""The heading above the sliders of z. A trained network computes z; here they are set."""
SIZE = (
    "An LSTM layer reads 64 numbers and holds 128. How many weights, with one bias vector per gate?"
)
WHY_SIZE = "4 (d_h (d_h + d_x) + d_h): four gates read h and x end to end."
OPEN, SHUT = 0.9, 0.1
REACHES = (1.0, 1.5, 2.0, 3.0, 5.0, 8.0, 12.0, 25.0)


class LSTMPayload(TypedDict):
    """The data of the picture of a cell in addition to its numbers."""

    named: list[NumberName]
    """The number that each sentence marks."""
    farSteps: int
    """The number of steps for which the sentence gives the gradient along the memory."""
    word: str
    """The word whose gates a trained network has computed, or empty: they are set by hand."""


GainName: TypeAlias = Literal["plain", "all_paths", "along_cell", "power"]


class GainCurve(TypedDict):
    """A curve: the start of its numbers' names, and its look."""

    name: GainName
    label: str
    brief: str
    """The label on a phone."""
    role: str
    dash: str | None
    thin: bool
    part: str
    """The part of the picture that it belongs to."""


class VanishPayload(TypedDict):
    """Curves of gains on a logarithmic scale, and constant factors for comparison."""

    curves: list[GainCurve]
    references: Sequence[tuple[float, int]]
    """Factors, each with the step at which its power is marked."""
    steps: int
    low: int
    high: int
    xTitle: str
    yTitle: str
    yShort: str
    note: str
    """What was computed."""
    named: NumberName
    """The number that the sentence marks."""


SET = ("c_before", "z_f", "z_i", "z_c", "z_o")
MADE = ("forget", "input", "candidate", "kept", "written", "cell", "output", "squashed", "hidden")
SLOPES = ("cell_by_before", "cell_by_candidate", "hidden_by_cell", "far")
LSTM = Script("lstm", LSTMPayload, (*SET, *MADE, *SLOPES, "reach", "@say"))
VANISH = Script(
    "vanish",
    VanishPayload,
    ("radius", "forget_rate", *(f"{name}#" for name in get_args(GainName)), "@say"),
)


def cell_picture(word: str = "") -> LSTMPayload:
    """The data of `lessons/lstm/lstm.js` without the numbers; `word`: the one that is read."""
    return {"named": [name for name, _ in SENTENCES], "farSteps": FAR_STEPS, "word": word}


def findings(trace: GateTrace) -> dict[str, Tensor]:
    """The sentence (@say), and the end of the memory's scale, which grows in large steps."""
    f, i = trace.forget, trace.input
    largest = torch.stack([trace.c_before, trace.kept, trace.cell]).abs().amax(dim=0)
    ends = torch.tensor(REACHES, dtype=largest.dtype)
    say = torch.zeros_like(f)
    say[(f <= SHUT) & (i >= OPEN)] = 1
    say[(f <= SHUT) & (i <= SHUT)] = 2
    say[(f >= OPEN) & (i >= OPEN)] = 3
    say[(trace.output <= SHUT) & (trace.cell.abs() > SHUT)] = 4
    at = torch.searchsorted(ends, largest.contiguous())
    return {"reach": ends[at], "@say": say}


def gates_steps() -> tuple[StepRow, ...]:
    """The computation, one row an operation, the local derivatives last."""
    return (
        StepRow("forget gate", "σ({z_f})", "{forget}", "f", "weight", operands=(("z_f", "{z_f}"),)),
        StepRow("input gate", "σ({z_i})", "{input}", "i", "weight", operands=(("z_i", "{z_i}"),)),
        StepRow("candidate", "tanh({z_c})", "{candidate}", "c̃", "input",
             operands=(("z_c", "{z_c}"),)),
        StepRow("kept", "{forget} × {c_before:p}", "{kept}", "f·cₜ₋₁", "value", operands=_KEPT),
        StepRow("written", "{input} × {candidate:p}", "{written}", "i·c̃", "input",
             operands=_WRITTEN),
        StepRow("memory", "{kept} + {written:p}", "{cell}", "cₜ", "activation", operands=_CELL),
        StepRow("output gate", "σ({z_o})", "{output}", "o", "weight", operands=(("z_o", "{z_o}"),)),
        StepRow("hidden state", "{output} × tanh({cell})", "{hidden}", "hₜ", "activation",
             operands=_HIDDEN),
        StepRow("slope along the memory", "f", "{cell_by_before}", "∂cₜ/∂cₜ₋₁", "gradient",
             operands=(("f", "{forget}"),)),
        StepRow("slope of writing", "i", "{cell_by_candidate}", "∂cₜ/∂c̃", "gradient",
             operands=(("i", "{input}"),)),
        StepRow("slope of reading", "{output} × (1 − {squashed:p}²)", "{hidden_by_cell}", "∂hₜ/∂cₜ",
             "gradient", operands=_HIDDEN),
    )  # fmt: skip


_KEPT = (("f", "{forget}"), ("cₜ₋₁", "{c_before}"))
_WRITTEN = (("i", "{input}"), ("c̃", "{candidate}"))
_CELL = (("f·cₜ₋₁", "{kept}"), ("i·c̃", "{written}"))
_HIDDEN = (("o", "{output}"), ("tanh cₜ", "{squashed}"))


def gates_formula(trace: GateTrace) -> str:
    """c_t in LaTeX, each number above its symbol."""
    parts = {
        "f": trace.forget, "c_{t-1}": trace.c_before, "i": trace.input,
        r"\tilde c": trace.candidate,
    }  # fmt: skip
    f, before, i, new = (
        rf"\underbrace{{{latex(float(value))}}}_{{{letter}}}" for letter, value in parts.items()
    )
    c = latex(float(trace.cell)).strip("()")
    return rf"c_t = {f}\cdot{before} + {i}\cdot{new} = {c}"


LOW, HIGH = -9, 6
"""Powers of ten at the ends of the scale; values beyond are drawn at the edge."""
VANISHING_SLIDERS = (
    ("radius", "ρ", "spectral radius of W_h", "Below 1 the RNN's gradient dies out", "gradient"),
    ("forget_rate", "f", "forget gate of the LSTM", "The share of c that stays", "activation"),
)
"""Setting, label, spoken label, help text, role."""
FIFTY_STEPS_QUESTION = (
    "f = 0.9 at every step. What share of the gradient along c is left after 50 steps?"
)
VANISHING_READING = (
    f"Computed: {WIDTH} units, weights and inputs drawn at random, not trained. A gain of 0.01: "
    "1 % of a small change survives that many steps. ×: the result of 0.9, 1.1 and ¼ (the "
    "steepest slope of σ) per step."
)


def vanishing_picture() -> VanishPayload:
    """The data of `lessons/lstm/vanish.js` without the numbers."""
    return {
        "curves": [
            _curve("plain", "RNN", "RNN", "gradient", None, "rnn"),
            _curve("all_paths", "LSTM, all paths", "LSTM, all", "input", None, "lstm"),
            _curve("along_cell", "LSTM, along c", "LSTM, c", "activation", "9 5", "lstm"),
            _curve("power", "ρⁿ", "ρⁿ", "quiet", "2 5", "rnn", thin=True),
        ],
        "references": REFERENCES,
        "steps": STEPS,
        "low": LOW,
        "high": HIGH,
        "xTitle": "steps back, T − k",
        "yTitle": "gain: how large a gradient arrives, ‖∂(T)/∂(k)‖, log scale",
        "yShort": "gain of ∂(T)/∂(k), log scale",
        "note": f"{WIDTH} units, random weights, not trained",
        "named": f"plain{STEPS}",
    }


def _curve(
    name: GainName,
    label: str,
    brief: str,
    role: str,
    dash: str | None,
    part: str,
    *,
    thin: bool = False,
) -> GainCurve:
    return {
        "name": name, "label": label, "brief": brief, "role": role, "dash": dash, "thin": thin,
        "part": part,
    }  # fmt: skip


def gain_after_fifty_steps() -> float:
    """The answer to `FIFTY_STEPS_QUESTION`."""
    return float(gains(VanishingSpec(1.0, 0.9)).along_cell[50])


def vanishing_say(found: Gains) -> Tensor:
    """The index of the true one of `vanishing_sentences`."""
    ends = torch.tensor([most for most, _ in GAIN_WORDS], dtype=found.plain.dtype)
    rnn, lstm = (
        torch.bucketize(gain[..., -1].contiguous(), ends) for gain in (found.plain, found.all_paths)
    )
    return (len(WORDS) * rnn + lstm).to(found.plain.dtype)


def gain_words(gain: float) -> str:
    """Describes a gradient that arrives `gain` times as large."""
    return next((word for most, word in GAIN_WORDS if gain <= most), "explodes")
