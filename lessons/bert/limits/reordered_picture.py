"""The same words in another order: where each word goes, and what each reader then answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypedDict

import numpy as np
from numpy.typing import NDArray

from drawing.live import FloatArray, LiveNumbers, Slider
from drawing.payload import Script
from lmcore.masked_lm.contest import GapPredictor, shuffled_places
from lmcore.masked_lm.filling_in import GapQuestion

ONLY_BAG, SEVERAL, OWN = range(3)
"""The sentences, by the number @say: the bag of words alone keeps its answer; another number of
readers does; the order is the text’s own."""
SEEDS = tuple(range(25))
"""The orders that the slider has."""


class Orders(NamedTuple):
    """A text in its own order and in others, and every reader's probabilities for the gap."""

    question: GapQuestion
    seeds: tuple[int, ...]
    """Of the shuffled orders, ascending."""
    places: NDArray[np.int64]
    """order × token: where each token goes; the text's own order comes first."""
    answers: Mapping[str, NDArray[np.float64]]
    """Reader → order × type."""


def read_orders(
    readers: Mapping[str, GapPredictor], question: GapQuestion, seeds: Sequence[int]
) -> Orders:
    """Ask every reader for the gap in the text's own order and in that of each seed."""
    kept = tuple(sorted(set(seeds)))
    count, gap = len(question.ids), question.place
    places = [tuple(range(count)), *(shuffled_places(count, gap, seed) for seed in kept)]
    texts = [_moved(question.ids, to) for to in places]
    different = list(dict.fromkeys(texts))  # an order of the same text has the same answer
    at = [different.index(text) for text in texts]
    asked = [GapQuestion(text, gap) for text in different]
    answers = {name: np.exp(ask(asked))[at] for name, ask in readers.items()}
    return Orders(question, kept, np.array(places), answers)


def _moved(ids: Sequence[int], places: Sequence[int]) -> tuple[int, ...]:
    found = [0] * len(ids)
    for token, place in zip(ids, places, strict=True):
        found[place] = token
    return tuple(found)


class ReorderedPayload(TypedDict):
    """The words of the text, the place of the gap, the readers, and the words that they guess."""

    tokens: Sequence[str]
    gap: int
    readers: Sequence[str]
    guesses: Sequence[str]


REORDERED = Script(
    "reordered",
    ReorderedPayload,
    (
        *("seed", "still", "least", "to #", "first #", "firstGuess #", "p #", "guess #"),
        *("moved #", "@say", "@formula"),
    ),
)
"""For each token `to`, its place now; for each reader the index and the probability of its first
guess in the text's own order and in this one, and `moved`, the largest change of a probability.
`still` is the number of readers whose answer is the same, `least` the smallest other change."""


def guessed(orders: Orders) -> list[int]:
    """The types that any reader guesses first in any order, ascending."""
    return sorted({int(i) for rows in orders.answers.values() for i in rows.argmax(axis=1)})


def picture(orders: Orders, tokens: Sequence[str], vocabulary: Sequence[str]) -> ReorderedPayload:
    """The data of `lessons/bert/reordered.js` other than the numbers."""
    return {
        "tokens": list(tokens),
        "gap": orders.question.place,
        "readers": list(orders.answers),
        "guesses": [vocabulary[i] for i in guessed(orders)],
    }


def numbers(orders: Orders, seed: int) -> LiveNumbers:
    """Every number of the order of a seed, and of each order along the slider."""
    rows = [order_numbers(orders, n + 1) for n in range(len(orders.seeds))]
    table: FloatArray = np.array([list(row.values()) for row in rows])
    positions = np.array(orders.seeds, dtype=float)
    slider = Slider("seed", "order", "seed of the order", float(seed), positions,
                    "Another seed, another order of the same words", "input")  # fmt: skip
    return LiveNumbers(
        "reordered", tuple(rows[0]), table[orders.seeds.index(seed)], (slider,), [table]
    )


def order_numbers(orders: Orders, n: int) -> dict[str, float]:
    """The numbers of the n-th order; 0 is the text's own."""
    places = guessed(orders)
    found: dict[str, float] = {"seed": orders.seeds[n - 1] if n else -1}
    found |= {f"to {t}": place for t, place in enumerate(orders.places[n].tolist())}
    moved = []
    for r, rows in enumerate(orders.answers.values()):
        for word, at in (("first", 0), ("", n)):
            best = int(rows[at].argmax())
            name, guess = (f"{word} {r}", f"{word}Guess {r}") if word else (f"p {r}", f"guess {r}")
            found |= {name: float(rows[at, best]), guess: places.index(best)}
        moved.append(float(np.abs(rows[n] - rows[0]).max()))
        found[f"moved {r}"] = moved[-1]
    others = [each for each in moved if each]
    still = len(moved) - len(others)
    say = OWN if not others else ONLY_BAG if still == 1 and not moved[0] else SEVERAL
    least = min(others, default=0.0)
    found |= {"still": still, "least": least, "@say": say, "@formula": 0}
    return {name: float(value) for name, value in found.items()}
