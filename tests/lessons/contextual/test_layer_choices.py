"""The picture of six vectors of a word: Table 7 quoted, and ours as recorded beside it."""

import re

import pytest
import torch

from lessons.contextual.contextual_questions import choices_questions
from lessons.contextual.probing import choices_picture, choices_text
from lessons.contextual.probing.choices_picture import WAYS, Scores, both_scores
from lmcore.contextual.mixing import TABLE_7, combine_layers
from lmcore.contextual.record import load_record
from lmcore.contextual.tasks import TASKS

RECORD = load_record()


@pytest.mark.parametrize("task", TASKS)
def test_table_7_stands_beside_ours(task):
    found = both_scores(RECORD, task)
    live = choices_picture.numbers(found, 2)
    for n, way in enumerate(WAYS):
        assert live[f"bert {n}"] == TABLE_7[way]
        assert live[f"ours {n}"] == RECORD.combinations[task][way]
    drawn = choices_picture.picture(found)
    assert [axis["best"] for axis in drawn["axes"]] == [
        max(range(6), key=its.values.__getitem__) for its in found
    ]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("depth", [6, 12])
def test_the_filled_layers_are_those_that_are_combined(way, depth):
    layers = torch.randn(depth + 1, 3, 8, dtype=torch.float64)
    taken = [layers[n] for n in choices_picture.layers_of(way, depth)]
    made = torch.cat(taken, -1) if way == WAYS[-1] else torch.stack(taken).sum(0)
    torch.testing.assert_close(combine_layers(layers, way), made)
    assert made.shape[-1] == choices_picture.size_of(way, 8)


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("way", range(6))
def test_the_texts_have_only_numbers_that_are_drawn(task, way):
    found = both_scores(RECORD, task)
    live = choices_picture.numbers(found, way)
    templates = (
        choices_text.sentence(found, task),
        *choices_text.formula(way),
        choices_text.describe(found),
    )
    for template in templates:
        assert not re.search(r"(?<!\\)[{]|nan", live.fill(template))
    hidden = choices_text.sentence(found, task, hidden=True)
    assert not re.search(r"\d", hidden) and len(choices_text.formula(way, hidden=True)) == 2


def test_an_axis_is_broken_only_where_the_lowest_is_far_from_the_others():
    assert Scores("", "", (1.0, 9.0, 9.5, 10.0)).is_broken
    assert not Scores("", "", (8.5, 9.0, 9.5, 10.0)).is_broken
    assert not Scores("", "", (1.0, 1.0, 1.0)).is_broken


def test_the_sentence_says_where_the_sum_is_as_good():
    bert, ours = both_scores(RECORD, "number")
    better = ours._replace(values=(*ours.values[:4], 0.99, 0.98))
    alike = ours._replace(values=(*ours.values[:4], 0.99, 0.99))
    assert "the sum is better" in choices_text.sentence((bert, better), "number")
    assert "no difference" in choices_text.sentence((bert, alike), "number")


def test_the_question_asks_for_the_best_of_table_7():
    (question,) = choices_questions(both_scores(RECORD, "number"))
    assert question.answer == max(TABLE_7, key=TABLE_7.__getitem__)
    live = choices_picture.numbers(both_scores(RECORD, "number"), 0)
    assert set(question.hides) == set(live.names) - {"way"}
