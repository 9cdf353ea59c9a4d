"""What the page asks before it shows; the answers are computed from what is shown."""

from __future__ import annotations

from dataclasses import replace

import torch

import ui
from lessons.positions import positions_picture
from lmcore.attention import permutation, two_orders
from lmcore.attention.two_orders import MOST_START, TwoOrders


def questions(spec: TwoOrders) -> list[ui.Question]:
    """The page's questions: the difference without positions, a dot product, a length, a mask."""
    now = positions_picture.current_numbers(spec, 0)
    word = f"“{ui.escape_markdown(spec.words.words[spec.word])}”"
    far = MOST_START + spec.word
    masked = two_orders.compare_two_orders(
        replace(spec, words=replace(spec.words, causal=True)),
        torch.tensor(spec.start),
        torch.tensor(spec.base, dtype=torch.float64),
    )
    kept = int((masked.plain < permutation.TOLERANCE).sum())
    plain = float(now["plain"])
    return [
        ui.Question(
            "plain",
            f"Without positions: how far apart are the two outputs of {word}?",
            plain,
            "The mask hides the words after it, and these are others in the other order."
            if plain
            else "Its vector, and the vectors that it is compared with and averages, are the same: "
            "a sum has no order.",
            hint="Which numbers go into the weights, and which into the sum?",
            hides=("plain",),
        ),
        ui.Question(
            "dot",
            f"The sentence moves until {word} is at {far} and {far + spec.offset}. What is "
            f"PE({far})·PE({far + spec.offset})?",
            float(now["dot"]),
            f"The same as PE({spec.position})·PE({spec.position + spec.offset}): only the offset "
            f"{spec.offset} counts. Drag pos to see it.",
            hint="Each pair contributes the cosine of an angle. Which angle?",
            hides=("dot",),
        ),
        ui.Question(
            "length",
            f"d = {spec.width}. What is ‖PE(1000)‖²?",
            spec.width / 2,
            "Each pair contributes sin² + cos² = 1, at every position, and there are d/2 pairs.",
            hint="Look at the clocks: how long is each hand?",
        ),
        ui.Question(
            "mask",
            f"No positions, but a causal mask. How many of the {len(spec.words.words)} words keep "
            "their output in the other order?",
            float(kept),
            "A word sees itself and the words before it. Those that see the same words as before "
            "keep their output: the mask itself conveys the order.",
            hint="Switch the mask on and press each word.",
        ),
    ]
