"""The view “Reviews”: six features of a typed review, and two classifiers trained on them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeVar

import numpy as np
import streamlit as st

import ui
from drawing.payload import CHIPS, ChipsPayload
from lessons.networks import reviews_text
from lessons.networks.networks_state import SETTINGS
from lmcore import spreadsheet
from lmcore.classification.hand_features import HandClassifiers, HandConfig, train_hand_features
from lmcore.classification.own_reviews import check_size, parse_reviews
from lmcore.classification.reviews import LabelledReviews, ReviewConfig, draw_reviews
from lmcore.typed import fold
from ui import compute

T = TypeVar("T")
OWN = "own"
NOTHING = ui.LiveNumbers("networks-review", (), np.empty(0))


def reviews_view() -> None:
    """Draw a review with its features, and how both classifiers classify it."""
    left, right = st.columns([3, 1])
    with right:
        SETTINGS.draw("rv_data")
        if SETTINGS.choice("rv_data") == OWN:
            own_field()
    with left:
        SETTINGS.draw("rv_text")
        classifiers = ui.validated_or_previous("reviews", read_classifiers, default_classifiers)
        text = ui.validated_or_previous("review", read_review, lambda: SETTINGS.defaults["rv_text"])
        both = classifiers.logistic.classify(text), classifiers.one_hidden_layer.classify(text)
        features = both[0].features
        chips: ChipsPayload = {"views": [[reviews_text.chip_row(features)]], "pick": ""}
        ui.picture(CHIPS, NOTHING, chips)
        st.markdown(reviews_text.verdict(*both))
    rows = [
        (f"{reviews_text.FEATURE_LETTERS[i]}: {each.definition}", each.value)
        for i, each in enumerate(features.features)
    ]
    ui.table(["feature", "value"], rows, name="features", caption="The six features of the review")
    st.markdown(reviews_text.comparison(classifiers, own=SETTINGS.choice("rv_data") == OWN))
    ui.table(
        ["classifier", "parameters", "trained on", "held out", "low", "high"],
        reviews_text.accuracy_rows(classifiers),
        name="classifiers",
        caption="Share classified correctly; low and high: 95 % interval of the held-out share",
    )


def own_field() -> None:
    """The field of the visitor's own reviews, and a file to fill it from."""
    SETTINGS.draw("rv_own")
    st.file_uploader(
        "or a table as CSV",
        type=["csv", "tsv", "txt"],
        key="rv-file",
        max_upload_size=1,
        on_change=_store_uploaded,
    )


def _store_uploaded() -> None:
    file = st.session_state["rv-file"]
    if file is None:
        return
    try:
        check_size(file.size)
        ui.set_controls({"rv_own": spreadsheet.decode(file.getvalue())})
    except ValueError as error:
        ui.show_error_later(error)


def read_review() -> str:
    """The typed review.

    Raises:
        ValueError: if it has no word, or too many.
    """
    text = fold(SETTINGS.text("rv_text"))
    reviews_text.chip_row_of(text)
    return text


def read_classifiers() -> HandClassifiers:
    """Both classifiers, trained on the reviews that are chosen.

    Raises:
        ValueError: if the visitor's own reviews are not labelled text.
    """
    if SETTINGS.choice("rv_data") == OWN:
        return own_result("classifiers", lambda own: train_hand_features(own, HandConfig()))
    return default_classifiers()


def own_result(name: str, train: Callable[[LabelledReviews], T]) -> T:
    """The result of `train` on the visitor's own reviews, computed once per text and not shared.

    Raises:
        ValueError: if the text is not labelled reviews.
    """
    text = SETTINGS.text("rv_own")
    kept = st.session_state.get(f"own-{name}")
    if kept is None or kept[0] != text:
        own = parse_reviews(text)
        kept = text, compute.unshared_result(lambda: train(own), of=(name, text), says="Training")
        st.session_state[f"own-{name}"] = kept
    result: T = kept[1]
    return result


def default_classifiers() -> HandClassifiers:
    """Both classifiers, trained on reviews whose rule is known; once for all visitors."""
    train = partial(_train_default)
    return compute.shared_result(
        "review classifiers", train, most=1, says="Training two classifiers"
    )


def _train_default() -> HandClassifiers:
    return train_hand_features(known_reviews(), HandConfig())


def known_reviews() -> LabelledReviews:
    """Reviews in which a negation turns the sentiment around."""
    return draw_reviews(ReviewConfig("negation"))
