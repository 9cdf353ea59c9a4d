import math
import re
from fractions import Fraction

import numpy as np
import pytest
import torch
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from lmcore.optimization.loss_grid import loss_grid
from lmcore.optimization.paths import DescentConfig, descend, race
from lmcore.optimization.regression import (
    draw_regression,
    regression_from_points,
    solve_regression,
    trace_curvature,
)
from lmcore.optimization.schedules import Schedule

coordinate = st.integers(-300, 300).map(lambda hundredths: hundredths / 100)
clouds = st.lists(st.tuples(coordinate, coordinate), min_size=2, max_size=60)


@st.composite
def lines(draw):
    """The points of a regression with at least two different x."""
    points = draw(clouds)
    assume(len({x for x, _ in points}) > 1)
    return points


def descend_at(regression, rate, steps, start=(0.0, 0.0)):
    return descend(regression, start, DescentConfig(schedule=Schedule(rate=rate)), steps)


@given(clouds, st.lists(st.tuples(coordinate, coordinate), min_size=1, max_size=5))
def test_loss_and_gradient_are_those_of_mse_loss_and_autograd(points, betas):
    regression = regression_from_points(points)
    beta = torch.tensor(betas, dtype=torch.float64, requires_grad=True)
    yhat = beta[:, :1] + beta[:, 1:] * regression.x
    wanted = [torch.nn.functional.mse_loss(each, regression.y) for each in yhat]
    (slope,) = torch.autograd.grad(sum(wanted), beta)
    torch.testing.assert_close(regression.losses(beta), torch.stack(wanted))
    torch.testing.assert_close(regression.gradients(beta.detach()), slope, rtol=1e-12, atol=1e-12)


def test_three_points_by_hand():
    # Through (0, 1), (1, 3), (2, 2): x̄ = 1, ȳ = 2, slope (−1·−1 + 1·0) / 2 = 1/2, L = 1.5 / 3.
    regression = regression_from_points([(0.0, 1.0), (1.0, 3.0), (2.0, 2.0)])
    found = solve_regression(regression)
    assert found.solution.tolist() == [1.5, 0.5]
    assert found.gram.tolist() == [[3, 3], [3, 5]]
    assert found.moments.tolist() == [6, 7]
    assert found.inverse.flatten().tolist() == pytest.approx([5 / 6, -1 / 2, -1 / 2, 1 / 2])
    assert float(found.loss) == 0.5
    assert trace_curvature(regression).hessian.flatten().tolist() == pytest.approx(
        [2, 2, 2, 10 / 3]
    )


@given(lines())
def test_the_closed_form_is_that_of_exact_arithmetic(points):
    """Solves the normal equations in fractions, by Cramer's rule."""
    x, y = ([Fraction(each) for each in column] for column in zip(*points, strict=True))
    n, sx, sxx = len(x), sum(x), sum(each * each for each in x)
    sy, sxy = sum(y), sum(a * b for a, b in zip(x, y, strict=True))
    determinant = n * sxx - sx * sx
    exact = [(sxx * sy - sx * sxy) / determinant, (n * sxy - sx * sy) / determinant]
    found = solve_regression(regression_from_points(points))
    assert found.solution.tolist() == pytest.approx([float(b) for b in exact], rel=1e-9, abs=1e-9)


@given(lines())
def test_the_closed_form_is_that_of_least_squares(points):
    regression = regression_from_points(points)
    found = solve_regression(regression)
    assume(float(trace_curvature(regression).condition) < 1e6)
    wanted, *_ = np.linalg.lstsq(regression.design.numpy(), regression.y.numpy(), rcond=None)
    assert found.solution.tolist() == pytest.approx(wanted.tolist(), rel=1e-8, abs=1e-8)
    torch.testing.assert_close(found.inverse, torch.linalg.inv(found.gram), rtol=1e-8, atol=1e-8)
    assert float(regression.gradients(found.solution).abs().max()) < 1e-9
    nearby = found.solution + 0.01 * torch.tensor([[1, 0], [-1, 0], [0, 1], [0, -1]])
    assert bool((regression.losses(nearby) >= found.loss).all())


@given(clouds)
def test_the_hessian_is_that_of_autograd_and_its_eigenvalues_those_of_linalg(points):
    regression = regression_from_points(points)
    found = trace_curvature(regression)
    hessian = torch.autograd.functional.hessian(
        regression.losses, torch.zeros(2, dtype=torch.float64)
    )
    torch.testing.assert_close(found.hessian, hessian, rtol=1e-12, atol=1e-12)
    values = np.linalg.eigvalsh(hessian.numpy())
    assert found.eigenvalues.tolist() == pytest.approx(values.tolist(), abs=1e-12 * values[1])
    for value, vector in zip(found.eigenvalues, found.eigenvectors, strict=True):
        torch.testing.assert_close(hessian @ vector, value * vector, rtol=1e-9, atol=1e-9)
    if len({x for x, _ in points}) > 1:
        assert float(found.condition) == pytest.approx(np.linalg.cond(hessian.numpy(), 2), rel=1e-6)
        assert float(found.condition) >= 1


@settings(max_examples=200)
@given(lines(), st.floats(0, 2 * math.pi))
def test_the_largest_learning_rate_separates_convergence_from_divergence(points, angle):
    regression = regression_from_points(points)
    best, found = solve_regression(regression).solution, trace_curvature(regression)
    below, above = 0.99 * float(found.largest_rate), 1.01 * float(found.largest_rate)
    assert found.contraction(below) < 1 < found.contraction(above)
    away = torch.tensor([math.cos(angle), math.sin(angle)], dtype=torch.float64)
    # Give the start a steep component: without one, the run would not diverge.
    away = away + found.eigenvectors[1] * (2 if float(away @ found.eigenvectors[1]) >= 0 else -2)
    configs = [DescentConfig(schedule=Schedule(rate=rate)) for rate in (below, above)]
    paths = race(regression, (best + away).tolist(), configs, 100).paths
    for path, rate in zip(paths, (below, above), strict=True):
        # Along each eigenvector the distance is multiplied by 1 − ηλ at every step.
        distance = (path.parameters - best) @ found.eigenvectors.T
        step = torch.arange(101, dtype=torch.float64)[:, None]
        wanted = distance[0] * found.factors(rate) ** step
        torch.testing.assert_close(distance, wanted, rtol=1e-6, atol=1e-7)
    converging, diverging = ((path.parameters - best).norm(dim=-1) for path in paths)
    assert bool((converging.diff() <= 1e-9).all())
    assert float(diverging[-1]) > 1.02**100 > 7
    assert float(paths[0].loss[-1]) <= float(paths[0].loss[0])
    assert float(paths[1].loss[-1]) > float(paths[1].loss[0])


@settings(max_examples=60)
@given(lines())
def test_the_closed_form_is_the_limit_of_gradient_descent(points):
    regression = regression_from_points(points)
    best, found = solve_regression(regression).solution, trace_curvature(regression)
    rate = float(found.best_rate)
    assume(found.contraction(rate) < 0.97)
    factor = max(found.contraction(rate), 0.1)
    steps = math.ceil(math.log(1e-10 / (1 + float(best.norm()))) / math.log(factor)) + 5
    limit = descend_at(regression, rate, steps).parameters[-1]
    assert float((limit - best).abs().max()) < 1e-8


@given(lines())
def test_no_fixed_rate_contracts_faster_than_the_best_one(points):
    found = trace_curvature(regression_from_points(points))
    best = float(found.best_rate)
    kappa = float(found.condition)
    assert found.contraction(best) == pytest.approx((kappa - 1) / (kappa + 1), abs=1e-9)
    for share in (0.5, 0.9, 0.99, 1.01, 1.1, 1.5):
        assert found.contraction(best * share) >= found.contraction(best) - 1e-12
    assert best <= float(found.largest_rate)


def test_the_line_of_the_numbers_sheet():
    """50 points around β = (2, −1); descent at η = 0.1 ends at the closed form."""
    regression = draw_regression(50, (2.0, -1.0), noise=0.1, seed=3)
    found = solve_regression(regression)
    assert found.solution.tolist() == pytest.approx([2, -1], abs=0.05)
    limit = descend_at(regression, 0.1, 500).parameters[-1]
    torch.testing.assert_close(limit, found.solution, rtol=0, atol=1e-8)


def test_points_without_noise_give_their_line_back():
    regression = draw_regression(7, (0.5, 3.0), noise=0.0)
    found = solve_regression(regression)
    assert found.solution.tolist() == pytest.approx([0.5, 3.0], abs=1e-12)
    assert float(found.loss) < 1e-25
    assert draw_regression(7, seed=1).y.equal(draw_regression(7, seed=1).y)
    assert not draw_regression(7, seed=1).y.equal(draw_regression(7, seed=2).y)


def test_far_from_0_the_closed_form_keeps_its_digits():
    regression = regression_from_points([(1e6 - 2, 1.0), (1e6 - 1, 3.0), (1e6, 5.0)])
    intercept, slope = solve_regression(regression).solution.tolist()
    assert slope == pytest.approx(2, abs=1e-12)
    assert intercept == pytest.approx(5 - 2e6, rel=1e-12)
    exact = 4 * (2 / 3) / (2 * (1 + ((1e6 - 2) ** 2 + (1e6 - 1) ** 2 + 1e12) / 3))
    assert float(trace_curvature(regression).eigenvalues[0]) == pytest.approx(exact, rel=1e-9)


def test_where_all_x_are_equal_no_line_is_the_best():
    regression = regression_from_points([(2.0, 1.0), (2.0, 3.0), (2.0, 8.0)])
    with pytest.raises(
        ValueError, match=r"two different values, .*; got x = 2 for all of 3 points"
    ):
        solve_regression(regression)
    found = trace_curvature(regression)
    assert found.eigenvalues.tolist() == pytest.approx([0, 10])
    assert float(found.eigenvalues[0]) == 0 and math.isinf(found.condition)
    # L is constant along the flat direction, and the best η reaches the minimum in one step.
    path = descend_at(regression, float(found.best_rate), 1, start=(1.0, 1.0))
    assert float(path.loss[-1]) == pytest.approx(np.var([1, 3, 8]))
    assert float((path.changes @ found.eigenvectors[0]).abs().max()) < 1e-12


def test_a_single_point_has_a_loss_and_a_gradient():
    regression = regression_from_points([(3.0, 4.0)])
    assert float(regression.losses(torch.tensor([1.0, 2.0]).double())) == 9
    assert regression.gradients(torch.tensor([1.0, 2.0]).double()).tolist() == [6, 18]


def test_the_grid_is_the_loss_at_each_pair():
    regression = draw_regression(9)
    best = solve_regression(regression)
    grid = loss_grid(regression, tuple(best.solution.tolist()), (2.0, 1.0), 5)
    assert grid.loss.shape == (5, 5)
    assert grid.first.tolist() == pytest.approx((best.solution[0] + torch.arange(-2, 3)).tolist())
    for i, second in enumerate(grid.second):
        for j, first in enumerate(grid.first):
            alone = regression.losses(torch.stack([first, second]))
            assert float(grid.loss[i, j]) == pytest.approx(float(alone), rel=1e-12)
    assert float(grid.loss[2, 2]) == pytest.approx(float(best.loss))
    assert int(grid.loss.argmin()) == 12
    frame = grid.to_frame()
    assert list(frame.columns) == ["row", "column", "β₀", "β₁", "L"]
    assert frame["L"].tolist() == grid.loss.flatten().tolist()
    assert frame["β₁"].tolist() == grid.second.repeat_interleave(5).tolist()


def test_the_points_are_tabled():
    frame = regression_from_points([(1.0, 2.0), (3.0, 4.0)]).to_frame()
    assert frame.to_dict("list") == {"point": [0, 1], "x": [1, 3], "y": [2, 4]}
    quantities = solve_regression(draw_regression(4)).to_frame()["quantity"].unique().tolist()
    assert quantities == ["gram", "moments", "inverse", "solution", "loss"]
    curvature = trace_curvature(draw_regression(4)).to_frame()
    assert curvature["value"].notna().all() and len(curvature) == 13


@pytest.mark.parametrize(
    ("points", "message"),
    [
        ([], "the number of points must be from 1 to 60; got 0"),
        ([(0.0, 0.0)] * 61, "the number of points must be from 1 to 60; got 61"),
        ([(0.0, 0.0), (1.0, math.nan)], "point 2 must lie within ±1,000,000; got (1, nan)"),
        ([(2e6, 0.0)], "point 1 must lie within ±1,000,000; got (2e+06, 0)"),
    ],
)
def test_points_out_of_bounds_are_refused(points, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        regression_from_points(points)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"side": 1}, "the side of the grid must be from 2 to 200; got 1"),
        ({"reach": (1.0, 0.0)}, "the reach of β₁ must be a number above 0; got 0"),
        ({"center": (math.inf, 0.0)}, "the centre of β₀ must be a finite number; got inf"),
    ],
)
def test_a_grid_out_of_bounds_is_refused(arguments, message):
    allowed = {"center": (0.0, 0.0), "reach": (1.0, 1.0), "side": 5}
    with pytest.raises(ValueError, match=message):
        loss_grid(draw_regression(4), **(allowed | arguments))


def test_drawing_is_refused_out_of_bounds():
    with pytest.raises(ValueError, match="the number of points must be from 1 to 60; got 61"):
        draw_regression(61)
    with pytest.raises(ValueError, match="noise must be a number from 0 on; got -1"):
        draw_regression(5, noise=-1.0)
