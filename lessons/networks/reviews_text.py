"""Sentences, chips and rows for the views on text classification."""

from __future__ import annotations

from drawing.payload import Chip, ChipRow
from lmcore.classification.embedding_classifier import EmbeddingClassification, TrainedEmbeddings
from lmcore.classification.features import FeatureTrace, extract_features
from lmcore.classification.hand_features import (
    FeatureClassifier,
    HandClassification,
    HandClassifiers,
)
from lmcore.classification.reviews import ReviewConfig, best_linear_accuracy
from lmcore.numbers import format_number, subscript

FEATURE_LETTERS = tuple(f"x{subscript(i)}" for i in range(1, 7))
LIT = 5
"""Number of features that are computed from some of the words; x₆ counts all words."""


def chip_row_of(text: str) -> ChipRow:
    """The words of a typed text as chips.

    Raises:
        ValueError: if it has no word, or too many.
    """
    return chip_row(extract_features(text))


def chip_row(trace: FeatureTrace) -> ChipRow:
    """The words of a review, each with the features that count it."""
    chips: list[Chip] = []
    for token in trace.tokens:
        counted = [
            FEATURE_LETTERS[i]
            for i, feature in enumerate(trace.features[:LIT])
            if token in feature.matches
        ]
        kind = "part1" if counted else ""
        chips.append({"text": token.text, "kind": kind, "below": " ".join(counted)})
    said = "Below a word: the features that count it. x₆ is the logarithm of the number of words."
    return {"title": "The review", "said": said, "chips": chips}


def verdict(logistic: HandClassification, hidden: HandClassification) -> str:
    """How both classifiers classify the review."""
    return (
        f"p(positive): **{format_number(float(logistic.probability))}** by logistic regression, "
        f"**{format_number(float(hidden.probability))}** with one hidden layer."
    )


def comparison(classifiers: HandClassifiers, *, own: bool) -> str:
    """Which classifier is better on held-out reviews, and why, if the rule is known."""
    one, two = (
        classifiers.logistic.held_out_accuracy,
        classifiers.one_hidden_layer.held_out_accuracy,
    )
    figures = (
        f"Held out, logistic regression gets **{one.correct} of {one.total}** right, one hidden "
        f"layer **{two.correct} of {two.total}**."
    )
    if own:
        return f"{figures} The hidden layer may or may not help: that depends on your texts."
    best = best_linear_accuracy(ReviewConfig().negated)
    return (
        f"{figures} In these reviews “no” turns the words around: the label is positive where "
        f"x₁ > x₂, but the other way around where x₃ = 1. On average, no classifier with one "
        f"layer gets more than **{best:.2f}** of such reviews right."
    )


def accuracy_rows(classifiers: HandClassifiers) -> list[tuple[str, *tuple[float, ...]]]:
    """A row for each classifier: parameters, accuracy in training and held out, interval."""
    return [
        ("logistic regression", *_numbers(classifiers.logistic)),
        ("one hidden layer", *_numbers(classifiers.one_hidden_layer)),
    ]


def _numbers(its: FeatureClassifier) -> tuple[float, ...]:
    return (
        float(its.network.parameters),
        its.train_accuracy.share,
        *its.held_out_accuracy.interval,
    )


POOLINGS = {
    "pad": "pad or cut to 3 words, then join",
    "mean": "mean of all words",
    "max": "element-wise maximum",
}


def pooling_rows(
    trained: dict[str, TrainedEmbeddings], text: str, turned: str
) -> list[tuple[str, *tuple[float, ...]]]:
    """For each pooling: p(positive) of the text and of its words reversed; accuracy held out."""
    return [
        (
            POOLINGS[name],
            float(its.classify(text).network.probability),
            float(its.classify(turned).network.probability),
            *its.held_out_accuracy.interval,
        )
        for name, its in trained.items()
    ]


def vector_rows(found: EmbeddingClassification) -> list[tuple[str, *tuple[float, ...]]]:
    """The embedding of each word."""
    rows = found.network.embeddings.tolist()
    return [
        (f"{place}: {word}", *row)
        for place, (word, row) in enumerate(zip(found.tokens, rows, strict=True), start=1)
    ]


def order_finding(trained: dict[str, TrainedEmbeddings], text: str, turned: str) -> str:
    """Whether the poolings notice that the words were reversed."""
    changes = {
        name: abs(
            float(its.classify(text).network.probability)
            - float(its.classify(turned).network.probability)
        )
        for name, its in trained.items()
    }
    return (
        f"Reversed, “{turned}” has the same words. **Mean** and **max** change by "
        f"{format_number(changes['mean'])} and {format_number(changes['max'])}: they cannot see "
        f"the order. The **joined** embeddings change by {format_number(changes['pad'])}."
    )
