"""Gradient descent on leaves: the slide's step, a descent that converges, and one that diverges."""

import math

import pytest
import torch
from decks import PRESETS

from lmcore.graph import descend, gradient_step, parse_program, trace_graph, with_leaf_values

SLIDE = parse_program(PRESETS["slide"].program)


def test_one_step_on_the_slide():
    new = gradient_step(SLIDE, learning_rate=0.1, names=("a", "b", "c"))
    wanted = {"a": 3.2, "b": 1.4, "c": -2.5}
    assert {name: leaf.item() for name, leaf in new.items()} == pytest.approx(wanted, rel=1e-15)
    assert trace_graph(SLIDE, new).values[SLIDE.result].item() == pytest.approx(-15, rel=1e-15)


def test_all_gradients_are_taken_at_the_old_values():
    together = gradient_step(SLIDE, learning_rate=0.1, names=("a", "c"))
    alone = gradient_step(SLIDE, learning_rate=0.1, names=("a",))
    assert together["a"] == alone["a"]


def test_a_step_reads_back_from_the_program():
    preset = PRESETS["network"]
    graph = parse_program(preset.program)
    new = gradient_step(graph, learning_rate=0.1, names=preset.names)
    again = parse_program(with_leaf_values(preset.program, new))
    assert all(torch.equal(again.leaves[name], new[name]) for name in preset.names)
    assert trace_graph(again).values[again.result] < trace_graph(graph).values[graph.result]


def test_descent_is_steps_in_a_row():
    descent = descend(SLIDE, learning_rate=0.1, names=("a", "b", "c"), steps=2)
    once = gradient_step(SLIDE, learning_rate=0.1, names=("a", "b", "c"))
    trace = trace_graph(SLIDE, once)
    assert descent.losses[:2].tolist() == [-10, trace.values[SLIDE.result].item()]
    assert descent.leaves["c"] == once["c"] - 0.1 * trace.gradients[SLIDE.index("c")]
    assert descent.stopped is None


def test_regression_settles_at_its_closed_form():
    graph = parse_program(PRESETS["regression"].program)
    descent = descend(graph, learning_rate=0.05, names=("β",), steps=60)
    assert descent.leaves["β"].item() == pytest.approx(3 / 2, rel=1e-12)  # y/x
    assert descent.losses[-1] < descent.losses[0]
    assert descent.leaves["x"] == 2


def test_a_dead_relu_never_moves():
    preset = PRESETS["dead"]
    descent = descend(parse_program(preset.program), learning_rate=0.5, names=preset.names, steps=5)
    assert descent.losses.tolist() == [1] * 6


def test_a_descent_that_blows_up_says_when_and_why():
    graph = parse_program(PRESETS["regression"].program)
    descent = descend(graph, learning_rate=10.0, names=("β",), steps=500)
    steps = len(descent.losses) - 1
    assert 0 < steps < 500
    assert descent.losses.isfinite().all()
    assert all(leaf.isfinite().all() for leaf in descent.leaves.values())
    assert descent.stopped is not None
    assert descent.stopped.startswith(f"after {steps} steps: line 4, column 5: ")
    assert "too large for a floating-point number" in descent.stopped


@pytest.mark.parametrize("rate", [-0.1, math.nan, math.inf])
def test_a_learning_rate_must_be_a_number_from_zero_on(rate):
    with pytest.raises(
        ValueError, match=r"the learning rate must be a finite .*; got (-0.1|nan|inf)"
    ):
        gradient_step(SLIDE, learning_rate=rate, names=("a",))


def test_only_leaves_are_moved():
    with pytest.raises(ValueError, match="a leaf must be one of a, b, c; got 'e'"):
        descend(SLIDE, learning_rate=0.1, names=("a", "e"), steps=3)


@pytest.mark.parametrize("steps", [0, 10_001])
def test_the_number_of_steps_is_bounded(steps):
    with pytest.raises(ValueError, match=f"steps must be from 1 to 10000; got {steps}"):
        descend(SLIDE, learning_rate=0.1, names=("a",), steps=steps)


def test_a_descent_that_cannot_start_is_refused():
    with pytest.raises(ValueError, match="log needs a positive number"):
        descend(parse_program("x = -1; L = log(x)"), learning_rate=0.1, names=("x",), steps=3)
