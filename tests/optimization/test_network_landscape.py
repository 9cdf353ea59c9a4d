import math

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given, settings
from hypothesis import strategies as st

from lmcore.networks.landscape import (
    LossPlane,
    principal_directions,
    random_directions,
    trajectory_plane,
    xor_network,
)
from lmcore.networks.network import random_parameters
from lmcore.networks.training import TrainingConfig, train_network
from lmcore.optimization.loss_grid import loss_grid
from lmcore.optimization.paths import DescentConfig, race
from lmcore.optimization.schedules import Schedule

CONFIG, DATA = xor_network()
TRAJECTORY = train_network(CONFIG, DATA, TrainingConfig(steps=300, seed=1)).parameters


def loss_of_torch(theta):
    """The loss of the network 2 → 2 tanh → 1, by PyTorch's own functions."""
    W1, b1, W2, b2 = theta[:4].view(2, 2), theta[4:6], theta[6:8].view(1, 2), theta[8:]
    z = F.linear(torch.tanh(F.linear(DATA.x, W1, b1)), W2, b2)[:, 0]
    return F.binary_cross_entropy_with_logits(z, DATA.labels.double())


def plane_at(center, seed):
    """The plane through `center` along two random directions."""
    return LossPlane(CONFIG, DATA, center, random_directions(CONFIG.parameters, seed))


def plane_through(seed):
    return plane_at(random_parameters(CONFIG, seed), seed)


@settings(max_examples=25)
@given(st.integers(0, 99), st.floats(-4, 4), st.floats(-4, 4))
def test_loss_and_gradient_on_the_plane_are_those_of_torch(seed, a, b):
    plane = plane_through(seed)
    at = torch.tensor([a, b], dtype=torch.float64, requires_grad=True)
    wanted = loss_of_torch(plane.center + at[0] * plane.directions[0] + at[1] * plane.directions[1])
    (gradient,) = torch.autograd.grad(wanted, at)
    torch.testing.assert_close(plane.losses(at.detach()), wanted.detach())
    torch.testing.assert_close(plane.gradients(at.detach()), gradient, rtol=1e-9, atol=1e-12)


def test_the_grid_is_the_loss_of_each_network():
    plane = plane_through(2)
    grid = loss_grid(plane, (0.0, 0.0), (3.0, 2.0), 7)
    assert grid.loss.shape == (7, 7)
    for i, b in enumerate(grid.second):
        for j, a in enumerate(grid.first):
            theta = plane.center + a * plane.directions[0] + b * plane.directions[1]
            assert float(grid.loss[i, j]) == pytest.approx(float(loss_of_torch(theta)))
    assert float(grid.loss[3, 3]) == pytest.approx(float(loss_of_torch(plane.center)))


@given(st.integers(2, 60), st.integers(0, 999))
def test_random_directions_are_orthonormal(parameters, seed):
    directions = random_directions(parameters, seed)
    identity = torch.eye(2, dtype=torch.float64)
    torch.testing.assert_close(directions @ directions.T, identity, rtol=0, atol=1e-12)
    assert directions.equal(random_directions(parameters, seed))


def test_principal_directions_are_the_leading_eigenvectors_of_the_covariance():
    found = principal_directions(TRAJECTORY)
    values, vectors = torch.linalg.eigh(torch.cov(TRAJECTORY.T))
    for k in range(2):
        wanted = vectors[:, -1 - k]
        assert abs(float(found.directions[k] @ wanted)) == pytest.approx(1, abs=1e-9)
        assert float(found.shares[k]) == pytest.approx(float(values[-1 - k] / values.sum()))
        assert float(found.directions[k][found.directions[k].abs().argmax()]) > 0
    torch.testing.assert_close(found.center, TRAJECTORY.mean(dim=0))
    quantities = found.to_frame()["quantity"].unique().tolist()
    assert quantities == ["center", "directions", "shares"]


def test_no_random_plane_is_nearer_to_the_run_than_the_principal_one():
    principal = trajectory_plane(CONFIG, DATA, TRAJECTORY)
    nearest = float(principal.project(TRAJECTORY).distance.square().sum())
    total = float((TRAJECTORY - principal.center).square().sum())
    shares = principal_directions(TRAJECTORY).shares
    assert nearest == pytest.approx(total * (1 - float(shares.sum())), abs=1e-9)
    for seed in range(20):
        other = plane_at(principal.center, seed)
        assert float(other.project(TRAJECTORY).distance.square().sum()) > nearest


@given(st.floats(-5, 5), st.floats(-5, 5))
def test_what_lies_on_the_plane_is_projected_onto_itself(a, b):
    plane = plane_through(0)
    at = torch.tensor([[a, b]], dtype=torch.float64)
    found = plane.project(plane.parameters_at(at))
    torch.testing.assert_close(found.coordinates, at, rtol=0, atol=1e-12)
    assert float(found.distance) < 1e-12
    assert list(found.to_frame().columns) == ["step", "a", "b", "distance"]


def test_the_same_optimisers_run_on_the_plane():
    plane = trajectory_plane(CONFIG, DATA, TRAJECTORY)
    start = plane.project(TRAJECTORY[:1]).coordinates[0].tolist()
    configs = [DescentConfig(rule, Schedule(rate=0.2)) for rule in ("SGD", "momentum", "Adam")]
    paths = race(plane, start, configs, 200).paths
    # Momentum and Adam solve XOR along these two directions: no corner stays undecided, at ln 2.
    assert [float(path.loss[-1]) < 0.1 for path in paths] == [False, True, True]
    for path in paths:
        assert path.stopped is None and path.names == ("a", "b")
        assert float(path.loss[-1]) < float(path.loss[0])
        torch.testing.assert_close(
            path.loss[7], loss_of_torch(plane.parameters_at(path.parameters[7]))
        )


def test_the_surface_is_not_convex():
    """Somewhere L at the midpoint of two points is above the mean of L at both points."""
    loss = loss_grid(plane_through(3), (0.0, 0.0), (6.0, 6.0), 21).loss
    bent = (loss[:, 2:] + loss[:, :-2]) / 2 - loss[:, 1:-1]
    assert float(bent.min()) < -0.01 and float(bent.max()) > 0.01


def test_xor_is_its_four_corners_and_nine_parameters():
    assert CONFIG.parameters == 9
    assert DATA.labels.tolist() == [int(x != y) for x, y in DATA.x.tolist()]
    assert float(plane_through(0).losses(torch.zeros(2).double())) > 0
    equal = LossPlane(CONFIG, DATA, torch.zeros(9).double(), random_directions(9, 0))
    assert float(equal.losses(torch.zeros(2).double())) == pytest.approx(math.log(2))
    assert set(equal.to_frame()["quantity"]) == {
        *("data.x", "data.labels", "data.held_out", "center", "directions")
    }


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: random_directions(1, 0), "the number of parameters must be at least 2; got 1"),
        (lambda: principal_directions(TRAJECTORY[:2]), "the states must be at least 3; got 2"),
        (
            lambda: principal_directions(TRAJECTORY[:1].repeat(4, 1)),
            "the states must differ; got 4 times the same",
        ),
        (
            lambda: principal_directions(TRAJECTORY[:4] * math.nan),
            "the states must be finite; got one that is not",
        ),
        (
            lambda: LossPlane(CONFIG, DATA, torch.zeros(8).double(), random_directions(8, 0)),
            "the centre must be 9 numbers; got 8",
        ),
        (
            lambda: LossPlane(CONFIG, DATA, torch.zeros(9).double(), 2 * random_directions(9, 0)),
            "directions must be orthonormal; got products that are off by 3",
        ),
        (
            lambda: LossPlane(CONFIG, DATA, torch.zeros(9).double(), torch.eye(9).double()),
            r"directions must be 2 rows of 9 numbers; got \(9, 9\)",
        ),
        (
            lambda: plane_through(0).project(torch.zeros(2, 5).double()),
            "parameters must be 9 numbers; got 5",
        ),
    ],
)
def test_what_does_not_fit_is_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()
