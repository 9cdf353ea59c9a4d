"""One word in many contexts: its vector in every layer, and whether its senses part.

    cos(u, v) = u · v / (‖u‖ ‖v‖)
    within     mean of cos over every two occurrences in one sense
    between    mean of cos over every two occurrences in different senses
    chance     the mean accuracy when the senses are permuted at random
    p          share of permutations, the true senses included, whose within − between is at least
               that of the true senses
    accuracy   share of occurrences whose vector, of length 1, is nearer by cosine to the mean of
               its own sense than to that of the other, itself left out; a tie counts half

A layer's plane is that of the largest variance of the vectors of length 1, turned to fit the layer
above as well as it can (orthogonal Procrustes), so that points move no more than they must.

Source: Ethayarajh 2019 for cosines between occurrences; Schönemann 1966 for the rotation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float64, Int
from torch import Tensor

from lmcore import dataframes
from lmcore.contextual.english_sentences import ENGLISH_SENSES
from lmcore.contextual.layers import LayeredModel
from lmcore.corpora.microworld_rules import AMBIGUOUS_WORDS
from lmcore.typed import TYPOGRAPHY, fold
from lmcore.vocabulary import split_text

if TYPE_CHECKING:
    from pandas import DataFrame

OWN = -1
"""The sense of an occurrence that was typed."""
SHUFFLES = 199
TIE = 1e-9
"""Cosines closer than this are equal but for rounding."""
MICROWORLD_GLOSSES = {
    "fine": ("well", "a penalty"),
    "great": ("happy news", "sad news"),
    "played": ("a game", "deceived"),
    "game": ("for fun", "to cheat"),
    "partner": ("in dance", "in business"),
    "die": ("a cube", "a death"),
    "lying": ("in bed", "untrue"),
    "rest": ("a pause", "a remainder"),
}


class Occurrence(NamedTuple):
    """A text with the word at a place, and the sense it has there: 0, 1, or `OWN`."""

    words: tuple[str, ...]
    at: int
    sense: int = OWN


class Contexts(NamedTuple):
    """A word, its two senses in a few words, and occurrences of both."""

    word: str
    glosses: tuple[str, str]
    occurrences: tuple[Occurrence, ...]


@dataclass(frozen=True, slots=True)
class Clouds:
    """The occurrences in every layer, in the order computed; the statistics ignore typed ones."""

    senses: Int[Tensor, " occurrence"]
    vectors: Float64[Tensor, "layer occurrence width"]
    cosines: Float64[Tensor, "layer occurrence occurrence"]
    within: Float64[Tensor, " layer"]
    between: Float64[Tensor, " layer"]
    accuracy: Float64[Tensor, " layer"]
    points: Float64[Tensor, "layer occurrence 2"]
    share: Float64[Tensor, " layer"]
    """The share of the variance that a layer's plane shows; 1 if there is no variance."""
    chance: Float64[Tensor, " layer"]
    """The mean accuracy of shuffled senses."""
    p: Float64[Tensor, " layer"]
    """The share of permutations whose within − between is at least that of the true senses."""

    def to_frame(self) -> DataFrame:
        """One row per layer: layer, within, between, accuracy, share, chance, p."""
        return dataframes.frame(
            {
                "layer": list(range(len(self.within))),
                "within": self.within,
                "between": self.between,
                "accuracy": self.accuracy,
                "share": self.share,
                "chance": self.chance,
                "p": self.p,
            }
        )


def microworld_contexts(word: str) -> Contexts:
    """Documents of the Microworld with one of its two-sense words, nine for each sense.

    Raises:
        ValueError: if `word` is not one of them.
    """
    if word not in AMBIGUOUS_WORDS:
        raise ValueError(f"the word must be one of {', '.join(AMBIGUOUS_WORDS)}; got {word!r:.40}")
    sentence, senses = AMBIGUOUS_WORDS[word]
    found = []
    for sense, (before, after, nouns) in enumerate(senses):
        statements = [f"{after} {noun} ." for noun in nouns.split()]
        texts = [f"{day} {before} {sentence}" for day in ("", "today", "yesterday")]
        texts += [f"{sentence} {each}" for each in statements]
        texts += [f"{before} {sentence} {each}" for each in statements]
        texts += [
            f"{day} {before} {sentence} {each}"
            for day, each in zip(("today", "yesterday"), statements, strict=True)
        ]
        found += [find_word(text, word, sense) for text in texts]
    return Contexts(word, MICROWORLD_GLOSSES[word], tuple(found))


def english_contexts(word: str) -> Contexts:
    """Seven English sentences for each of two senses of a word.

    Raises:
        ValueError: if there are none for `word`.
    """
    if word not in ENGLISH_SENSES:
        raise ValueError(f"the word must be one of {', '.join(ENGLISH_SENSES)}; got {word!r:.40}")
    one, other = ENGLISH_SENSES[word]
    found = [
        find_word(sentence, word, sense)
        for sense, its in enumerate((one, other))
        for sentence in its.sentences
    ]
    return Contexts(word, (one.gloss, other.gloss), tuple(found))


def find_word(text: str, word: str, sense: int = OWN) -> Occurrence:
    """The first occurrence of a word in a text.

    Raises:
        ValueError: if the word is not in the text.
    """
    words = tuple(split_text(fold(text, keep=TYPOGRAPHY), "word"))
    lower = [each.lower() for each in words]
    if word not in lower:
        raise ValueError(f"each context must have the word {word!r}; got {text[:60]!r}")
    return Occurrence(words, lower.index(word), sense)


def trace_clouds(model: LayeredModel, occurrences: Sequence[Occurrence]) -> Clouds:
    """Read every text, and compare the vectors of its word in every layer.

    Raises:
        ValueError: if a sense has fewer than two occurrences, or as `word_vectors`.
    """
    senses = torch.tensor([each.sense for each in occurrences])
    if min(int((senses == sense).sum()) for sense in (0, 1)) < 2:
        raise ValueError("each of two senses must have at least 2 occurrences")
    read = model.word_vectors([each.words for each in occurrences])
    at = [each.at for each in occurrences]
    vectors = torch.stack([text[:, k].double() for text, k in zip(read, at, strict=True)], dim=1)
    unit = F.normalize(vectors, dim=-1)
    cosines = unit @ unit.mT
    known = senses != OWN
    same = senses[:, None] == senses[None]
    pairs = known[:, None] & known[None] & ~torch.eye(len(senses), dtype=torch.bool)
    points, share = project_layers(unit, known)
    chance, p = shuffled_senses(cosines[:, known][:, :, known], senses[known])
    return Clouds(
        senses,
        vectors,
        cosines,
        cosines[:, pairs & same].mean(-1),
        cosines[:, pairs & ~same].mean(-1),
        torch.stack([nearest_centroid_accuracy(layer[known], senses[known]) for layer in unit]),
        points,
        share,
        chance,
        p,
    )


def shuffled_senses(
    cosines: Float64[Tensor, "layer occurrence occurrence"], senses: Int[Tensor, " occurrence"]
) -> tuple[Float64[Tensor, " layer"], Float64[Tensor, " layer"]]:
    """The mean accuracy of permuted senses, and p of within − between, by layer.

    Equal arguments give the same `SHUFFLES` permutations.
    """
    count = len(senses)
    generator = torch.Generator().manual_seed(0)
    dealt = [senses[torch.randperm(count, generator=generator)] for _ in range(SHUFFLES)]
    one = torch.stack([senses, *dealt]).double()  # the true senses first
    marks = torch.stack([1 - one, one], dim=1)  # shuffle, sense, occurrence
    sums = torch.einsum("psj,lij->lpsi", marks, cosines)  # v_i · the sum of each sense
    norms = torch.einsum("lpsi,psi->lps", sums, marks)[..., None]  # |sum|²
    mine = marks[None]
    itself = cosines.diagonal(dim1=-2, dim2=-1)[:, None, None]
    lengths = (norms - mine * (2 * sums - itself)).clamp(min=TIE).sqrt()
    gain = ((sums - mine * itself) / lengths * (2 * mine - 1)).sum(dim=2)
    right = torch.where(gain.abs() < TIE, 0.5, (gain > 0).double()).mean(dim=-1)
    same = torch.einsum("psi,psj->pij", marks, marks) - torch.eye(count, dtype=torch.float64)
    other = 1 - same - torch.eye(count, dtype=torch.float64)
    within = torch.einsum("pij,lij->lp", same, cosines) / same.sum(dim=(1, 2))
    between = torch.einsum("pij,lij->lp", other, cosines) / other.sum(dim=(1, 2))
    gap = within - between
    as_large = gap[:, 1:] >= gap[:, :1] - TIE
    return right[:, 1:].mean(dim=-1), (as_large.sum(dim=-1).double() + 1) / (SHUFFLES + 1)


@lru_cache(maxsize=8)
def noise_accuracy(count: int, width: int, draws: int = 100) -> float:
    """The mean accuracy on `count` random vectors, half of each sense: the level of chance."""
    generator = torch.Generator().manual_seed(0)
    senses = torch.arange(count) % 2
    unit = F.normalize(torch.randn(draws, count, width, generator=generator).double(), dim=-1)
    return float(torch.stack([nearest_centroid_accuracy(each, senses) for each in unit]).mean())


def nearest_centroid_accuracy(
    unit: Float64[Tensor, "occurrence width"], senses: Int[Tensor, " occurrence"]
) -> Float64[Tensor, ""]:
    """Leave-one-out accuracy: each vector is compared with the means of both senses without it."""
    sums = torch.stack([unit[senses == sense].sum(0) for sense in (0, 1)])
    right = []
    for vector, sense in zip(unit, senses.tolist(), strict=True):
        own, other = (
            F.normalize(total, dim=0) for total in (sums[sense] - vector, sums[1 - sense])
        )
        gain = float(own @ vector - other @ vector)
        right.append(0.5 if abs(gain) < TIE else float(gain > 0))
    return torch.tensor(right, dtype=torch.float64).mean()


def project_layers(
    unit: Float64[Tensor, "layer occurrence width"], fitted: Bool[Tensor, " occurrence"]
) -> tuple[Float64[Tensor, "layer occurrence 2"], Float64[Tensor, " layer"]]:
    """The points on each layer's plane, and its share of the variance of those `fitted`."""
    points, shares = torch.zeros(*unit.shape[:2], 2, dtype=torch.float64), torch.ones(len(unit))
    above = None
    for layer in range(len(unit) - 1, -1, -1):
        centred = unit[layer] - unit[layer, fitted].mean(0)
        _, sizes, axes = torch.linalg.svd(centred[fitted], full_matrices=False)
        if sizes[0] < TIE:  # one point
            continue
        shares[layer] = (sizes[:2] ** 2).sum() / (sizes**2).sum()
        flat = centred @ axes[:2].mT
        points[layer] = flat if above is None else flat @ rotation(flat[fitted], above[fitted])
        above = points[layer]
    return points, shares.double()


def rotation(
    points: Float64[Tensor, "occurrence 2"], goal: Float64[Tensor, "occurrence 2"]
) -> Float64[Tensor, "2 2"]:
    """The rotation or reflection R that minimises ‖points R − goal‖²: R = U Vᵀ of pointsᵀ goal."""
    left, _, right = torch.linalg.svd(points.mT @ goal)
    turned: Tensor = left @ right
    return turned


class Neighbour(NamedTuple):
    """The place of an occurrence, and its cosine with the given one."""

    place: int
    cosine: float


def nearest_occurrences(clouds: Clouds, layer: int, place: int) -> tuple[Neighbour, ...]:
    """All other occurrences, the nearest by cosine first.

    Raises:
        ValueError: if there is no such layer or occurrence.
    """
    layers, count = clouds.cosines.shape[:2]
    for name, value, end in (("layer", layer, layers), ("occurrence", place, count)):
        if not 0 <= value < end:
            raise ValueError(f"the {name} must be from 0 to {end - 1}; got {value}")
    row = clouds.cosines[layer, place]
    order = row.argsort(descending=True, stable=True).tolist()
    return tuple(Neighbour(i, float(row[i])) for i in order if i != place)
