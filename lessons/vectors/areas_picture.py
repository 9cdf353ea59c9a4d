"""The picture of one training example as areas: the network of 2003, and skip-gram of 2013."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypedDict

import numpy as np
import torch

from drawing.live import LiveNumbers, Slider, live_numbers
from drawing.payload import Script
from lmcore.embeddings.static import costs
from lmcore.embeddings.static.methods import VectorConfig
from lmcore.embeddings.static.nnlm import NnlmConfig

LEAST_TYPES, MOST_TYPES = 10, 10_000
PADDING = "<s>"


class Example(NamedTuple):
    """A word of the text, the words before it, and a word within its window."""

    before: tuple[str, ...]
    word: str
    beside: str


class AreasPayload(TypedDict):
    """What `lessons/vectors/areas.js` draws other than the numbers."""

    before: Sequence[str]
    word: str
    beside: str
    dimensions: int
    units: int
    """Of the hidden layer: H."""
    negatives: int
    types: int
    """The number of different words of the text itself."""


AREAS = Script(
    "areas",
    AreasPayload,
    ("types", "hidden", "scores", "nnlm", "thousands", "inside", "above", "skip", "ratio", "pairs",
     "token", "@say"),
)  # fmt: skip


def network_of(config: VectorConfig) -> NnlmConfig:
    """The network of 2003 with the page's sizes: as many words before as the window has."""
    return NnlmConfig(config.dimensions, context=2 * config.window)


def example_of(sentences: Sequence[Sequence[str]], word: str, context: int) -> Example:
    """The first place of the word with so many words before it and one after it, else any place.

    Where the sentence has fewer words before it, it is padded, as the network's input is.
    """
    places = [(text, at) for text in sentences for at, each in enumerate(text) if each == word]
    full = [(text, at) for text, at in places if at >= context and at + 1 < len(text)]
    beside = [(text, at) for text, at in places if len(text) > 1]
    text, at = [*full, *beside, *places][0]
    before = tuple(text[max(at - context, 0) : at])
    padded = (PADDING,) * (context - len(before)) + before
    near = text[at + 1] if at + 1 < len(text) else text[at - 1]
    return Example(padded, word, near)


def numbers(config: VectorConfig, pairs: float, own: int, types: int) -> LiveNumbers:
    """The products of an example now, and at every size of the vocabulary.

    `pairs` is the mean number of pairs (word, word beside it) of a token, `own` the number of
    different words of the text.
    """
    positions = _positions(own, types)
    now = _products(config, pairs, own, float(types))
    every = [_products(config, pairs, own, float(size)) for size in positions]
    slider = Slider(
        "types", "|V|", "words of the vocabulary", types, positions, role="activation",
        help="Drag right: 2003 scores every word of the vocabulary, 2013 a handful",
    )  # fmt: skip
    swept = {name: torch.tensor([[each[name] for each in every]]).double() for name in now}
    first = {name: torch.tensor(value).double() for name, value in now.items()}
    return live_numbers("areas", first, [slider], swept)


def _positions(own: int, types: int) -> np.ndarray:
    """A geometric grid, in which the text's own number and the one of now stand."""
    grid = np.unique(np.geomspace(100, MOST_TYPES, 48).round(-1))
    return np.unique(np.append(grid, (own, types)))


def _products(config: VectorConfig, pairs: float, own: int, types: float) -> dict[str, float]:
    nnlm = costs.nnlm_cost(network_of(config).network(int(types) - 1))
    inside, above = (term.forward for term in nnlm.terms)
    skip = costs.skip_gram_cost(config.dimensions, config.negatives, 1.0).forward
    return {
        "types": types,
        "hidden": inside,
        "scores": above,
        "nnlm": nnlm.forward,
        "thousands": nnlm.forward / 1000,
        "inside": inside / 1000,
        "above": above / 1000,
        "skip": skip,
        "ratio": nnlm.forward / skip,
        "pairs": pairs,
        "token": pairs * skip,
        "@say": float(types != own),
    }


def picture(config: VectorConfig, example: Example, own: int) -> AreasPayload:
    """The data of the picture other than the numbers."""
    return {
        "before": example.before,
        "word": example.word,
        "beside": example.beside,
        "dimensions": config.dimensions,
        "units": network_of(config).hidden,
        "negatives": config.negatives,
        "types": own,
    }
