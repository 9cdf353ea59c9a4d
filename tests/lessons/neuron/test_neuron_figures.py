"""Activations side by side and decision surfaces: axes, scales, values and words."""

import pytest

from drawing.theme import SERIES
from lessons.neuron.neuron_figures import (
    activation_comparison,
    decision_surface,
    describe_comparison,
    describe_surface,
)
from lmcore.neuron.activations import ACTIVATIONS, curve
from lmcore.neuron.neuron import CORNERS, GATES, Neuron, surface

CURVES = {name: curve(g, reach=4.0) for name, g in ACTIVATIONS.items()}
modes = pytest.mark.parametrize("mode", ["light", "dark"])


def over(weights=(1.0, 1.0), bias=-1.5, g="sigmoid"):
    return surface(Neuron((1.0, 1.0), weights, bias, g), low=-0.5, high=1.5, side=7)


@modes
def test_the_comparison_draws_the_curves_own_numbers(mode):
    figure = activation_comparison(CURVES, ACTIVATIONS["tanh"], 0.5, mode)
    assert len(figure.data) == 2 * len(CURVES)
    pairs = zip(CURVES.items(), figure.data[::2], figure.data[1::2], strict=True)
    for (name, along), left, right in pairs:
        assert left.name == right.name == name
        assert list(left.x) == list(right.x) == along.z.tolist()
        assert list(left.y) == along.output.tolist()
        assert list(right.y) == along.derivative.tolist()
    assert len({line.line.color for line in figure.data}) == len(SERIES[mode])


def test_the_comparison_names_its_axes_and_marks_z():
    layout = activation_comparison(CURVES, ACTIVATIONS["tanh"], 0.5, "light").layout
    titles = [layout[axis].title.text for axis in ("xaxis", "xaxis2", "yaxis", "yaxis2")]
    assert titles == ["pre-activation z"] * 2 + ["output g(z)", "derivative dg/dz"]
    assert [(mark.x0, mark.x1) for mark in layout.shapes] == [(0.5, 0.5)] * 2


@pytest.mark.parametrize("here", ACTIVATIONS.values(), ids=lambda g: g.name)
def test_the_chosen_activation_is_the_thick_one(here):
    figure = activation_comparison(CURVES, here, 0.0, "light")
    assert {line.name for line in figure.data if line.line.width > 2} == {here.name}


def test_the_words_of_the_comparison_name_its_curves_and_z():
    said = describe_comparison(CURVES, ACTIVATIONS["GELU"], -0.5)
    assert all(name in said for name in CURVES)
    assert "GELU is drawn thick" in said and "z = −0.5" in said


@modes
@pytest.mark.parametrize("g", ["sigmoid", "step"])
def test_outputs_from_0_to_1_have_the_scale_from_0_to_1(mode, g):
    heat = decision_surface(over(g=g), (1.0, 1.0), None, mode).data[0]
    assert (heat.zmin, heat.zmax) == (0, 1)


@pytest.mark.parametrize("g", ["tanh", "identity"])
def test_signed_outputs_have_a_scale_symmetric_about_0(g):
    here = over(g=g)
    heat = decision_surface(here, (1.0, 1.0), None, "light").data[0]
    assert heat.zmin == -heat.zmax
    assert heat.zmax == float(here.output.abs().max())


def test_a_surface_draws_the_units_own_numbers_with_x1_across_and_x2_up():
    here = over(weights=(1.0, 0.0), bias=0.0, g="identity")
    figure = decision_surface(here, (0.25, 0.75), "AND", "light")
    heat, edge, line, _, now = figure.data
    assert [list(row) for row in heat.z] == here.output.tolist()
    assert list(heat.x) == list(heat.y) == here.axis.tolist()
    assert list(heat.z[0]) == pytest.approx(list(heat.x))  # z = x₁ rises from left to right
    assert [list(row) for row in line.z] == here.pre_activation.tolist()
    assert edge.line.width > line.line.width and edge.line.color != line.line.color
    assert (line.contours.start, line.contours.end) == (0, 0)
    assert (list(now.x), list(now.y)) == ([0.25], [0.75])
    layout = figure.layout
    assert (layout.xaxis.title.text, layout.yaxis.title.text) == ("input x₁", "input x₂")
    assert heat.colorbar.title.text == "output y"


@pytest.mark.parametrize("gate", GATES)
def test_the_corners_say_what_a_gate_wants_in_shape_and_digit(gate):
    corners = decision_surface(over(), (1.0, 1.0), gate, "light").data[3]
    assert list(zip(corners.x, corners.y, strict=True)) == list(CORNERS)
    assert list(corners.text) == [str(value) for value in GATES[gate]]
    assert [symbol == "square" for symbol in corners.marker.symbol] == [
        bool(value) for value in GATES[gate]
    ]


def test_without_a_gate_no_corner_is_marked():
    assert len(decision_surface(over(), (1.0, 1.0), None, "light").data) == 4


def test_the_words_of_a_surface_name_its_ends_its_line_and_its_score():
    said = describe_surface(over(g="step"), "XOR", 3)
    assert "from 0 to 1; a white line marks z = 0." in said
    assert said.endswith("XOR: 3 of 4 corners classified correctly.")
    assert "no line marks z = 0" in describe_surface(over(weights=(0.0, 0.0), bias=1.0), None, None)
