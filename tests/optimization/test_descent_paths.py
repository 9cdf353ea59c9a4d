import math
import re

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from lmcore.optimization.batches import batch_weights
from lmcore.optimization.landscapes import Saddle, SigmoidUnit
from lmcore.optimization.paths import DescentConfig, descend, race
from lmcore.optimization.regression import (
    draw_regression,
    regression_from_points,
    solve_regression,
    trace_curvature,
)
from lmcore.optimization.schedules import SCHEDULES, Schedule, trace_schedule

REGRESSION = draw_regression(11)
START = (-1.0, 2.0)
CONFIGS = (
    DescentConfig(schedule=Schedule(rate=0.1)),
    DescentConfig(schedule=Schedule("step decay", 0.05, every=7), batch=1, seed=3),
    DescentConfig(schedule=Schedule("cosine", 0.2), batch=4),
    DescentConfig("momentum", Schedule("linear to zero", 0.05)),
    DescentConfig("Adam", Schedule(SCHEDULES[-1], 0.3, warmup=5)),
    DescentConfig("Adam", Schedule("exponential", 0.3, factor=0.98), batch=3, seed=5),
)
THEIRS = {
    "SGD": torch.optim.SGD,
    "momentum": lambda theta, lr: torch.optim.SGD(theta, lr, momentum=0.9),
    "Adam": torch.optim.Adam,
}


def run_of_torch(objective, start, config, steps):
    """A loop with torch.optim and autograd, over the points that have weight in the batch."""
    theta = torch.tensor(start, dtype=torch.float64, requires_grad=True)
    optimizer = THEIRS[config.optimizer]([theta], lr=0.0)
    rates = trace_schedule(config.schedule, steps).rates
    batches = batch_weights(objective.examples, config.batch, steps, config.seed) > 0
    states = [theta.detach().clone()]
    for rate, chosen in zip(rates, batches, strict=True):
        optimizer.param_groups[0]["lr"] = float(rate)
        optimizer.zero_grad()
        yhat = theta[0] + theta[1] * objective.x[chosen]
        (yhat - objective.y[chosen]).square().mean().backward()
        optimizer.step()
        states.append(theta.detach().clone())
    return torch.stack(states)


@pytest.mark.parametrize("config", CONFIGS, ids=lambda config: config.name)
def test_a_run_is_that_of_torch_optim(config):
    path = descend(REGRESSION, START, config, 40)
    wanted = run_of_torch(REGRESSION, START, config, 40)
    torch.testing.assert_close(path.parameters, wanted, rtol=1e-9, atol=1e-9)


def test_runs_raced_together_are_those_runs_alone():
    raced = race(REGRESSION, START, CONFIGS, 30)
    for path, config in zip(raced.paths, CONFIGS, strict=True):
        alone = descend(REGRESSION, START, config, 30)
        assert path.config == alone.config == config
        for quantity in ("parameters", "loss", "gradients", "followed", "changes", "rates"):
            torch.testing.assert_close(
                getattr(path, quantity), getattr(alone, quantity), rtol=1e-12, atol=1e-12
            )


@pytest.mark.parametrize("config", CONFIGS, ids=lambda config: config.name)
def test_every_quantity_belongs_to_its_state(config):
    path = descend(REGRESSION, START, config, 25)
    assert path.steps == 25 and path.stopped is None
    assert path.parameters[0].tolist() == list(START)
    torch.testing.assert_close(path.loss, REGRESSION.losses(path.parameters))
    torch.testing.assert_close(path.gradients, REGRESSION.gradients(path.parameters))
    torch.testing.assert_close(path.parameters.diff(dim=0), path.changes, rtol=0, atol=1e-12)
    assert path.rates.equal(trace_schedule(config.schedule, 25).rates)
    if config.optimizer == "SGD":
        assert path.changes.equal(-path.rates[:, None] * path.followed)
    if not config.batch:
        torch.testing.assert_close(path.followed, path.gradients[:-1], rtol=1e-12, atol=1e-12)


def first_step(objective, start, config):
    return descend(objective, start, config, 1).update(1)


def test_one_step_by_hand():
    # At β = (1, 0), the points (0, 0), (2, 3) have residuals 1, −2; the gradient is (−1, −4).
    step = first_step(
        regression_from_points([(0.0, 0.0), (2.0, 3.0)]),
        (1.0, 0.0),
        DescentConfig(schedule=Schedule(rate=0.25)),
    )
    assert step.before.tolist() == [1, 0]
    assert step.gradient.tolist() == [-1, -4]
    assert float(step.rate) == 0.25
    assert step.change.tolist() == [0.25, 1]
    assert step.after.tolist() == [1.25, 1]
    assert float(step.loss_before) == 2.5
    assert float(step.loss_after) == pytest.approx((1.25**2 + 0.25**2) / 2)
    assert step.to_frame().to_dict("list") == {
        "parameter": ["β₀", "β₁"],
        "θ before": [1, 0],
        "∂L/∂θ": [-1, -4],
        "η": [0.25, 0.25],
        "change": [0.25, 1],
        "θ after": [1.25, 1],
    }


@pytest.mark.parametrize("config", CONFIGS, ids=lambda config: config.name)
def test_any_step_of_a_run_can_be_spelled_out(config):
    path = descend(REGRESSION, START, config, 12)
    for number in (1, 7, 12):
        step = path.update(number)
        assert step.before.equal(path.parameters[number - 1])
        assert step.after.equal(path.parameters[number])
        assert step.gradient.equal(path.followed[number - 1])
        assert float(step.rate) == float(path.rates[number - 1])
        torch.testing.assert_close(step.before + step.change, step.after, rtol=0, atol=0)
        assert float(step.loss_after) == float(path.loss[number])


def test_a_run_that_diverges_ends_with_its_last_finite_state():
    found = trace_curvature(REGRESSION)
    rate = 20 * float(found.largest_rate)
    configs = [DescentConfig(schedule=Schedule(rate=r)) for r in (rate, 0.1)]
    far, near = race(REGRESSION, START, configs, 400).paths
    assert near.stopped is None and near.steps == 400
    assert far.stopped == far.steps == len(far.loss) - 1 < 400
    for quantity in ("parameters", "loss", "gradients", "followed", "changes", "rates"):
        assert bool(getattr(far, quantity).isfinite().all()), quantity
    # One more step, by hand: L, its gradient or β overflows.
    beyond = far.parameters[-1] - rate * far.gradients[-1]
    numbers = [REGRESSION.losses(beyond)[None], REGRESSION.gradients(beyond), beyond]
    assert not bool(torch.cat(numbers).isfinite().all())
    # Each step multiplies L by the largest factor squared, so a faster divergence ends sooner.
    growth = far.loss[-1].log() - far.loss[-2].log()
    assert float(growth) == pytest.approx(2 * math.log(found.contraction(rate)), rel=1e-6)


def test_all_runs_may_diverge():
    config = DescentConfig(schedule=Schedule(rate=100.0))
    paths = race(REGRESSION, START, [config, config], 2000).paths
    assert [path.stopped == path.steps < 2000 for path in paths] == [True, True]


def test_a_rate_of_0_leaves_the_start_as_it_is():
    for config in (DescentConfig(name, Schedule(rate=0.0)) for name in THEIRS):
        path = descend(REGRESSION, START, config, 5)
        assert path.parameters.equal(torch.tensor(START).double().expand(6, 2))


@settings(max_examples=20)
@given(st.integers(0, 99))
def test_gradient_descent_below_half_the_largest_rate_never_raises_the_loss(seed):
    regression = draw_regression(8, seed=seed)
    rate = 0.99 * float(trace_curvature(regression).largest_rate)
    path = descend(regression, START, DescentConfig(schedule=Schedule(rate=rate)), 60)
    assert bool((path.loss.diff() <= 1e-12).all())


def test_decaying_rates_let_single_points_settle_where_a_constant_one_goes_on_moving():
    best = solve_regression(REGRESSION).solution
    ends = {}
    for kind in ("constant", "linear to zero"):
        config = DescentConfig(schedule=Schedule(kind, 0.1), batch=1)
        path = descend(REGRESSION, START, config, 1500)
        ends[kind] = float((path.parameters[-200:] - best).norm(dim=-1).mean())
    assert ends["linear to zero"] < ends["constant"] / 2


def test_only_what_starts_off_the_ridge_leaves_the_saddle():
    config = DescentConfig(schedule=Schedule(rate=0.05))
    on, off = (descend(Saddle(), (1.0, y), config, 400) for y in (0.0, 1e-6))
    assert on.parameters[-1].tolist() == pytest.approx([0, 0], abs=1e-9)
    assert off.parameters[-1].tolist() == pytest.approx([0, math.sqrt(2)], abs=1e-6)
    assert float(off.loss[-1]) == pytest.approx(-1)


def test_the_table_has_a_row_for_each_state():
    raced = race(REGRESSION, START, CONFIGS[:2], 3)
    columns = ["step", "β₀", "β₁", "∂L/∂β₀", "∂L/∂β₁", "η", "L"]
    first = raced.paths[0].to_frame()
    assert list(first.columns) == columns
    assert first["step"].tolist() == [0, 1, 2, 3]
    assert first["β₁"].tolist() == raced.paths[0].parameters[:, 1].tolist()
    assert first["η"].tolist()[:3] == [0.1] * 3 and math.isnan(first["η"].tolist()[3])
    both = raced.to_frame()
    assert list(both.columns) == ["run", "optimiser", *columns]
    assert both["run"].tolist() == [0] * 4 + [1] * 4
    assert both["optimiser"].unique().tolist() == ["GD", "SGD, batch 1"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"start": (1.0,)}, "the start must be 2 numbers; got 1"),
        ({"start": (1.0, math.nan)}, "β₁ at the start must be within ±1,000,000; got nan"),
        ({"start": (-2e6, 0.0)}, "β₀ at the start must be within ±1,000,000; got -2e+06"),
        ({"configs": []}, "the number of runs must be from 1 to 8; got 0"),
        ({"configs": [DescentConfig()] * 9}, "the number of runs must be from 1 to 8; got 9"),
        ({"steps": 0}, "steps must be from 1 to 5000; got 0"),
        ({"steps": 5001}, "steps must be from 1 to 5000; got 5001"),
        (
            {"objective": Saddle(), "configs": [DescentConfig(batch=2)]},
            "the batch must be 0 where the loss is not a mean over points; got 2",
        ),
        (
            {"objective": Saddle(1e300), "start": (0.0, 1e6)},
            "L and its gradient must be finite at the start; got L = inf",
        ),
    ],
)
def test_a_race_out_of_bounds_is_refused(change, message):
    allowed = {"objective": REGRESSION, "start": START, "configs": CONFIGS[:1], "steps": 5}
    with pytest.raises(ValueError, match=re.escape(message)):
        race(**(allowed | change))


def test_a_step_that_a_run_does_not_have_is_refused():
    path = descend(REGRESSION, START, CONFIGS[0], 4)
    for step in (0, 5):
        with pytest.raises(ValueError, match=f"the step must be from 1 to 4; got {step}"):
            path.update(step)
    assert (
        descend(Saddle(1e290), (0.0, 1e3), DescentConfig(schedule=Schedule(rate=100.0)), 1).stopped
        == 0
    )


def test_a_config_out_of_bounds_is_refused():
    with pytest.raises(ValueError, match=r"the optimiser must be one of SGD, .*; got 'GD'"):
        DescentConfig("GD")
    with pytest.raises(ValueError, match="the batch must be from 0 to 60; got -1"):
        DescentConfig(batch=-1)


def test_a_unit_far_out_learns_sooner_by_cross_entropy_than_by_squared_error():
    config = DescentConfig(schedule=Schedule(rate=0.5))
    squared, crossed = (
        descend(SigmoidUnit(loss), (-10.0, 0.0), config, 100)
        for loss in ("squared error", "cross-entropy")
    )
    assert float((squared.parameters[-1] - squared.parameters[0]).norm()) < 0.02
    right = torch.tensor([1.0, 0.0]).double()
    assert float(crossed.parameters[-1] @ right) > 0
