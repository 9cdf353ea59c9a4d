"""The picture of joined and pooled words, against computations of their own."""

import pytest
import torch

from lessons.networks import pooled_text, pooled_view
from lessons.networks.networks_questions import pooled_questions
from lmcore.classification.embedding_classifier import look_up
from lmcore.classification.reviews import ReviewConfig, draw_reviews

PAIR = ("not good but great", "good but not great")


@pytest.fixture(scope="module")
def trained():
    return pooled_view.train_longest(draw_reviews(ReviewConfig("order")))


def pooled(trained, one=PAIR[0], other=PAIR[1]):
    return pooled_view.pool(trained, (one, other), ruled=True)


def rows_of(its, words):
    ids = {word: i for i, word in enumerate(its.vocabulary)}
    return look_up(its.network.E, torch.tensor([ids[word] for word in words])).detach()


def test_as_many_words_are_joined_as_the_longest_review_has(trained):
    longest = max(len(text.split()) for text in draw_reviews(ReviewConfig("order")).texts)
    assert pooled(trained).length == longest == 4
    assert pooled_view.live_numbers(pooled(trained))["inputs"] == 4 * trained[0].config.width


def test_the_vectors_are_the_rows_joined_their_mean_and_their_maximum(trained):
    found = pooled(trained)
    for k, made in enumerate((torch.Tensor.flatten, lambda e: e.mean(0), lambda e: e.amax(0))):
        for i, text in enumerate(PAIR):
            wanted = made(rows_of(trained[k], text.split()))
            torch.testing.assert_close(found.found[k][i].network.pooled.detach(), wanted)


def test_mean_and_max_are_the_same_for_both_orders_and_joined_is_not(trained):
    found = pooled(trained)
    assert found.differ[1:] == [0, 0]
    assert found.differ[0] == 24  # three of the four places have another word
    live = pooled_view.live_numbers(found)
    assert live["p 0 0"] > 0.99 > 0.01 > live["p 0 1"]
    assert live["p 1 0"] == live["p 1 1"] and live["p 2 0"] == live["p 2 1"]
    picture = pooled_view.pooled_picture(found, "orders")
    assert picture["labels"] == ["positive", "negative"]
    assert [row["right"] for row in picture["rows"]] == [[True, True], [True, False], [True, False]]


def test_the_output_is_the_network_on_the_joined_rows(trained):
    network = trained[0].network
    x = rows_of(trained[0], PAIR[0].split()).flatten()
    h = (network.W_1 @ x + network.b_1).tanh()
    z = float((h @ network.w_2 + network.b_2).detach())
    live = pooled_view.live_numbers(pooled(trained))
    assert live["z"] == pytest.approx(z)
    assert live["p 0 0"] == pytest.approx(1 / (1 + torch.tensor(-z).exp().item()))
    assert [live[f"h{k}"] for k in range(1, 9)] == pytest.approx(h.tolist())


@pytest.mark.parametrize(
    ("one", "other", "shows", "words"),
    [
        (*PAIR, "joined", "Each word brings {width} learned numbers. Joined"),
        ("great", "great", "joined", "numbers and zeros after the last. Joined"),
        ("it is not good but great", "great", "joined", "Only the first 4 words fit, 2 are cut."),
        (PAIR[1], PAIR[0], "joined", "negative, [activation|ŷ]"),
        (*PAIR, "orders", "mean and max make of both ==the same {width} numbers=="),
        (PAIR[0], PAIR[0], "orders", "Twice the same review."),
        (PAIR[0], "not bad but great", "orders", "Not the same words: after the mean"),
    ],
)
def test_the_sentence_is_that_of_these_texts(trained, one, other, shows, words):
    assert words in pooled_text.sentence(pooled(trained, one, other), shows)


def test_the_answers_are_computed(trained):
    assert [each.answer for each in pooled_questions(pooled(trained), "orders")] == [0.0]
    other = pooled(trained, PAIR[0], "not bad but great")
    assert pooled_questions(other, "orders")[0].answer == other.differ[1] > 0
    assert [each.answer for each in pooled_questions(other, "joined")] == [32.0]
