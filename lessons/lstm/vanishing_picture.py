"""Curves of vanishing gradients: labels, words and scale; the script draws them."""

from __future__ import annotations

from lmcore.numbers import format_number
from lmcore.recurrence.vanishing import REFERENCES, STEPS, WIDTH, Gains, VanishingSpec, gains

LOW, HIGH = -12, 6
"""Powers of ten at the ends of the scale; what is beyond is drawn at the edge."""
SLIDERS = (
    ("radius", "ρ", "spectral radius of W_h", "Below 1 the RNN's gradient dies out", "gradient"),
    ("forget_rate", "f", "forget gate of the LSTM", "The share of c that stays", "activation"),
)
"""Setting, label, spoken label, what to look for, role."""
FIFTY_STEPS_QUESTION = (
    "f = 0.9 at every step. What share of the gradient along c is left after 50 steps?"
)
READING = (
    f"Computed: {WIDTH} units, weights and inputs drawn at random, not trained. A gain of 0.01: of "
    "a small change that many steps back, in any direction, a hundredth arrives. ×: what 0.9, 1.1 "
    "and ¼ (the steepest slope of σ) a step come to."
)


def vanishing_picture(spec: VanishingSpec) -> dict[str, object]:
    """What `lessons/lstm/vanish.js` needs besides the numbers."""
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


def _curve(name: str, label: str, role: str, dash: str, *, thin: bool = False) -> dict[str, object]:
    return {"name": name, "label": label, "role": role, "dash": dash, "thin": thin}


def gain_after_fifty_steps() -> float:
    """The answer to `FIFTY_STEPS_QUESTION`."""
    return float(gains(VanishingSpec(1.0, 0.9)).along_cell[50])


def vanishing_notice(spec: VanishingSpec, found: Gains) -> list[str]:
    """What to look at in this setting, from its own numbers."""
    plain, along = float(found.plain[-1]), float(found.along_cell[-1])
    every = float(found.all_paths[-1])
    first = (
        f"With ρ(W_h) = {format_number(spec.radius)} a gradient of the plain RNN arrives "
        f"{format_number(plain)} times as large after {STEPS} steps: it {gain_words(plain)}."
    )
    second = (
        f"Along the LSTM's cell {format_number(along)} is left, exactly fⁿ: it {gain_words(along)}."
    )
    third = (
        f"Along all its paths it is {format_number(every)}: it {gain_words(every)}. "
        "The gates ease the problem and do not end it."
    )
    return [first, second, third]


def gain_words(gain: float) -> str:
    """What became of a gradient that arrives `gain` times as large."""
    names = ((0.01, "vanishes"), (0.5, "fades"), (2.0, "survives"), (100.0, "grows"))
    return next((name for most, name in names if gain <= most), "explodes")
