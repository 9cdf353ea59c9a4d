"""The picture of a review as six features, and of two classifiers that get them."""

from __future__ import annotations

from functools import partial
from typing import Literal, TypedDict, cast

import numpy as np
from typing_extensions import TypedDict as EventDict

import ui
from drawing.payload import NumberName, Script
from lessons.networks import classifiers_text, reviews_view
from lessons.networks.networks_questions import review_questions
from lessons.networks.networks_state import LESSON, SETTINGS
from lessons.networks.seen_review import SeenReview, see
from lmcore.classification.accuracy import Accuracy
from lmcore.classification.features import NEGATION
from lmcore.classification.hand_features import HandClassifiers, held_out_by_negation
from lmcore.classification.own_reviews import parse_reviews
from lmcore.networks.network import layers
from ui import compute

Shows = Literal["features", "classifiers"]


class ReviewWord(TypedDict):
    """A word of the review, and the feature that counts it: 1 to 5, or 0."""

    text: str
    feature: int
    negation: bool
    out: bool
    """Whether it is taken out."""


class ClassifierPanel(TypedDict):
    """A classifier: its weights, and the names of its numbers."""

    title: str
    weights: list[list[list[float]]]
    """For each layer, for each unit, its weights."""
    p: NumberName
    without: NumberName
    """p of the review without “no”."""
    right: NumberName


class ClassifiersPayload(TypedDict):
    """The words of a review, its features, and both classifiers."""

    shows: Shows
    words: list[ReviewWord]
    features: list[str]
    short: list[str]
    flags: list[int]
    negated: bool
    """Whether “no” is in what the classifiers get."""
    turns: bool
    """Whether “no” can be put in and taken out."""
    panels: list[ClassifierPanel]


class NegationTurn(EventDict):
    """Whether “no” is left in the review."""

    no: bool


CLASSIFIERS = Script(
    "classifiers",
    ClassifiersPayload,
    ("x#", "w#", "h#", "words", "one", "two", "one without", "two without", "one right",
     "two right", "total"),
    NegationTurn,
)  # fmt: skip
Held = tuple[tuple[Accuracy, Accuracy], tuple[Accuracy, Accuracy]]
"""For each classifier its held-out accuracy without “no”, and with it."""


def show(rows: ui.Rows) -> None:
    """Draw the review and the classifiers on the stage, and its text beside them."""
    with rows.errors:
        classifiers = ui.validated_or_previous(
            "reviews", reviews_view.read_classifiers, reviews_view.default_classifiers
        )
        text = ui.validated_or_previous(
            "review", reviews_view.read_review, lambda: SETTINGS.defaults["rv_text"]
        )
    seen = see(text, classifiers, negated=SETTINGS.switch("rv_no"))
    shows = cast("Shows", SETTINGS.choice("rv_shows"))
    live = live_numbers(seen, classifiers, held_out(classifiers))
    with rows.rail:
        hidden = ui.predict_first(review_questions(seen))
        SETTINGS.draw("rv_text", "rv_shows", "rv_no")
        with ui.more(rows):
            SETTINGS.draw("rv_data")
            if SETTINGS.choice("rv_data") == reviews_view.OWN:
                reviews_view.own_field()
    features = shows == "features"
    words = classifiers_text
    with rows.picture:
        texts = ui.stage_texts(
            LESSON,
            sentences=[words.feature_sentence(seen) if features else words.verdicts(seen)],
            formula=[words.feature_formula() if features else words.classifier_formula()],
            alt=words.describe(seen, shows),
            hidden=hidden,
        )
        how = classifiers_picture(seen, classifiers, shows)
        ui.main_picture(CLASSIFIERS, live, how, texts, on_event=store_turn)


def store_turn(event: NegationTurn) -> None:
    """Put “no” in, or take it out."""
    ui.set_controls({"rv_no": str(event["no"]).lower()})


def held_out(classifiers: HandClassifiers) -> Held:
    """What both get right of the held-out reviews without and with “no”."""
    both = classifiers.logistic, classifiers.one_hidden_layer
    if SETTINGS.choice("rv_data") == reviews_view.OWN:
        try:
            reviews = parse_reviews(SETTINGS.text("rv_own"))
        except ValueError:  # the classifiers are those of the last text that was right
            reviews = reviews_view.known_reviews()
        return held_out_by_negation(both[0], reviews), held_out_by_negation(both[1], reviews)
    return compute.shared_result("reviews by negation", partial(known_by_negation), most=1)


def known_by_negation() -> Held:
    """What both get right of the held-out reviews whose rule is known."""
    reviews, classifiers = reviews_view.known_reviews(), reviews_view.default_classifiers()
    one = held_out_by_negation(classifiers.logistic, reviews)
    return one, held_out_by_negation(classifiers.one_hidden_layer, reviews)


def live_numbers(seen: SeenReview, classifiers: HandClassifiers, held: Held) -> ui.LiveNumbers:
    """Each number of the picture under its name."""
    two = seen.shown[1]
    weights = layers(classifiers.logistic.network, classifiers.logistic.parameters)[0].weights[0]
    assert two.hidden is not None
    named = {f"x{i}": value for i, value in enumerate(seen.features.values.tolist(), start=1)}
    named |= {f"w{i}": weight for i, weight in enumerate(weights.tolist(), start=1)}
    named |= {f"h{i}": value for i, value in enumerate(two.hidden.tolist(), start=1)}
    named["words"] = float(len(seen.features.features[5].matches))
    kind = int(seen.features.values[2] > 0)
    for name, now, before, its in zip(("one", "two"), seen.shown, seen.without, held, strict=True):
        named[name] = float(now.probability)
        named[f"{name} without"] = float(before.probability)
        named[f"{name} right"] = float(its[kind].correct)
        named["total"] = float(its[kind].total)
    return ui.LiveNumbers("classifiers", tuple(named), np.array(list(named.values())))


def classifiers_picture(
    seen: SeenReview, classifiers: HandClassifiers, shows: Shows
) -> ClassifiersPayload:
    """The data of `lessons/networks/classifiers.js` without the numbers."""
    counted = {token: i for i in range(5) for token in seen.whole.features[i].matches}
    words: list[ReviewWord] = [
        {
            "text": token.text,
            "feature": counted[token] + 1 if token in counted else 0,
            "negation": token.text == NEGATION,
            "out": token.text == NEGATION and not seen.negated,
        }
        for token in seen.whole.tokens
    ]
    return {
        "shows": shows,
        "words": words,
        "features": list(classifiers_text.FEATURES),
        "short": list(classifiers_text.SHORT),
        "flags": list(classifiers_text.FLAGS),
        "negated": bool(seen.features.values[2] > 0),
        "turns": seen.has_negation,
        "panels": [
            _panel(classifiers, "one"),
            _panel(classifiers, "two"),
        ],
    }


def _panel(classifiers: HandClassifiers, name: Literal["one", "two"]) -> ClassifierPanel:
    its = classifiers.logistic if name == "one" else classifiers.one_hidden_layer
    weights = [layer.weights.tolist() for layer in layers(its.network, its.parameters)]
    return {
        "title": {"one": "one layer: logistic regression", "two": "one hidden layer"}[name],
        "weights": weights,
        "p": name,
        "without": f"{name} without",
        "right": f"{name} right",
    }
