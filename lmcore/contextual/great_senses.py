"""The lecture's “great”: seven senses, each in a sentence, and its vector in every layer.

    cos(u, v) = u · v / (‖u‖ ‖v‖), of every two of the seven; their mean

The senses are those of the slide, from WordNet; the sentences were written for this page, and none
of them tuned.

Source: Stony Brook CSE538, "Objective"; WordNet 3.0 for the names of the senses.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import torch
import torch.nn.functional as F
from jaxtyping import Float64
from torch import Tensor

from lmcore import dataframes
from lmcore.contextual.clouds import english_contexts, find_word, project_layers, trace_clouds
from lmcore.contextual.layers import LayeredModel

if TYPE_CHECKING:
    from pandas import DataFrame

WORD = "great"


class GreatSense(NamedTuple):
    """A sense: its name in WordNet, what it means in a word or two, and a sentence."""

    name: str
    gloss: str
    sentence: str


GREAT_SENSES = (
    GreatSense("great.a.1", "large", "A great oak stands beside the barn."),
    GreatSense("great.a.2", "important", "It was a great moment in our history."),
    GreatSense("great.a.3", "extreme", "He took great care with every letter."),
    GreatSense("great.a.4", "very good", "We had a great evening with our friends."),
    GreatSense("great.a.5", "uppercase", "The title begins with a great A."),
    GreatSense("great.a.6", "expectant", "She was great with child that winter."),
    GreatSense("great.n.1", "a person", "The singer was a great of the opera."),
)


@dataclass(frozen=True, slots=True, eq=False)
class GreatVectors:
    """The vector of “great” in each sentence, in every layer."""

    vectors: Float64[Tensor, "layer sense width"]
    cosines: Float64[Tensor, "layer sense sense"]
    same: Float64[Tensor, " layer"]
    """The mean cosine of two sentences in which the word has one sense."""
    points: Float64[Tensor, "layer sense 2"]
    """On each layer's plane of largest variance."""
    share: Float64[Tensor, " layer"]
    """The share of the variance that a layer's plane shows."""

    @property
    def mean(self) -> Float64[Tensor, " layer"]:
        """The mean cosine of every two of the seven."""
        pairs = ~torch.eye(len(GREAT_SENSES), dtype=torch.bool)
        return self.cosines[:, pairs].mean(-1)

    def to_frame(self) -> DataFrame:
        """One row per layer: layer, mean, same, share."""
        return dataframes.frame(
            {
                "layer": list(range(len(self.same))),
                "mean": self.mean,
                "same": self.same,
                "share": self.share,
            }
        )


def trace_great(model: LayeredModel) -> GreatVectors:
    """Read the seven sentences, and for comparison those of two senses.

    Raises:
        ValueError: as `word_vectors`.
    """
    found = [find_word(each.sentence, WORD) for each in GREAT_SENSES]
    read = model.word_vectors([each.words for each in found])
    vectors = torch.stack(
        [text[:, each.at].double() for text, each in zip(read, found, strict=True)], dim=1
    )
    unit = F.normalize(vectors, dim=-1)
    points, share = project_layers(unit, torch.ones(len(found), dtype=torch.bool))
    same = trace_clouds(model, english_contexts(WORD).occurrences).within
    return GreatVectors(vectors, unit @ unit.mT, same, points, share)
