"""The picture of four judgements: its shares are measured, or those of the paper's table."""

import pytest

from lessons.bert import judged_text
from lessons.bert.bert_questions import judged_questions
from lessons.bert.judged_text import JUDGEMENTS
from lmcore.masked_lm.next_sentence import NextSentenceAccuracy
from lmcore.results.tables import load_results

MEASURED = NextSentenceAccuracy(297, 284 / 297, 0.14)


def test_the_shares_are_those_measured_and_those_printed():
    found = judged_text.scores(MEASURED)
    assert found["continues"] == (pytest.approx(100 * 284 / 297), 50)
    table = load_results("bert_tasks")
    trained, untrained = (table.row(name) for name in ("BERT base", "No NSP"))
    for name, each in JUDGEMENTS.items():
        if each.measure:
            printed = [float(table.printed(row, each.measure)) for row in (trained, untrained)]
            assert list(found[name]) == printed
    named = judged_text.numbers(found, "same")
    assert float(named["chosen"]) == 2
    for n in range(len(JUDGEMENTS)):
        gain = float(named[f"share {n}"] - named[f"base {n}"])
        assert float(named[f"gain {n}"]) == pytest.approx(gain)


@pytest.mark.parametrize("chosen", JUDGEMENTS)
def test_the_sentence_names_the_judgement_and_what_it_is_compared_with(chosen):
    said = judged_text.sentence(chosen, MEASURED)
    n = list(JUDGEMENTS).index(chosen)
    assert JUDGEMENTS[chosen].asks in said and f"=={{share {n}}} %==" in said
    assert ("without NSP" in said) == bool(JUDGEMENTS[chosen].measure) != ("a coin" in said)
    assert f"{{base {n}}}" in said
    drawn = judged_text.picture(MEASURED)["judgements"][n]
    assert ("quoted" in drawn["of"]) == bool(JUDGEMENTS[chosen].measure)
    assert ("measured here" in drawn["of"]) == (not JUDGEMENTS[chosen].measure)


def test_the_question_asks_which_judgement_loses_most_without_the_second_task():
    found = judged_text.scores(MEASURED)
    (asked,) = judged_questions(found)
    printed = {JUDGEMENTS[n].asks: found[n].share - found[n].base for n in list(found)[1:]}
    assert asked.answer == max(printed, key=printed.get) and asked.answer in asked.options
    assert set(asked.options) == set(printed)
    assert {"share 0", "base 3", "gain 2"} <= set(asked.hides)
