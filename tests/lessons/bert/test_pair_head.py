"""The picture of the head for pairs: its sums end at the model's logits."""

import numpy as np
import pytest

from lessons.bert import pair_head_text
from lessons.bert.bert_questions import pair_head_questions
from lessons.bert.pairs_state import PairState
from lmcore.masked_lm import next_sentence
from lmcore.masked_lm.next_sentence import NAMES
from lmcore.pretrained.reading import VocabularyModel
from lmcore.shipped.models import encoder
from ui.lessons import lesson

NETWORK, VOCABULARY, *_ = encoder()
READER = VocabularyModel("our small encoder", NETWORK, VOCABULARY)
FIRST, OWN = (str(lesson("bert").defaults[f"pairs_{name}"]) for name in ("first", "second"))
SECONDS = (OWN, *pair_head_text.OTHERS)


def judged(second):
    reading = READER.read(FIRST, second)
    return reading, next_sentence.predict_next_sentence(NETWORK, reading)


@pytest.mark.parametrize("second", SECONDS)
def test_the_sums_end_at_the_logits_and_softmax_makes_the_shares(second):
    _, found = judged(second)
    named = {
        name: float(each) for name, each in pair_head_text.head_numbers(NETWORK, found).items()
    }
    last = len(found.pooled) - 1
    pooled = [named[f"c {i}"] for i in range(last + 1)]
    weights = NETWORK.pairs.pooler.weight.detach().double().numpy()
    hidden = np.array([named[f"h {i}"] for i in range(last + 1)])
    bias = NETWORK.pairs.pooler.bias.detach().double().numpy()
    assert pooled == pytest.approx(np.tanh(weights @ hidden + bias).tolist(), abs=1e-5)
    rows, _ = pair_head_text.head_rows(NETWORK)
    for n in range(2):
        assert named[f"s{n} {last}"] == pytest.approx(named[f"l{n}"], abs=1e-5)
        first = named[f"b{n}"] + pooled[0] * float(rows[n, 0])
        assert named[f"s{n} 0"] == pytest.approx(first, abs=1e-6)
        assert named[f"n{n}"] == pytest.approx(-np.log(named[f"p{n}"]))
    powers = np.exp([named["l0"], named["l1"]])
    assert [named["p0"], named["p1"]] == pytest.approx((powers / powers.sum()).tolist())


@pytest.mark.parametrize("second", SECONDS)
def test_the_sentence_says_whether_the_larger_share_is_right(second):
    _, found = judged(second)
    right = pair_head_text.right_label(second, OWN, None, in_microworld=True)
    assert right == (0 if second == OWN else 1)
    said = pair_head_text.sentence(128, found, right)
    best = int(found.probabilities.argmax())
    assert f"**{NAMES[best]}** =={{p{best}}}==" in said and f"{{n{right}}} nats" in said
    assert ("**Right**" in said) == (best == right) and ("**Wrong**" in said) == (best != right)
    wrong = pair_head_text.sentence(128, found, 1 - best)
    assert "**Wrong**" in wrong
    assert "loss" not in pair_head_text.sentence(128, found, None)


def test_what_is_right_is_said_only_where_it_is_known():
    label = pair_head_text.right_label
    assert label("typed by hand", OWN, None, in_microworld=True) is None
    assert label(OWN, "", None, in_microworld=True) is None
    assert label(OWN, "", 1, in_microworld=True) == 1
    assert label(pair_head_text.OTHERS[0], OWN, None, in_microworld=False) is None


@pytest.mark.parametrize("second", (*SECONDS, "the barn was red."))
def test_every_text_in_the_place_of_b_can_be_pressed_once(second):
    choices = pair_head_text.second_texts([OWN], second, in_microworld=True)
    assert len(set(choices)) == len(choices) <= 4 and choices[0] == OWN
    shown = pair_head_text.picture(NETWORK, (FIRST, second), choices, None)
    assert shown["choices"][shown["chosen"]] == second and shown["right"] == -1
    assert np.shape(shown["rows"]) == (2, 128)


def test_the_question_asks_for_the_share():
    reading, found = judged(OWN)
    (asked,) = pair_head_questions(PairState("encoder", READER, reading, found, None, FIRST, OWN))
    assert asked.answer == pytest.approx(float(found.probabilities[0]))
    assert set(asked.hides) == {"p0", "p1", "n0", "n1"}
