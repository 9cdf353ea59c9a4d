"""What the page asks before it shows; the answers are computed from what is shown."""

from __future__ import annotations

import ui
from lmcore.neuron import neuron
from lmcore.neuron.neuron import MAX_MAGNITUDE, Neuron, NeuronTrace
from lmcore.numbers import format_number, subscript


def questions(unit: Neuron, trace: NeuronTrace) -> list[ui.Question]:
    """The page's questions: z, the change of z with one weight, y when every input is 0."""
    last = len(unit.inputs)
    up = unit.weights[-1] + 1 <= MAX_MAGNITUDE
    moved = unit.with_value(f"w{last}", unit.weights[-1] + (1 if up else -1))
    zero = neuron.trace_neuron(Neuron((0.0,) * last, unit.weights, unit.bias, unit.activation))
    z, name = float(trace.pre_activation), f"w{subscript(last)}"
    return [
        ui.Question(
            "sum",
            "What is z, the sum of all terms and the bias?",
            z,
            "The last bar ends where the sum is: each begins where the one before ended.",
            hint="Add the numbers beside the bars.",
            hides=("z", "y", "slope"),
        ),
        ui.Question(
            "weight",
            f"{'Raise' if up else 'Lower'} {name} by 1. By how much does z change?",
            float(neuron.trace_neuron(moved).pre_activation) - z,
            f"A weight reaches z through its input: x{subscript(last)} = "
            f"{format_number(unit.inputs[-1])}. Drag {name} to see it.",
            hint=f"{name} is multiplied by one number only.",
        ),
        ui.Question(
            "zero",
            "Set every input to 0. What is y?",
            float(zero.output),
            f"Only the bias is left: z = b = {format_number(unit.bias)}.",
            hint="What is left of z, and where does the curve stand there?",
        ),
    ]
