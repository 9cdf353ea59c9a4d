"""Seven senses of “great”: the numbers of every layer, and the data of the picture."""

from __future__ import annotations

from typing import TypedDict

import torch

from drawing.live import LiveNumbers
from drawing.payload import Script
from lessons.contextual.layer_numbers import layer_numbers
from lmcore.contextual.clouds import find_word
from lmcore.contextual.great_senses import GREAT_SENSES, WORD, GreatVectors

FIRST = 5
"""The numbers of the static vector that are drawn."""


class SenseSentence(TypedDict):
    """A sentence in three parts, the word in the middle; its sense, and the name of the sense."""

    before: str
    word: str
    after: str
    gloss: str
    name: str


class SensesPayload(TypedDict):
    """The seven sentences, and how many numbers a vector has."""

    word: str
    senses: list[SenseSentence]
    width: int
    points: list[float]
    """x, y of every point of every layer, for the scale of the plane."""
    static: str
    plane: str


SENSES = Script(
    "senses",
    SensesPayload,
    ("layer", "mean", "same", "share", "x #", "y #", "cos # #", "e #", "@say", "@formula"),
)


def numbers(found: GreatVectors, layer: int) -> LiveNumbers:
    """The numbers in a layer, and in all layers along the slider.

    x # and y # are the point of a sense on the plane, cos # # the cosine of two of them, and e #
    the first numbers of the vector of layer 0.
    """
    layers = torch.arange(len(found.same)).double()
    count = len(GREAT_SENSES)
    swept = {
        "mean": found.mean.clamp(-1, 1),
        "same": found.same.clamp(-1, 1),
        "share": found.share,
        **{f"x {n}": found.points[:, n, 0] for n in range(count)},
        **{f"y {n}": found.points[:, n, 1] for n in range(count)},
        **{
            f"cos {n} {m}": found.cosines[:, n, m].clamp(-1, 1)
            for n in range(count)
            for m in range(count)
            if n != m
        },
        **{f"e {n}": found.vectors[0, 0, n].expand(len(layers)) for n in range(FIRST)},
        "@say": _sentence(found),
        "@formula": (layers > 0).double(),
    }
    watch = "At 0 all seven are one row of a table; watch where each sentence takes it"
    return layer_numbers("senses", swept, layer, watch=watch)


def _sentence(found: GreatVectors) -> torch.Tensor:
    """Which of the three sentences is true of each layer."""
    apart = torch.where(found.mean < found.same, 1.0, 2.0)
    apart[0] = 0.0
    return apart.double()


def picture(found: GreatVectors) -> SensesPayload:
    """The data of `lessons/contextual/senses.js` other than the numbers."""
    return {
        "word": WORD,
        "senses": [_sense(n) for n in range(len(GREAT_SENSES))],
        "width": found.vectors.shape[-1],
        "points": found.points.flatten().tolist(),
        "static": "one row for all seven",
        "plane": "of the variance lies in this plane",
    }


def _sense(n: int) -> SenseSentence:
    name, gloss, sentence = GREAT_SENSES[n]
    find_word(sentence, WORD)
    at = sentence.lower().index(WORD)
    end = at + len(WORD)
    return {
        "before": sentence[:at].strip(),
        "word": sentence[at:end],
        "after": sentence[end:].strip(),
        "gloss": gloss,
        "name": name,
    }
