"""The eight words as fans: the angle between a word by Person A and by Person B, layer by layer."""

from __future__ import annotations

from typing import NamedTuple, TypedDict

import torch
from jaxtyping import Float64
from torch import Tensor

from drawing.live import LiveNumbers
from drawing.payload import NumberName, Script
from lessons.contextual.layer_numbers import layer_numbers
from lmcore.contextual.clouds import Contexts, trace_clouds
from lmcore.contextual.layers import LayeredModel
from lmcore.contextual.persons import WORDS, PersonVectors, trace_persons
from lmcore.corpora.microworld_rules import LINES
from lmcore.vocabulary import join_tokens

AROUND = {
    "fine": ((2, 0), (2, 0)),
    "great": ((2, 0), (1, 1)),
    "played": ((1, 2), (1, 1)),
    "game": ((1, 1), (1, 2)),
    "partner": ((2, 0), (2, 0)),
    "die": ((2, 2), (2, 0)),
    "lying": ((0, 3), (0, 2)),
    "rest": ((2, 0), (1, 3)),
}
"""Word → how many words before and after it stand at the arm of Person A, and of Person B."""


class Fans(NamedTuple):
    """The cosines of each word in every layer."""

    persons: PersonVectors
    same: Float64[Tensor, "layer word"]
    """The mean over two sentences in which the word has one sense."""

    def angles(self) -> Float64[Tensor, "layer word"]:
        """Between Person A and Person B, in degrees."""
        return degrees(self.persons.cosines)

    def same_angles(self) -> Float64[Tensor, "layer word"]:
        """Of the mean cosine within a sense, in degrees."""
        return degrees(self.same)

    def order(self) -> list[int]:
        """The words by the angle in the last layer, the widest first."""
        return self.angles()[-1].argsort(descending=True, stable=True).tolist()


class Fan(TypedDict):
    """A word, what stands around it in each person's text, and the whole sentences."""

    word: str
    phrases: list[str]
    sentences: list[str]
    cosine: NumberName
    same: NumberName
    angle: NumberName


class FansPayload(TypedDict):
    """The fans in their order, and the word that opens widest in each layer."""

    fans: list[Fan]
    persons: list[str]
    same: str
    """What the grey wedges are."""
    widest: list[int]
    layers: int


FANS = Script(
    "fans", FansPayload, ("layer", "cosine #", "same #", "angle #", "same angle #", "@say")
)


def trace_fans(model: LayeredModel, contexts: tuple[Contexts, ...]) -> Fans:
    """Read both persons' lines, and for comparison each word's sentences in one sense."""
    same = [trace_clouds(model, each.occurrences).within for each in contexts]
    return Fans(trace_persons(model), torch.stack(same, dim=-1))


def degrees(cosines: Float64[Tensor, "*shape"]) -> Float64[Tensor, "*shape"]:
    """The angles with these cosines."""
    return torch.rad2deg(cosines.clamp(-1, 1).arccos())


def numbers(found: Fans, layer: int) -> LiveNumbers:
    """Every number of the picture in a layer, and in all layers along the slider.

    The fans are drawn from the cosines; the angles are whole degrees, as they are printed.
    """
    order = found.order()
    swept = {"@say": torch.arange(len(found.same)).double()}
    for n, word in enumerate(order):
        swept |= {
            f"cosine {n}": found.persons.cosines[:, word].clamp(-1, 1),
            f"same {n}": found.same[:, word].clamp(-1, 1),
            f"angle {n}": found.angles()[:, word].round(),
            f"same angle {n}": found.same_angles()[:, word].round(),
        }
    watch = "At 0 a word is one direction, whoever says it; watch which fans open"
    return layer_numbers("fans", swept, layer, watch=watch)


def picture(found: Fans) -> FansPayload:
    """The data of `lessons/contextual/fans.js` other than the numbers."""
    order = found.order()
    widest = found.angles()[:, order].argmax(dim=-1).tolist()
    return {
        "fans": [_fan(n, WORDS[word]) for n, word in enumerate(order)],
        "persons": ["Person A", "Person B"],
        "same": "two uses in the same sense",
        "widest": widest,
        "layers": len(found.same),
    }


def _fan(n: int, word: str) -> Fan:
    lines = [next(line.split() for line in its if word in line.split()) for its in LINES]
    return {
        "word": word,
        "phrases": [
            _phrase(line, word, around) for line, around in zip(lines, AROUND[word], strict=True)
        ],
        "sentences": [join_tokens(line, "word") for line in lines],
        "cosine": f"cosine {n}",
        "same": f"same {n}",
        "angle": f"angle {n}",
    }


def _phrase(line: list[str], word: str, around: tuple[int, int]) -> str:
    at = line.index(word)
    before, after = around
    return " ".join(line[at - before : at + after + 1])
