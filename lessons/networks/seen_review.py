"""A review as both classifiers see it, with its “no” or without."""

from __future__ import annotations

from dataclasses import dataclass

from lmcore.classification.features import NEGATION, FeatureTrace, extract_features
from lmcore.classification.hand_features import HandClassification, HandClassifiers

CLASSIFIERS = ("only the single layer", "only the hidden layer")


@dataclass(frozen=True, slots=True)
class SeenReview:
    """What the classifiers make of a review, and of the same without “no”."""

    whole: FeatureTrace
    """The review as it was typed."""
    negated: bool
    """Whether its “no” is left in."""
    having: tuple[HandClassification, HandClassification]
    """By one layer and by the hidden layer, the review as it was typed."""
    without: tuple[HandClassification, HandClassification]
    """The same, the review without “no”."""

    @property
    def has_negation(self) -> bool:
        """Whether “no” was typed, and other words beside it."""
        return bool(self.whole.values[2] > 0) and self.having is not self.without

    @property
    def shown(self) -> tuple[HandClassification, HandClassification]:
        """The classifications of what is left in."""
        return self.having if self.negated else self.without

    @property
    def features(self) -> FeatureTrace:
        """The features of what is left in."""
        return self.shown[0].features

    def decisions(self) -> tuple[tuple[int, int], ...]:
        """For each classifier its label without “no” and with it."""
        return tuple(
            (without.label, having.label)
            for without, having in zip(self.without, self.having, strict=True)
        )


def see(text: str, classifiers: HandClassifiers, *, negated: bool) -> SeenReview:
    """Classify a review with its “no” and without; one of “no” alone stays as it is.

    Raises:
        ValueError: if it has no word, or too many.
    """
    whole = extract_features(text)
    both = classifiers.logistic, classifiers.one_hidden_layer
    rest = [token for token in whole.tokens if token.text != NEGATION]
    having = both[0].classify(text), both[1].classify(text)
    if len(rest) == len(whole.tokens) or not any(token.is_word for token in rest):
        return SeenReview(whole, True, having, having)
    left = " ".join(token.text for token in rest)
    return SeenReview(whole, negated, having, (both[0].classify(left), both[1].classify(left)))
