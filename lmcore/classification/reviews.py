"""Reviews from a small grammar, with labels that follow a known rule.

The rule: each sentiment word counts +1 (positive lexicon) or −1 (negative lexicon), and the
opposite directly after “no” or “not”. A review is positive, label 1, if the sum is above 0, and
where a review has “but”, only the words after it are summed.

There are two kinds of review:

    negation  “we found no charm and no clever lines for me !” A review with “no” has it before
              every sentiment word, so that the label is (x₁ > x₂) XOR x₃: a function of the six
              features with an interaction. Pronouns, “!” and the other words are noise.
    order     “not good but great” is positive and “good but not great” negative: the same words in
              another order. The first three words determine the label.

Both are a pure function of their description; labels take turns. Reviews are drawn independently,
so that one may occur twice.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

import torch
from jaxtyping import Bool, Int
from torch import Tensor

from lmcore import dataframes
from lmcore.checks import check_between, check_one_of
from lmcore.classification.lexicons import (
    NEGATIVE,
    NEGATIVE_ADJECTIVES,
    NEGATIVE_NOUNS,
    POSITIVE,
    POSITIVE_ADJECTIVES,
    POSITIVE_NOUNS,
    tokenize_review,
)

if TYPE_CHECKING:
    from pandas import DataFrame

Kind = Literal["negation", "order"]
FEWEST_REVIEWS, MOST_REVIEWS = 2, 2000
HELD_OUT = 0.3
"""The share of the reviews that no classifier is trained on."""
ORDER_BLIND_ACCURACY = 0.5
"""The best expected accuracy on `order` reviews without the order of the words.

Exchanging “not A but B” for “A but not B” keeps the words and changes the label, and both are
equally likely: given the words alone, each label has probability ½.
"""

NEGATORS = ("no", "not")
OPENINGS = (
    *("the film has", "this story has", "the play offers", "the book brings", "it has"),
    *("i found", "we saw", "you get", "my friends found", "they saw"),
)
PLURALS = ("scenes", "lines", "songs", "pictures", "actors", "ideas")
"""What an adjective describes."""
ENDINGS = (
    *("", "from start to end", "in the first hour", "on every page"),
    *("for me", "for you and me", "in our town", "this time"),
)
MARKS = (".", "!")


@dataclass(frozen=True, slots=True)
class ReviewConfig:
    """Which reviews to draw: their kind, their number, the seed.

    `negated` is the probability of “no” in a review of the kind `negation`; with 0 the label is
    x₁ > x₂, and a hidden layer has nothing to add.
    """

    kind: Kind = "negation"
    count: int = 400
    seed: int = 0
    negated: float = 0.3

    def __post_init__(self) -> None:
        """Raises ValueError naming what is out of bounds."""
        check_one_of("the kind of review", self.kind, get_args(Kind))
        check_between("the number of reviews", self.count, FEWEST_REVIEWS, MOST_REVIEWS)
        if not 0 <= self.negated <= 1:
            raise ValueError(
                f"the share of reviews with “no” must be from 0 to 1; got {self.negated:g}"
            )


@dataclass(frozen=True, slots=True)
class LabelledReviews:
    """Texts with their labels, 1 positive and 0 negative, and which are held out of training."""

    texts: tuple[str, ...]
    labels: Int[Tensor, " review"]
    held_out: Bool[Tensor, " review"]

    def __post_init__(self) -> None:
        """Raises ValueError if the three have different lengths."""
        if not len(self.texts) == len(self.labels) == len(self.held_out):
            raise ValueError(
                "texts, labels and held_out must have one entry per review; "
                f"got {len(self.texts)}, {len(self.labels)} and {len(self.held_out)}"
            )

    def to_frame(self) -> DataFrame:
        """One row per review: text, label, held out."""
        columns = {"text": self.texts, "label": self.labels, "held out": self.held_out}
        return dataframes.frame(columns)


def true_label(tokens: Sequence[str]) -> int:
    """The label that the rule gives to a review: 1 positive, 0 negative.

    Each sentiment word counts +1 or −1, the opposite directly after “no” or “not”; the label is 1
    if the sum of those after the last “but” is above 0.
    """
    words = list(tokens)
    if "but" in words:
        words = words[len(words) - words[::-1].index("but") :]
    total = 0
    for before, word in zip(["", *words], words, strict=False):
        sign = (word in POSITIVE) - (word in NEGATIVE)
        total += -sign if before in NEGATORS else sign
    return int(total > 0)


def draw_reviews(config: ReviewConfig) -> LabelledReviews:
    """The reviews that `config` describes, with 30 % of each label held out."""
    generator = torch.Generator().manual_seed(config.seed)
    texts = []
    for i in range(config.count):
        positive = i % 2 == 1
        if config.kind == "order":
            texts.append(_order_review(positive, generator))
        else:
            negated = bool(torch.rand((), generator=generator) < config.negated)
            texts.append(_negation_review(positive, negated, generator))
    words = ([token.text for token in tokenize_review(text)] for text in texts)
    labels = torch.tensor([true_label(each) for each in words])
    return LabelledReviews(tuple(texts), labels, hold_out(labels, HELD_OUT, config.seed))


def hold_out(labels: Int[Tensor, " review"], share: float, seed: int) -> Bool[Tensor, " review"]:
    """Choose a share of each label at random, rounded down, so that one is left for training.

    Raises:
        ValueError: if the share is not from 0 to 0.9.
    """
    if not 0 <= share <= 0.9:
        raise ValueError(f"the share held out must be from 0 to 0.9; got {share:g}")
    generator = torch.Generator().manual_seed(seed)
    held = torch.zeros(len(labels), dtype=torch.bool)
    for label in (0, 1):
        places = (labels == label).nonzero().flatten()
        shuffled = places[torch.randperm(len(places), generator=generator)]
        held[shuffled[: math.floor(share * len(places) + 1e-9)]] = True
    return held


def best_linear_accuracy(negated: float) -> float:
    """The best expected accuracy of a linear classifier of the six features: 1 − min(q, 1 − q) / 2.

    q is the probability of “no”. For k sentiment words, x₁ + x₂ = k, and the classifier compares
    x₁ − x₂ with a threshold; x₃ … x₆ and k only move the threshold, since none of them depends on
    the label. Labels with “no” are the opposite of those without. So a direction that is right for
    one half of the reviews is wrong for the other, where no threshold is right more often than ½.
    """
    return 1 - min(negated, 1 - negated) / 2


def _negation_review(positive: bool, negated: bool, generator: torch.Generator) -> str:
    """An opening, one to three sentiment phrases, an ending, a mark."""
    phrases: list[str] = []
    for polarity in _polarities(positive != negated, generator):
        phrase = _phrase(polarity, negated, generator)
        while phrase in phrases:
            phrase = _phrase(polarity, negated, generator)
        phrases.append(phrase)
    *first, last = phrases
    listed = f"{', '.join(first)} and {last}" if first else last
    parts = (_pick(OPENINGS, generator), listed, _pick(ENDINGS, generator))
    return " ".join(part for part in parts if part) + _pick(MARKS, generator)


def _polarities(majority: bool, generator: torch.Generator) -> list[bool]:
    """Whether each of 1, 2 or 3 sentiment words is positive; of 3, one may be of the minority."""
    count = 1 + int(torch.randint(3, (), generator=generator))
    polarities = [majority] * count
    place = int(torch.randint(2 * count, (), generator=generator))
    if count == 3 and place < count:
        polarities[place] = not majority
    return polarities


def _phrase(positive: bool, negated: bool, generator: torch.Generator) -> str:
    """A sentiment noun, or a sentiment adjective and what it describes; after “no” if negated."""
    if torch.rand((), generator=generator) < 0.5:
        phrase = _pick(POSITIVE_NOUNS if positive else NEGATIVE_NOUNS, generator)
    else:
        adjective = _pick(POSITIVE_ADJECTIVES if positive else NEGATIVE_ADJECTIVES, generator)
        phrase = f"{adjective} {_pick(PLURALS, generator)}"
    return f"no {phrase}" if negated else phrase


def _order_review(positive: bool, generator: torch.Generator) -> str:
    """“not A but B” or “A but not B”, with two different adjectives of one polarity."""
    first_negated = bool(torch.rand((), generator=generator) < 0.5)
    adjectives = POSITIVE_ADJECTIVES if positive == first_negated else NEGATIVE_ADJECTIVES
    i, j = torch.randperm(len(adjectives), generator=generator)[:2].tolist()
    a, b = adjectives[i], adjectives[j]
    return f"not {a} but {b}" if first_negated else f"{a} but not {b}"


def _pick(options: Sequence[str], generator: torch.Generator) -> str:
    return options[int(torch.randint(len(options), (), generator=generator))]
