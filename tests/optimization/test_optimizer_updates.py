import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from lmcore.optimization.updates import OPTIMIZERS, Optimizer

THEIRS = {
    "SGD": lambda theta, rate: torch.optim.SGD([theta], lr=rate),
    "momentum": lambda theta, rate: torch.optim.SGD([theta], lr=rate, momentum=0.9),
    "Adam": lambda theta, rate: torch.optim.Adam([theta], lr=rate),
}


def normal(*shape, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(shape, generator=generator, dtype=torch.float64)


def states_of_torch(name, theta, gradients, rates):
    theta = theta.clone().requires_grad_()
    optimizer = THEIRS[name](theta, rates[0])
    states = []
    for gradient, rate in zip(gradients, rates, strict=True):
        optimizer.param_groups[0]["lr"] = rate
        theta.grad = gradient.clone()
        optimizer.step()
        states.append(theta.detach().clone())
    return torch.stack(states)


def states_of_ours(name, theta, gradients, rates):
    optimizer, states = Optimizer(name, rates[0]), []
    for gradient, rate in zip(gradients, rates, strict=True):
        optimizer.learning_rate = rate
        theta = theta + optimizer.change(gradient)
        states.append(theta)
    return torch.stack(states)


@pytest.mark.parametrize("name", OPTIMIZERS)
@given(st.integers(0, 999), st.floats(1e-4, 10))
def test_steps_are_those_of_torch_optim(name, seed, rate):
    theta, gradients = normal(5, seed=seed), normal(12, 5, seed=seed + 1)
    rates = [rate] * 12
    torch.testing.assert_close(
        states_of_ours(name, theta, gradients, rates),
        states_of_torch(name, theta, gradients, rates),
        rtol=1e-10,
        atol=1e-10,
    )


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_a_learning_rate_that_changes_is_followed_as_torch_optim_does(name):
    theta, gradients = normal(4), normal(20, 4, seed=1)
    rates = [0.3 / (1 + step) for step in range(20)]
    torch.testing.assert_close(
        states_of_ours(name, theta, gradients, rates),
        states_of_torch(name, theta, gradients, rates),
        rtol=1e-10,
        atol=1e-12,
    )


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_runs_with_their_own_rates_are_those_runs_alone(name):
    theta, gradients = normal(3, 4), normal(9, 3, 4, seed=1)
    rates = torch.tensor([[0.1], [0.01], [0.0]], dtype=torch.float64)
    together = states_of_ours(name, theta, gradients, [rates] * 9)
    for run in range(3):
        alone = states_of_ours(name, theta[run], gradients[:, run], [float(rates[run])] * 9)
        torch.testing.assert_close(together[:, run], alone, rtol=1e-12, atol=1e-14)
    assert together[:, 2].equal(theta[2].expand(9, 4))


def test_two_steps_by_hand():
    gradient = torch.tensor([2.0], dtype=torch.float64)
    sgd, momentum, adam = (Optimizer(name, 0.5) for name in OPTIMIZERS)
    assert [float(sgd.change(gradient)) for _ in range(2)] == [-1, -1]
    assert [float(momentum.change(gradient)) for _ in range(2)] == pytest.approx([-1, -1.9])
    # With the same gradient again, m̂ = g and ŝ = g²: every step has the length η, whatever g is.
    assert [float(adam.change(gradient)) for _ in range(2)] == pytest.approx([-0.5, -0.5])


def test_an_unknown_rule_is_refused():
    with pytest.raises(ValueError, match=r"optimiser must be one of SGD, .*; got 'RMSprop'"):
        Optimizer("RMSprop", 0.1)
