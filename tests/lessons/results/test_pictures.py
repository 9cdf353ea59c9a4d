"""The pictures of quoted results: their numbers against the prints, and their sentences."""

import math
from decimal import Decimal

import pytest

from lessons.results import (
    leads_picture,
    leads_text,
    missing_picture,
    missing_text,
    sizes_picture,
    sizes_text,
)
from lessons.results.results_questions import lead_questions, missing_questions, size_questions

PRINTED = {  # score and gain of BERT’s abstract
    "GLUE": ("80.5", "7.7"),
    "MultiNLI": ("86.7", "4.6"),
    "SQuAD v1.1": ("93.2", "1.5"),
    "SQuAD v2.0": ("83.1", "5.1"),
}
STORIES = [(story, test) for story in ("release", "held") for test in sizes_picture.TESTS] + [
    ("gpt", "lambada"),
    ("parrots", "lambada"),
]


def test_what_was_missing_is_the_score_less_the_gain_to_100():
    found = missing_picture.gains("bert")
    assert {each.test for each in found} == PRINTED.keys()
    for each in found:
        score, gain = (Decimal(text) for text in PRINTED[each.test])
        assert each.before == float(score - gain)
        assert math.isclose(each.missing, float(100 - score + gain))
        assert math.isclose(each.share, float(100 * gain / (100 - score + gain)))


def test_each_bar_has_its_own_numbers_along_the_slider():
    found = missing_picture.gains("bert")
    live = missing_picture.numbers(found, 3)
    assert live["before"] == found[2].before
    (rows,) = live.table
    for row, each in zip(rows, found, strict=True):
        assert row[live.names.index("share")] == each.share
    said = [
        missing_picture.numbers(found, n + 1).fill(missing_text.sentences(found, "bert")[n])
        for n in (0, 2)
    ]
    assert "**GLUE**, 27.2 points were missing to 100. BERT closes ==28.31== %" in said[0]
    assert "**SQuAD v1.1**, 8.3 points" in said[1]
    (question,) = missing_questions(found, "BERT")
    assert question.answer == "GLUE" and "does BERT close" in question.ask


ELMO = {"SQuAD": ("81.1", "85.8"), "NER": ("90.15", "92.22"), "SST-5": ("51.4", "54.7")}
"""Scores of the same system without and with ELMo, as printed."""


def test_elmo_closes_parts_of_the_gaps_that_are_computed_from_both_scores():
    found = {each.test: each for each in missing_picture.gains("elmo")}
    assert len(found) == 6
    for test, (before, after) in ELMO.items():
        gain = Decimal(after) - Decimal(before)
        assert found[test].gain == float(gain)
        assert math.isclose(found[test].share, float(100 * gain / (100 - Decimal(before))))
    rows = list(found.values())
    live = missing_picture.numbers(rows, 1)
    said = live.fill(missing_text.sentences(rows, "elmo")[0])
    assert "ELMo closes ==24.87== % of the gap; on all 6 tests, 6 to 25 %" in said
    ner = missing_text.formulas(rows, "elmo")[4]
    assert missing_picture.numbers(rows, 5).fill(ner[0]) == "gain: 92.22 − 90.15 = 2.07"
    assert "closed: 2.07 ÷ 9.85" in ner[2]
    (question,) = missing_questions(rows, "ELMo")
    assert question.answer == "SQuAD"


@pytest.mark.parametrize(("version", "french"), [("arxiv", 1.3), ("conference", 0.5)])
def test_the_leads_are_over_the_best_of_the_others(version, french):
    found = leads_picture.scores()
    live = leads_picture.numbers(found, version)
    assert (live["de"], live["fr"], live["apart"]) == (3.2, french, 0.6)
    said = live.fill(leads_text.sentence(found, version)).replace("==", "")
    other = {"arxiv": "41.0", "conference": "41.8"}[version]
    assert f"leads by 3.2 BLEU, into French by {french}" in said
    assert f"with the {other} of the" in said
    (question,) = lead_questions(found, version)
    assert question.answer == french


@pytest.mark.parametrize(("story", "test"), STORIES)
def test_sizes_are_compared_with_the_first(story, test):
    found = sizes_picture.sizes_of(story, test)
    live = sizes_picture.numbers(found, len(found.models))
    first, last = found.models[0], found.models[-1]
    assert live["times"] == last.billions / first.billions
    assert [each.month for each in found.models] == sorted(each.month for each in found.models)
    if not found.scored:
        assert math.isclose(first.billions * 2 ** (live["months"] / live["double"]), last.billions)
    for n in range(1, len(found.models) + 1):
        (question,) = size_questions(found, n)
        assert question.answer


def test_the_paper_s_numbers_of_gpt2():
    found = sizes_picture.sizes_of("release", "lambada")
    live = sizes_picture.numbers(found, 4)
    assert (live["score"], found.best) == (8.63, 99.8)
    assert round(live["times"], 2) == 13.18
    assert "The best before was 99.8" in sizes_text.sentences(found)[3]
    worse = sizes_picture.sizes_of("release", "billion")
    assert "21.8, stays better" in sizes_text.sentences(worse)[3]


def test_who_holds_back_how_long():
    found = sizes_picture.sizes_of("held", "lambada")
    *before, last = sizes_text.sentences(found)
    live = sizes_picture.numbers(found, 4)
    assert live.fill(last) == (
        "The largest GPT-2 was described in February and released in November: ==9== **months** "
        "later."
    )
    assert all("still held back" in each for each in before)


def test_gpt_is_about_as_large_as_bert_base():
    found = sizes_picture.sizes_of("gpt", "lambada")
    assert "about as many" in sizes_text.sentences(found)[1]
    assert "about as many" not in sizes_text.sentences(found)[2]
