import itertools
from collections import Counter, defaultdict

import pytest
import torch

from lmcore.classification import reviews
from lmcore.classification.features import feature_matrix
from lmcore.classification.lexicons import NEGATIVE, POSITIVE, is_pronoun, tokenize_review
from lmcore.classification.reviews import (
    LabelledReviews,
    ReviewConfig,
    best_linear_accuracy,
    draw_reviews,
    hold_out,
    true_label,
)


def words(text):
    return [token.text for token in tokenize_review(text)]


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("a great film", 1),
        ("a dull film", 0),
        ("no charm", 0),
        ("no noise and no flaws", 1),
        ("not good", 0),
        ("great , dull and witty", 1),
        ("not good but great", 1),
        ("good but not great", 0),
        ("not bad but awful", 0),
        ("bad but not awful", 1),
        ("no great but long film", 0),
        ("a film", 0),
    ],
)
def test_the_rule_on_small_reviews(text, label):
    assert true_label(text.split()) == label


@pytest.mark.parametrize("kind", ["negation", "order"])
def test_every_drawn_label_is_that_of_the_rule(kind):
    drawn = draw_reviews(ReviewConfig(kind, 300, seed=3))
    assert drawn.labels.tolist() == [true_label(words(text)) for text in drawn.texts]
    assert drawn.labels.tolist() == [0, 1] * 150


@pytest.mark.parametrize("kind", ["negation", "order"])
def test_reviews_are_a_pure_function_of_their_description(kind):
    one, same = draw_reviews(ReviewConfig(kind, 50, 4)), draw_reviews(ReviewConfig(kind, 50, 4))
    assert one.texts == same.texts
    assert torch.equal(one.held_out, same.held_out)
    assert draw_reviews(ReviewConfig(kind, 50, 5)).texts != one.texts
    assert draw_reviews(ReviewConfig(kind, 80, 4)).texts[:50] == one.texts


def test_a_negation_label_is_an_exclusive_or_of_two_features():
    drawn = draw_reviews(ReviewConfig(count=1000, seed=1))
    x = feature_matrix(drawn.texts)
    assert torch.equal((x[:, 0] > x[:, 1]) ^ (x[:, 2] == 1), drawn.labels == 1)
    assert bool((x[:, 0] != x[:, 1]).all())


def test_where_a_review_has_no_every_sentiment_word_follows_one():
    for text in draw_reviews(ReviewConfig(count=300)).texts:
        tokens = words(text)
        after = [tokens[i - 1] == "no" for i, w in enumerate(tokens) if w in POSITIVE | NEGATIVE]
        assert all(after) or not any(after)


def test_the_other_words_carry_no_sentiment():
    other = " ".join([*reviews.OPENINGS, *reviews.PLURALS, *reviews.ENDINGS]).split()
    assert not set(other) & (POSITIVE | NEGATIVE | {"no", "not", "but"})
    assert any(map(is_pronoun, other))


def cells(negated):
    """(x₁, x₂, x₃, label, probability) of every combination, from the grammar's description."""
    for majority, no in itertools.product((True, False), (0, 1)):
        share = 0.5 * (negated if no else 1 - negated) / 3
        for minority, count, part in ((0, 1, 1), (0, 2, 1), (0, 3, 0.5), (1, 3, 0.5)):
            pair = (count - minority, minority) if majority else (minority, count - minority)
            yield (*pair, no, majority != bool(no), share * part)


@pytest.mark.parametrize("negated", [0.0, 0.3, 0.5, 0.8])
def test_no_linear_classifier_of_a_grid_is_better_than_the_best_and_one_is_as_good(negated):
    rows = [list(map(float, cell)) for cell in cells(negated)]
    x1, x2, x3, label, share = torch.tensor(rows, dtype=torch.float64).T
    assert float(share.sum()) == pytest.approx(1)
    axis, wide = torch.arange(-3.0, 4.0).double(), torch.arange(-10.5, 11.0, 1.5).double()
    w1, w2, w3, b = torch.cartesian_prod(axis, axis, wide, wide).T[:, :, None]
    right = ((w1 * x1 + w2 * x2 + w3 * x3 + b > 0) == (label == 1)).double() @ share
    assert float(right.max()) == pytest.approx(best_linear_accuracy(negated), abs=1e-12)


def test_the_grammar_draws_the_combinations_as_often_as_described():
    drawn = draw_reviews(ReviewConfig(count=2000, seed=8))
    rows = feature_matrix(drawn.texts)[:, :3].tolist()
    counts = Counter(tuple(row) for row in rows)
    for x1, x2, x3, _, share in cells(0.3):
        error = (share * (1 - share) / 2000) ** 0.5
        assert counts[x1, x2, x3] / 2000 == pytest.approx(share, abs=4 * error)


def test_without_negation_the_label_is_which_count_is_larger():
    drawn = draw_reviews(ReviewConfig(count=200, negated=0.0))
    x = feature_matrix(drawn.texts)
    assert torch.equal(x[:, 0] > x[:, 1], drawn.labels == 1)
    assert best_linear_accuracy(0.0) == 1.0


def order_reviews():
    """Every review of the kind `order`, from its description."""
    for adjectives in (reviews.POSITIVE_ADJECTIVES, reviews.NEGATIVE_ADJECTIVES):
        for a, b in itertools.permutations(adjectives, 2):
            yield f"not {a} but {b}"
            yield f"{a} but not {b}"


def test_the_same_words_have_either_label_equally_often():
    by_bag = defaultdict(list)
    for text in order_reviews():
        by_bag[tuple(sorted(text.split()))].append(true_label(text.split()))
    assert {sum(labels) / len(labels) for labels in by_bag.values()} == {
        reviews.ORDER_BLIND_ACCURACY
    }
    assert set(draw_reviews(ReviewConfig("order", 300)).texts) <= set(order_reviews())


def test_three_words_determine_the_label_of_an_order_review():
    by_start = defaultdict(set)
    for text in order_reviews():
        by_start[tuple(text.split()[:3])].add(true_label(text.split()))
    assert all(len(labels) == 1 for labels in by_start.values())


@pytest.mark.parametrize("count", [2, 7, 100])
def test_a_share_of_each_label_is_held_out_and_some_of_each_left(count):
    labels = torch.arange(count) % 2
    held = hold_out(labels, 0.3, seed=2)
    for label in (0, 1):
        of_label = int((labels == label).sum())
        assert int(held[labels == label].sum()) == 3 * of_label // 10 < of_label


def test_the_frame_has_one_row_per_review():
    drawn = draw_reviews(ReviewConfig(count=10))
    table = drawn.to_frame()
    assert table["text"].tolist() == list(drawn.texts)
    assert table["label"].tolist() == drawn.labels.tolist()
    assert table["held out"].tolist() == drawn.held_out.tolist()


@pytest.mark.parametrize(
    ("changed", "error"),
    [
        ({"count": 1}, "the number of reviews must be from 2 to 2000; got 1"),
        ({"negated": 1.5}, "the share of reviews with “no” must be from 0 to 1; got 1.5"),
    ],
)
def test_a_description_out_of_bounds_is_refused(changed, error):
    with pytest.raises(ValueError, match=error):
        ReviewConfig(**changed)


def test_reviews_without_a_label_each_are_refused():
    with pytest.raises(ValueError, match="one entry per review; got 2, 1 and 1"):
        LabelledReviews(("a", "b"), torch.tensor([1]), torch.tensor([False]))


def test_a_share_held_out_that_leaves_nothing_is_refused():
    with pytest.raises(ValueError, match=r"must be from 0 to 0\.9; got 1"):
        hold_out(torch.tensor([0, 1]), 1.0, 0)
