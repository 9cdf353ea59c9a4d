"""The nearest words of every planted word, by each method at its usual settings, recorded.

python -m lmcore.embeddings.static.ladders      records recorded/ladders.json anew
"""

from __future__ import annotations

import datetime
import json
import sys
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from lmcore.device import share_cores
from lmcore.embeddings.static import planted
from lmcore.embeddings.static.methods import METHODS, VectorConfig, train_vectors
from lmcore.embeddings.static.neighbours import NEIGHBOURS, nearest_words
from lmcore.embeddings.static.quality import ENDS
from lmcore.embeddings.static.vectors import WordVectors

FILE = Path(__file__).resolve().parent / "recorded" / "ladders.json"
DIGITS = 4
"""Decimals of a recorded cosine."""


class Neighbour(NamedTuple):
    """A near word and its cosine."""

    word: str
    cosine: float


Ladders = Mapping[str, tuple[Neighbour, ...]]
"""Word → its nearest words by one method, the nearest first."""


class RecordedLadders(NamedTuple):
    """The ladders of all methods, in the order of `METHODS`."""

    of: tuple[Ladders, ...]
    date: str
    """Year, month and day."""


def ladders(vectors: WordVectors) -> Ladders:
    """The nearest words of every planted word that has a vector."""
    found = dict[str, tuple[Neighbour, ...]]()
    for word in (each for each in planted.group_of_word() if each in vectors.words):
        near = nearest_words(vectors, word, NEIGHBOURS)
        cosines = (round(each, DIGITS) for each in near.cosines.tolist())
        found[word] = tuple(map(Neighbour, near.words, cosines))
    return found


def measure(method: str) -> Ladders:
    """Train a method on sentences of the microworld, at its usual settings."""
    config = VectorConfig(method, snapshots=ENDS)
    return ladders(train_vectors(planted.microworld_sentences(), config).record.word_vectors())


@lru_cache(maxsize=1)
def recorded_ladders() -> RecordedLadders:
    """The ladders that `main` wrote."""
    content = json.loads(FILE.read_text("utf-8"))
    of = (
        {word: tuple(Neighbour(*each) for each in near) for word, near in content[method].items()}
        for method in METHODS
    )
    return RecordedLadders(tuple(of), content["date"])


def main() -> None:
    """Record all methods."""
    share_cores()
    content: dict[str, object] = {"date": str(datetime.datetime.now(datetime.UTC).date())}
    for method in METHODS:
        content[method] = measure(method)
        sys.stderr.write(f"{method}\n")
    FILE.write_text(json.dumps(content, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main()
