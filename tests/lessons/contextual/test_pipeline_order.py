"""The picture of the order of tasks has the recorded layers, and its sentence says their order."""

import math
import re

import pytest

from lessons.contextual.contextual_questions import order_questions
from lessons.contextual.probing import pipeline_picture, pipeline_text
from lessons.contextual.probing.pipeline_picture import STAGES, TASKS, Gained, gained_tasks
from lmcore.contextual.probes import expected_layer
from lmcore.contextual.record import MODELS, load_record
from lmcore.contextual.tasks import TASKS as EVERY_TASK

RECORD = load_record()


@pytest.mark.parametrize("model", MODELS)
def test_the_dots_are_the_expected_layers_of_the_recorded_probes(model):
    found = gained_tasks(RECORD, model)
    assert {its.task for its in found} == set(EVERY_TASK)
    live = pipeline_picture.numbers(found, "number")
    for n, task in enumerate(TASKS):
        scores = sorted(
            (s.layer, s.accuracy) for s in RECORD.probes if (s.model, s.task) == (model, task)
        )
        right = [accuracy for _, accuracy in scores]
        assert [live[f"right {n} {k}"] for k in range(len(right))] == right
        gains = [live[f"gain {n} {k}"] for k in range(len(right))]
        assert sum(gains) == pytest.approx(max(right) - right[0])
        if max(right) - right[0] >= pipeline_picture.LITTLE:
            mean = sum(k * gain for k, gain in enumerate(gains)) / sum(gains)
            assert live[f"layer {n}"] == pytest.approx(mean) == pytest.approx(expected_layer(right))
        else:
            assert live[f"layer {n}"] == 0 or math.isnan(live[f"layer {n}"])


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("task", TASKS)
def test_the_texts_have_only_numbers_that_are_drawn(model, task):
    found = gained_tasks(RECORD, model)
    live = pipeline_picture.numbers(found, task)
    said = pipeline_text.sentence(found, model)
    for template in (
        said,
        *pipeline_text.formula(found, task),
        pipeline_text.describe(found, model),
    ):
        assert not re.search(r"[{]|nan", live.fill(template))
    asked = pipeline_text.sentence(found, model, hidden=True)
    assert not re.search(r"\d|{", asked) and pipeline_text.formula(found, task, hidden=True)


def made(**layers):
    """Tasks that are gained at these layers of ten."""
    stages = {"speech": 0, "depth": 1, "number": 1, "reference": 4, "sense": -1}
    names = {"speech": "part of speech"}
    return [
        Gained(names.get(task, task), stage, (0.5,) * 11, (0.1,) * 11, layers[task])
        for task, stage in stages.items()
    ]


def test_the_sentence_says_whether_the_order_is_the_slides():
    falls = pipeline_text.sentence(
        made(speech=1, depth=2, number=5, reference=9, sense=1), "encoder"
    )
    assert falls.startswith("**The slide’s order, as far as it goes**")
    back = made(speech=1, depth=2, number=5, reference=3, sense=1)
    late, early = pipeline_text.inversion(back)
    assert (late.task, early.task) == ("reference", "number")
    said = pipeline_text.sentence(back, "encoder")
    assert said.startswith("**Not the slide’s order**") and f"{STAGES[4]} (“reference”)" in said
    near = made(speech=0, depth=1.1, number=1.2, reference=1.0, sense=1.3)
    assert pipeline_text.sentence(near, "minilm").startswith("**No pipeline**")
    lost = made(speech=1, depth=2, number=5, reference=math.nan, sense=1)
    assert "no layer solves “reference”" in pipeline_text.sentence(lost, "gpt")


@pytest.mark.parametrize("model", MODELS)
def test_the_question_is_answered_by_the_last_dot(model):
    found = gained_tasks(RECORD, model)
    (question,) = order_questions(found, model)
    live = pipeline_picture.numbers(found, "depth")
    layers = {task: live[f"layer {n}"] for n, task in enumerate(TASKS)}
    known = {task: layer for task, layer in layers.items() if not math.isnan(layer)}
    last = max(known, key=known.__getitem__)
    assert question.answer.startswith(f"{last}: ") and question.answer in question.options
    assert set(question.hides) == set(live.names) - {"task"}
