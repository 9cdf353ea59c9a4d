"""The picture of layers mixed by task says what was recorded."""

import pytest

from lessons.contextual import contextual_questions
from lessons.contextual.bilm_view import trace_sentence
from lessons.contextual.elmo import mixtures_picture, mixtures_text
from lessons.contextual.elmo.mixtures_picture import ASKS, MIXTURES, TaskShares
from lmcore.contextual.bilm import load_bilm
from lmcore.contextual.layers import BiLMLayers
from lmcore.contextual.record import load_record
from lmcore.contextual.tasks import TASKS

RECORD = load_record()
LEARNED = RECORD.mixtures["bilm"]


@pytest.mark.parametrize("mixture", MIXTURES)
def test_the_shares_of_each_task_sum_to_1(mixture):
    found = mixtures_picture.task_shares(RECORD, mixture)
    assert {each.task for each in found} == set(TASKS) == set(ASKS)
    for each in found:
        assert sum(each.shares) == pytest.approx(1)


def test_the_bars_are_what_was_learned_in_the_order_of_the_last_layer():
    found = mixtures_picture.task_shares(RECORD, MIXTURES[2])
    live = mixtures_picture.numbers(found, "depth")
    lasts = []
    for n, each in enumerate(found):
        weights = LEARNED[each.task].weights.exp()
        expected = (weights / weights.sum()).tolist()
        assert [live[f"s {n} {j}"] for j in range(3)] == pytest.approx(expected)
        assert live[f"right {n}"] == pytest.approx(100 * LEARNED[each.task].accuracy)
        assert live[f"gamma {n}"] == LEARNED[each.task].gamma
        lasts.append(expected[-1])
    assert lasts == sorted(lasts)
    assert live["share"] == pytest.approx(max(LEARNED["depth"].shares.tolist()))


@pytest.mark.parametrize("mixture", MIXTURES)
@pytest.mark.parametrize("task", TASKS)
def test_the_texts_have_only_numbers_that_are_drawn(mixture, task):
    found = mixtures_picture.task_shares(RECORD, mixture)
    live = mixtures_picture.numbers(found, task)
    at = [each.task for each in found].index(task)
    formula = mixtures_text.formula(found, at, mixture)
    said = mixtures_text.sentence(found, at, mixture)
    for template in (said, *formula, mixtures_text.describe(found, mixture)):
        assert "{" not in live.fill(template) and "nan" not in live.fill(template)
    for asked in contextual_questions.shares_questions(RECORD, found, at, mixture):
        assert set(asked.hides) <= set(live.names)
        assert asked.answer in asked.options


@pytest.mark.parametrize(
    ("shares", "accuracy", "by_word", "says"),
    [
        ((0.0, 1.0, 0.0), 0.99, 0.5, "takes layer 1 alone"),
        ((0.2, 0.3, 0.5), 0.9, 0.5, "takes most of layer 2"),
        ((0.2, 0.3, 0.5), 0.55, 0.5, "yet only"),
        ((0.2, 0.7, 0.1), 0.99, 0.95, "the word alone nearly tells it"),
    ],
)
def test_the_sentence_says_how_much_the_shares_mean(shares, accuracy, by_word, says):
    its = TaskShares("number", shares, 2.0, accuracy, by_word)
    said = mixtures_text.sentence([its], 0, MIXTURES[2])
    assert says in said
    assert ("yet only" in said) == (accuracy == 0.55)


def test_the_questions_are_answered_from_what_was_recorded():
    def answer(mixture, task):
        found = mixtures_picture.task_shares(RECORD, mixture)
        at = [each.task for each in found].index(task)
        return contextual_questions.shares_questions(RECORD, found, at, mixture)[0].answer

    singles = {task: each.single[-1] for task, each in LEARNED.items()}
    assert answer(MIXTURES[0], "depth") == min(singles, key=singles.__getitem__)
    for task, each in LEARNED.items():
        assert answer(MIXTURES[1], task) == f"layer {int(each.weights.argmax())}"
    deepest = max(LEARNED, key=lambda task: float(LEARNED[task].shares[-1]))
    assert answer(MIXTURES[2], "depth") == deepest


def test_the_states_are_the_vectors_of_the_word():
    words = ("the", "note", "said", "fine", ".")
    its = trace_sentence(BiLMLayers(*load_bilm()), words, 3)
    drawn = mixtures_picture.picture(
        mixtures_picture.task_shares(RECORD, MIXTURES[2]), its, MIXTURES[2]
    )
    vectors = its.trace.representations(4)
    assert len(drawn["states"]) == len(vectors) == 5
    for state, vector in zip(drawn["states"][1:], vectors[1:], strict=True):
        assert state.tolist() == pytest.approx(vector.tolist())
    assert abs(drawn["states"][0]).max() == pytest.approx(1)
