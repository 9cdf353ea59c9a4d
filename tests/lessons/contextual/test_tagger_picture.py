"""The picture of a tagger says of the recorded errors what they are."""

import pytest

from lessons.contextual.contextual_questions import tagger_questions
from lessons.contextual.elmo import tagger_picture, tagger_text
from lessons.contextual.elmo.tagger_picture import Errors
from lessons.contextual.recorded_text import PLACES
from lmcore.contextual.record import load_record


def errors(*pairs):
    """Tasks called a, b, c with their errors before and now."""
    return [
        Errors(name, float(before), float(now), now - 1.0, now + 1.0)
        for name, (before, now) in zip("abc", pairs, strict=False)
    ]


@pytest.mark.parametrize(
    ("place", "found", "said"),
    [
        (
            "none",
            errors((3, 3), (20, 20)),
            "no ELMo: of 100 words, **b** gets =={before 1}== wrong",
        ),
        ("input", errors((9, 1), (20, 15)), "**a** gets {before 0} → =={now 0}== wrong."),
        ("output", errors((9, 9), (20, 18)), "=={now 1}== wrong; **a** gains nothing."),
        ("both", errors((9, 9), (20, 21)), "ELMo at both brings nothing: b still gets =={now 1}=="),
    ],
)
def test_the_sentence_names_the_task_that_gains_most(place, found, said):
    assert said in tagger_text.sentence(found, place)


@pytest.mark.parametrize("place", PLACES)
def test_every_number_of_the_texts_is_there(place):
    record = load_record()
    found = tagger_picture.errors_of(record, place)
    live = tagger_picture.numbers(record, found)
    texts = (tagger_text.sentence(found, place), tagger_text.describe(found, place))
    for template in (*texts, *tagger_text.formula(place)):
        assert "{" not in live.fill(template)
    drawn = tagger_picture.picture(record, found, place)
    assert len(drawn["tasks"]) == len(drawn["asks"]) == len(found)
    for asked in tagger_questions(record):
        assert set(asked.hides) <= set(live.names)


def test_the_formula_has_elmo_where_the_tagger_has_it():
    read, scored = tagger_text.formula("none")
    assert "ELMo" not in read
    assert "ELMo" not in scored
    read, scored = tagger_text.formula("output")
    assert "ELMo" not in read
    assert "ELMo" in scored
    assert all("ELMo" in each for each in tagger_text.formula("both"))


def test_the_question_is_answered_by_the_fewest_errors():
    record = load_record()
    (asked,) = tagger_questions(record)
    wrong = {}
    for place, said in PLACES.items():
        runs = [
            run.accuracy
            for run in record.taggers
            if (run.task, run.placement, run.penalty) == ("sense", place, 0)
        ]
        wrong[said] = -sum(runs)
    del wrong["nowhere"]
    assert asked.answer == min(wrong, key=wrong.__getitem__) == "at the input"
    assert set(asked.options) == set(wrong)
