"""What the page asks before it shows; the answers are computed from what is shown."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

import ui
from lessons.lstm import lstm_picture, lstm_text
from lessons.lstm.reader_picture import Reading, bars_of, best_unit, is_falling
from lessons.lstm.recall_text import at_the_end
from lmcore.models import lstm
from lmcore.numbers import format_number
from lmcore.recurrence import gates
from lmcore.recurrence.gates import GateTrace, GateUnit
from lmcore.recurrence.recall import CHANCE, RecallResults
from lmcore.recurrence.vanishing import STEPS, Gains


def gate_questions(unit: GateUnit, trace: GateTrace) -> list[ui.Question]:
    """The page's questions: the new memory, z_f reversed, a gradient far back, a weight count."""
    turned = gates.trace_gates(replace(unit, z_f=-unit.z_f))
    sizes = {n: f"{lstm.layer_parameters(64, 128, biases=1) * n // 4:,}" for n in (1, 3, 4)}
    return [
        ui.Question(
            "memory",
            "What is the new memory cₜ?",
            float(trace.cell),
            "Each valve lets its share through: f of the old memory, i of the candidate.",
            hint="It is f·cₜ₋₁ + i·c̃; all four numbers are in the picture.",
            hides=("cell", "squashed", "hidden"),
        ),
        ui.Question(
            "turned",
            f"Reverse the sign: z_f = {format_number(-unit.z_f)}. What is cₜ then?",
            float(turned.cell),
            f"f becomes {format_number(float(turned.forget))}, which is 1 − f.",
            hint="σ(−z) = 1 − σ(z).",
        ),
        _fifty_steps(),
        ui.Question(
            "weights",
            lstm_picture.SIZE,
            sizes[4],
            lstm_picture.WHY_SIZE,
            hint="Three gates and a candidate each have weights of their own.",
            options=tuple(sizes.values()),
        ),
    ]


def _fifty_steps(hides: tuple[str, ...] = ()) -> ui.Question:
    """The gradient along c after 50 steps at f = 0.9."""
    return ui.Question(
        "fifty",
        lstm_picture.FIFTY_STEPS_QUESTION,
        lstm_picture.gain_after_fifty_steps(),
        "0.9⁵⁰: 0.9 per step.",
        hint="Along c the gradient is multiplied by f at every step.",
        hides=hides,
    )


def vanish_questions(now: Gains) -> list[ui.Question]:
    """The view's questions: what becomes of the RNN's gradient, and 0.9⁵⁰."""
    return [
        ui.Question(
            "rnn",
            f"What does the plain RNN's gradient do over {STEPS} steps?",
            lstm_picture.gain_words(float(now.plain[-1])),
            "At every step it is multiplied by W_h and g′.",
            hint="Compare ρ with 1, and remember that g′ is at most 1.",
            options=lstm_text.WORDS,
            hides=(f"plain{STEPS}",),
        ),
        _fifty_steps(hides=("power50",)),
    ]


def recall_questions(found: RecallResults) -> list[ui.Question]:
    """The view's question: how often the plain network is right at the greatest distance."""
    far, alone = at_the_end(found.alone)
    mixed = at_the_end(found.points)[1]
    shares = [float(np.mean(shares["rnn"])) for shares in (alone, mixed)]
    options = sorted({*shares, 0.5, 1.0})
    return [
        ui.Question(
            "recalled",
            f"Trained across {far} symbols only: how often is the plain RNN right?",
            f"{shares[0]:.0%}",
            "Over so many steps next to no gradient comes back to teach it.",
            hint=f"Guessing is right in {CHANCE:.1%}.",
            options=tuple(dict.fromkeys(f"{share:.0%}" for share in options)),
            hides=(f"alone rnn {far}",),
        )
    ]


def reader_questions(reading: Reading) -> list[ui.Question]:
    """What the view *One cell reads* asks: how much one cell knows, or which way it moves."""
    units, best = reading.units, best_unit(reading.units, reading.label)
    if np.isnan(units.usual):
        moves = "it falls" if is_falling(reading) else "it rises"
        return [
            ui.Question(
                "reader-moves",
                f"What does cell {reading.unit} do from one line break to the next?",
                moves,
                f"Its value and the position have r = "
                f"{format_number(float(units.scores[reading.unit]))}.",
                hint="Drag the character along a line.",
                options=("it rises", "it falls"),
                hides=("value", "follow"),
            )
        ]
    right, usual = f"{units.right[best]:.1%}", f"{units.usual:.1%}"
    return [
        ui.Question(
            "reader-right",
            f"One of {len(units.scores)} cells and a threshold: for what share of characters does "
            f"the best one tell whether they are {reading.label}?",
            right,
            f"Cell {best} does; always “outside” is right for {usual}.",
            hint=f"Always “outside” is right for {usual}.",
            options=tuple(sorted({"50.0%", usual, "85.0%", right}, key=lambda s: float(s[:-1]))),
            hides=("right", "follow", *(f"follow {n}" for n in range(len(bars_of(reading))))),
        )
    ]
