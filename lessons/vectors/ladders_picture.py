"""Five methods side by side: the nearest words of one word, and the share of right ones of all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

import numpy as np
from typing_extensions import TypedDict as EventDict

from drawing.events import Name
from drawing.live import LiveNumbers
from drawing.payload import Script
from lmcore.embeddings.static import planted
from lmcore.embeddings.static.ladders import Ladders
from lmcore.embeddings.static.methods import METHODS
from lmcore.embeddings.static.quality import RecordedQuality


class Rung(TypedDict):
    """A near word; `known`: it can be chosen, as the grammar says what is near it."""

    word: str
    right: bool
    known: bool


class LaddersPayload(TypedDict):
    """The word, and for each method its nearest words."""

    word: str
    methods: list[str]
    rungs: list[list[Rung]]
    best: int
    """The method with most right neighbours over all words."""


class LadderPress(EventDict):
    """The word that was pressed."""

    word: Name


LADDERS = Script("ladders", LaddersPayload, ("right", "hits #", "share #", "cos # #"), LadderPress)


def is_right(word: str, near: str) -> bool:
    """Whether the grammar puts both words into one group."""
    return near in planted.similar_words()[word]


def hits_of(word: str, found: Sequence[Ladders]) -> list[int]:
    """How many of the word’s neighbours are right, by method."""
    return [sum(is_right(word, each.word) for each in ladders[word]) for ladders in found]


def shares_of(recorded: RecordedQuality) -> list[float]:
    """The share of right neighbours of all words by each method, the mean over its seeds."""
    runs = [[its.group for run, its in recorded.of.items() if run.method == m] for m in METHODS]
    return [sum(each) / len(each) for each in runs]


def numbers(word: str, found: Sequence[Ladders], shares: Sequence[float]) -> LiveNumbers:
    """How many neighbours of the word are right, and percentages of all words."""
    hits = hits_of(word, found)
    named = {"right": float(sum(hits))}
    named |= {f"hits {n}": float(count) for n, count in enumerate(hits)}
    named |= {f"share {n}": 100 * share for n, share in enumerate(shares)}
    for n, ladders in enumerate(found):
        named |= {f"cos {n} {k}": each.cosine for k, each in enumerate(ladders[word])}
    return LiveNumbers("ladders", tuple(named), np.array(list(named.values())))


def picture(word: str, found: Sequence[Ladders], shares: Sequence[float]) -> LaddersPayload:
    """The data of `lessons/vectors/ladders.js` other than the numbers."""
    return {
        "word": word,
        "methods": list(METHODS),
        "rungs": [
            [
                {
                    "word": each.word,
                    "right": is_right(word, each.word),
                    "known": each.word in ladders,
                }
                for each in ladders[word]
            ]
            for ladders in found
        ],
        "best": shares.index(max(shares)),
    }
