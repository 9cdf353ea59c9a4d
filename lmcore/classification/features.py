"""The six features of a review that a person chose by hand, with the words each of them found.

    x₁  count(positive-lexicon words ∈ doc)
    x₂  count(negative-lexicon words ∈ doc)
    x₃  1 if “no” ∈ doc, else 0
    x₄  count(1st and 2nd person pronouns ∈ doc)
    x₅  1 if “!” ∈ doc, else 0
    x₆  ln(word count of doc)

A word that occurs twice counts twice. The “!” is not a word, so x₆ does not count it.

Source: CMU 11-411, "Sentiment Features"; Jurafsky & Martin, "Speech and Language Processing",
"Sentiment Classification". Variant: on the slide the parenthesis of x₁ and x₂ closes before
“∈ doc”; x₄ has it right, and all three are read like x₄ here. The slide writes log for ln.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import torch
from jaxtyping import Float64
from torch import Tensor

from lmcore import dataframes
from lmcore.classification.lexicons import (
    EXCLAMATION,
    NEGATIVE,
    POSITIVE,
    ReviewToken,
    is_pronoun,
    tokenize_review,
)

if TYPE_CHECKING:
    from pandas import DataFrame

NEGATION = "no"
DEFINITIONS = (
    "count(positive-lexicon words ∈ doc)",
    "count(negative-lexicon words ∈ doc)",
    "1 if “no” ∈ doc, else 0",
    "count(1st and 2nd person pronouns ∈ doc)",
    "1 if “!” ∈ doc, else 0",
    "ln(word count of doc)",
)
NAMES = ("x1", "x2", "x3", "x4", "x5", "x6")


class Feature(NamedTuple):
    """One feature of a text: its name, its definition, its value and the tokens it is made from."""

    name: str
    definition: str
    value: float
    matches: tuple[ReviewToken, ...]

    @property
    def spans(self) -> tuple[tuple[int, int], ...]:
        """(start, end) in the typed text of every token that matched."""
        return tuple((token.start, token.end) for token in self.matches)


@dataclass(frozen=True, slots=True)
class FeatureTrace:
    """The tokens of a text and its features x₁ … x₆."""

    text: str
    tokens: tuple[ReviewToken, ...]
    features: tuple[Feature, ...]
    values: Float64[Tensor, " feature"]
    """x₁ … x₆"""

    def to_frame(self) -> DataFrame:
        """One row per feature: name, definition, the words that matched, value."""
        columns = {
            "feature": [each.name for each in self.features],
            "definition": [each.definition for each in self.features],
            "words": [" ".join(token.text for token in each.matches) for each in self.features],
            "value": self.values,
        }
        return dataframes.frame(columns)


def extract_features(text: str) -> FeatureTrace:
    """The features x₁ … x₆ of a typed text.

    Raises:
        ValueError: if the text has no word, or too many.
    """
    tokens = tokenize_review(text)
    matches = _matches(tokens)
    values = (
        float(len(matches[0])),
        float(len(matches[1])),
        float(bool(matches[2])),
        float(len(matches[3])),
        float(bool(matches[4])),
        math.log(len(matches[5])),
    )
    features = tuple(map(Feature, NAMES, DEFINITIONS, values, matches))
    return FeatureTrace(text, tokens, features, torch.tensor(values, dtype=torch.float64))


def _matches(tokens: tuple[ReviewToken, ...]) -> tuple[tuple[ReviewToken, ...], ...]:
    """The tokens that each feature is made from."""
    return (
        tuple(token for token in tokens if token.text in POSITIVE),
        tuple(token for token in tokens if token.text in NEGATIVE),
        tuple(token for token in tokens if token.text == NEGATION),
        tuple(token for token in tokens if is_pronoun(token.text)),
        tuple(token for token in tokens if token.text == EXCLAMATION),
        tuple(token for token in tokens if token.is_word),
    )


def feature_matrix(texts: Sequence[str]) -> Float64[Tensor, "review feature"]:
    """x₁ … x₆ of several texts, one row per text.

    Raises:
        ValueError: if a text has no word, or too many.
    """
    return torch.stack([extract_features(text).values for text in texts])
