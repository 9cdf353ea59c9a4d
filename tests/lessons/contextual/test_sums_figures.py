"""The picture of the two readers says what the biLM’s losses are."""

import json
import math

import pytest
import torch

from lessons.contextual import contextual_questions
from lessons.contextual.bilm_view import trace_sentence
from lessons.contextual.elmo import sums_picture, sums_text
from lmcore.contextual.bilm import load_bilm
from lmcore.contextual.layers import BiLMLayers
from lmcore.corpora.microworld import microworld

MODEL = BiLMLayers(*load_bilm())
WORDS = ("i", "parked", "there", ".", "the", "note", "said", "fine", ".")


def sentence(words=WORDS, at=7):
    return trace_sentence(MODEL, words, at)


def numbers_at(live, k):
    """The numbers where the slider is at word k."""
    return dict(zip(live.names, live.table[0][k - 1], strict=True))


def test_each_bar_is_what_the_token_costs_given_one_side():
    vocabulary, network = MODEL.vocabulary, MODEL.network
    ids = vocabulary.encode(("<s>", *WORDS, "</s>"))
    live = sums_picture.numbers(sentence())
    for n, token in enumerate(ids):
        if n:
            before = network(torch.tensor([ids[:n]])).next_logits[0, -1]
            cost = -float(before.double().log_softmax(-1)[token])
            assert live[f"up {n}"] == pytest.approx(cost, abs=1e-5)
        if n < len(ids) - 1:
            after = network(torch.tensor([ids[n + 1 :]])).previous_logits[0, 0]
            cost = -float(after.double().log_softmax(-1)[token])
            assert live[f"down {n}"] == pytest.approx(cost, abs=1e-5)


def test_the_sums_are_those_of_the_losses_and_of_the_bars():
    its = sentence()
    live = sums_picture.numbers(its)
    assert live["leftMean"] == pytest.approx(float(its.losses.left_to_right), abs=1e-5)
    assert live["rightMean"] == pytest.approx(float(its.losses.right_to_left), abs=1e-5)
    assert live["total"] == pytest.approx(float(its.losses.total), abs=1e-5)
    assert live["left"] == pytest.approx(sum(live[f"up {n}"] for n in range(1, 11)))
    assert live["right"] == pytest.approx(sum(live[f"down {n}"] for n in range(10)))
    world = microworld()
    text = [0, *world.vocabulary.encode(WORDS), world.vocabulary.ids["</s>"]]
    p = math.prod(world.log_probabilities(torch.tensor(text))[:-1].exp()[range(10), text[1:]])
    assert live["grammar"] == pytest.approx(-math.log(p))


@pytest.mark.parametrize("both", [False, True])
@pytest.mark.parametrize("k", [1, 2, 9])
def test_the_sentence_of_each_word_has_its_numbers(both, k):
    its = sentence()
    live = sums_picture.numbers(its)
    here = numbers_at(live, k)
    said = sums_text.sentences(its, live, both=both)[int(here["@say"])]
    assert f"**{WORDS[k - 1]}**" in said
    assert (here["up"], here["down"]) == (here[f"up {k}"], here[f"down {k}"])
    for template in (
        said,
        *sums_text.formulas(live, both=both)[0],
        sums_text.describe(its, both=both),
    ):
        assert "{" not in live.fill(template)
    for asked in contextual_questions.sums_questions(its, both=both):
        assert set(asked.hides) <= set(live.names)


def test_the_sentence_says_how_far_the_sums_are_apart():
    live = sums_picture.numbers(sentence())
    assert "agree to 1%" in sums_text.sentences(sentence(), live, both=True)[0]
    other = sentence(("the", "horse"), 1)
    apart = sums_picture.numbers(other)
    assert apart["apart"] > 0.05
    assert "apart" in sums_text.sentences(other, apart, both=True)[0]


@pytest.mark.parametrize("words", [WORDS, ("the", "dog", "gets", "fed", ".")])
def test_the_questions_are_answered_from_the_losses(words):
    its = sentence(words, 1)
    live = sums_picture.numbers(its)
    (asked,) = contextual_questions.sums_questions(its, both=False)
    downs = [live[f"down {n}"] for n in range(len(words) + 1)]
    assert asked.answer == ("<s>", *words)[downs.index(max(downs))]
    assert asked.answer in asked.options
    (asked,) = contextual_questions.sums_questions(its, both=True)
    assert (asked.answer == "about as much") == (0.5 < live["right"] / live["left"] < 2)


def test_a_text_that_the_grammar_cannot_produce_has_no_sum_by_it():
    live = sums_picture.numbers(sentence(("the", "horse"), 1))
    assert math.isinf(live["grammar"])
    assert len(sums_text.formulas(live, both=True)[0]) == 1
    json.dumps(sums_picture.picture(sentence(), "both sides"))
