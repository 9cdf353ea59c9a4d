"""The picture of five ladders: the recorded neighbours, marked by the grammar."""

import re

import pytest

from lessons.vectors import ladders_picture, ladders_text
from lessons.vectors.ladders_picture import hits_of, numbers, picture, shares_of
from lessons.vectors.vectors_questions import ladder_questions
from lmcore.embeddings.static import ladders, planted
from lmcore.embeddings.static.ladders import recorded_ladders
from lmcore.embeddings.static.methods import METHODS, PPMI_SVD
from lmcore.embeddings.static.neighbours import NEIGHBOURS
from lmcore.embeddings.static.quality import recorded_quality

FOUND = recorded_ladders().of
SHARES = shares_of(recorded_quality())
GROUP_OF = {word: name for name, words in planted.GROUPS.items() for word in words}


def test_what_counts_is_what_is_recorded_for_the_method_without_a_seed():
    measured = ladders.measure(PPMI_SVD)
    recorded = FOUND[METHODS.index(PPMI_SVD)]
    assert measured.keys() == recorded.keys()
    for word, near in recorded.items():
        found = measured[word]
        assert [each.cosine for each in near] == pytest.approx(
            [each.cosine for each in found], abs=2e-4
        )


@pytest.mark.parametrize("word", ["dog", "street", "sees", "tired"])
def test_a_neighbour_is_right_if_the_grammar_says_so(word):
    drawn = picture(word, FOUND, SHARES)
    live = numbers(word, FOUND, SHARES)
    for n, rungs in enumerate(drawn["rungs"]):
        assert [rung["word"] for rung in rungs] == [each.word for each in FOUND[n][word]]
        assert word not in [rung["word"] for rung in rungs] and len(rungs) == NEIGHBOURS
        for rung in rungs:
            assert rung["right"] == (
                any(word in words and rung["word"] in words for words in planted.GROUPS.values())
            )
            assert rung["known"] == (rung["word"] in GROUP_OF)
        assert live[f"hits {n}"] == sum(rung["right"] for rung in rungs)
        cosines = [live[f"cos {n} {k}"] for k in range(NEIGHBOURS)]
        assert cosines == sorted(cosines, reverse=True)
    assert live["right"] == sum(hits_of(word, FOUND))


def test_the_shares_are_the_means_of_the_recorded_seeds():
    for n, method in enumerate(METHODS):
        runs = [its.group for run, its in recorded_quality().of.items() if run.method == method]
        assert SHARES[n] == pytest.approx(sum(runs) / len(runs))
    assert picture("dog", FOUND, SHARES)["best"] == max(range(5), key=SHARES.__getitem__)


@pytest.mark.parametrize("word", ["dog", "street"])
def test_the_texts_have_only_numbers_that_are_drawn(word):
    live = numbers(word, FOUND, SHARES)
    said = ladders_text.sentence(word, SHARES)
    for template in (said, *ladders_text.formula(word), ladders_text.describe(word, FOUND)):
        assert not re.search(r"[{]|nan", live.fill(template))
    assert f"**{METHODS[max(range(5), key=SHARES.__getitem__)]}** is best" in said
    hidden = ladders_text.sentence(word, SHARES, hidden=True)
    assert not any(method in hidden for method in METHODS)


def test_the_question_asks_for_the_method_with_the_fewest():
    (question,) = ladder_questions(SHARES)
    assert question.answer == METHODS[min(range(5), key=SHARES.__getitem__)]
    live = numbers("dog", FOUND, SHARES)
    assert set(question.hides) == {name for name in live.names if name.startswith("share")}
    assert ladders_picture.is_right("dog", "dogs")
