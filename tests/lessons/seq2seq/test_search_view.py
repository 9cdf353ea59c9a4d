"""What the view on greedy and beam search says, compared with searches run again."""

import re

import pytest

from lessons.seq2seq import search_text, search_view
from lessons.seq2seq.measured_text import ATTENTION, VECTOR
from lessons.seq2seq.measured_view import Sample
from lessons.seq2seq.search_view import SearchChoice
from lmcore.corpora.translation import held_out_sources, parse_source, translate
from lmcore.decoding.search_errors import (
    Hypothesis,
    SearchComparison,
    compare_searches,
    find_translations,
    target_log_p,
)
from lmcore.evaluation.exact_match import exact_matches
from lmcore.shipped.models import load_translator

TARGET = ("a", "b", "c")
RIGHT = Hypothesis(TARGET, True, -1.0, -0.5)
WRONG = Hypothesis(("a", "x", "c"), True, -2.0, -1.0)
MISLED = parse_source(
    "the ball was chased by a man and the black red cats were hidden by some dogs", "mixture"
)


def test_the_same_text_is_named_once():
    said = search_text.search_finding(RIGHT, [RIGHT, WRONG], TARGET, -1.0)
    assert "the text that greedy search writes, with log p **−1**. It is **right**" in said
    assert "error" not in said


def test_a_better_text_is_compared_with_greedy_searchs():
    said = search_text.search_finding(WRONG, [RIGHT, WRONG], TARGET, -1.0)
    assert "**2.718 times as probable**" in said and "log p −1 against −2" in said
    assert said.endswith("It is **right** in every word; greedy search’s is wrong.")


def test_a_penalty_may_prefer_a_less_probable_text():
    said = search_text.search_finding(RIGHT, [WRONG, RIGHT], TARGET, -1.0)
    assert "less probable than greedy search’s: log p −2 against −1" in said
    assert "log p −1, which is higher: **a search error**" in said


def test_a_wrong_text_that_is_more_probable_is_the_models_error():
    said = search_text.search_finding(WRONG, [WRONG], TARGET, -7.0)
    assert "It is **wrong**. The true target has log p −7, which is lower: **the model’s" in said


def test_a_text_that_was_broken_off_is_wrong():
    cut = Hypothesis(TARGET, False, -1.0, -1.0)
    assert "**wrong**" in search_text.search_finding(cut, [cut], TARGET, -1.5)
    assert search_text.hypothesis_chips([cut], TARGET)[0]["said"].endswith("Broken off.")
    assert search_text.hypothesis_rows([cut], TARGET)[0][3] == 3


def test_a_beam_finds_a_more_probable_text_that_is_wrong():
    network = load_translator(VECTOR)[0]
    one, found, log_p = (
        find_translations(network, MISLED, 1)[0],
        find_translations(network, MISLED, 4),
        target_log_p(network, MISLED, "mixture"),
    )
    target = translate(MISLED, "mixture")
    assert one.words == target != found[0].words
    said = search_text.search_finding(one, found, target, log_p)
    assert "Beam search finds a text that is **1.257 times as probable**" in said
    assert "It is **wrong**; greedy search’s is right." in said and "the model’s error" in said


def test_hypotheses_are_listed_with_their_wrong_words():
    chips = search_text.hypothesis_chips([RIGHT, WRONG], TARGET)
    assert [row["title"] for row in chips] == ["1. log p −1, score −0.5", "2. log p −2, score −1"]
    assert [chip["kind"] for chip in chips[1]["chips"]] == ["", "deleted", ""]
    assert search_text.hypothesis_rows([RIGHT, WRONG], TARGET) == [
        ("1. a b c", -1.0, -0.5, 4, 0),
        ("2. a x c", -2.0, -1.0, 4, 1),
    ]


def test_greedy_search_is_checked_against_width_1():
    assert "k = 1 writes the same words" in search_text.greedy_check(TARGET, RIGHT)
    assert "other words" in search_text.greedy_check(TARGET, WRONG)


@pytest.mark.parametrize("name", [ATTENTION, VECTOR])
def test_both_searches_are_measured_on_the_sample(name):
    network, sample = load_translator(name)[0], Sample(19, 12, 3)
    sources = held_out_sources("mixture", 19, 12, 3)
    found = search_view.measure_searches(sample, SearchChoice(name, 3, 0.5))
    assert found == compare_searches(network, sources, "mixture", 3, 0.5)
    assert found.greedy == sum(exact_matches(network, sources, "mixture"))
    rows = search_text.comparison_rows(found)
    assert [row[:3] for row in rows] == [("greedy", 12, found.greedy), ("beam", 12, found.beam)]


@pytest.mark.parametrize(
    ("compared", "said"),
    [
        ((50, 50, 50, 0, 0, 0, 0), ("**50 of 50**", "intervals overlap", "the same sentences")),
        ((50, 5, 45, 41, 1, 9, 2), ("do not overlap", "alone is right for 41", "alone for 1.")),
        ((50, 42, 41, 0, 1, 2, 0), ("In **none** of the 9", "all are the model’s errors")),
        ((50, 42, 41, 0, 1, 2, 4), ("In **4** of the 9", "The other 5 are the model’s.")),
    ],
)
def test_the_comparison_is_told_by_its_counts(compared, said):
    found = search_text.comparison_finding(SearchComparison(*compared), "one vector", 4)
    assert all(each in found for each in said)
    assert ("error" in found) == (compared[0] > compared[2])


@pytest.mark.parametrize(
    ("width", "penalty", "wrong"),
    [
        (0, 0.0, "the beam width k must be from 1 to 16; got 0"),
        (17, 0.0, "the beam width k must be from 1 to 16; got 17"),
        (4, 10.5, "the length penalty a must be from -10 to 10; got 10.5"),
        (4, float("nan"), "the length penalty a must be from -10 to 10; got nan"),
    ],
)
def test_a_search_out_of_bounds_is_refused(width, penalty, wrong):
    with pytest.raises(ValueError, match=re.escape(wrong)):
        SearchChoice(ATTENTION, width, penalty)
