"""Training runs against torch.optim; many starts at once against one at a time; shares."""

import pytest
import torch

from lmcore.networks.network import NetworkConfig, forward, losses
from lmcore.networks.points import PointSet, draw_points, surface_points
from lmcore.networks.seeds import share_interval, solve_from_seeds
from lmcore.networks.training import TrainingConfig, surfaces, train_many, train_network

XOR = draw_points(PointSet("XOR"))
MOONS = draw_points(PointSet("moons", noise=0.1))
OPTIMIZERS = {
    "SGD": lambda row, eta: torch.optim.SGD([row], eta),
    "momentum": lambda row, eta: torch.optim.SGD([row], eta, momentum=0.9),
    "Adam": lambda row, eta: torch.optim.Adam([row], eta),
}


@pytest.mark.parametrize("name", OPTIMIZERS)
@pytest.mark.parametrize("points", [XOR, MOONS], ids=["XOR", "moons"])
def test_a_run_is_that_of_torch_optim_step_by_step(name, points):
    config, how = NetworkConfig((3,), ("tanh",)), TrainingConfig(name, 0.1, steps=60, seed=2)
    run = train_network(config, points, how)
    row = run.parameters[0].clone().requires_grad_()
    optimizer = OPTIMIZERS[name](row, 0.1)
    seen = ~points.held_out
    for step in range(61):
        torch.testing.assert_close(run.parameters[step], row.detach(), rtol=1e-9, atol=1e-10)
        optimizer.zero_grad()
        loss = losses(config, forward(config, row, points.x[seen]), points.labels[seen]).mean()
        loss.backward()
        torch.testing.assert_close(run.loss[step], loss.detach(), rtol=1e-9, atol=1e-10)
        torch.testing.assert_close(run.gradients[step], row.grad, rtol=1e-7, atol=1e-9)
        optimizer.step()


def test_a_row_of_a_run_has_the_loss_and_the_mistakes_of_its_parameters():
    config = NetworkConfig((4,), ("tanh",))
    run = train_network(config, MOONS, TrainingConfig("Adam", 0.05, steps=80))
    held = MOONS.held_out
    for step in (0, 40, 80):
        trace = forward(config, run.parameters[step], MOONS.x)
        each = losses(config, trace, MOONS.labels)
        torch.testing.assert_close(run.validation[step], each[held].mean())
        missed = (trace.output[:, 0] > 0.5).long() != MOONS.labels
        assert int(run.wrong[step]) == int(missed[~held].sum())
        assert int(run.wrong_held_out[step]) == int(missed[held].sum())


def test_many_starts_end_as_each_alone():
    config, how = NetworkConfig(), TrainingConfig("momentum", 0.3, steps=50)
    ends = train_many(config, XOR, how, 5)
    for seed, end in enumerate(ends):
        alone = train_network(config, XOR, TrainingConfig("momentum", 0.3, steps=50, seed=seed))
        torch.testing.assert_close(end, alone.parameters[-1], rtol=1e-9, atol=1e-12)


def test_two_hidden_units_solve_xor_in_about_half_of_200_starts_and_more_units_in_more():
    how = TrainingConfig(learning_rate=1.0, steps=500)
    shares = {}
    for units in (1, 2, 4):
        runs = solve_from_seeds(NetworkConfig((units,), ("tanh",)), XOR, how, 200)
        shares[units] = runs.interval
        for seed in range(0, 200, 40):
            trace = forward(NetworkConfig((units,), ("tanh",)), runs.parameters[seed], XOR.x)
            right = ((trace.output[:, 0] > 0.5).long() == XOR.labels).all()
            assert bool(right) == bool(runs.solved[seed])
    assert shares[1][0] == 0, "one unit draws one line"
    assert shares[1][2] < shares[2][1] < shares[2][2] < shares[4][1]


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [(0, 10, 0.0, 0.2775), (5, 10, 0.2366, 0.7634), (10, 10, 0.7225, 1.0)],
)
def test_the_interval_is_wilsons(successes, trials, low, high):
    """The expected limits are those in tables of Wilson's interval."""
    share, below, above = share_interval(successes, trials)
    assert share == successes / trials
    assert (round(below, 4), round(above, 4)) == (low, high)


def test_a_batch_takes_so_many_points_and_is_that_of_its_seed():
    config, how = NetworkConfig(), TrainingConfig(batch=8, steps=30, seed=1)
    first, again = train_network(config, MOONS, how), train_network(config, MOONS, how)
    assert torch.equal(first.parameters, again.parameters)
    whole = train_network(config, MOONS, TrainingConfig(steps=30, seed=1))
    assert not torch.equal(first.parameters[1], whole.parameters[1])


def test_a_run_that_overflows_ends_at_its_last_finite_step():
    config = NetworkConfig((4, 4, 4), ("identity",) * 3)
    how = TrainingConfig("momentum", 100.0, steps=2000)
    run = train_network(config, draw_points(PointSet("circles", noise=0.5)), how)
    assert run.stopped is not None
    assert run.parameters.isfinite().all()
    assert len(run.loss) == run.stopped + 1 < 2001


def test_surfaces_are_the_outputs_over_the_window():
    config = NetworkConfig()
    run = train_network(config, XOR, TrainingConfig(steps=20))
    window = PointSet().window
    found = surfaces(config, run.parameters, window, side=8)
    assert found.shape == (21, 64, 1)
    one = forward(config, run.parameters[7], surface_points(window, 8)).output
    torch.testing.assert_close(found[7], one)


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"optimizer": "RMSprop"}, "the optimiser must be one of SGD, momentum, Adam"),
        ({"learning_rate": -1.0}, "learning rate η must be from 0 to 100; got -1"),
        ({"learning_rate": float("inf")}, "learning rate η must be from 0 to 100; got inf"),
        ({"steps": 0}, "steps must be from 1 to 2000; got 0"),
        ({"batch": -1}, "the batch must be from 0 to 400; got -1"),
    ],
)
def test_training_that_cannot_be_is_refused(how, message):
    with pytest.raises(ValueError, match=message):
        TrainingConfig(**how)


def test_a_network_of_steps_is_not_trained():
    with pytest.raises(ValueError, match="activation of a network that is trained must be one of"):
        train_network(NetworkConfig((2,), ("step",)), XOR, TrainingConfig())


def test_a_run_ends_before_a_loss_or_a_gradient_overflows_while_the_parameters_are_finite():
    points = draw_points(PointSet("moons"))
    config = NetworkConfig((4, 4), ("identity", "identity"))
    run = train_network(config, points, TrainingConfig(learning_rate=10.0, steps=50))
    assert run.stopped is not None and run.stopped < 50
    assert len(run.parameters) == len(run.loss) == run.stopped + 1
    for numbers in (run.parameters, run.gradients, run.loss, run.validation):
        assert numbers.isfinite().all()
