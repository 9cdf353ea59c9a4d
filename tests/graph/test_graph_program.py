"""The syntax of a program, and the graph that it becomes."""

import pickle

import pytest
import torch
from decks import PRESETS

from lmcore.graph import parse_program, trace_graph

SLIDE = PRESETS["slide"].program


def formulas(program):
    graph = parse_program(program)
    return {graph.nodes[i].name: graph.nodes[i].formula for i in graph.variables}


def value(program):
    graph = parse_program(program)
    return trace_graph(graph).values[graph.result].item()


def test_the_slide_becomes_its_graph():
    assert formulas(SLIDE) == {"a": "", "b": "", "c": "", "d": "2 × b", "e": "a + d", "L": "c × e"}


def test_edges_join_what_is_not_constant():
    graph = parse_program(SLIDE)
    named = {
        (graph.nodes[e.source].name, graph.nodes[e.target].name, e.position) for e in graph.edges
    }
    assert named == {("b", "d", 1), ("a", "e", 0), ("d", "e", 1), ("c", "L", 0), ("e", "L", 1)}


def test_a_node_used_twice_by_one_node_has_two_edges():
    graph = parse_program("a = 3; L = a*a")
    assert [(e.source, e.target, e.position) for e in graph.edges] == [(0, 1, 0), (0, 1, 1)]


def test_semicolons_comments_indentation_and_windows_lines_change_nothing():
    other = "  a = 3; b = 1 # two at once\r\n\r\n\tc = -2 ;\r d = 2*b; e = a + d\nL = c*e  # = -10"
    assert formulas(other) == formulas(SLIDE)
    assert value(other) == value(SLIDE)


def test_the_signs_of_the_slides_are_read():
    assert value("a = 3; b = −2; L = a·b − a×b + b ÷ a · a") == -2


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("a^2*b", 18),
        ("a**2*b", 18),
        ("-a^2", -9),
        ("2^b^a", 256),
        ("2^-b", 0.25),
        ("a - b - 1", 0),
        ("a/b/2", 0.75),
        ("+a + +2", 5),
        ("max(a, b, 7, 1)", 7),
        ("-(a - b)*2", -2),
    ],
)
def test_precedence_is_pythons(expression, expected):
    assert value(f"a = 3; b = 2; L = {expression}") == expected


def test_arithmetic_on_constants_is_folded():
    assert formulas("a = 1; L = 2*3*a + -2^2") == {"a": "", "v1": "6 × a", "L": "v1 + (−4)"}


def test_a_line_of_constants_alone_is_a_leaf():
    graph = parse_program("third = 1/3; e = exp(1); x = [1/2, -2^2]; L = third*e*sum(x)")
    assert list(graph.leaves) == ["third", "e", "x"]
    assert graph.leaves["x"].tolist() == [0.5, -4]
    assert {leaf.dtype for leaf in graph.leaves.values()} == {torch.float64}


def test_constants_are_printed_short():
    printed = formulas("a = 1; b = a*3.14159; c = b*(1/3); d = max(c, -1e-7); L = d - 1.50")
    assert [printed[name] for name in "bcdL"] == [
        "a × 3.14159",
        "b × 0.3333",
        "max(c, −1×10⁻⁷)",
        "d − 1.5",
    ]


def test_unnamed_parts_get_names_that_are_free():
    assert formulas("v1 = 2; L = v1*(v1 + 1)") == {"v1": "", "v2": "v1 + 1", "L": "v1 × v2"}


def test_a_made_name_cannot_be_used():
    with pytest.raises(ValueError, match="got v1 without one"):
        parse_program("a = 2; b = a*(a + 1); L = v1*b")


def test_a_last_line_without_a_name_is_the_result():
    graph = parse_program("a = 2; a*3")
    assert graph.nodes[graph.result].name == "L"


def test_a_last_line_that_is_a_name_points_at_its_node():
    graph = parse_program("a = 2; loss = a*3; b = a + 1; loss")
    assert graph.nodes[graph.result].name == "loss"
    assert len(graph.variables) == 3


def test_a_second_name_is_a_node_of_its_own():
    assert formulas("a = 2; b = a; L = a*b")["b"] == "a"


def test_max_of_several_is_folded_in_pairs():
    assert formulas("a = 1; b = 2; L = max(a, b, 3)") == {
        "a": "",
        "b": "",
        "v1": "max(a, b)",
        "L": "max(v1, 3)",
    }


def test_both_spellings_of_a_function_are_read():
    assert (
        formulas("z = 1; a = σ(z); b = sigmoid(z); c = ReLU(z); d = relu(z); L = a*b*c*d")["a"]
        == "σ(z)"
    )


def test_letters_with_hats_and_greek_letters_are_names():
    assert value("β = 2; y\u0302 = 3; W1 = 1; L = β*ŷ*W1") == 6


def test_a_matrix_may_span_lines():
    assert parse_program("W = [[1, 2],\n     [3, 4]]\nL = sum(W)").leaves["W"].tolist() == [
        [1, 2],
        [3, 4],
    ]


def test_a_chain_of_operators_is_not_nesting():
    assert value("a = 1; L = a" + " + 1" * 55) == 56


def test_shapes_follow_torch():
    graph = parse_program(
        "W = [[1, 2, 3], [4, 5, 6]]; x = [1, 2, 3]; y = [1, 2]; c = [[1], [2]]; d = 3\n"
        "p = W @ x; q = y @ W; r = x @ x; s = W * x; t = W + c; u = c * x; v = d ^ W\n"
        "w = exp(W); m = max(x, c); L = sum(x)"
    )
    for node, shape, tensor in zip(
        graph.nodes, graph.shapes, trace_graph(graph).values, strict=True
    ):
        assert tuple(tensor.shape) == shape, node.name


def test_a_graph_survives_pickling():
    graph = pickle.loads(pickle.dumps(parse_program(SLIDE)))
    assert trace_graph(graph).values[graph.result] == -10


def test_sixty_nodes_are_allowed():
    graph = parse_program("a = 1\n" + "\n".join(f"b{i} = 2*a" for i in range(59)))
    assert len(graph.variables) == 60
