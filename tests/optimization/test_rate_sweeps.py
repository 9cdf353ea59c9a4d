"""Runs at many η at once equal the runs made one by one."""

from dataclasses import replace

import pytest
import torch

from lmcore.optimization.landscapes import landscape
from lmcore.optimization.paths import DescentConfig, descend
from lmcore.optimization.regression import draw_regression, trace_curvature
from lmcore.optimization.schedules import SCHEDULES, Schedule, trace_schedule
from lmcore.optimization.sweeps import MOST_RATES, MOST_SWEPT_STEPS, sweep_rates

REGRESSION = draw_regression(9)
START = (-1.0, 2.0)
RATES = torch.tensor([0.01, 0.1, 0.4], dtype=torch.float64)
CONFIGS = (
    DescentConfig(),
    DescentConfig("SGD", Schedule("cosine"), batch=2, seed=3),
    DescentConfig("momentum", Schedule("step decay", every=4)),
    DescentConfig("Adam", Schedule(SCHEDULES[-1], warmup=5)),
)


def test_each_run_of_a_sweep_is_the_run_at_that_rate():
    swept = sweep_rates(REGRESSION, START, CONFIGS, RATES, 25)
    for run, config in enumerate(CONFIGS):
        for place, rate in enumerate(RATES.tolist()):
            alone = replace(config, schedule=replace(config.schedule, rate=rate))
            path = descend(REGRESSION, START, alone, 25)
            for mine, its in (
                (swept.parameters[:, place, run], path.parameters),
                (swept.loss[:, place, run], path.loss),
                (swept.followed[:, place, run], path.followed),
                (swept.changes[:, place, run], path.changes),
                (rate * swept.shares[:, run], path.rates),
            ):
                torch.testing.assert_close(mine, its, rtol=1e-12, atol=1e-12)


def test_the_shares_are_what_each_schedule_makes_of_its_rate():
    swept = sweep_rates(REGRESSION, START, CONFIGS, RATES, 25)
    for run, config in enumerate(CONFIGS):
        rates = trace_schedule(replace(config.schedule, rate=0.25), 25).rates
        torch.testing.assert_close(0.25 * swept.shares[:, run], rates)


def test_a_rate_above_the_largest_diverges_and_one_below_converges():
    largest = float(trace_curvature(REGRESSION).largest_rate)
    rates = largest * torch.tensor([0.9, 1.1], dtype=torch.float64)
    loss = sweep_rates(REGRESSION, START, [DescentConfig()], rates, 200).loss[:, :, 0]
    assert float(loss[-1, 0]) < float(loss[0, 0])
    assert float(loss[-1, 1]) > 100 * float(loss[0, 1])


def test_a_run_that_overflows_keeps_its_place_and_has_no_numbers_there():
    swept = sweep_rates(REGRESSION, START, [DescentConfig()], RATES + 99, 400)
    assert swept.parameters.shape == (401, 3, 1, 2)
    assert bool(swept.parameters[:50].isfinite().all())
    assert not bool(swept.loss[-1].isfinite().any())


def test_a_surface_without_points_has_no_weights():
    saddle = landscape("saddle")
    swept = sweep_rates(saddle.objective, saddle.start, [DescentConfig()], RATES, 5)
    assert swept.weights is None
    batched = sweep_rates(REGRESSION, START, CONFIGS, RATES, 5).weights
    assert batched is not None
    torch.testing.assert_close(batched.sum(dim=-1), torch.ones(5, 4, dtype=torch.float64))


def test_the_frame_has_a_row_for_each_state_rate_and_run():
    frame = sweep_rates(REGRESSION, START, CONFIGS, RATES, 5).to_frame()
    assert list(frame.columns) == ["state", "rate", "run", "η", "L", "θ0", "θ1"]
    assert len(frame) == 6 * 3 * 4
    assert set(frame["η"]) == set(RATES.tolist())


@pytest.mark.parametrize(
    ("rates", "steps", "message"),
    [
        (torch.zeros(MOST_RATES + 1), 5, "the number of rates must be from 1 to 101; got 102"),
        (RATES, MOST_SWEPT_STEPS + 1, "steps must be from 1 to 500; got 501"),
        (-RATES, 5, "the learning rate η must be from 0 to 100; got -0.4"),
        (RATES + 100, 5, "the learning rate η must be from 0 to 100; got 100.01"),
    ],
)
def test_what_is_out_of_bounds_is_named(rates, steps, message):
    with pytest.raises(ValueError, match=message):
        sweep_rates(REGRESSION, START, CONFIGS, rates.double(), steps)
