"""The picture of depth and of two directions: its numbers at every word, and its data."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple, TypedDict

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from drawing import theme
from drawing.live import LiveNumbers, Slider, live_numbers
from drawing.payload import NumberArray, Script
from lmcore.contextual.bilm import BiLM, load_bilm
from lmcore.corpora.microworld import microworld
from lmcore.recurrence.receptive_field import (
    ContextProbabilities,
    RecurrentStack,
    context_probabilities,
    receptive_field,
)
from lmcore.vocabulary import END, START, Vocabulary

DEEPEST = 2
"""Layers of the biLM in each direction."""


class DeepReading(NamedTuple):
    """A text that the biLM has read, with the state of every layer and direction at each word."""

    words: tuple[str, ...]
    forwards: tuple[Float[Tensor, "word unit"], ...]
    """Layer after layer, from left to right."""
    backwards: tuple[Float[Tensor, "word unit"], ...]
    exact: ContextProbabilities | None
    """The grammar's p of each word; None if the grammar cannot produce the text."""


@lru_cache(maxsize=1)
def _bilm() -> tuple[BiLM, Vocabulary]:
    return load_bilm()


def knows(words: tuple[str, ...]) -> bool:
    """Whether the biLM can read these words."""
    try:
        _bilm()[1].encode(words)
    except ValueError:
        return False
    return True


def read_deep(words: tuple[str, ...]) -> DeepReading:
    """Both directions of the biLM over `<s>`, the words and `</s>`.

    Raises:
        ValueError: if it does not know a word.
    """
    network, vocabulary = _bilm()
    ids = vocabulary.encode((START, *words, END))
    trace = network([ids])
    ways = (trace.left_to_right, trace.right_to_left)
    forwards, backwards = (tuple(layer[0, 1:-1] for layer in way) for way in ways)
    return DeepReading(words, forwards, backwards, _exact(ids))


def _exact(ids: list[int]) -> ContextProbabilities | None:
    try:
        return context_probabilities(microworld(), ids)
    except ValueError:
        return None


class DeepChain(TypedDict):
    """A layer that reads in one direction, and whether it is shown."""

    layer: int
    backwards: bool
    shown: bool
    states: NumberArray
    """All numbers of its states, word by word."""


class DeepPayload(TypedDict):
    """The words, and the states of every chain."""

    words: list[str]
    chains: list[DeepChain]
    units: int
    both: bool
    scale: list[str]


DEEP = Script("deep", DeepPayload, ("k", "seen", "rest", "left", "both", "@say", "@formula"))


def numbers(reading: DeepReading, stack: RecurrentStack, k: int) -> LiveNumbers:
    """The numbers of word k, and of every word along the slider.

    seen counts the words on which the state depends, rest the others; left and both are the
    grammar's p of the covered word, NaN if the grammar cannot produce the text.
    """
    count = len(reading.words)
    seen = receptive_field(stack, count).sum(1).double()
    places = torch.arange(count).double()
    unknown = torch.full((count,), math.nan, dtype=torch.float64)
    exact = reading.exact
    swept = {
        "k": places + 1,
        "seen": seen,
        "rest": count - seen,
        "left": exact.left[:count] if exact else unknown,
        "both": exact.both[:count] if exact else unknown,
        "@say": places,
        "@formula": places,
    }
    now = {name: each[k - 1] for name, each in swept.items()}
    watch = "The word whose state is framed; watch which words it has read"
    slider = Slider("k", "k", "word k", float(k), np.arange(1.0, count + 1), help=watch)
    return live_numbers("deep", now, [slider], {name: each[None] for name, each in swept.items()})


def picture(reading: DeepReading, stack: RecurrentStack) -> DeepPayload:
    """The data of `lessons/rnn/deep.js` other than the numbers."""
    return {
        "words": list(reading.words),
        "chains": [
            {
                "layer": layer,
                "backwards": backwards,
                "shown": layer <= stack.layers and (stack.bidirectional or not backwards),
                "states": states.double().numpy(),
            }
            for backwards, way in ((False, reading.forwards), (True, reading.backwards))
            for layer, states in enumerate(way, start=1)
        ],
        "units": reading.forwards[0].shape[1],
        "both": stack.bidirectional,
        "scale": theme.diverging_colours(),
    }
