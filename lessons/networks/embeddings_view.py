"""The view “Embeddings”: learned embeddings as features, and texts of different lengths."""

from __future__ import annotations

from functools import partial

import streamlit as st

import ui
from lessons.networks import reviews_text
from lessons.networks.networks_state import SETTINGS
from lessons.networks.reviews_view import own_field, own_result
from lmcore.classification.embedding_classifier import (
    EmbeddingConfig,
    TrainedEmbeddings,
    train_embeddings,
)
from lmcore.classification.lexicons import tokenize_review
from lmcore.classification.reviews import LabelledReviews, ReviewConfig, draw_reviews
from lmcore.typed import fold
from ui import compute

Trained = dict[str, TrainedEmbeddings]
NEGATED = 1000
"""How many reviews with “no” the classifiers are trained on."""


def embeddings_view() -> None:
    """Draw a typed text's embeddings, their pooled vector, and the classifier of each pooling."""
    SETTINGS.draw("em_text")
    left, right = st.columns(2)
    with left:
        SETTINGS.draw("em_pool")
    with right:
        SETTINGS.draw("em_data")
        if SETTINGS.choice("em_data") == "own":
            own_field()
    trained = ui.validated_or_previous("embeddings", read_trained, default_trained)
    text = ui.validated_or_previous("embedded", read_text, lambda: SETTINGS.defaults["em_text"])
    turned = " ".join(token.text for token in reversed(tokenize_review(text)))
    st.markdown(reviews_text.order_finding(trained, text, turned))
    ui.table(
        ["pooling", "p(positive)", "reversed", "held out", "low", "high"],
        reviews_text.pooling_rows(trained, text, turned),
        name="poolings",
        caption="Three ways to one vector; held out: share correct with its 95 % interval",
    )
    _vectors_of_text(trained[SETTINGS.choice("em_pool")], text)


def _vectors_of_text(its: TrainedEmbeddings, text: str) -> None:
    """The embeddings of a text's words, and what the hidden layer is given of them."""
    found, width = its.classify(text), its.config.width
    numbers = [f"d{i}" for i in range(1, width + 1)]
    ui.table(
        ["word", *numbers],
        reviews_text.vector_rows(found),
        name="embeddings",
        caption=f"E[x_t]: {width} learned numbers for each word",
    )
    pooled = found.network.pooled.reshape(-1, width).tolist()
    rows = [(f"part {i}" if len(pooled) > 1 else "x", *row) for i, row in enumerate(pooled, 1)]
    ui.table(
        ["pooled", *numbers],
        rows,
        name="pooled",
        caption=f"The input of the hidden layer: {reviews_text.POOLINGS[its.config.pooling]}",
    )
    if found.unknown:
        st.caption(f"Not in the training reviews, so a zero embedding: {', '.join(found.unknown)}")


def read_text() -> str:
    """The typed text.

    Raises:
        ValueError: if it has no word, or too many.
    """
    text = fold(SETTINGS.text("em_text"))
    tokenize_review(text)
    return text


def read_trained() -> Trained:
    """A classifier for each pooling, trained on the reviews that are chosen.

    Raises:
        ValueError: if the visitor's own reviews are not labelled text.
    """
    chosen = SETTINGS.choice("em_data")
    if chosen == "own":
        return own_result("poolings", train_poolings)
    return (
        default_trained() if chosen == "order" else _trained_on(ReviewConfig("negation", NEGATED))
    )


def default_trained() -> Trained:
    """The classifiers trained on the reviews whose label depends on the word order."""
    return _trained_on(ReviewConfig("order"))


def _trained_on(config: ReviewConfig) -> Trained:
    train = partial(_train_on, config)
    return compute.shared_result(
        "review embeddings", train, most=2, says="Training three classifiers"
    )


def _train_on(config: ReviewConfig) -> Trained:
    return train_poolings(draw_reviews(config))


def train_poolings(reviews: LabelledReviews) -> Trained:
    """The same classifier with each pooling."""
    configs = (EmbeddingConfig("pad"), EmbeddingConfig("mean"), EmbeddingConfig("max"))
    return {each.pooling: train_embeddings(reviews, each) for each in configs}
