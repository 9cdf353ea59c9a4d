"""Passages found for a question: cosines, shared words, and what both ways of searching find."""

import pytest

from lessons.transfer.transfer_questions import found_questions
from lessons.transfer.uses import found_text
from lessons.transfer.uses.found_picture import Search, numbers, picture
from lmcore.transfer.retrieval import Hit

TEXTS = (
    "Gates keep a memory.",
    "A cell remembers over many steps.",
    "Bread is baked.",
    "How many steps does a walk have?",
)
MEANING = (Hit(1, 0.71), Hit(0, 0.64), Hit(2, 0.05))
WORDS = (Hit(3, 0.52), Hit(1, 0.44))
QUESTION = "How do gates keep a memory over many steps?"


def found(meaning=MEANING, words=WORDS):
    return Search(QUESTION, TEXTS, meaning, words)


def test_the_numbers_are_those_of_the_hits():
    live = numbers(found())
    assert [live[f"c 0 {n}"] for n in range(3)] == [0.71, 0.64, 0.05]
    assert [live[f"c 1 {n}"] for n in range(2)] == [0.52, 0.44]
    assert (live["shared"], live["words"], live["both"]) == (4, 9, 1)


def test_a_passage_marks_the_words_of_the_question():
    meaning, words = picture(found())["ways"]
    first = meaning["passages"][0]
    assert " ".join(first["words"]) == TEXTS[1]
    assert [first["words"][n] for n in first["shared"]] == ["A", "over", "many", "steps."]
    assert [each["both"] for each in meaning["passages"]] == [True, False, False]
    assert [each["both"] for each in words["passages"]] == [False, True]
    assert meaning["passages"][2]["shared"] == []


def test_the_question_asks_how_many_both_ways_find():
    (question,) = found_questions(found())
    assert question.answer == "1 passage" and question.answer in question.options
    assert "{both} of 3" in found_text.sentence(found())
    assert "{c 0 0}" in found_text.formula(found())[0]


@pytest.mark.parametrize("words", [WORDS, ()])
def test_without_minilm_the_words_alone_are_searched(words):
    search = found(None, words)
    (way,) = picture(search)["ways"]
    assert way["name"] == "By shared words" and len(way["passages"]) == len(words)
    assert not any(each["both"] for each in way["passages"])
    said = found_text.sentence(search)
    assert ("No passage" in said) == (not words)
    assert ("{c 0 0}" in said) == bool(words)
    assert found_questions(search) == []
    assert numbers(search)["both"] == 0
