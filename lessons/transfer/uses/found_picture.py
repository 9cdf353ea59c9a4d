"""A question and the passages nearest to it: by meaning, and by the words that they share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypedDict

import torch

from drawing.live import LiveNumbers, live_numbers
from drawing.payload import Script
from lmcore.transfer.retrieval import Hit, words_of

MOST = 3
"""The number of passages that each way finds at most."""


class PassageData(TypedDict):
    """A passage that was found: its words, and which of them stand in the question."""

    words: list[str]
    shared: list[int]
    """The places of these words."""
    both: bool
    """Whether the other way found it, too."""


class WayData(TypedDict):
    """One way of searching, and what it found, the nearest first."""

    name: str
    how: str
    passages: list[PassageData]


class FoundPayload(TypedDict):
    """The question and what each way found."""

    question: list[str]
    ways: list[WayData]


FOUND = Script("found", FoundPayload, ("c # #", "shared", "both", "words"))


class Search(NamedTuple):
    """A question, and for each way of searching the passages found; by meaning perhaps none."""

    question: str
    texts: Sequence[str]
    """All passages."""
    by_meaning: Sequence[Hit] | None
    """None where MiniLM is not installed."""
    by_words: Sequence[Hit]

    @property
    def ways(self) -> list[tuple[str, str, Sequence[Hit]]]:
        """The ways: name, what is compared, and what was found."""
        words = ("By shared words", "cosine of TF-IDF", self.by_words)
        if self.by_meaning is None:
            return [words]
        return [("By meaning", "cosine of MiniLM’s mean vectors", self.by_meaning), words]

    @property
    def first(self) -> Hit | None:
        """The nearest passage of the first way."""
        _, _, hits = self.ways[0]
        return hits[0] if hits else None

    @property
    def both(self) -> int:
        """How many passages both ways found."""
        return len({hit.place for hit in self.by_meaning or ()} & {h.place for h in self.by_words})


def numbers(search: Search) -> LiveNumbers:
    """The cosines; how many words the nearest passage shares; how many both ways found."""
    asked = set(words_of(search.question))
    shared = asked & set(words_of(search.texts[search.first.place])) if search.first else set()
    found = {"shared": len(shared), "both": search.both, "words": len(asked)}
    cosines = {
        f"c {way} {n}": hit.cosine
        for way, (_, _, hits) in enumerate(search.ways)
        for n, hit in enumerate(hits)
    }
    tensors = {
        name: torch.tensor(float(value), dtype=torch.float64)
        for name, value in (found | cosines).items()
    }
    return live_numbers("found", tensors, [], {})


def picture(search: Search) -> FoundPayload:
    """The data of `lessons/transfer/found.js` other than the numbers."""
    asked = set(words_of(search.question))
    places = [{hit.place for hit in hits} for _, _, hits in search.ways]
    return {
        "question": search.question.split(),
        "ways": [
            {
                "name": name,
                "how": how,
                "passages": [
                    _passage(
                        search.texts[hit.place],
                        asked,
                        both=len(places) == 2 and all(hit.place in each for each in places),
                    )
                    for hit in hits
                ],
            }
            for name, how, hits in search.ways
        ],
    }


def _passage(text: str, asked: set[str], *, both: bool) -> PassageData:
    words = text.split()
    shared = [n for n, word in enumerate(words) if asked & set(words_of(word))]
    return {"words": words, "shared": shared, "both": both}
