"""The picture of a review as learned numbers: its words joined, or pooled by mean and maximum."""

from __future__ import annotations

from functools import partial
from typing import Literal, NamedTuple, TypedDict, cast, get_args

import numpy as np
import streamlit as st
import torch
from typing_extensions import TypedDict as EventDict

import ui
from drawing import theme
from drawing.payload import Script
from drawing.theme import ColourScale
from lessons.networks import embeddings_view, pooled_text
from lessons.networks.networks_questions import pooled_questions
from lessons.networks.networks_state import LESSON, SETTINGS
from lessons.networks.reviews_view import OWN, own_field, own_result
from lmcore.classification.embedding_classifier import (
    MOST_LENGTH,
    EmbeddingClassification,
    EmbeddingConfig,
    Pooling,
    TrainedEmbeddings,
    train_embeddings,
)
from lmcore.classification.lexicons import tokenize_review
from lmcore.classification.reviews import (
    LabelledReviews,
    ReviewConfig,
    draw_reviews,
    true_label,
)
from lmcore.typed import fold
from ui import compute

SEE = "Words pooled"
Shows = Literal["joined", "orders"]


class PooledRow(TypedDict):
    """One way from the rows of E to the input of the classifier, for both reviews."""

    title: str
    inputs: list[list[float]]
    """For each review, the numbers that the classifier gets."""
    right: list[bool]
    """For each review, whether the classifier is right; empty if no rule says what is."""
    positive: list[bool]


class PooledPayload(TypedDict):
    """One review through the network, or two reviews in three ways."""

    shows: Shows
    reviews: list[list[str]]
    """The words of both reviews that fit."""
    labels: list[str]
    """What the rule says of both reviews; empty without one."""
    rows: list[PooledRow]
    units: list[list[float]]
    """For each hidden unit, its weights."""
    output: list[float]
    width: int
    length: int
    """How many words are joined."""
    most: float
    """The end of the scale of the colours; 19 of 20 numbers are within it."""
    scale: ColourScale


class WordMoved(EventDict):
    """The place of a word of the second review, which goes one place on."""

    word: int


POOLED = Script(
    "pooled",
    PooledPayload,
    ("p # #", "right #", "differ #", "total", "h#", "z", "inputs", "width"),
    WordMoved,
)


class Pooled(NamedTuple):
    """Both reviews through the three classifiers."""

    trained: tuple[TrainedEmbeddings, ...]
    found: tuple[tuple[EmbeddingClassification, EmbeddingClassification], ...]
    """For each classifier, both reviews."""
    ruled: bool
    """Whether a rule says which label is right."""

    @property
    def length(self) -> int:
        """How many words are joined."""
        return self.trained[0].config.length

    @property
    def words(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The words of both reviews."""
        one, other = self.found[0]
        return one.tokens, other.tokens

    @property
    def differ(self) -> list[int]:
        """How many of the numbers of each pooling differ between the reviews."""
        return [int((a.network.pooled != b.network.pooled).sum()) for a, b in self.found]


def show(rows: ui.Rows) -> None:
    """Draw the reviews on the stage, and beside it their texts."""
    with rows.errors:
        pooled = ui.validated_or_previous("pooled", read_pooled, default_pooled)
    shows = cast("Shows", SETTINGS.choice("wp_shows"))
    with rows.rail:
        hidden = ui.predict_first(pooled_questions(pooled, shows))
        SETTINGS.draw("wp_shows", "em_text")
        if shows == "orders":
            SETTINGS.draw("wp_other")
        with ui.more(rows):
            if unknown := pooled.found[0][0].unknown:
                st.caption(f"Not in the training reviews, so a row of zeros: {', '.join(unknown)}")
            SETTINGS.draw("em_data")
            if SETTINGS.choice("em_data") == OWN:
                own_field()
    with rows.picture:
        texts = ui.stage_texts(
            LESSON,
            sentences=[pooled_text.sentence(pooled, shows)],
            formula=[pooled_text.formula(pooled, shows)],
            alt=pooled_text.describe(pooled, shows),
            kind="computed",
            hidden=hidden,
        )
        how = pooled_picture(pooled, shows)
        ui.main_picture(POOLED, live_numbers(pooled), how, texts, on_event=store_order)


def store_order(event: WordMoved) -> None:
    """Move a word of the second review one place on; the last one goes to the front."""
    words = [token.text for token in tokenize_review(fold(SETTINGS.text("wp_other")))]
    at = event["word"]
    if not 0 <= at < len(words):
        raise LookupError("the word must be one of the review")
    words.insert((at + 1) % len(words), words.pop(at))
    ui.set_controls({"wp_other": " ".join(words)})


def read_pooled() -> Pooled:
    """What the controls describe.

    Raises:
        ValueError: if a text has no word or too many, or own reviews are not labelled text.
    """
    data = SETTINGS.choice("em_data")
    if data == OWN:
        trained = own_result("pooled", train_longest)
    elif data == "order":
        trained = _known(ReviewConfig("order"))
    else:
        trained = _known(ReviewConfig("negation", embeddings_view.NEGATED))
    texts = fold(SETTINGS.text("em_text")), fold(SETTINGS.text("wp_other"))
    return pool(trained, texts, ruled=data != OWN)


def default_pooled() -> Pooled:
    """The page's example."""
    opens = LESSON.defaults
    return pool(_known(ReviewConfig("order")), (opens["em_text"], opens["wp_other"]), ruled=True)


def pool(trained: tuple[TrainedEmbeddings, ...], texts: tuple[str, str], *, ruled: bool) -> Pooled:
    """Both texts through the classifiers."""
    found = tuple((its.classify(texts[0]), its.classify(texts[1])) for its in trained)
    return Pooled(trained, found, ruled)


def _known(config: ReviewConfig) -> tuple[TrainedEmbeddings, ...]:
    train = partial(_train_known, config)
    return compute.shared_result("pooled words", train, most=2, says="Training three classifiers")


def _train_known(config: ReviewConfig) -> tuple[TrainedEmbeddings, ...]:
    return train_longest(draw_reviews(config))


def train_longest(reviews: LabelledReviews) -> tuple[TrainedEmbeddings, ...]:
    """A classifier for each pooling; as many words are joined as the longest review has."""
    longest = max(len(tokenize_review(text)) for text in reviews.texts)
    length = min(longest, MOST_LENGTH)
    return tuple(
        train_embeddings(reviews, EmbeddingConfig(pooling, length=length))
        for pooling in get_args(Pooling)
    )


def live_numbers(pooled: Pooled) -> ui.LiveNumbers:
    """The numbers of the sentence, of the formula and of the hidden units."""
    first = pooled.found[0][0].network
    named = {
        f"p {k} {i}": float(review.network.probability)
        for k, reviews in enumerate(pooled.found)
        for i, review in enumerate(reviews)
    }
    for k, its in enumerate(pooled.trained):
        named[f"right {k}"] = float(its.held_out_accuracy.correct)
        named[f"differ {k}"] = float(pooled.differ[k])
    named["total"] = float(pooled.trained[0].held_out_accuracy.total)
    named |= {f"h{i}": value for i, value in enumerate(first.hidden.tolist(), start=1)}
    config = pooled.trained[0].config
    named |= {"z": float(first.logit), "inputs": float(config.inputs), "width": float(config.width)}
    return ui.LiveNumbers("pooled", tuple(named), np.array(list(named.values())))


def pooled_picture(pooled: Pooled, shows: Shows) -> PooledPayload:
    """The data of `lessons/networks/pooled.js` without the numbers."""
    network, config = pooled.trained[0].network, pooled.trained[0].config
    labels = [true_label(words) for words in pooled.words] if pooled.ruled else []
    drawn = pooled.found if shows == "orders" else pooled.found[:1]
    numbers = torch.cat([each.network.pooled for pair in drawn for each in pair])
    return {
        "shows": shows,
        "reviews": [list(words[: pooled.length]) for words in pooled.words],
        "labels": [pooled_text.LABELS[each] for each in labels],
        "rows": [_row(pooled, k, labels) for k in range(len(pooled.found))],
        "units": network.W_1.tolist(),
        "output": network.w_2.tolist(),
        "width": config.width,
        "length": config.length,
        "most": float(numbers.abs().quantile(0.95)),
        "scale": theme.diverging_scale(ui.theme_mode()),
    }


def _row(pooled: Pooled, k: int, labels: list[int]) -> PooledRow:
    pair = pooled.found[k]
    return {
        "title": pooled_text.TITLES[k],
        "inputs": [each.network.pooled.tolist() for each in pair],
        "right": [each.label == label for each, label in zip(pair, labels, strict=False)],
        "positive": [bool(each.label) for each in pair],
    }
