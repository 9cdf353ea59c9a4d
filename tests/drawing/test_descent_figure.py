"""The curve of a descent: axes, values and words."""

import pytest

from drawing.theme import ROLES
from lessons.backprop.backprop_figures import descent_curve, describe_descent
from lmcore.graph import descend, parse_program

PATH = descend(parse_program("a = 3\nL = a*a"), learning_rate=0.25, names=["a"], steps=2)
modes = pytest.mark.parametrize("mode", ["light", "dark"])


@modes
def test_a_descent_is_drawn_from_before_the_first_step(mode):
    figure = descent_curve(PATH, "L", mode)
    (line,) = figure.data
    assert list(line.x) == [0, 1, 2]
    assert list(line.y) == [9, 2.25, 0.5625]  # a halves at every step: 3, 1.5, 0.75
    assert line.line.color == ROLES["loss"][mode]
    assert figure.layout.xaxis.title.text == "step"
    assert figure.layout.yaxis.title.text.endswith("L")


def test_the_words_of_a_descent_name_its_ends_and_its_steps():
    assert describe_descent(PATH, "L") == (
        "L goes from 9 to 0.5625 in 2 steps of gradient descent."
    )
