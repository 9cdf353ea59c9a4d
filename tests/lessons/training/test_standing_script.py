"""What the browser's script says of a run that has ended is what is said of it once recorded."""

import json
import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from lessons.training import training_picture
from lessons.training.training_plan import read_plan
from lessons.training.training_state import LESSON, described_specs
from lmcore.shipped.recordings import widening_means

ROOT = Path(__file__).resolve().parents[3]
RUN = """
import { readFileSync } from "node:fs";
import { standing } from "./lessons/training/training_standing.js";
const { data, histories } = JSON.parse(readFileSync(0, "utf8"));
const found = histories.map((history) => standing(data, [history]).numbers);
console.log(JSON.stringify(found, (_, value) => (Object.is(value, NaN) ? null : value)));
"""
SAME = {
    "overfits": {"ended_overfits"},
    "recorded": {"ended", "ended_below", "worse"},
    "diverged": {"ended_diverged"},
    "diverged_below": {"ended_diverged_below"},
}
"""The sentence about a recorded run, and those about a run that has just done the same."""
STEPS = 60


def plan_of(recording=None):
    settings = next(each.settings for each in LESSON.presets if each.label == "Overfitting")
    plan = read_plan(described_specs(settings), "")
    return replace(plan, recordings=(recording or plan.recordings[0],), differs="")


def made_up_runs():
    """Runs whose validation loss falls and may rise again, often by a few hundredths.

    The loss of their batches goes on to fall, or rises again from some step on; losses are small
    and large.
    """
    draw = np.random.default_rng(0)
    recording = plan_of().recordings[0]
    for number in range(300):
        lowest = np.exp(draw.uniform(np.log(0.05), np.log(20)))
        risen = [draw.uniform(0, 0.04), draw.uniform(0, 0.04) / lowest, draw.uniform(0, 2)]
        losses = lowest * np.array([1.5, 1.2, 1, 1 + risen[number % 3]])
        turns = STEPS if number % 4 else draw.integers(25, 55)
        fall = np.minimum(np.arange(STEPS), turns) - 2 * np.maximum(np.arange(STEPS) - turns, 0)
        batches = lowest * (0.9 - 0.8 * fall / STEPS)
        yield (
            replace(
                recording,
                step=STEPS,
                why="the loss is not finite" if number % 10 == 9 else "",
                batches=widening_means(batches.tolist()),
                norms=((STEPS, 1.0),),
                evaluations=tuple(zip((0, 20, 40, STEPS), losses.tolist(), strict=True)),
            ),
            batches,
        )


def history_of(recording, batches, plan):
    """What the server's stream has told of the run."""
    return {
        "state": "diverged" if recording.why else "finished",
        "step": recording.step,
        "steps": STEPS,
        "uniform": training_picture.numbers(plan)["uniform"],
        "truth": plan.truth,
        "why": recording.why,
        "losses": batches.tolist(),
        "norms": [1.0] * STEPS,
        "evaluations": recording.evaluations,
        "samples": [],
    }


@pytest.fixture(scope="module")
def told():
    """Each made-up run as a recorded plan, with the numbers that the browser's script has of it."""
    plans = [(plan_of(recording), batches) for recording, batches in made_up_runs()]
    plan = plans[0][0]
    runs = [{"name": "a", "label": plan.labels[0], "mine": True}]
    rates = [each.learning_rate for each in plan.specs]
    data = training_picture.training_picture(plan, runs, rates, [plan.passes])
    histories = [history_of(each.recordings[0], batches, each) for each, batches in plans]
    ran = subprocess.run(
        ["node", "--input-type=module", "-e", RUN],
        input=json.dumps({"data": data, "histories": histories}),
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=True,
    )
    says = {place: name for name, place in data["says"].items()}
    return [
        (each, found, says[found["@say"]])
        for (each, _), found in zip(plans, json.loads(ran.stdout), strict=True)
    ]


def test_a_run_that_ends_is_judged_as_its_recording_is(told):
    kinds = [plan.kind for plan, _, _ in told]
    assert min(kinds.count(kind) for kind in SAME) > 5
    for plan, _, said in told:
        assert said in SAME[plan.kind], plan.recordings[0].evaluations


def test_a_run_that_ends_has_the_numbers_of_its_recording(told):
    for plan, found, _ in told:
        wanted = training_picture.numbers(plan)
        for name in ("final", "perplexity", "best", "best_step", "batch", "loss0", "step", "norm"):
            assert found[name] == pytest.approx(wanted[name], rel=1e-4), name  # kept to 5 digits
