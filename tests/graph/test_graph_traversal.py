"""The walk through a graph, step by step, and its formulas."""

import pytest
import torch
from decks import PRESETS

from lmcore.graph import local_formula, parse_program, trace_graph, walk

SLIDE = parse_program(PRESETS["slide"].program)


def texts(program):
    return [step.text for step in walk(parse_program(program))]


def test_the_slide_is_walked_as_a_teacher_walks_it():
    assert [step.text for step in walk(SLIDE)] == [
        "a, b, c",
        "d = 2 × b",
        "e = a + d",
        "L = c × e",
        "∂L/∂L = 1",
        "∂L/∂e = ∂L/∂L × ∂L/∂e",
        "∂L/∂d = ∂L/∂e × ∂e/∂d",
        "∂L/∂c = ∂L/∂L × ∂L/∂c",
        "∂L/∂b = ∂L/∂d × ∂d/∂b",
        "∂L/∂a = ∂L/∂e × ∂e/∂a",
    ]


@pytest.mark.parametrize("preset", PRESETS)
def test_every_step_has_what_it_needs_before_it(preset):
    graph = parse_program(PRESETS[preset].program)
    steps = walk(graph)
    forward = [i for step in steps if step.kind == "forward" for i in step.nodes]
    backward = [step.nodes[0] for step in steps if step.kind == "backward"]
    assert sorted(forward) == sorted(backward) == list(graph.variables)
    for step in steps:
        if step.kind == "backward":
            reached = backward[: backward.index(step.nodes[0])]
            assert all(term.target in reached for term in step.terms)


@pytest.mark.parametrize("preset", PRESETS)
def test_the_terms_of_a_step_add_up_to_its_gradient(preset):
    graph = parse_program(PRESETS[preset].program)
    trace = trace_graph(graph)
    for step in walk(graph):
        if step.terms:
            parts = [trace.contributions[term.target][term.position] for term in step.terms]
            torch.testing.assert_close(sum(parts), trace.gradients[step.nodes[0]])


def test_several_paths_are_a_sum():
    assert "∂L/∂a = ∂L/∂p × ∂p/∂a + ∂L/∂q × ∂q/∂a" in texts(PRESETS["twice"].program)


def test_a_matrix_product_names_the_other_factor_on_its_side():
    steps = texts("W = [[1, 2], [3, 4]]; x = [1, 2]; z = W @ x; L = z @ x")
    assert "∂L/∂W = ∂L/∂z · xᵀ" in steps
    assert "∂L/∂x = Wᵀ · ∂L/∂z + ∂L/∂L × ∂L/∂x" in steps


def test_the_result_is_called_by_its_name():
    assert texts("a = 2; loss = a^2")[-1] == "∂loss/∂a = ∂loss/∂loss × ∂loss/∂a"


def test_what_the_result_ignores_comes_last_with_a_zero():
    assert texts("a = 2; u = 3*a; L = a^2; w = L + u; L")[-2:] == ["∂L/∂w = 0", "∂L/∂u = 0"]


def test_a_repeated_operand_is_marked():
    graph = parse_program("b = 2; x = [1, 2]; c = [1, 1]; L = sum(b*x + c)")
    marked = {
        graph.nodes[step.nodes[0]].name: step.terms[0].summed for step in walk(graph) if step.terms
    }
    assert marked == {"v2": False, "v1": False, "c": False, "x": False, "b": True}


@pytest.mark.parametrize(
    ("expression", "formulas"),
    [
        ("a*b", ["b", "a"]),
        ("a*a", ["a", "a"]),
        ("a - b", ["1", "−1"]),
        ("a/b", ["1 ÷ b", "−a ÷ b^2"]),
        ("a^b", ["b·a^(b − 1)", "L·log(a)"]),
        ("a^2", ["2·a"]),
        ("a^3", ["3·a^2"]),
        ("a^-1", ["(−1)·a^(−2)"]),
        ("-2*a", ["(−2)"]),
        ("sigmoid(a)", ["L·(1 − L)"]),
        ("tanh(a)", ["1 − L^2"]),
        ("relu(a)", ["1 if a > 0, else 0"]),
        ("max(a, b)", ["1 if a > b, ½ if equal, else 0", "1 if b > a, ½ if equal, else 0"]),
        ("exp(a)", ["L"]),
        ("log(a)", ["1 ÷ a"]),
    ],
)
def test_local_derivatives_are_written_in_node_names(expression, formulas):
    graph = parse_program(f"a = 2; b = 3; L = {expression}")
    edges = [edge for edge in graph.edges if edge.target == graph.result]
    assert [local_formula(graph, edge.target, edge.position) for edge in edges] == formulas
