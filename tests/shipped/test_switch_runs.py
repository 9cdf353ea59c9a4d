"""The runs of the switches: which parts they lack, and that their results are reproducible."""

from dataclasses import replace
from itertools import islice

import pytest

from lmcore.shipped.recordings import find_recording, path
from lmcore.shipped.switch_runs import (
    BARE,
    BASE,
    BASES,
    EXAMPLES,
    SINGLE,
    name_switches,
    recorded_spec,
    switched_run,
)
from lmcore.training.loop import Training, untrained_model
from lmcore.training.spec_diff import settings
from lmcore.transformer.gradient_norms import norms_before_training


def test_each_run_changes_one_part_and_has_its_name():
    for spec in SINGLE:
        here, base = settings(spec), settings(BASE)
        assert len([name for name in here if here[name] != base[name]]) == 1
    assert [name_switches(spec.model) for spec in (BASE, *SINGLE)] == [
        "",
        "no residuals",
        "post-norm",
        "no LayerNorm",
        "no positions",
        "one head",
        "no MLP",
    ]
    both = switched_run(residual=False, norm="none", split=False)
    assert name_switches(both.model) == "no LayerNorm, no residuals, one head"
    assert recorded_spec(BASES[1]) == BASES[1]
    assert recorded_spec(switched_run(mlp=False, steps=7, seed=9)) == switched_run(mlp=False)
    with pytest.raises(ValueError, match="the number of steps must be from 1 to 5000; got 0"):
        switched_run(steps=0)


@pytest.mark.parametrize("spec", EXAMPLES)
def test_every_run_is_recorded_to_its_end_in_a_small_file(spec):
    found = find_recording(spec)
    assert found is not None and found.step == spec.steps and not found.why
    assert found.layers[1:7] == tuple(f"layer {n}" for n in range(1, 7))
    assert found.parameters == sum(
        weight.numel() for weight in untrained_model(spec, found.types).parameters()
    )
    assert found.truth < found.final_loss
    assert path(spec).stat().st_size < 25_000


@pytest.mark.parametrize("spec", [BASE, SINGLE[0], SINGLE[2]])
def test_a_recorded_run_begins_as_the_same_run_here(spec):
    """The same kind of machine gives equal bits; on others the first steps are close."""
    found, steps = find_recording(spec), iter(Training(spec))
    assert next(steps).loss == pytest.approx(found.evaluations[0][1], rel=1e-4)
    losses = [event.loss for event in islice(steps, 3)]
    assert [row[0] for row in found.batches[:3]] == [1, 2, 3]
    assert losses == pytest.approx([row[1] for row in found.batches[:3]], rel=1e-3)


def ratio(norms):
    return norms[0] / norms[-1]


def recorded_ratio(spec, step):
    rows = {row[0]: row[3:9] for row in find_recording(spec).evaluations}
    return ratio(rows[step])


def test_where_the_gradient_reaches_the_first_block_and_where_it_does_not():
    ends = [find_recording(spec).final_loss for spec in BASES]
    for spec in (SINGLE[0], BARE):
        assert recorded_ratio(spec, 50) < 1e-4
        assert find_recording(spec).final_loss > 4 * max(ends)
    for spec in (BASE, *SINGLE[1:]):
        assert recorded_ratio(spec, 50) > 0.5
        assert find_recording(spec).final_loss < 1.2 * max(ends)
    # Before the first step, LayerNorm hides the vanishing gradient.
    assert ratio(norms_before_training(SINGLE[0]).blocks) > 0.5
    assert ratio(norms_before_training(BARE).blocks) < 1e-10


def test_the_first_gradient_is_that_of_the_first_step():
    spec = replace(switched_run(mlp=False, steps=1), every=1)
    norms = norms_before_training(spec)
    (_, last) = [event for event in Training(spec) if hasattr(event, "norms")]
    told = dict(last.norms)
    assert norms.blocks.tolist() == pytest.approx(
        [told[f"layer {n}"] for n in range(1, 7)], rel=1e-4
    )
