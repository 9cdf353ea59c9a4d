import math
import re

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.optim import lr_scheduler

from lmcore.optimization.schedules import SCHEDULES, Schedule, trace_schedule


def noam(schedule, steps):
    """Vaswani et al., equation 3, divided by its peak, d_model^(−1/2) w^(−1/2)."""
    width = 512
    peak = width**-0.5 * schedule.warmup**-0.5

    def share(step):
        t = step + 1
        return width**-0.5 * min(t**-0.5, t * schedule.warmup**-1.5) / peak

    return share


THEIRS = {
    "constant": lambda optimizer, s, T: lr_scheduler.ConstantLR(optimizer, factor=1.0),
    "step decay": lambda optimizer, s, T: lr_scheduler.StepLR(optimizer, s.every, s.factor),
    "exponential": lambda optimizer, s, T: lr_scheduler.ExponentialLR(optimizer, s.factor),
    "linear to zero": lambda optimizer, s, T: lr_scheduler.LinearLR(optimizer, 1.0, 0.0, T),
    "cosine": lambda optimizer, s, T: lr_scheduler.CosineAnnealingLR(optimizer, T),
    "warm-up, then inverse square root": lambda optimizer, s, T: lr_scheduler.LambdaLR(
        optimizer, noam(s, T)
    ),
}


def rates_of_torch(schedule, steps):
    theta = torch.zeros(1, dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.SGD([theta], lr=schedule.rate)
    scheduler = THEIRS[schedule.kind](optimizer, schedule, steps)
    rates = []
    for _ in range(steps):
        rates.append(optimizer.param_groups[0]["lr"])
        optimizer.step()
        scheduler.step()
    return rates


def test_there_is_an_oracle_for_every_schedule():
    assert set(THEIRS) == set(SCHEDULES)


@pytest.mark.parametrize("kind", SCHEDULES)
@given(st.floats(0.001, 10), st.floats(0.5, 1), st.integers(1, 30), st.integers(1, 60))
def test_rates_are_those_of_torch(kind, rate, factor, every, steps):
    schedule = Schedule(kind, rate, factor, every, warmup=every)
    found = trace_schedule(schedule, steps).rates
    assert found.tolist() == pytest.approx(rates_of_torch(schedule, steps), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("kind", SCHEDULES)
@given(st.integers(1, 200))
def test_rates_are_never_above_that_of_the_setting_nor_below_0(kind, steps):
    rates = trace_schedule(Schedule(kind, 0.4, warmup=20), steps).rates
    assert len(rates) == steps
    assert float(rates.max()) <= 0.4 and float(rates.min()) >= 0
    if kind != "warm-up, then inverse square root":
        assert float(rates[0]) == 0.4
        assert bool((rates.diff() <= 0).all())


def test_a_few_rates_by_hand():
    def rates(kind, steps=4, **numbers):
        return trace_schedule(Schedule(kind, 0.8, **numbers), steps).rates.tolist()

    assert rates("constant") == [0.8] * 4
    assert rates("step decay", every=2, factor=0.5) == [0.8, 0.8, 0.4, 0.4]
    assert rates("exponential", factor=0.5) == [0.8, 0.4, 0.2, 0.1]
    assert rates("linear to zero") == pytest.approx([0.8, 0.6, 0.4, 0.2])
    half = math.sqrt(0.5)
    assert rates("cosine") == pytest.approx([0.8, 0.4 * (1 + half), 0.4, 0.4 * (1 - half)])
    warmed = rates("warm-up, then inverse square root", steps=8, warmup=2)
    assert warmed[:2] == pytest.approx([0.4, 0.8]) and warmed[7] == pytest.approx(0.4)


def test_the_warm_up_peaks_where_it_ends():
    rates = trace_schedule(Schedule(SCHEDULES[-1], 0.5, warmup=30), 100).rates
    assert int(rates.argmax()) + 1 == 30
    assert float(rates.max()) == 0.5


def test_the_curve_is_tabled_from_step_1():
    curve = trace_schedule(Schedule("exponential", 1.0), 3)
    assert curve.to_frame().to_dict("list") == {"t": [1, 2, 3], "η": [1.0, 0.5, 0.25]}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"kind": "cyclic"}, "the schedule must be one of constant, .*; got 'cyclic'"),
        ({"rate": -0.1}, re.escape("η must be from 0 to 100; got -0.1")),
        ({"rate": math.nan}, "η must be from 0 to 100; got nan"),
        ({"factor": 0.0}, "the factor γ must be above 0, and at most 1; got 0"),
        ({"every": 0}, "the steps between decays must be from 1 to 5000; got 0"),
        ({"warmup": 0}, "the steps of warm-up must be from 1 to 5000; got 0"),
    ],
)
def test_a_setting_out_of_bounds_is_refused(change, message):
    with pytest.raises(ValueError, match=message):
        Schedule(**change)


@pytest.mark.parametrize("steps", [0, 5001])
def test_a_number_of_steps_out_of_bounds_is_refused(steps):
    with pytest.raises(ValueError, match=f"steps must be from 1 to 5000; got {steps}"):
        trace_schedule(Schedule(), steps)
