"""Three ways to compute the same gradient, and where they differ."""

import pytest
import torch
from decks import PRESETS

from lmcore.graph import (
    autograd_gradients,
    compare_gradients,
    finite_differences,
    parse_program,
    trace_graph,
)

SMOOTH = [name for name in PRESETS if name != "kink"]


@pytest.mark.parametrize("preset", SMOOTH)
def test_all_three_agree_on_the_presets(preset):
    for row in compare_gradients(parse_program(PRESETS[preset].program)):
        torch.testing.assert_close(row.autograd, row.hand, rtol=1e-12, atol=1e-15)
        torch.testing.assert_close(row.numeric, row.hand, rtol=1e-7, atol=1e-9)


def test_the_slides_finite_differences_are_exact():
    graph = parse_program(PRESETS["slide"].program)
    numeric = finite_differences(graph)
    assert [numeric[graph.index(name)].item() for name in "abcdeL"] == [-2, -4, 5, -2, -2, 1]


def test_a_comparison_holds_every_node_but_constants_with_its_differences():
    graph = parse_program(PRESETS["slide"].program)
    rows = compare_gradients(graph, trace_graph(graph))
    assert tuple(row.node for row in rows) == graph.variables
    for row in rows:
        assert row.hand_autograd == (row.hand - row.autograd).abs()
        assert row.hand_numeric == (row.hand - row.numeric).abs()


def test_at_a_kink_the_middle_of_both_slopes_is_measured():
    graph = parse_program(PRESETS["kink"].program)
    z = next(row for row in compare_gradients(graph) if graph.nodes[row.node].name == "z")
    assert (z.hand, z.autograd, z.numeric) == (0, 0, 1.5)


def test_relu_at_zero_is_zero_by_hand_and_a_half_by_finite_differences():
    (x, _) = compare_gradients(parse_program("x = 0; L = relu(x)"))
    assert (x.hand, x.autograd, x.numeric, x.hand_numeric) == (0, 0, 0.5, 0.5)


def test_at_a_tie_all_three_give_a_half():
    a, b, _ = compare_gradients(parse_program("a = 1; b = 1; L = max(a, b)"))
    assert {x.item() for row in (a, b) for x in row[1:4]} == {0.5}


def test_a_second_name_keeps_a_gradient_of_its_own():
    for row, wanted in zip(
        compare_gradients(parse_program("a = 3; b = a; L = a*b")), (6, 3, 1), strict=True
    ):
        assert (row.hand, row.autograd, row.numeric) == (wanted, wanted, wanted)


def test_constants_and_nodes_off_the_path_get_zeros():
    graph = parse_program("a = 2; x = [1, 2]; L = 3*a; L")
    for gradients in (autograd_gradients(graph), finite_differences(graph)):
        assert gradients[graph.index("x")].tolist() == [0, 0]
        assert gradients[next(iter(graph.constants))] == 0


def test_a_smaller_step_follows_a_steep_curve_better():
    graph = parse_program("x = 1e-2; L = log(x)")
    error = [abs(finite_differences(graph, step=step)[0].item() - 100) for step in (2**-8, 2**-12)]
    assert error[1] < error[0]


def test_small_and_large_values_get_steps_of_their_size():
    for x in ("1e-6", "0", "1e6", "1e60"):
        graph = parse_program(f"x = {x}; L = x^2 + 3*x")
        torch.testing.assert_close(
            finite_differences(graph)[0], trace_graph(graph).gradients[0], rtol=1e-7, atol=0
        )


@pytest.mark.parametrize(
    ("program", "slope"),
    [
        ("x = 1e-9; L = log(x)", 1e9),
        ("x = 2e-6; L = log(x)", 5e5),
        ("x = 1e-9; L = 0^x", 0.0),
        ("x = 1e-9; L = x^0.5", 0.5 * 1e-9**-0.5),
        ("x = 1e-9; L = 1000 + 3*x", 3.0),
        ("x = -1e-9; L = 1/x", -1e18),
    ],
)
def test_a_value_nearer_to_zero_than_the_step_gets_a_smaller_one(program, slope):
    graph = parse_program(program)
    hand, numeric = trace_graph(graph).gradients[0], finite_differences(graph)[0]
    assert hand.item() == pytest.approx(slope, rel=1e-9)
    assert numeric.item() == pytest.approx(slope, rel=1e-6)


def test_what_no_step_can_measure_is_not_finite():
    graph = parse_program("x = 0; L = 0^x")
    assert not finite_differences(graph)[0].isfinite()


def test_many_entries_are_measured_in_parts():
    rows = [[(i * 8 + j) / 64 for j in range(8)] for i in range(8)]
    graph = parse_program(
        f"W = {rows}\n" + "\n".join(f"n{i} = tanh(W)" for i in range(12)) + "\nL = sum(n3*n4)"
    )
    for row in compare_gradients(graph):
        torch.testing.assert_close(row.numeric, row.hand, rtol=1e-6, atol=1e-7)


def test_comparing_a_graph_out_of_range_is_refused():
    with pytest.raises(ValueError, match="a division by zero"):
        compare_gradients(parse_program("x = 0; L = 1/x"))
