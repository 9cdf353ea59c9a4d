"""The recording of a training run equals a run of the same spec, and is found by the spec."""

import json
import math

import pytest
import torch

from lmcore.shipped import recordings
from lmcore.training.events import Diverged, Evaluated, Stepped
from lmcore.training.loop import STEADY_RATES, Training
from lmcore.training.spec import ModelSpec, RunSpec

SMALL = RunSpec(model=ModelSpec("rnn", 4, 6), batch=2, steps=30, every=5)
CPU = torch.device("cpu")


def test_a_recording_keeps_what_the_run_did():
    made = recordings.record(SMALL, "2026-01-02", CPU)
    events = list(Training(SMALL))
    losses = [each.loss for each in events if isinstance(each, Stepped)]
    judged = [each for each in events if isinstance(each, Evaluated)]
    assert made.batches == tuple((i, float(f"{loss:.5g}")) for i, loss in enumerate(losses, 1))
    assert [row[:2] for row in made.evaluations] == [
        (each.step, float(f"{each.loss:.5g}")) for each in judged
    ]
    assert made.layers == tuple(name for name, _ in judged[-1].norms)
    assert [step for step, _ in made.samples] == [0, *recordings.text_steps(SMALL)]
    assert all(text for _, text in made.samples)
    assert (made.step, made.why, made.final_loss) == (30, "", made.evaluations[-1][1])
    assert recordings.Recording.from_json(made.to_json()) == made


def test_a_run_that_diverges_is_recorded_up_to_there_with_the_reason():
    spec = RunSpec(
        model=ModelSpec("rnn", 8, 8), optimizer="sgd", learning_rate=100.0, clip=0.0, decay=False,
        batch=4, steps=60, every=10,
    )  # fmt: skip
    made = recordings.record(spec, "2026-01-02", CPU)
    assert made.step < 60
    assert "η = 100 is too large; try η = 1," in made.why
    assert made.samples[-1][0] == made.step
    assert recordings.Recording.from_json(made.to_json()) == made


@pytest.mark.parametrize("optimizer", STEADY_RATES)
def test_the_rate_that_is_advised_after_a_divergence_trains(optimizer):
    spec = RunSpec(
        model=ModelSpec("rnn", 8, 8), optimizer=optimizer, learning_rate=STEADY_RATES[optimizer],
        clip=0.0, decay=False, batch=4, steps=40, every=40,
    )  # fmt: skip
    events = list(Training(spec))
    assert not isinstance(events[-1], Diverged)
    first, last = (each.loss for each in events if isinstance(each, Evaluated))
    assert last < first


def test_texts_are_kept_at_even_distances_on_the_scale_of_steps_after_evaluations():
    steps = recordings.text_steps(RunSpec(steps=1500))
    assert steps == (20, 60, 190, 540, 1500)
    assert recordings.text_steps(RunSpec(steps=3, every=3)) == (3,)


def test_means_widen_and_cover_every_value_once():
    values = [float(i) for i in range(1, 1001)]
    points = recordings.widening_means(values)
    assert points[:3] == ((1, 1.0), (2, 2.0), (3, 3.0))
    assert points[-1][0] == 1000
    starts = [0, *(step for step, _ in points[:-1])]
    for start, (end, mean) in zip(starts, points, strict=True):
        assert mean == pytest.approx((start + 1 + end) / 2, rel=1e-4)
    assert recordings.widening_means([]) == ()
    assert recordings.widening_means([math.inf]) == ((1, None),)


def test_a_recording_is_found_by_exactly_its_spec():
    files = sorted(recordings.FOLDER.glob("*.json"))
    assert files
    for file in files:
        spec = RunSpec.from_json(json.dumps(json.loads(file.read_text("utf-8"))["spec"]))
        assert recordings.path(spec) == file
        assert recordings.find_recording(spec).spec == spec
    assert recordings.find_recording(RunSpec(seed=12345)) is None
