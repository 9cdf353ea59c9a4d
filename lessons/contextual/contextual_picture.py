"""The data of the picture of contextual vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

import torch
from jaxtyping import Float64
from torch import Tensor
from typing_extensions import TypedDict as EventDict

from drawing.events import Real
from drawing.payload import NumberArray, Script
from lmcore.contextual.clouds import OWN, Clouds, Contexts

SEPARABLE = 0.8
LIKELY = 0.05
"""Two senses count as two clouds if the nearest centroid is right at least this often, and shuffled
senses lie as far apart at most this often."""


class OccurrenceText(TypedDict):
    """A sentence with the word."""

    words: Sequence[str]
    at: int
    sense: int
    """0, 1, or −1 for a typed sentence."""


class ContextualPayload(TypedDict):
    """Occurrences of a word on a plane in every layer, and their cosines."""

    word: str
    glosses: Sequence[str]
    model: str
    texts: list[OccurrenceText]
    points: bytes
    """x, y of each occurrence in each layer, one layer after another, as float32."""
    cosines: bytes
    """Of every two occurrences in each layer, row by row, as float32."""
    within: NumberArray
    between: NumberArray
    accuracy: NumberArray
    share: NumberArray
    """The share of the variance that each layer's plane shows."""


class OpenedLayer(EventDict):
    """The layer that was opened."""

    layer: Real


OF_LAYER = ("layer", "within", "between", "accuracy", "right", "chance", "count", "@say")
CONTEXTUAL = Script("contextual", ContextualPayload, OF_LAYER, OpenedLayer)


def contextual_picture(contexts: Contexts, clouds: Clouds, model: str) -> ContextualPayload:
    """The data of `lessons/contextual/contextual.js` other than the numbers."""
    return {
        "word": contexts.word,
        "glosses": contexts.glosses,
        "model": model,
        "texts": [
            {"words": each.words, "at": each.at, "sense": each.sense}
            for each in contexts.occurrences
        ],
        "points": clouds.points.float().numpy().tobytes(),
        "cosines": clouds.cosines.float().numpy().tobytes(),
        "within": clouds.within.numpy(),
        "between": clouds.between.numpy(),
        "accuracy": clouds.accuracy.numpy(),
        "share": clouds.share.numpy(),
    }


def layer_numbers(clouds: Clouds) -> dict[str, Float64[Tensor, " layer"]]:
    """The numbers of the sentence and the formula in every layer."""
    layers = len(clouds.within)
    count = int((clouds.senses != OWN).sum())
    return {
        "layer": torch.arange(layers).double(),
        "within": clouds.within,
        "between": clouds.between,
        "accuracy": clouds.accuracy,
        "right": clouds.accuracy * count,
        "chance": clouds.chance,
        "count": torch.full((layers,), float(count), dtype=torch.float64),
        "@say": torch.tensor([_sentence(clouds, layer) for layer in range(layers)]).double(),
    }


def _sentence(clouds: Clouds, layer: int) -> int:
    """Which of the three sentences is true of a layer."""
    if not layer:
        return 0
    apart = clouds.accuracy[layer] >= SEPARABLE and clouds.p[layer] <= LIKELY
    return 1 if apart else 2
