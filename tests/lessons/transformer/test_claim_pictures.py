"""The pictures of the claims: their numbers, their sentences and what they ask."""

import numpy as np
import pytest
import torch

from lessons.transformer.claims import (
    claims_questions,
    hop_text,
    hop_view,
    relations_text,
    relations_view,
    staircase_text,
    staircase_view,
)
from lessons.transformer.claims.relations_text import Relation
from lmcore.evaluation.probes import ProbeItem
from lmcore.recurrence import recall
from lmcore.transformer import far_recall, four_claims


def sentence(live, sentences):
    return live.fill(sentences[int(live["@say"])])


@pytest.mark.parametrize("words", [16, 100, 256])
def test_an_rnn_takes_a_step_for_each_word_and_a_block_its_products(words):
    """Counted in the computation graph; the names of the products are as many."""
    assert staircase_view.waiting(words) == (words, len(staircase_text.PRODUCTS))


@pytest.mark.parametrize(
    ("step", "said"),
    [
        (1, "After 1 step the RNN has read ==1== of 64 words; the block is at its product 1 of 6."),
        (
            5,
            "After 5 steps the RNN has read ==5== of 64 words; the block is at its product 5 of 6.",
        ),
        (6, "After 6 steps the RNN has read ==6== of 64 words, the block all 64."),
        (63, "After 63 steps the RNN has read ==63== of 64 words, the block all 64."),
        (64, "For 64 words an RNN takes ==64== steps one after another, a block 6."),
        (500, "For 64 words an RNN takes ==64== steps one after another, a block 6."),
    ],
)
def test_the_sentence_of_a_step_says_how_far_both_are(step, said):
    live = staircase_view.slider_numbers(step, 64)
    assert sentence(live, staircase_text.SENTENCES) == said
    read, processors = claims_questions.staircase_questions(live)
    assert (read.answer, processors.answer) == (min(step, 64), 64)
    assert ("is done." in read.ask) == (step == 6)


def test_the_clock_and_the_length_move_the_same_numbers():
    live = staircase_view.slider_numbers(40, 256)
    (clock, length), (by_step, by_length) = live.sliders, live.table
    names = {name: live.names.index(name) for name in ("words", "rnn", "block", "scores")}
    assert (by_step[:, names["words"]] == clock.positions).all()
    assert (by_length[:, names["rnn"]] == length.positions).all()
    assert (by_length[:, names["scores"]] == length.positions**2).all()
    assert {*by_length[:, names["block"]]} == {6}
    assert by_length[0, names["words"]] == 16, "a short text is read by then"


def test_the_hop_is_as_recorded_and_the_path_as_counted():
    """The RNN's share is the mean of its networks; its path passes every word, attention's none."""
    rnn = {n: np.mean(shares) for cell, n, shares in recall.load_results().alone if cell == "rnn"}
    for distance in recall.ALONE:
        live = hop_view.slider_numbers(distance)
        assert live["rnn"] == live[f"rnn {distance}"] == round(100 * rnn[distance])
        assert live["attention"] == round(100 * far_recall.load_results().shares[distance])
        assert (live["hops"], live["products"], live["block"]) == (distance + 1, distance + 2, 3)
        recalled, hops = claims_questions.hop_questions(live, recall.ALONE)
        assert recalled.answer == f"{live['rnn']:.0f} %" and recalled.answer in recalled.options
        assert f"rnn {distance}" in recalled.hides and hops.answer == 0
    assert len(hop_view.hop_picture()["letters"]) == max(recall.ALONE) + 1


@pytest.mark.parametrize(
    ("attention", "rnn", "distance", "begins"),
    [
        (100, 16, 20, "Attention is one hop"),
        (100, 99.5, 5, "Over {distance} words both"),
        (100, 100, 1, "Over {distance} word both"),
        (60, 90, 10, "Over {distance} words attention recalls"),
    ],
)
def test_the_sentence_of_a_distance_says_who_recalls_more(attention, rnn, distance, begins):
    place = hop_text.sentence_at(float(attention), float(rnn), distance)
    assert hop_text.SENTENCES[place].startswith(begins)


def test_attention_is_recorded_as_it_is_trained(tmp_path):
    """A few steps suffice: the same numbers come out of the file again."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        found = far_recall.measure(distances=(1, 2), steps=2)
        one = four_claims.recall_after_training("attention", 2, 2)
    finally:
        torch.set_num_threads(threads)
    far_recall.save_results(found, tmp_path / "found.json")
    assert far_recall.load_results(tmp_path / "found.json") == found
    assert found.shares[2] == one.accuracy and found.how["steps"] == 2
    (tmp_path / "bad.json").write_text("[]")
    with pytest.raises(ValueError, match="must hold the shares"):
        far_recall.load_results(tmp_path / "bad.json")
    assert list(found.to_frame()["distance"]) == [1, 2]


def relation(name, **right):
    """A relation of three heads; what is not given is right in 100 %."""
    shares = dict.fromkeys(("None", "0.0", "0.1", "1.0"), 100) | {
        head.replace("_", "."): share for head, share in right.items()
    }
    item = ProbeItem(("<s>", "the", "dogs"), "run", "runs", ())
    return Relation(name, {key.removeprefix("h"): value for key, value in shares.items()}, item, 60)


APART = [relation("agreement", h0_1=50), relation("pronoun", h1_0=55)]
TOGETHER = [relation("agreement", h0_1=50), relation("pronoun", h0_1=60)]


@pytest.mark.parametrize(
    ("found", "muted", "said", "marked"),
    [
        (
            APART,
            "1.0",
            "Without head 1.0 pronouns fall from 100 % to ==55 %==; agreement stays at 100 %.",
            "pronoun 1.0",
        ),
        (
            APART,
            "0.1",
            "Without head 0.1 agreement falls from 100 % to ==50 %==; pronouns stay at 100 %.",
            "agreement 0.1",
        ),
        (
            TOGETHER,
            "0.1",
            "Without head 0.1 agreement falls from 100 % to ==50 %==; pronouns fall to 60 %.",
            "agreement 0.1",
        ),
        (
            APART,
            "0.0",
            "Without head 0.0 nothing is lost: agreement stays at ==100 %==, pronouns at 100 %.",
            "agreement 0.0",
        ),
        (
            APART,
            "",
            "Different relations need different heads: agreement needs head 0.1, pronouns need "
            "head 1.0.",
            None,
        ),
        (TOGETHER, "", "Here agreement needs head 0.1, pronouns need head 0.1.", None),
    ],
)
def test_the_sentence_of_a_muted_head_says_what_is_lost(found, muted, said, marked):
    told, named = relations_text.finding(found, muted)
    assert (relations_view.live_numbers(found).fill(told), named) == (said, marked)


def test_the_question_asks_for_the_head_that_pronouns_miss_most():
    missed, chance = claims_questions.relation_questions(APART)
    assert missed.answer == "1.0" and missed.hides == ("pronoun 0.0", "pronoun 0.1", "pronoun 1.0")
    assert "55 %" in missed.because and chance.answer == 50
    assert relations_text.needs(APART)[-1] == "1 of 3 heads are needed by neither"


def test_the_relations_are_those_that_were_measured():
    """In our small GPT: every share, and an example of each relation."""
    measured = relations_view.mute_small_gpt()
    found = relations_view.relations(measured)
    named = {
        f"{each.relation} {each.head}": each.right for each in measured if each.head is not None
    }
    live = relations_view.live_numbers(found)
    assert {name: round(100 * share) for name, share in named.items()}.items() <= dict(
        zip(live.names, live.now, strict=True)
    ).items()
    assert [each.needs for each in found] == [["0.1", "1.3"], ["0.3"]]
    how = relations_view.relations_picture(found, "0.3", None)
    assert how["layers"] == [4, 4] and "it was too" in how["rows"][1]["prefix"]
