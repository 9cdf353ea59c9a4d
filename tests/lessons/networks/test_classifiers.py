"""A review as features and through both classifiers: numbers, sentences and questions."""

import math

import pytest

from lessons.networks import classifiers_text, classifiers_view, reviews_view
from lessons.networks.networks_questions import review_questions
from lessons.networks.seen_review import see
from lmcore.classification.hand_features import HandConfig, train_hand_features

REVIEWS = reviews_view.known_reviews()
BOTH = train_hand_features(REVIEWS, HandConfig())
HELD = tuple(
    classifiers_view.held_out_by_negation(each, REVIEWS)
    for each in (BOTH.logistic, BOTH.one_hidden_layer)
)
SLIDE = "no charm, no wit, and no clever lines for me!"


def seen(text=SLIDE, *, negated=True):
    return see(text, BOTH, negated=negated)


def live(its):
    return classifiers_view.live_numbers(its, BOTH, HELD)


def sentence(its):
    return live(its).fill(classifiers_text.verdicts(its)).replace("**", "").replace("==", "")


def test_the_features_are_counted_with_no_or_without():
    for negated, words in ((True, 10), (False, 7)):
        its = live(seen(negated=negated))
        assert [its[f"x{i}"] for i in range(1, 6)] == [3, 0, negated, 1, 1]
        assert its["x6"] == pytest.approx(math.log(words)) and its["words"] == words


def test_the_answer_of_one_layer_is_the_sigmoid_of_its_weighted_sum():
    its, x = live(seen()), (seen().features.values - BOTH.logistic.means) / BOTH.logistic.deviations
    bias = float(BOTH.logistic.parameters[-1])
    z = sum(its[f"w{i}"] * float(x[i - 1]) for i in range(1, 7)) + bias
    assert its["one"] == pytest.approx(1 / (1 + math.exp(-z)))


def test_only_the_hidden_layer_changes_its_mind():
    assert sentence(seen(negated=False)) == (
        "Without “no”, both say positive: one layer 0.8507, a hidden layer 0.9993"
    )
    assert sentence(seen()) == (
        "With “no” in it, one layer says positive, 0.8409; a hidden layer says negative, 0.001254"
    )
    notices, flag = review_questions(seen())
    assert notices.answer == "only the hidden layer" and flag.answer == 1
    assert set(notices.hides) < set(live(seen()).names)


def test_a_review_without_no_has_none_to_take_out():
    its = seen("a great film", negated=False)
    assert not its.has_negation and its.having is its.without
    assert [each.key for each in review_questions(its)] == ["flag"]
    picture = classifiers_view.classifiers_picture(its, BOTH, "features")
    assert not picture["turns"] and not any(word["out"] for word in picture["words"])


def test_a_review_of_no_alone_stays_as_it_is():
    its = seen("no no!", negated=False)
    assert its.features.values[2] == 1 and not its.has_negation


def test_each_word_falls_into_the_bin_that_counts_it():
    words = classifiers_view.classifiers_picture(seen(), BOTH, "features")["words"]
    found = {word["text"]: word["feature"] for word in words}
    assert found == {
        "no": 3,
        "charm": 1,
        "wit": 1,
        "and": 0,
        "clever": 1,
        "lines": 0,
        "for": 0,
        "me": 4,
        "!": 5,
    }
