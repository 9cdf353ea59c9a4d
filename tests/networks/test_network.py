"""The forward pass and the gradients of small networks, against torch.nn and autograd."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from lmcore.networks.network import (
    TRAINABLE,
    NetworkConfig,
    forward,
    gradients,
    layers,
    losses,
    predictions,
    random_parameters,
)

UNITS = st.lists(st.integers(1, 8), max_size=3)
ANY = UNITS, st.sampled_from(TRAINABLE), st.integers(2, 5), st.integers(0, 999)
MODULES = {
    "sigmoid": nn.Sigmoid,
    "tanh": nn.Tanh,
    "ReLU": nn.ReLU,
    "GELU": nn.GELU,
    "identity": nn.Identity,
}


def drawn(config, seed, count=7):
    """Random parameters, also for the biases, and random points and labels."""
    generator = torch.Generator().manual_seed(seed)
    row = torch.randn(config.parameters, generator=generator, dtype=torch.float64)
    x = torch.randn(count, config.inputs, generator=generator, dtype=torch.float64)
    return row, x, torch.randint(config.classes, (count,), generator=generator)


def as_module(config, row):
    """The same network, built from torch.nn."""
    parts = []
    for layer, g in zip(layers(config, row), [*config.activations, None], strict=True):
        linear = nn.Linear(layer.weights.shape[1], layer.weights.shape[0], dtype=torch.float64)
        linear.load_state_dict({"weight": layer.weights, "bias": layer.bias})
        parts += [linear, *([MODULES[g]()] if g else [])]
    return nn.Sequential(*parts)


@given(*ANY)
@settings(max_examples=40, deadline=None)
def test_the_last_sums_and_the_loss_are_those_of_torch_nn(units, g, classes, seed):
    config = NetworkConfig(tuple(units), (g,) * len(units), classes=classes)
    row, x, labels = drawn(config, seed)
    trace = forward(config, row, x)
    logits = as_module(config, row)(x)
    torch.testing.assert_close(trace.pre_activations[-1], logits, rtol=0, atol=1e-12)
    if config.outputs == 1:
        oracle = nn.BCEWithLogitsLoss(reduction="none")(logits[:, 0], labels.double())
    else:
        oracle = nn.CrossEntropyLoss(reduction="none")(logits, labels)
    torch.testing.assert_close(losses(config, trace, labels), oracle, rtol=0, atol=1e-12)


@given(*ANY)
@settings(max_examples=40, deadline=None)
def test_the_gradients_are_those_of_autograd(units, g, classes, seed):
    config = NetworkConfig(tuple(units), (g,) * len(units), classes=classes)
    row, x, labels = drawn(config, seed)
    row.requires_grad_()
    trace = forward(config, row, x)
    losses(config, trace, labels).mean().backward()
    with torch.no_grad():
        found = gradients(config, row, trace, labels)
    torch.testing.assert_close(found, row.grad, rtol=1e-10, atol=1e-12)


def test_many_rows_of_parameters_are_each_computed_as_one():
    config = NetworkConfig((3, 2), ("tanh", "ReLU"), classes=3)
    rows = torch.stack([drawn(config, seed)[0] for seed in range(4)])
    _, x, labels = drawn(config, 9)
    together = forward(config, rows, x)
    found = gradients(config, rows, together, labels)
    for i, row in enumerate(rows):
        alone = forward(config, row, x)
        torch.testing.assert_close(together.output[i], alone.output)
        torch.testing.assert_close(found[i], gradients(config, row, alone, labels))


def test_xor_by_hand():
    """Two units, x₁ OR x₂ and x₁ AND x₂, as steps; the output is their difference."""
    config = NetworkConfig((2,), ("step",))
    row = torch.tensor([1, 1, 1, 1, -0.5, -1.5, 20, -20, -10], dtype=torch.float64)
    x = torch.tensor([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=torch.float64)
    trace = forward(config, row, x)
    assert trace.activations[0].tolist() == [[0, 0], [1, 0], [1, 0], [1, 1]]
    assert predictions(config, trace).tolist() == [0, 1, 1, 0]
    assert math.isclose(float(trace.output[1, 0]), 1 / (1 + math.exp(-10)))


def test_the_input_layer_is_not_counted():
    assert NetworkConfig((), ()).layers == 1
    assert NetworkConfig().layers == 2
    assert NetworkConfig().parameters == 2 * 2 + 2 + 2 + 1


def test_the_probabilities_of_three_classes_add_up_to_1():
    config = NetworkConfig((), (), classes=3)
    row, x, _ = drawn(config, 1)
    torch.testing.assert_close(
        forward(config, row, x).output.sum(dim=-1), torch.ones(len(x), dtype=torch.float64)
    )


def test_random_weights_are_those_of_their_seed_and_biases_are_0():
    config = NetworkConfig((8, 8), ("tanh", "tanh"))
    row = random_parameters(config, 3)
    assert torch.equal(row, random_parameters(config, 3))
    assert not torch.equal(row, random_parameters(config, 4))
    assert all(bool((layer.bias == 0).all()) for layer in layers(config, row))


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"hidden": (1,) * 4, "activations": ("tanh",) * 4}, "layers must be from 1 to 4; got 5"),
        ({"hidden": (2, 9), "activations": ("tanh",) * 2}, "units of layer 2 must be from 1 to 8"),
        ({"hidden": (2,), "activations": ()}, "one function for each hidden layer; got 0 for 1"),
        ({"activations": ("swish",)}, "activation must be one of .*; got 'swish'"),
        ({"classes": 1}, "classes must be from 2 to 5; got 1"),
        ({"inputs": 0}, "inputs must be from 1 to 8; got 0"),
    ],
)
def test_a_network_that_cannot_be_is_refused(how, message):
    with pytest.raises(ValueError, match=message):
        NetworkConfig(**how)


def test_parameters_of_another_number_are_refused():
    with pytest.raises(ValueError, match="parameters must be 9 numbers; got 8"):
        layers(NetworkConfig(), torch.zeros(8, dtype=torch.float64))


def test_a_frame_has_a_row_for_each_layer_point_and_unit():
    config = NetworkConfig((3,), ("tanh",))
    row, x, _ = drawn(config, 0, count=2)
    trace = forward(config, row, x)
    frame = trace.to_frame()
    assert list(frame.columns) == ["layer", "point", "unit", "z", "a"]
    assert len(frame) == 2 * 3 + 2 * 1
    found = frame.query("layer == 1 and point == 1 and unit == 2")
    assert found["a"].item() == float(trace.activations[0][1, 2])
