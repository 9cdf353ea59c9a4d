"""The lecture's Person A and Person B: eight words that both use, each in another sense.

Source: Stony Brook CSE538, "Word Vectors"; the lines are those in the Microworld.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
import torch.nn.functional as F
from jaxtyping import Float64
from torch import Tensor

from lmcore import dataframes
from lmcore.contextual.clouds import project_layers
from lmcore.contextual.layers import LayeredModel
from lmcore.corpora.microworld_rules import AMBIGUOUS_WORDS, LINES

if TYPE_CHECKING:
    from pandas import DataFrame

WORDS = tuple(AMBIGUOUS_WORDS)


@dataclass(frozen=True, slots=True, eq=False)
class PersonVectors:
    """The eight words in both texts, in every layer."""

    cosines: Float64[Tensor, "layer word"]
    """The cosine of a word by Person A and the same word by Person B."""
    points: Float64[Tensor, "layer person word 2"]
    """On each layer's plane of largest variance."""

    def to_frame(self) -> DataFrame:
        """One row per word of a layer: layer, word, cosine."""
        layers = range(len(self.cosines))
        return dataframes.frame(
            {
                "layer": [layer for layer in layers for _ in WORDS],
                "word": [word for _ in layers for word in WORDS],
                "cosine": self.cosines.flatten(),
            }
        )


def trace_persons(model: LayeredModel) -> PersonVectors:
    """Read each person's lines, one line a text, and compare the words that both have."""
    found = []
    for lines in LINES:
        texts = [line.split() for line in lines]
        read = model.word_vectors(texts)
        places = [
            next((i, text.index(word)) for i, text in enumerate(texts) if word in text)
            for word in WORDS
        ]
        found.append(torch.stack([read[i][:, at].double() for i, at in places], dim=1))
    unit = F.normalize(torch.stack(found, dim=1), dim=-1)
    flat = unit.flatten(1, 2)
    points, _ = project_layers(flat, torch.ones(flat.shape[1], dtype=torch.bool))
    return PersonVectors(
        (unit[:, 0] * unit[:, 1]).sum(-1), points.view(len(flat), 2, len(WORDS), 2)
    )
