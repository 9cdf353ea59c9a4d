"""Chains of a graph, against a program that is run again with a nudged leaf."""

import pytest
import torch

from lmcore.graph import moves_along, only_way, parse_program, slopes_along, trace_graph

SLIDE = parse_program("a = 3; b = 1; c = -2; d = 2*b; e = a + d; L = c*e")
CURVED = parse_program("x = 2; y = 3; β = 0.5; L = (y - β*x)^2")


def names(graph, way):
    return [graph.nodes[edge.target].name for edge in way]


@pytest.mark.parametrize(
    ("leaf", "nodes", "slopes"),
    [("b", ["d", "e", "L"], [2, 1, -2]), ("a", ["e", "L"], [1, -2]), ("c", ["L"], [5])],
)
def test_the_slide_has_a_chain_from_each_leaf(leaf, nodes, slopes):
    way = only_way(SLIDE, SLIDE.index(leaf))
    trace = trace_graph(SLIDE)
    assert names(SLIDE, way) == nodes
    assert [float(slope) for slope in slopes_along(trace, way)] == slopes
    moves = moves_along(trace, way, torch.tensor(0.1, dtype=torch.float64))
    assert float(moves[-1]) == pytest.approx(0.1 * float(trace.gradients[SLIDE.index(leaf)]))


@pytest.mark.parametrize("leaf", ["a", "b", "c"])
def test_where_all_links_are_linear_the_nodes_move_exactly_so_far(leaf):
    way, trace = only_way(SLIDE, SLIDE.index(leaf)), trace_graph(SLIDE)
    nudged = trace_graph(SLIDE, {leaf: SLIDE.leaves[leaf] + 0.1})
    moves = moves_along(trace, way, torch.tensor(0.1, dtype=torch.float64))
    for move, node in zip(moves[1:], [edge.target for edge in way], strict=True):
        assert float(nudged.values[node] - trace.values[node]) == pytest.approx(float(move))


def test_where_a_link_is_curved_the_moves_are_those_of_a_small_nudge():
    way, trace = only_way(CURVED, CURVED.index("β")), trace_graph(CURVED)
    for nudge, near in ((0.1, 0.06), (1e-4, 6e-5)):
        moved = trace_graph(CURVED, {"β": CURVED.leaves["β"] + nudge})
        exact = float(moved.values[CURVED.result] - trace.values[CURVED.result])
        said = float(moves_along(trace, way, torch.tensor(nudge, dtype=torch.float64))[-1])
        assert abs(exact - said) < near * abs(said)


@pytest.mark.parametrize(
    "program",
    ["a = 2; b = 3; L = a*b + a", "a = 2; L = a*a", "a = [1, 2]; L = sum(a)", "b = 1; L = 2"],
)
def test_several_ways_tensors_and_no_way_are_no_chain(program):
    assert only_way(parse_program(program), 0) == ()
