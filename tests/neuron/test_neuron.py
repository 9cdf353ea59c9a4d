import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from lmcore.neuron.activations import ACTIVATIONS
from lmcore.neuron.neuron import (
    CORNERS,
    GATES,
    Neuron,
    gate_score,
    neuron_forward,
    saturation,
    search_gate,
    surface,
    sweep,
    tangent,
    trace_neuron,
    trace_rows,
)

SLIDE = Neuron(inputs=(0.3, 0.2, 0.9), weights=(0.1, 0.4, 0.2), bias=0.4)
small = st.floats(-4, 4, allow_nan=False)


@st.composite
def parts(draw):
    """The arguments of a unit; the test builds the unit, since beartype draws random numbers."""
    count = draw(st.integers(1, 8))
    numbers = st.lists(small, min_size=count, max_size=count).map(tuple)
    name = draw(st.sampled_from(list(ACTIVATIONS)))
    return draw(numbers), draw(numbers), draw(small), name


def test_the_slide():
    trace = trace_neuron(SLIDE)
    assert trace.terms.tolist() == pytest.approx([0.03, 0.08, 0.18], abs=1e-15)
    assert trace.partial_sums.tolist() == pytest.approx([0.03, 0.11, 0.29, 0.69], abs=1e-15)
    assert float(trace.pre_activation) == pytest.approx(0.69, abs=1e-15)
    assert float(trace.output) == pytest.approx(1 / (1 + math.exp(-0.69)), abs=1e-15)
    assert round(float(trace.output), 6) == 0.665967
    assert round(float(trace.derivative), 6) == 0.222455


def test_the_slide_without_its_bias():
    trace = trace_neuron(SLIDE.with_value("b", 0.0))
    assert float(trace.pre_activation) == pytest.approx(0.29, abs=1e-15)
    assert round(float(trace.output), 6) == 0.571996


@given(parts())
def test_matches_a_linear_layer(drawn):
    unit = Neuron(*drawn)
    layer = torch.nn.Linear(len(unit.inputs), 1, dtype=torch.float64)
    with torch.no_grad():
        layer.weight.copy_(torch.tensor([unit.weights], dtype=torch.float64))
        layer.bias.fill_(unit.bias)
        z = layer(torch.tensor(unit.inputs, dtype=torch.float64))[0]
    trace = trace_neuron(unit)
    torch.testing.assert_close(trace.pre_activation, z, rtol=1e-12, atol=1e-12)
    torch.testing.assert_close(trace.partial_sums[-1], trace.pre_activation)


@given(parts())
def test_bias_as_a_weight_of_one_more_input_gives_the_same_z(drawn):
    inputs, weights, bias, name = drawn
    unit = Neuron(inputs[:7], weights[:7], bias, name)
    folded = Neuron((1.0, *unit.inputs), (unit.bias, *unit.weights), 0.0, unit.activation)
    torch.testing.assert_close(
        trace_neuron(folded).pre_activation,
        trace_neuron(unit).pre_activation,
        rtol=1e-12,
        atol=1e-12,
    )


@given(parts())
def test_sweep_equals_one_run_a_position(drawn):
    unit = Neuron(*drawn)
    named = unit.named_values()
    positions = torch.linspace(-3, 3, 5, dtype=torch.float64).repeat(len(named), 1)
    swept = sweep(unit, positions)
    for control, (name, _) in enumerate(named):
        for position in range(5):
            alone = trace_neuron(unit.with_value(name, float(positions[control, position])))
            torch.testing.assert_close(swept.output[control, position], alone.output)
            torch.testing.assert_close(swept.terms[control, position], alone.terms)


def test_every_number_has_a_name():
    names = trace_neuron(SLIDE).by_name()
    assert list(names) == [f"{letter}{i}" for letter in "xw" for i in (1, 2, 3)] + [
        *("t1", "t2", "t3", "s1", "s2", "s3", "s4", "b", "z", "y", "slope")
    ]
    assert float(names["w2"]) == 0.4


def test_tangent_touches_the_curve_and_has_its_slope():
    trace = trace_neuron(SLIDE)
    ends = {name: float(value) for name, value in tangent(trace, 0.5).items()}
    assert (ends["y_before"] + ends["y_after"]) / 2 == pytest.approx(float(trace.output))
    slope = (ends["y_after"] - ends["y_before"]) / (ends["z_after"] - ends["z_before"])
    assert slope == pytest.approx(float(trace.derivative))


def test_saturation_is_one_where_steepest_and_small_far_out():
    assert float(saturation(trace_neuron(Neuron((1.0,), (0.0,), 0.0)), "sigmoid")) == pytest.approx(
        1
    )
    assert float(saturation(trace_neuron(Neuron((1.0,), (0.0,), 8.0)), "sigmoid")) < 0.01
    assert float(saturation(trace_neuron(Neuron((1.0,), (0.0,), 8.0, "step")), "step")) == 0


def test_rows_share_weights_and_bias():
    rows = torch.tensor([[0.3, 0.2, 0.9], [0.0, 0.0, 0.0]], dtype=torch.float64)
    trace = trace_rows(SLIDE, rows)
    torch.testing.assert_close(trace.output[0], trace_neuron(SLIDE).output)
    assert float(trace.pre_activation[1]) == 0.4


def test_surface_has_x1_along_its_columns():
    over = surface(Neuron((0.0, 0.0), (1.0, 0.0), 0.0, "identity"), low=-1.0, high=2.0, side=7)
    torch.testing.assert_close(over.output[0], over.axis)
    torch.testing.assert_close(over.output[:, 0], torch.full((7,), -1.0, dtype=torch.float64))


@pytest.mark.parametrize(
    ("gate", "weights", "bias"),
    [("AND", (1.0, 1.0), -1.5), ("OR", (1.0, 1.0), -0.5), ("NAND", (-1.0, -1.0), 1.5)],
)
def test_one_unit_computes_the_gate(gate, weights, bias):
    unit = Neuron((0.0, 0.0), weights, bias, "step")
    assert gate_score(unit, gate) == 4
    outputs = [
        float(trace_neuron(Neuron(corner, weights, bias, "step")).output) for corner in CORNERS
    ]
    assert tuple(outputs) == GATES[gate]


@pytest.mark.parametrize(("gate", "best"), [("AND", 4), ("OR", 4), ("NAND", 4), ("XOR", 3)])
def test_no_unit_of_the_grid_computes_xor(gate, best):
    found = search_gate(gate)
    assert found.tried == 41**3
    assert found.best == best


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"inputs": (), "weights": ()}, "inputs must hold 1 to 8 numbers; got 0"),
        ({"inputs": (1.0,) * 9, "weights": (1.0,) * 9}, "inputs must hold 1 to 8 numbers; got 9"),
        ({"weights": (1.0,)}, "one number per input; got 1 weights for 3 inputs"),
        ({"bias": math.nan}, "b must be a number from −1000 to 1000; got nan"),
        ({"bias": math.inf}, "b must be a number from −1000 to 1000; got inf"),
        ({"weights": (1.0, 1e308, 1.0)}, r"w2 must be a number .* got 1e\+308"),
        ({"activation": "swish"}, "activation must be one of"),
    ],
)
def test_a_unit_that_cannot_be_is_refused(change, message):
    with pytest.raises(ValueError, match=message):
        Neuron(**{"inputs": SLIDE.inputs, "weights": SLIDE.weights, "bias": 0.4} | change)


def test_rows_of_the_wrong_width_are_refused():
    with pytest.raises(ValueError, match="must have 3 numbers, one per weight; got 2"):
        trace_rows(SLIDE, torch.zeros(4, 2, dtype=torch.float64))


def test_a_row_with_a_huge_number_is_refused_by_its_place():
    rows = torch.tensor([[1.0, 2.0, 3.0], [1.0, 1e308, 3.0]], dtype=torch.float64)
    with pytest.raises(
        ValueError, match=r"row 2, number 2 must be from −1000 to 1000; got 1e\+308"
    ):
        trace_rows(SLIDE, rows)


def test_surface_of_three_inputs_is_refused():
    with pytest.raises(ValueError, match="exactly 2 inputs; got 3"):
        surface(SLIDE, low=0.0, high=1.0)


def test_a_transposed_batch_is_caught_by_its_shape():
    five = torch.zeros(5, 3, dtype=torch.float64)
    with pytest.raises(Exception, match="neuron") as error:
        neuron_forward(five, five, torch.zeros(7, dtype=torch.float64), "tanh")
    assert "jaxtyping" in type(error.value).__module__
