import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from lmcore.optimization.landscapes import LANDSCAPES, UNIT_LOSSES, Saddle, SigmoidUnit, landscape
from lmcore.optimization.loss_grid import loss_grid
from lmcore.optimization.paths import DescentConfig, descend
from lmcore.optimization.schedules import Schedule

OBJECTIVES = {
    "saddle": Saddle(),
    "steeper saddle": Saddle(1.5),
    "squared error": SigmoidUnit(),
    "cross-entropy": SigmoidUnit("cross-entropy"),
    "three points": SigmoidUnit("squared error", (0.5, -2.0, 3.0), (1.0, 0.0, 0.0)),
}


class OfThree(Saddle):
    names = ("a", "b", "c")


pairs = st.lists(st.tuples(st.floats(-5, 5), st.floats(-5, 5)), min_size=1, max_size=4)


def autograd_gradients(objective, parameters):
    held = parameters.clone().requires_grad_()
    (gradient,) = torch.autograd.grad(objective.losses(held).sum(), held)
    return gradient


@pytest.mark.parametrize("name", OBJECTIVES)
@given(pairs)
def test_gradients_are_those_of_autograd(name, drawn):
    parameters = torch.tensor(drawn, dtype=torch.float64)
    torch.testing.assert_close(
        OBJECTIVES[name].gradients(parameters),
        autograd_gradients(OBJECTIVES[name], parameters),
        rtol=1e-10,
        atol=1e-10,
    )


@given(pairs)
def test_the_losses_of_a_unit_are_those_of_torch(drawn):
    unit, crossed = OBJECTIVES["three points"], SigmoidUnit("cross-entropy", *([(0.5, -2.0)] * 1))
    parameters = torch.tensor(drawn, dtype=torch.float64)
    for objective in (unit, crossed):
        x, y = (torch.tensor(each, dtype=torch.float64) for each in (objective.x, objective.y))
        for row in parameters:
            p = torch.sigmoid(row[0] * x + row[1])
            if objective.loss == "squared error":
                wanted = torch.nn.functional.mse_loss(p, y)
            else:
                wanted = torch.nn.functional.binary_cross_entropy(p, y)
            torch.testing.assert_close(objective.losses(row), wanted, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("loss", UNIT_LOSSES)
def test_the_gradient_of_one_point_alone_is_that_of_its_batch(loss):
    parameters = torch.tensor([[0.3, -0.7], [1.0, 2.0]], dtype=torch.float64)
    unit = SigmoidUnit(loss)
    found = unit.gradients(parameters, torch.eye(2, dtype=torch.float64))
    for i in range(2):
        alone = SigmoidUnit(loss, (unit.x[i],), (unit.y[i],))
        torch.testing.assert_close(found[i], alone.gradients(parameters[i]))


def test_the_saddle_has_its_critical_points():
    saddle = Saddle()
    points = torch.tensor([[0, 0], [0, math.sqrt(2)], [0, -math.sqrt(2)]], dtype=torch.float64)
    assert float(saddle.gradients(points).abs().max()) < 1e-15
    assert saddle.losses(points).tolist() == pytest.approx([0, -1, -1])
    hessian = torch.autograd.functional.hessian(saddle.losses, points[0])
    assert hessian.tolist() == [[2, 0], [0, -2]]
    bottom = torch.autograd.functional.hessian(saddle.losses, points[1])
    assert bool((torch.linalg.eigvalsh(bottom) > 0).all())


@given(pairs)
def test_the_saddle_is_nowhere_below_its_minima(drawn):
    parameters = 100 * torch.tensor(drawn, dtype=torch.float64)
    assert float(Saddle().losses(parameters).min()) >= -1 - 1e-12


def test_far_out_the_squared_error_is_flat_and_the_cross_entropy_is_not():
    far = torch.tensor([-30.0, 0.0], dtype=torch.float64)
    squared, crossed = SigmoidUnit(), SigmoidUnit("cross-entropy")
    assert float(squared.losses(far)) == pytest.approx(1)
    assert 0 < float(squared.gradients(far).norm()) < 1e-12
    assert crossed.gradients(far).tolist() == pytest.approx([-1, 0], abs=1e-12)
    assert float(crossed.losses(far)) == pytest.approx(30)


@pytest.mark.parametrize("name", LANDSCAPES)
def test_a_run_on_each_surface_stays_finite_and_within_its_grid(name):
    surface = landscape(name)
    grid = loss_grid(surface.objective, surface.center, surface.reach, 41)
    assert grid.loss.shape == (41, 41) and bool(grid.loss.isfinite().all())
    assert grid.first[0] <= surface.start[0] <= grid.first[-1]
    assert grid.second[0] <= surface.start[1] <= grid.second[-1]
    for rule in ("SGD", "momentum", "Adam"):
        config = DescentConfig(rule, Schedule(rate=0.05))
        path = descend(surface.objective, surface.start, config, 300)
        assert path.stopped is None
        assert float(path.loss[-1]) < float(path.loss[0])


def test_a_point_of_the_grid_is_the_loss_there():
    grid = loss_grid(Saddle(), (0.0, 1.0), (2.0, 1.0), 3)
    assert grid.first.tolist() == [-2, 0, 2] and grid.second.tolist() == [0, 1, 2]
    assert grid.loss.tolist() == [[4, 0, 4], [3.25, -0.75, 3.25], [4, 0, 4]]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Saddle(0.0), "the quartic must be a number above 0; got 0"),
        (lambda: SigmoidUnit("hinge"), "the loss must be one of squared error, .*; got 'hinge'"),
        (lambda: SigmoidUnit(x=(1.0,)), "x and y must be one number per point; got 1 and 2"),
        (lambda: SigmoidUnit(y=(0.0, 2.0)), "the label of point 2 must be 0 or 1; got 2"),
        (lambda: landscape("ravine"), "the surface must be one of saddle, .*; got 'ravine'"),
        (
            lambda: loss_grid(OfThree(), (0.0, 0.0), (1.0, 1.0)),
            "the loss must have 2 parameters; got 3",
        ),
    ],
)
def test_what_is_out_of_bounds_is_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()
