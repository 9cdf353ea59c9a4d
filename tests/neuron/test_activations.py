import math

import pytest
import torch
import torch.nn.functional as F

from lmcore.neuron.activations import (
    ACTIVATIONS,
    SATURATION_SHARE,
    activation,
    curve,
    saturated_ranges,
)

Z = torch.linspace(-6, 6, 241, dtype=torch.float64)
TORCH = {
    "sigmoid": torch.sigmoid,
    "tanh": torch.tanh,
    "ReLU": F.relu,
    "GELU": F.gelu,
    "identity": lambda z: z * 1,
    "step": lambda z: torch.heaviside(z, torch.zeros((), dtype=z.dtype)),
}


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_function_matches_torch(name):
    torch.testing.assert_close(ACTIVATIONS[name].function(Z), TORCH[name](Z))


@pytest.mark.parametrize("name", [name for name in ACTIVATIONS if name != "step"])
def test_derivative_matches_autograd(name):
    z = Z.clone().requires_grad_()
    (expected,) = torch.autograd.grad(TORCH[name](z).sum(), z)
    torch.testing.assert_close(ACTIVATIONS[name].derivative(Z), expected)


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_outputs_lie_in_the_range_and_come_close_to_its_bounds(name):
    y = ACTIVATIONS[name].function(torch.linspace(-40, 40, 8001, dtype=torch.float64))
    low, high = ACTIVATIONS[name].range
    assert low <= y.min() and y.max() <= high
    assert y.min() == pytest.approx(low, abs=0.001) if math.isfinite(low) else y.min() <= -40
    assert y.max() == pytest.approx(high, abs=0.001) if math.isfinite(high) else y.max() >= 40


def test_step_is_flat():
    assert ACTIVATIONS["step"].derivative(Z).abs().max() == 0


def test_tanh_is_a_stretched_sigmoid():
    # Both identities of the Stony Brook slide "Common Activation Functions".
    expected = 2 * torch.sigmoid(2 * Z) - 1
    torch.testing.assert_close(ACTIVATIONS["tanh"].function(Z), expected)


@pytest.mark.parametrize(
    ("z", "y"), [(-1.0, -0.158655), (0.0, 0.0), (0.5, 0.345731), (1.0, 0.841345), (2.0, 1.9545)]
)
def test_gelu_at_the_worked_points(z, y):
    value = float(ACTIVATIONS["GELU"].function(torch.tensor(z, dtype=torch.float64)))
    assert value == pytest.approx(y, abs=5e-7)
    assert value == pytest.approx(z * 0.5 * (1 + math.erf(z / math.sqrt(2))), abs=1e-15)


def test_relu_has_no_slope_at_zero():
    assert float(ACTIVATIONS["ReLU"].derivative(torch.zeros(()))) == 0


def test_sigmoid_is_flat_at_both_ends_and_steep_in_the_middle():
    along = curve(ACTIVATIONS["sigmoid"], reach=6.0)
    (left, right) = saturated_ranges(along)
    assert left[0] == -6 and right[1] == 6
    assert left[1] < -4 and right[0] > 4
    edge = torch.tensor([left[1], right[0]], dtype=torch.float64)
    assert (ACTIVATIONS["sigmoid"].derivative(edge) <= SATURATION_SHARE * 0.25).all()


def test_identity_is_flat_nowhere_and_step_everywhere():
    assert saturated_ranges(curve(ACTIVATIONS["identity"], reach=3.0)) == ()
    assert saturated_ranges(curve(ACTIVATIONS["step"], reach=3.0)) == ((-3.0, 3.0),)


def test_unknown_name_is_refused():
    with pytest.raises(ValueError, match=r"activation must be one of sigmoid, tanh.*got 'swish'"):
        activation("swish")
