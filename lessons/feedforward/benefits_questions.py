"""What the picture of the two benefits asks before it shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import ui
from lmcore.numbers import format_number

if TYPE_CHECKING:
    from lessons.feedforward.benefits_view import Benefits

OTHERS = ("dogs", "street", "fed", "the")


def questions(asked: Benefits) -> list[ui.Question]:
    """What the network expects after a pair of words that it never read, and which row is near."""
    chance = float(asked.expected[1, 0])
    options = sorted({chance, chance / 10, 0.0})
    first, centre = asked.words[0], asked.centre
    others = [word for word in OTHERS if word not in (first, centre)][:3]
    found = ui.Question(
        "dog",
        "“dog gets” never occurs in training. Which p does the network give to fed after it?",
        format_number(chance),
        f"Its row for dog is like the row for cat: the cosine is {format_number(asked.pair)}.",
        hint="It does not see the word, but a row of numbers.",
        options=tuple(map(format_number, options)),
        hides=("net 1 0",),
    )
    near = ui.Question(
        "nearest",
        f"Which word has the row that is most like that of {ui.escape_markdown(centre)}?",
        first,
        f"Its cosine is {format_number(asked.cosines[0])}, the largest of {len(asked.words)}.",
        hint="Which of them stands between the same words?",
        options=tuple(sorted([first, *others])),
        hides=("near",),
    )
    return [near, found] if asked.stage == "rows" else [found, near]
