"""The layout of a graph: the layers and rows of its nodes, and the bends of long edges."""

import itertools
import random

import pytest

from lessons.backprop.backprop_picture import graph_picture
from lessons.backprop.graph_layout import layout
from lmcore.graph import parse_program
from ui.lessons import lesson

PRESETS = {preset.label: preset.settings["program"] for preset in lesson("backprop").presets}
OTHERS = {
    "one leaf": "L = 3",
    "one edge": "a = 3\nL = -a",
    "lone leaves": "a = 1\nb = 2\nc = 3\nL = -a",
    "three parts": "a = 1\nb = 2\nc = 3\nd = -b\ne = -c\nf = -e\nL = -a",
    "twice": "a = 3\nL = a*a",
    "long edge": "a = 1\nb = -a\nc = -b\nd = -c\nL = a + d",
    "two parts with long edges": "a = 1\nb = -a\nc = -b\nd = a + c\n"
    "p = 1\nq = -p\nr = -q\nL = p + r",
    "pointing back": "a = 1\nb = -a\nc = -b\nb",
}


def random_program(seed, count):
    """A program of `count` nodes: constants and sums of two earlier nodes, some unconnected."""
    draw = random.Random(seed)
    lines = ["n0 = 1", "n1 = 2"]
    for i in range(2, count):
        kind = draw.random()
        one, other = draw.randrange(i), draw.randrange(max(0, i - 5), i)
        lines.append(f"n{i} = 0.5" if kind < 0.1 else f"n{i} = n{one} + n{other}")
    return "\n".join([*lines[:-1], f"n{count - 1} = n0 + n{count - 2}"])


PROGRAMS = PRESETS | OTHERS
PROGRAMS |= {f"{n} random nodes": random_program(n, n) for n in (3, 5, 8, 13, 21, 34, 47, 60)}
each_program = pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)


@each_program
def test_every_node_has_a_place_of_its_own(program):
    graph = parse_program(program)
    places = layout(graph).places
    assert set(places) == set(graph.variables)
    assert len(set(places.values())) == len(places)


@each_program
def test_nodes_of_one_layer_do_not_touch(program):
    layers = {}
    for layer, row in layout(parse_program(program)).places.values():
        layers.setdefault(layer, []).append(row)
    for rows in layers.values():
        rows.sort()
        assert all(after - before >= 1 - 1e-9 for before, after in itertools.pairwise(rows))


@each_program
def test_layers_rise_along_every_edge_and_its_bends(program):
    graph = parse_program(program)
    where = layout(graph)
    for edge in graph.edges:
        path = [where.places[edge.source], *where.routes[edge.source, edge.target]]
        layers = [layer for layer, _ in (*path, where.places[edge.target])]
        assert all(before < after for before, after in itertools.pairwise(layers))


@each_program
def test_bends_stand_on_no_node_and_on_no_other_bend(program):
    where = layout(parse_program(program))
    bends = [bend for route in where.routes.values() for bend in route]
    assert len(set(bends)) == len(bends)
    assert not set(bends) & set(where.places.values())


@each_program
def test_every_place_lies_within_the_picture(program):
    where = layout(parse_program(program))
    points = [*where.places.values(), *(b for route in where.routes.values() for b in route)]
    assert all(layer >= 0 and row >= 0 for layer, row in points)


def test_an_edge_over_several_layers_has_a_bend_in_each():
    graph = parse_program(OTHERS["long edge"])
    where = layout(graph)
    assert len(where.routes[graph.index("a"), graph.index("L")]) == 3
    assert where.routes[graph.index("a"), graph.index("b")] == []


def test_a_lone_leaf_stands_beside_the_rest():
    graph = parse_program(OTHERS["lone leaves"])
    places = layout(graph).places
    assert {places[graph.index(name)][0] for name in "bc"} == {0}


def test_an_edge_drawn_twice_says_so():
    edges = graph_picture(parse_program("a = 3\nb = 2\nL = a*a + b"))["edges"]
    assert sorted(edge["twin"] for edge in edges) == [False, False, True, True]


@each_program
def test_one_program_always_gives_one_picture(program):
    graph = parse_program(program)
    assert layout(graph) == layout(graph)
