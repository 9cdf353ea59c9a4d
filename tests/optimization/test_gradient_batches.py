from itertools import combinations

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from lmcore.optimization.batches import batch_weights, compare_batch_sizes
from lmcore.optimization.landscapes import Saddle
from lmcore.optimization.regression import draw_regression

BETA = torch.tensor([0.5, 2.0], dtype=torch.float64)


@given(st.integers(1, 12), st.integers(1, 12), st.integers(0, 99))
def test_an_epoch_takes_every_point_once(examples, batch, seed):
    per_epoch = -(-examples // batch)
    weights = batch_weights(examples, batch, 3 * per_epoch, seed)
    torch.testing.assert_close(weights.sum(dim=-1), torch.ones(3 * per_epoch).double())
    chosen = (weights > 0).reshape(3, per_epoch, examples)
    assert chosen.sum(dim=1).eq(1).all()
    sizes = chosen.sum(dim=-1)
    assert sizes[:, :-1].eq(batch).all() if batch < examples else sizes.eq(examples).all()
    assert weights.equal(batch_weights(examples, batch, 3 * per_epoch, seed))


def test_weights_are_one_over_the_size_of_the_batch():
    weights = batch_weights(7, 3, 3, seed=1)
    assert sorted(weights[0].tolist()) == [0] * 4 + [1 / 3] * 3
    assert sorted(weights[2].tolist()) == [0] * 6 + [1]
    assert batch_weights(4, 0, 2, seed=1).tolist() == [[0.25] * 4] * 2
    assert batch_weights(4, 9, 2, seed=1).tolist() == [[0.25] * 4] * 2


def test_the_order_differs_from_epoch_to_epoch_and_from_seed_to_seed():
    weights = batch_weights(30, 10, 6, seed=0)
    assert not weights[:3].equal(weights[3:])
    assert not weights.equal(batch_weights(30, 10, 6, seed=1))


@given(st.integers(0, 50), st.sampled_from([1, 2, 3, 6, 12]))
def test_the_mean_of_equal_batches_is_the_gradient_of_all_points(seed, batch):
    regression = draw_regression(12, seed=seed)
    weights = batch_weights(12, batch, 12 // batch, seed)
    each = regression.gradients(BETA.expand(len(weights), 2), weights)
    torch.testing.assert_close(each.mean(dim=0), regression.gradients(BETA))


def test_batches_of_unequal_size_have_another_mean():
    """So J is the mean over points, not over batches: points of the last batch would count more."""
    regression = draw_regression(7)
    weights = batch_weights(7, 3, 3, seed=0)
    mean = regression.gradients(BETA.expand(3, 2), weights).mean(dim=0)
    assert float((mean - regression.gradients(BETA)).abs().max()) > 0.01


@pytest.mark.parametrize("size", [1, 2, 3, 5, 6])
def test_the_noise_is_that_of_all_possible_batches(size):
    regression = draw_regression(6)
    whole = regression.gradients(BETA)
    squares = []
    for chosen in combinations(range(6), size):
        x, y = regression.x[list(chosen)], regression.y[list(chosen)]
        residuals = BETA[0] + BETA[1] * x - y
        gradient = 2 * torch.stack([residuals.mean(), (residuals * x).mean()])
        squares.append(float((gradient - whole).square().sum()))
    found = compare_batch_sizes(regression, BETA, [size])
    assert float(found.error[0]) == pytest.approx((sum(squares) / len(squares)) ** 0.5, abs=1e-12)


def test_larger_batches_have_less_noise_and_fewer_updates():
    found = compare_batch_sizes(draw_regression(20), BETA, [1, 2, 5, 7, 20])
    assert found.updates.tolist() == [20, 10, 4, 3, 1]
    assert bool((found.error.diff() < 0).all()) and float(found.error[-1]) == 0
    frame = found.to_frame()
    assert list(frame.columns) == [
        *("B", "steps per epoch", "error of the gradient", "relative to ‖g‖")
    ]
    assert frame["relative to ‖g‖"].tolist() == (found.error / found.gradient).tolist()


def test_what_has_no_batches_is_refused():
    with pytest.raises(ValueError, match="must be a mean over points to have batches; got none"):
        compare_batch_sizes(Saddle(), BETA, [1])
    with pytest.raises(ValueError, match="the batch must be from 1 to 6; got 7"):
        compare_batch_sizes(draw_regression(6), BETA, [7])
    for arguments, name in (((0, 1, 1, 0), "points"), ((1, 1, 0, 0), "steps")):
        with pytest.raises(ValueError, match=f"{name} must be at least 1; got 0"):
            batch_weights(*arguments)
    with pytest.raises(ValueError, match="batch must be at least 0; got -1"):
        batch_weights(1, -1, 1, 0)
