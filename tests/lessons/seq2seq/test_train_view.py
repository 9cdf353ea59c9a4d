"""Training a translator: the recorded run that is shown, and the program that repeats it."""

import subprocess
import sys
from pathlib import Path

from drawing.run_text import runs_payload
from lessons.seq2seq.train_view import (
    describe_recorded,
    nearest_recording,
    recorded_runs,
    snippet,
    with_one_vector,
)
from lmcore.shipped.recordings import find_recording
from lmcore.shipped.translator_runs import EXAMPLES, translation_run

ROOT = Path(__file__).resolve().parents[3]


def test_a_run_of_exactly_these_settings_is_shown_without_a_difference():
    for spec in EXAMPLES:
        assert nearest_recording(spec) == (find_recording(spec), "")


def test_the_nearest_run_of_the_task_is_shown_with_what_differs():
    recording, differs = nearest_recording(translation_run(cell="lstm"))
    assert recording.spec == translation_run() and differs == "cell gru"
    (label,) = recorded_runs([translation_run(seed=3)])
    assert label == "recorded: attention, dot (seed 0)"


def test_no_run_of_another_task_or_of_many_other_settings_is_shown():
    assert nearest_recording(translation_run("copy")) == (None, "")
    far = translation_run(cell="rnn", steps=900, longest=9, seed=4)
    assert nearest_recording(far) == (None, "")
    assert "No run of these settings is recorded" in describe_recorded({}, started=False)


def test_train_both_adds_the_run_with_one_vector():
    attention, vector = with_one_vector(translation_run("mixture", "mlp", cell="lstm", seed=2))
    assert attention == translation_run("mixture", "mlp", cell="lstm", seed=2)
    assert vector == translation_run("mixture", None, cell="lstm", seed=2)
    assert with_one_vector(translation_run(score=None)) == EXAMPLES[:2]


def test_the_picture_gets_the_validation_losses_of_the_recording():
    shown = recorded_runs(EXAMPLES[:2])
    curves = runs_payload([], shown)["recorded"]
    assert [curve["label"] for curve in curves] == list(shown)
    for curve, recording in zip(curves, shown.values(), strict=True):
        assert list(curve["evaluations"]) == [row[:2] for row in recording.evaluations]
        assert 5 < curve["uniform"] < 5.3  # ln of 175 types


def test_the_program_makes_the_same_run():
    program = snippet(translation_run("copy", None, steps=3, longest=4))
    ran = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    lines = ran.stdout.splitlines()
    assert [line.split()[0] for line in lines] == ["1", "2", "3", "4"]
    assert all(line.endswith(tuple("0123456789")) and " of " in line for line in lines)
