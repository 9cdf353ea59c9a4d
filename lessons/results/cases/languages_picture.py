"""One sentence in eight languages, in the pieces of an English vocabulary."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple, TypedDict

import numpy as np

from drawing.events import Name
from drawing.live import LiveNumbers
from drawing.payload import Script

PATH = Path(__file__).parent.parent / "languages.toml"
INSIDE = "##"
"""What stands before a piece that does not begin a word."""
SPELT = 0.9
"""The share of single letters from which a language counts as spelt out."""


class Language(NamedTuple):
    """A sentence, and the pieces of each of its words."""

    name: str
    sentence: str
    words: tuple[tuple[str, ...], ...]

    @property
    def pieces(self) -> int:
        """The number of pieces."""
        return sum(map(len, self.words))

    @property
    def singles(self) -> int:
        """How many pieces are a single letter."""
        return sum(len(piece) == 1 for word in self.words for piece in word)

    @property
    def rate(self) -> float:
        """Pieces a word."""
        return self.pieces / len(self.words)


@lru_cache(maxsize=1)
def languages() -> tuple[Language, ...]:
    """The languages of the file; the first one is that of the vocabulary."""
    rows = tomllib.loads(PATH.read_text("utf-8"))["language"]
    return tuple(
        Language(row["name"], row["sentence"], tuple(map(_pieces, row["words"]))) for row in rows
    )


def _pieces(word: str) -> tuple[str, ...]:
    return tuple(piece.removeprefix(INSIDE) for piece in word.split())


def names() -> dict[str, str]:
    """Setting → language."""
    return {each.name.lower(): each.name for each in languages()}


def kind_of(language: Language) -> int:
    """Whether its words are pieces (0), are cut (1) or are spelt out (2)."""
    if language.pieces == len(language.words):
        return 0
    return 2 if language.singles / language.pieces >= SPELT else 1


class LanguageData(TypedDict):
    """A language: its key, its name, its sentence, and the pieces of each word."""

    key: str
    label: str
    sentence: str
    words: Sequence[Sequence[str]]


class LanguagesPayload(TypedDict):
    """The languages."""

    languages: list[LanguageData]


LANGUAGES = Script(
    "languages",
    LanguagesPayload,
    ("language", "pieces", "words", "rate", "singles", "own", "rate #", "@say", "@formula"),
    Name,
)
"""`rate` is the chosen language’s pieces a word, `own` that of the vocabulary’s own language."""


def numbers(chosen: str) -> LiveNumbers:
    """The place of the chosen language, its counts, and the pieces a word of each language."""
    found = languages()
    place = list(names()).index(chosen)
    its = found[place]
    values = {
        "language": place,
        "pieces": its.pieces,
        "words": len(its.words),
        "rate": its.rate,
        "singles": its.singles,
        "own": found[0].rate,
        **{f"rate {n}": each.rate for n, each in enumerate(found)},
        "@say": place,
        "@formula": 0,
    }
    return LiveNumbers("languages", tuple(values), np.array(list(values.values()), dtype=float))


def picture() -> LanguagesPayload:
    """The data of `lessons/results/languages.js` other than the numbers."""
    return {
        "languages": [
            {"key": key, "label": each.name, "sentence": each.sentence, "words": each.words}
            for key, each in zip(names(), languages(), strict=True)
        ]
    }
