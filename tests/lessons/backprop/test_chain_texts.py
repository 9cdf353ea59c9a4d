"""The words about a nudge: “about” where the result does not move in a straight line."""

import pytest
import torch

from lessons.backprop import chain_text, chain_view
from lmcore.graph import OPERATIONS, leaf_entries, parse_program, trace_graph

NUDGE = 0.1
PROGRAMS = {
    "copy": "b = x; L = b",
    "add": "L = x + y",
    "subtract": "L = x - y",
    "multiply": "L = x*y",
    "divide": "L = x/y",
    "power": "L = x^y",
    "negate": "L = -x",
    "exp": "L = exp(x)",
    "log": "L = log(x)",
    "sigmoid": "L = sigmoid(x)",
    "tanh": "L = tanh(x)",
    "relu": "x = -0.05; L = relu(x)",
    "max": "x = 1.75; L = max(x, y)",
}
"""A program for each operation on numbers; where it has a kink, the nudge crosses it."""
OF_TENSORS = {"sum", "dot", "matmul"}


def program_of(operation):
    wanted = {"x": "x = 2; ", "y": "y = 1.8; "}
    text = PROGRAMS[operation]
    given = [start for leaf, start in wanted.items() if leaf in text and f"{leaf} = " not in text]
    return "".join(given) + text


def told(graph, leaf):
    """The sentence about a nudge of the leaf, and the formula."""
    trace, ways = trace_graph(graph), chain_view.ways_of(graph)
    asked = chain_view.Chains(graph, trace, ways, leaf, NUDGE, -1)
    live = chain_view.live_numbers(asked, leaf_entries(graph))
    return live.fill(chain_text.finding(live, asked)), chain_text.formula(asked, open_=True)


def moves_straight(graph, leaf):
    """Whether a nudge twice as large moves the result twice as far."""
    moved = [
        trace_graph(graph, {leaf: graph.leaves[leaf] + times * NUDGE}).values[graph.result]
        for times in range(3)
    ]
    return torch.allclose(moved[2] - moved[0], 2 * (moved[1] - moved[0]), rtol=1e-9)


def test_there_is_a_program_for_each_operation_on_numbers():
    assert PROGRAMS.keys() | OF_TENSORS == OPERATIONS.keys()


@pytest.mark.parametrize(
    ("operation", "leaf"),
    [(name, leaf) for name, text in PROGRAMS.items() for leaf in "xy" if leaf in text],
)
def test_the_move_is_said_to_be_exact_only_where_the_result_moves_straight(operation, leaf):
    graph = parse_program(program_of(operation))
    said, formula = told(graph, leaf)
    straight = moves_straight(graph, leaf)
    assert straight or "moves by about " in said
    assert ("for a small nudge" in formula) == ("moves by about " in said)
    if operation in {"copy", "add", "subtract", "multiply", "negate"}:
        assert straight and "about" not in said
