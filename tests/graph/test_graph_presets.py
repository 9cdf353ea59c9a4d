"""The presets show what their labels say; and ∂L/∂z = a − y on any two-layer network."""

import pytest
import torch
from decks import PRESETS
from hypothesis import given, settings
from hypothesis import strategies as st

from lmcore.graph import parse_program, trace_graph, with_leaf_values

NETWORK = PRESETS["network"].program
WEIGHTS = st.floats(-1.5, 1.5)


def traced(program):
    graph = parse_program(program)
    return graph, trace_graph(graph)


def vectors(length):
    return st.lists(WEIGHTS, min_size=length, max_size=length)


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_runs_and_names_leaves_of_its_own(preset):
    graph, _ = traced(PRESETS[preset].program)
    assert set(PRESETS[preset].names) <= set(graph.leaves)
    assert PRESETS[preset].label


def test_the_network_has_an_active_and_an_inactive_unit():
    graph, trace = traced(NETWORK)
    z1 = trace.values[graph.index("z1")]
    assert (z1 > 0).any() and (z1 < 0).any()
    assert (trace.gradients[graph.index("W1")][z1 < 0] == 0).all()


def test_the_gradient_at_the_networks_last_sum_is_answer_minus_truth():
    graph, trace = traced(NETWORK)
    a, y, z2 = (graph.index(name) for name in ("a", "y", "z2"))
    torch.testing.assert_close(
        trace.gradients[z2], trace.values[a] - trace.values[y], rtol=1e-12, atol=0
    )


@settings(max_examples=50, deadline=None, derandomize=True, database=None)
@given(
    st.lists(vectors(2), min_size=3, max_size=3), vectors(3), vectors(3), st.sampled_from([0, 1])
)
def test_answer_minus_truth_holds_on_random_networks(w1, b1, w2, y):
    values = {"W1": w1, "b1": b1, "W2": w2, "y": y}
    graph, trace = traced(with_leaf_values(NETWORK, values))
    difference = trace.values[graph.index("a")] - y
    torch.testing.assert_close(
        trace.gradients[graph.index("z2")], difference, rtol=1e-9, atol=1e-12
    )


def test_regression_has_the_gradient_of_a_square():
    graph, trace = traced(PRESETS["regression"].program)
    x, y, beta = (graph.leaves[name] for name in ("x", "y", "β"))
    assert trace.gradients[graph.index("β")] == -2 * x * (y - beta * x)


def test_twice_adds_its_two_paths():
    graph, trace = traced(PRESETS["twice"].program)
    a, b = graph.leaves["a"], graph.leaves["b"]
    assert trace.gradients[graph.index("a")] == b * (a + b) + a * b


def test_a_dead_relu_passes_nothing_down():
    graph, trace = traced(PRESETS["dead"].program)
    assert trace.values[graph.index("z")] < 0
    assert trace.gradients[graph.index("h")] != 0
    assert all(trace.gradients[graph.index(name)] == 0 for name in ("z", "w", "b", "x"))


def test_the_kink_stands_at_exactly_zero():
    graph, trace = traced(PRESETS["kink"].program)
    assert trace.values[graph.index("z")] == 0
    assert trace.gradients[graph.index("z")] == 0
