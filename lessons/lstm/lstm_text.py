"""The sentences, formulas and descriptions of the LSTM's cell and of vanishing gradients."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lmcore.numbers import format_number
from lmcore.recurrence.gates import FAR_STEPS
from lmcore.recurrence.vanishing import STEPS, VanishingSpec

if TYPE_CHECKING:
    pass

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
"""The findings among which @say chooses: the number that each one marks, and its sentence."""
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
GAIN_WORDS = ((0.01, "vanishes"), (0.5, "fades"), (2.0, "survives"), (100.0, "grows"))
"""The largest gain of each word; a larger gain "explodes"."""
WORDS = (*(word for _, word in GAIN_WORDS), "explodes")
VANISHING_MOVED = (
    "You moved **{label}** from {moved<} to =={moved}==: after 50 steps the RNN's gradient is "
    f"**[gradient|{{plain{STEPS}}}]** times as large, the LSTM's **[input|{{all_paths{STEPS}}}]**."
)
VANISHING_FORMULA = (
    f"[gradient|RNN]: ‖∂h_T/∂h_k‖ after {STEPS} steps **[gradient|{{plain{STEPS}}}]**, "
    f"ρ⁵⁰ = {{radius}}⁵⁰ = {{power{STEPS}}}",
    "[activation|LSTM along c]: f⁵⁰ = [activation|{forget_rate}]⁵⁰ = "
    f"**[activation|{{along_cell{STEPS}}}]**",
)


def vanishing_sentences() -> list[str]:
    """The findings between which `vanishing_say` chooses: a word of the RNN, one of the LSTM."""
    return [
        f"{STEPS} steps back the plain RNN's gradient is ==[gradient|{{plain{STEPS}}}]== times as "
        f"large: it **{rnn}**. The LSTM's is [input|{{all_paths{STEPS}}}] times: it **{lstm}**."
        for rnn in WORDS
        for lstm in WORDS
    ]


def describe_vanishing(spec: VanishingSpec) -> str:
    """The alt text of the curves, as a template."""
    gate = "computed" if spec.write is None else f"held at {format_number(spec.write)}"
    return (
        f"Gain over {STEPS} steps back, on a log scale, g = {spec.g}, ρ = {{radius}}. RNN "
        f"{{plain{STEPS}}}, LSTM along its cell {{along_cell{STEPS}}}, along all paths "
        f"{{all_paths{STEPS}}}, its input gate {gate}."
    )
