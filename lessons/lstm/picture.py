"""Labels, steps and sentences for one LSTM cell and for vanishing gradients.

They serve the pictures and the step table. Numbers stand as templates, {forget} or {kept:p} (in
parentheses where negative), and are filled in from the trace, on the server and in the browser
alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypedDict

import torch

from lessons.shared.payload import Line, Script
from lessons.shared.steps import StepRow
from lmcore.numbers import format_number, latex
from lmcore.recurrence.gates import FAR_STEPS, GateTrace
from lmcore.recurrence.vanishing import REFERENCES, STEPS, WIDTH, Gains, VanishingSpec, gains

if TYPE_CHECKING:
    from torch import Tensor

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
HEADINGS = {"c_before": "The memory before the step", "z": "Each z = W·[hₜ₋₁; eₜ] + b"}
"""Above the sliders: what the numbers are. A trained network computes each z; here it is set."""
SIZE = (
    "An LSTM layer reads 64 numbers and holds 128. How many weights, with one bias vector per gate?"
)
WHY_SIZE = "4 (d_h (d_h + d_x) + d_h): four gates read h and x end to end."
OPEN, SHUT = 0.9, 0.1
REACHES = (1.0, 1.5, 2.0, 3.0, 5.0, 8.0, 12.0, 25.0)


class LSTMPayload(TypedDict):
    """What the picture of a cell has besides its numbers."""

    named: list[str]
    """Of each sentence the number that it marks."""
    farSteps: int
    """After how many steps the gradient along the memory is told."""


class GainCurve(TypedDict):
    """A curve: the start of its numbers' names, and its look."""

    name: str
    label: str
    role: str
    dash: str
    thin: bool


class VanishPayload(TypedDict):
    """Curves of gains on a logarithmic scale, and factors to hold them against."""

    curves: list[GainCurve]
    references: Sequence[tuple[float, int]]
    """A factor, and after how many steps its power is marked."""
    steps: int
    low: int
    high: int
    xTitle: str
    yTitle: str
    lines: list[Line]
    alt: str


LSTM = Script("lstm", LSTMPayload)
VANISH = Script("vanish", VanishPayload)

MEMORY = "[value|c] goes from {c_before} to **[value|{cell}]**"
SENTENCES = (
    (
        "forget",
        "The forget gate keeps ==[weight|{forget}]== of the memory; the input gate adds {written}: "
        f"{MEMORY}.",
    ),
    (
        "forget",
        "The forget gate keeps only ==[weight|{forget}]== of the memory, the candidate takes its "
        f"place: {MEMORY}.",
    ),
    (
        "forget",
        "Both gates are shut: ==[weight|{forget}]== of the memory is kept, next to nothing is "
        f"written: {MEMORY}.",
    ),
    (
        "written",
        "Both gates are open: {kept} is kept and ==[input|{written}]== is added: "
        "[value|c] = **[value|{cell}]**.",
    ),
    (
        "output",
        "The output gate lets only ==[weight|{output}]== through: [value|c] = {cell} **stays "
        "hidden**, [activation|h] is **[activation|{hidden}]**.",
    ),
)
"""The findings between which @say chooses: of each, the number that it marks, and the sentence."""
MOVED = (
    "You moved **{label}** from {moved<} to =={moved}==: [value|c] went from {cell<} to "
    "**[value|{cell}]**, [activation|h] from {hidden<} to **[activation|{hidden}]**."
)
FORMULA = (
    "[value|cₜ] = [weight|f]·[value|cₜ₋₁] + [weight|i]·[input|c̃] = "
    "[weight|{forget}]·[value|{c_before:p}] + [weight|{input}]·[input|{candidate:p}] = "
    "**[value|{cell}]**",
    "[activation|hₜ] = [weight|o]·tanh(cₜ) = [weight|{output}]·[score|{squashed:p}] = "
    "**[activation|{hidden}]**",
)
ALT = (
    "An LSTM cell: forget gate {forget} keeps {kept} of the memory {c_before}; input gate {input} "
    "writes {written}; the new memory is {cell}; output gate {output} shows {hidden}. "
    f"Along the memory the gradient is multiplied by {{cell_by_before}}, after {FAR_STEPS} steps "
    "by {far}."
)


def cell_picture() -> LSTMPayload:
    """The data of `lessons/lstm/lstm.js` besides the numbers."""
    return {"named": [name for name, _ in SENTENCES], "farSteps": FAR_STEPS}


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


LOW, HIGH = -12, 6
"""Powers of ten at the ends of the scale; what is beyond is drawn at the edge."""
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


def vanishing_picture(spec: VanishingSpec) -> VanishPayload:
    """The data of `lessons/lstm/vanish.js` besides the numbers."""
    return {
        "curves": [
            _curve("plain", "RNN", "gradient", "none"),
            _curve("along_cell", "LSTM, fⁿ", "activation", "9 5"),
            _curve("all_paths", "LSTM, all", "input", "3 4"),
            _curve("power", "ρⁿ", "quiet", "2 5", thin=True),
        ],
        "references": REFERENCES,
        "steps": STEPS,
        "low": LOW,
        "high": HIGH,
        "xTitle": "steps back, T − k",
        "yTitle": "gain of ∂(T)/∂(k), log scale",
        "lines": [
            {
                "role": "gradient",
                "text": f"RNN: after 10 steps {{plain10}}, after {STEPS} {{plain{STEPS}}}; "
                f"ρ⁵⁰ = {{power{STEPS}}}",
            },
            {
                "role": "activation",
                "text": f"LSTM: along c after {STEPS} steps f⁵⁰ = {{along_cell{STEPS}}}; "
                f"along all paths {{all_paths{STEPS}}}",
            },
        ],
        "alt": f"Gain over {STEPS} steps back, on a log scale, g = {spec.g}. RNN {{plain{STEPS}}}, "
        f"LSTM along its cell {{along_cell{STEPS}}}, along all paths {{all_paths{STEPS}}}.",
    }


def _curve(name: str, label: str, role: str, dash: str, *, thin: bool = False) -> GainCurve:
    return {"name": name, "label": label, "role": role, "dash": dash, "thin": thin}


def gain_after_fifty_steps() -> float:
    """The answer to `FIFTY_STEPS_QUESTION`."""
    return float(gains(VanishingSpec(1.0, 0.9)).along_cell[50])


def vanishing_words(spec: VanishingSpec, found: Gains) -> list[str]:
    """Sentences on what to notice at these settings."""
    plain, along = float(found.plain[-1]), float(found.along_cell[-1])
    every = float(found.all_paths[-1])
    gate = "computed" if spec.write is None else f"held at {format_number(spec.write)}"
    first = (
        f"With ρ(W_h) = {format_number(spec.radius)} a gradient of the plain RNN arrives "
        f"**{format_number(plain)}** times as large after {STEPS} steps: it {gain_words(plain)}."
    )
    second = (
        f"Along the LSTM's cell **{format_number(along)}** is left, exactly fⁿ: it "
        f"{gain_words(along)}."
    )
    third = (
        f"Along all its paths, with the input gate {gate}, it is {format_number(every)}: it "
        f"{gain_words(every)}. The gates reduce the problem but do not eliminate it."
    )
    return [first, second, third]


def gain_words(gain: float) -> str:
    """Describes a gradient that arrives `gain` times as large."""
    names = ((0.01, "vanishes"), (0.5, "fades"), (2.0, "survives"), (100.0, "grows"))
    return next((name for most, name in names if gain <= most), "explodes")
