"""The slopes of activations: numbers, sentences and questions, against slopes computed here."""

import math

import pytest

from lessons.neuron import slopes_text, slopes_view
from lessons.neuron.neuron_questions import slope_questions
from lmcore.neuron.activations import ACTIVATIONS, RELU, SIGMOID, TANH

THREE = [SIGMOID, TANH, RELU]
SLOPES = {
    "sigmoid": lambda z: math.exp(-z) / (1 + math.exp(-z)) ** 2,
    "tanh": lambda z: 1 / math.cosh(z) ** 2,
    "ReLU": lambda z: float(z > 0),
}


def sentence(chosen, z):
    live = slopes_view.slider_numbers(chosen, z)
    template = slopes_text.sentences([g.name for g in chosen])[int(live["@say"])]
    return live.fill(template).replace("**", "")


@pytest.mark.parametrize("z", [-5.0, -2.0, 0.5, 2.0, 4.9])
def test_the_slopes_are_those_of_the_formulas(z):
    live = slopes_view.slider_numbers(THREE, z)
    for name, slope in SLOPES.items():
        assert live[f"{name} slope"] == pytest.approx(slope(z))


def test_every_position_of_z_has_its_own_slopes():
    live = slopes_view.slider_numbers(THREE, 2.0)
    (slider,), (table,) = live.sliders, live.table
    column = live.names.index("tanh slope")
    assert list(table[:, column]) == pytest.approx([SLOPES["tanh"](z) for z in slider.positions])


def test_ten_sigmoids_in_a_row_leave_a_quarter_to_the_power_of_ten():
    assert slopes_view.slider_numbers([SIGMOID], 0.0)["chain"] == 0.25**slopes_text.DEPTH


@pytest.mark.parametrize(
    ("chosen", "z", "says"),
    [
        ([SIGMOID], 0.0, "Sigmoid is steepest at z = 0, and even there its slope is only ==0.25=="),
        ([TANH], 0.0, "Tanh is nowhere steeper than at z = 0: its slope is ==1=="),
        ([SIGMOID], 5.0, "At z = 5, sigmoid is nearly flat: its slope is ==0.006648=="),
        ([SIGMOID], 1.0, "At z = 1, the slope of sigmoid is ==0.1966=="),
        (
            THREE,
            2.0,
            "ReLU passes all of the gradient back, ==1==; sigmoid 0.1050 and tanh 0.07065",
        ),
        (
            THREE,
            -2.0,
            "ReLU is dead: it passes ==0== of the gradient back, sigmoid 0.1050 and tanh",
        ),
        (THREE, 0.0, "tanh passes ==1== of the gradient back, sigmoid 0.25 and ReLU 0: ReLU has a"),
        ([SIGMOID, TANH], 0.5, "tanh passes ==0.7864== of the gradient back, sigmoid 0.2350"),
        ([TANH, ACTIVATIONS["GELU"]], 1.5, "GELU passes ==1.127== times the gradient back, tanh"),
        ([SIGMOID, ACTIVATIONS["step"]], 1.0, "step is flat: it passes ==0== of the gradient back"),
    ],
)
def test_the_sentence_is_true_of_its_z(chosen, z, says):
    assert says in sentence(chosen, z)


@pytest.mark.parametrize("z", [-2.0, 0.0, 2.0])
def test_what_a_sentence_marks_is_marked_in_the_picture(z):
    live = slopes_view.slider_numbers(THREE, z)
    said = slopes_text.said([g.name for g in THREE])[int(live["@say"])]
    assert THREE[int(live["@marked"])].name == said.marked


def test_the_steepest_is_asked_for_with_its_slopes_hidden():
    first, mirrored = slope_questions(THREE, 2.0)
    assert (first.answer, mirrored.answer) == ("ReLU", "sigmoid")
    assert set(first.hides) - {"chain"} < set(slopes_view.slider_numbers(THREE, 2.0).names)


def test_between_equal_slopes_nobody_has_to_choose():
    (asked,) = slope_questions([RELU, ACTIVATIONS["identity"]], 2.0)
    assert asked.key == "slope" and asked.answer == 1


def test_the_curves_that_are_not_chosen_stay_without_numbers():
    picture = slopes_view.slopes_picture([SIGMOID])
    assert [(each["name"], each["chosen"]) for each in picture["curves"]] == [
        ("sigmoid", True),
        ("tanh", False),
        ("ReLU", False),
    ]
    ((low, high),) = picture["curves"][2]["dead"]
    assert (low, high) == pytest.approx((-5, 0))
