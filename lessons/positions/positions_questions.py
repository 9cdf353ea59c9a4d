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
    return [
        _without_positions(word, float(now["plain"])),
        _dot_product(spec, word, float(now["dot"])),
        ui.Question(
            "length",
            f"d = {spec.width}. What is ‖PE(1000)‖²?",
            spec.width / 2,
            "Each pair contributes sin² + cos² = 1, at every position, and there are d/2 pairs.",
            hint="Look at the clocks: how long is each hand?",
        ),
        _with_mask(spec),
    ]


def _without_positions(word: str, difference: float) -> ui.Question:
    return ui.Question(
        "plain",
        f"Without positions: how far apart are the two outputs of {word}?",
        difference,
        "The mask hides the words after it, and these are others in the other order."
        if difference
        else "Its vector, and the vectors that it is compared with and averages, are the same: "
        "a sum has no order.",
        hint="Which numbers go into the weights, and which into the sum?",
        hides=("plain",),
    )


def _dot_product(spec: TwoOrders, word: str, dot: float) -> ui.Question:
    far = MOST_START + spec.word
    return ui.Question(
        "dot",
        f"The sentence moves until {word} is at {far} and {far + spec.offset}. What is "
        f"PE({far})·PE({far + spec.offset})?",
        dot,
        f"The same as PE({spec.position})·PE({spec.position + spec.offset}): only the offset "
        f"{spec.offset} counts. Drag pos to see it.",
        hint="Each pair contributes the cosine of an angle. Which angle?",
        hides=("dot",),
    )


def _with_mask(spec: TwoOrders) -> ui.Question:
    """How many words keep their output in the other order; it is computed with the mask on."""
    masked = two_orders.compare_two_orders(
        replace(spec, words=replace(spec.words, causal=True)),
        torch.tensor(spec.start),
        torch.tensor(spec.base, dtype=torch.float64),
    )
    return ui.Question(
        "mask",
        f"No positions, but a causal mask. How many of the {len(spec.words.words)} words keep "
        "their output in the other order?",
        float((masked.plain < permutation.TOLERANCE).sum()),
        "A word sees itself and the words before it. Those that see the same words as before "
        "keep their output: the mask itself conveys the order.",
        hint="Switch the mask on and press each word.",
    )
