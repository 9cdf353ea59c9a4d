"""Two readers of one text: what each word costs from either side, and the data of the picture."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypedDict

import numpy as np
import torch

from drawing.live import LiveNumbers, Slider, live_numbers
from drawing.payload import Script
from lessons.contextual.bilm_view import Sentence
from lmcore.corpora.microworld import microworld
from lmcore.vocabulary import END, START

READERS = ("the left", "both sides")
"""From where the sentence is read: the first reader alone, or both."""


class SumsPayload(TypedDict):
    """The tokens from `<s>` to `</s>`, and whether the reader from the right is shown."""

    tokens: list[str]
    both: bool


SUMS = Script(
    "sums",
    SumsPayload,
    (
        *("k", "up", "down", "peak", "left", "right", "leftMean", "rightMean", "total", "apart"),
        *("grammar", "up #", "down #", "@say"),
    ),
)


def costs(probabilities: Sequence[float]) -> list[float]:
    """−ln p of each prediction, in nats."""
    return [-math.log(p) for p in probabilities]


def numbers(sentence: Sentence) -> LiveNumbers:
    """The numbers of the chosen word, and of every word along the slider.

    up # is what a token costs given all before it, down # given all after it; peak is the largest
    of the first. `apart` is how far the sums are apart, as a share of their mean.
    """
    left, right = (
        costs(each) for each in (sentence.next_probabilities, sentence.previous_probabilities)
    )
    count = len(sentence.words)
    places = torch.arange(count).double()
    sums = math.fsum(left), math.fsum(right)
    fixed = {
        "peak": max(left),
        "left": sums[0],
        "right": sums[1],
        "leftMean": sums[0] / len(left),
        "rightMean": sums[1] / len(right),
        "total": sums[0] / len(left) + sums[1] / len(right),
        "apart": abs(sums[0] - sums[1]) / (math.fsum(sums) / 2),
        "grammar": grammar_costs(sentence.words),
        **{f"up {n}": cost for n, cost in enumerate(left, start=1)},
        **{f"down {n}": cost for n, cost in enumerate(right)},
    }
    swept = {
        "k": places + 1,
        "up": torch.tensor(left[:count], dtype=torch.float64),
        "down": torch.tensor(right[1:], dtype=torch.float64),
        "@say": places,
        **{name: torch.full((count,), value, dtype=torch.float64) for name, value in fixed.items()},
    }
    now = {name: each[sentence.at] for name, each in swept.items()}
    positions = np.arange(1.0, count + 1)
    watch = "The word whose two bars are compared, and what each reader has read before it"
    slider = Slider("k", "k", "word k", float(sentence.at + 1), positions, help=watch)
    return live_numbers("sums", now, [slider], {name: each[None] for name, each in swept.items()})


def grammar_costs(words: Sequence[str]) -> float:
    """−ln p of the whole text by the grammar; infinite if it cannot produce it."""
    world = microworld()
    return -world.log_probability(world.vocabulary.encode((START, *words, END)))


def picture(sentence: Sentence, readers: str) -> SumsPayload:
    """The data of `lessons/contextual/sums.js` other than the numbers."""
    return {"tokens": [START, *sentence.words, END], "both": readers != READERS[0]}
