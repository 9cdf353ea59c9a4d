"""The texts and figures of a Transformer's switches claim no more than the numbers show."""

import math
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from drawing.run_text import recorded_curve
from lessons.transformer import switches_figures, switches_text
from lessons.transformer.switches_figures import BlockNorms
from lmcore.shipped.recordings import find_recording, find_recordings
from lmcore.shipped.switch_runs import BARE, BASE, BASES, EXAMPLES, SINGLE, switched_run
from lmcore.transformer.gradient_norms import GradientNorms

ROOT = Path(__file__).resolve().parents[3]
NO_RESIDUALS, POST, NO_NORM, *_ = SINGLE


def norms(first, last):
    middle = torch.ones(4, dtype=torch.float64)
    ends = (torch.tensor([each], dtype=torch.float64) for each in (first, last))
    first, last = ends
    return GradientNorms(5.0, torch.cat([first, middle, last]), torch.ones(7).double())


@pytest.mark.parametrize(
    ("switches", "formulas"),
    [
        ({}, ["x + A(L(x))", "x + M(L(x))"]),
        ({"norm": "post"}, ["L(x + A(x))", "L(x + M(x))"]),
        ({"norm": "none", "residual": False}, ["A(x)", "M(x)"]),
        ({"mlp": False, "residual": False}, ["A(L(x))"]),
    ],
)
def test_the_equations_are_those_of_the_block(switches, formulas):
    short = {"\\text{Attention}": "A", "\\text{MLP}": "M", "\\text{LayerNorm}": "L"}
    found = switches_text.block_formulas(switched_run(**switches).model)
    for name, letter in short.items():
        found = [each.replace(name, letter) for each in found]
    assert found == [rf"x \leftarrow {each}" for each in formulas]


def test_the_base_lies_between_the_seeds():
    ends = [find_recording(spec).final_loss for spec in BASES]
    assert switches_text.base_losses() == tuple(ends)
    said = switches_text.describe_loss(find_recording(BASE))
    assert said.startswith("**Every part:** after 1,500 steps the validation loss is 0.8127 nats")
    assert "3 recorded runs, which differ in the seed alone, end from 0.8127 to 0.8300" in said


@pytest.mark.parametrize("spec", [*SINGLE, BARE])
def test_a_difference_is_told_only_beyond_what_the_seeds_change(spec):
    recording, ends = find_recording(spec), switches_text.base_losses()
    said, loss = switches_text.describe_loss(recording), recording.final_loss
    assert f"{loss:.4g}" in said
    spread = max(ends) - min(ends)
    beyond = max(min(ends) - loss, loss - max(ends))
    assert ("shows no difference" in said) == (beyond <= 0)
    assert ("a little" in said) == (0 < beyond <= spread)
    assert ("higher" in said) == (loss > max(ends))
    assert ("lower" in said) == (loss < min(ends))


def test_the_gradients_of_first_and_last_block_are_compared():
    rows = {row[0]: row[3:9] for row in find_recording(NO_RESIDUALS).evaluations}
    ratios = [2.0, rows[50][0] / rows[50][-1], rows[1500][0] / rows[1500][-1]]
    assert switches_text.first_to_last(NO_RESIDUALS, norms(4.0, 2.0)) == pytest.approx(ratios)
    said = switches_text.describe_gradient(NO_RESIDUALS, norms(4.0, 2.0), (BASE, norms(3.0, 1.0)))
    assert "over that of block 6, is 2 before the first step, 2.3×10⁻⁷ at step 50" in said
    assert "; with every part, 3, " in said
    alone = switched_run(residual=False, mlp=False)
    said = switches_text.describe_gradient(alone, norms(1.0, 4.0), (BASE, norms(3.0, 1.0)))
    assert said.endswith("is 0.25 before the first step; with every part, 3.")


def test_the_table_has_each_recorded_run():
    rows = switches_text.example_rows()
    assert [row[0] for row in rows[:4]] == [
        *(f"every part, seed {seed}" for seed in (0, 1, 2)),
        "no residuals",
    ]
    for row, recording in zip(rows, find_recordings(EXAMPLES), strict=True):
        assert row[1] - row[2] == pytest.approx(recording.truth)
        assert row[5] == recording.parameters
    both = [find_recording(BASE), find_recording(POST)]
    assert switches_text.describe_recorded(both, POST).startswith(
        "Dashed and dotted: recorded (every part"
    )
    alone = switches_text.describe_recorded(both[:1], switched_run(norm="post", mlp=False))
    assert alone.startswith("No run with these switches is recorded.")


def test_the_curve_has_the_grammars_own_loss():
    recording = find_recording(POST)
    assert recorded_curve("post", recording)["truth"] == recording.truth == 0.72815


def test_the_figure_draws_the_norms_and_names_each_line_once():
    shown = (
        BlockNorms("every part", (0.5, 0.2, 0.1), "dash", "mask"),
        BlockNorms("no residuals", (1e-8, 0.0, 0.11), "dot", "gradient"),
    )
    figure = switches_figures.norms_figure(shown, "light")
    assert [list(each.y) for each in figure.data] == [[0.5, 0.2, 0.1], [1e-8, None, 0.11]]
    low, high = figure.layout.yaxis.range
    assert low < -8 and high > math.log10(0.5)
    first, second = sorted(each.y for each in figure.layout.annotations)
    assert second - first >= switches_figures.LINE * (high - low) - 1e-9
    assert first == pytest.approx(math.log10(0.1))
    assert list(figure.layout.yaxis.ticktext)[-1] == "10<sup>0</sup>"
    short = switches_figures.norms_figure(shown[:1], "dark")
    assert {"0.1", "0.2", "0.5"} <= set(short.layout.yaxis.ticktext)
    said = switches_figures.describe_norms(shown, "at step 50")
    assert said == (
        "The gradient's norm by block, at step 50. every part: 0.5, 0.2, 0.1. "
        "no residuals: 1e-08, 0, 0.11."
    )


def test_the_program_makes_the_same_run():
    spec = switched_run(residual=False, norm="none", split=False, steps=2, seed=3)
    program = switches_text.snippet(spec) + "print(spec.key)"
    ran = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert ran.stdout.splitlines()[-1] == spec.key
    assert "step 2 loss" in ran.stdout
