"""The two passes by hand: the slide's numbers, broadcasting, sweeps, and numbers out of range."""

import pytest
import torch
from decks import PRESETS
from hypothesis import given, settings
from hypothesis import strategies as st

from lmcore.graph import LeafEntry, backpropagate, leaf_entries, parse_program, sweep, trace_graph

SLIDE = parse_program(PRESETS["slide"].program)


def named(graph, tensors):
    return {graph.nodes[i].name: tensors[i].tolist() for i in graph.variables}


def test_the_slide_comes_out_as_on_the_slide():
    trace = trace_graph(SLIDE)
    assert named(SLIDE, trace.values) == {"a": 3, "b": 1, "c": -2, "d": 2, "e": 5, "L": -10}
    assert named(SLIDE, trace.gradients) == {"a": -2, "b": -4, "c": 5, "d": -2, "e": -2, "L": 1}


def test_an_edge_passes_down_upstream_times_local():
    trace, d = trace_graph(SLIDE), SLIDE.index("d")
    assert trace.locals[d][0] is None  # the constant 2
    assert (trace.locals[d][1], trace.contributions[d][1]) == (2, -4)


def test_other_leaves_take_the_place_of_the_programs():
    trace = trace_graph(SLIDE, {"b": torch.tensor(2.0, dtype=torch.float64)})
    assert trace.values[SLIDE.result] == -14


def test_the_paths_of_a_node_used_twice_add_up():
    graph = parse_program("a = 2; b = a*a; L = b + 3*a")
    assert trace_graph(graph).gradients[graph.index("a")] == 7


def test_a_node_off_the_path_gets_zeros_even_where_its_slope_is_infinite():
    graph = parse_program("a = 0; x = [1, 2]; u = a^0.5; v = x*u; L = 3*a; L")
    trace = trace_graph(graph)
    expected = {"a": 3, "x": [0, 0], "u": 0, "v": [0, 0], "L": 1}
    assert named(graph, trace.gradients) == expected
    assert trace.contributions[graph.index("u")][0] == 0


def test_what_follows_the_result_is_off_the_path():
    graph = parse_program("a = 2; L = 3*a; m = L^2; L")
    assert named(graph, trace_graph(graph).gradients) == {"a": 3, "L": 1, "m": 0}


def test_a_leaf_may_be_the_result():
    assert trace_graph(parse_program("a = 3")).gradients[0] == 1


def test_a_repeated_operand_gathers_what_its_copies_pass_down():
    graph = parse_program("b = 2; x = [1, 2, 3]; c = [[1], [2]]; y = c*(x + b); L = sum(y)")
    trace = trace_graph(graph)
    assert trace.gradients[graph.index("b")] == 9  # (1 + 2) for each of three entries
    assert trace.gradients[graph.index("c")].tolist() == [[12], [12]]
    assert trace.locals[graph.index("y")][0].shape == (2, 3)
    assert trace.contributions[graph.index("y")][0].shape == (2, 1)


def test_a_chain_of_ten_sigmoids_passes_less_than_a_quarter_each():
    graph = parse_program(PRESETS["vanishing"].program)
    trace, x = trace_graph(graph), graph.index("x")
    locals_ = torch.stack([trace.locals[i][0] for i in range(x + 1, len(graph.nodes))])
    assert len(locals_) == 10
    assert (locals_ <= 0.25).all()
    assert 0 < trace.gradients[x] <= 0.25**10
    torch.testing.assert_close(trace.gradients[x], locals_.prod(), rtol=1e-12, atol=0)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_sweep_is_every_position_run_alone(preset):
    graph = parse_program(PRESETS[preset].program)
    positions = torch.linspace(0.1, 0.9, 17, dtype=torch.float64)
    moving = leaf_entries(graph)
    swept = sweep(graph, moving, positions.repeat(len(moving), 1))
    for slider, entry in enumerate(moving):
        for row, position in enumerate(positions):
            leaf = graph.leaves[entry.leaf].clone()
            leaf[entry.at] = position
            alone = backpropagate(graph, {entry.leaf: leaf})
            for name in ("values", "gradients"):
                pairs = zip(getattr(swept, name), getattr(alone, name), strict=True)
                assert all(same(many[slider, row], one) for many, one in pairs)
            for name in ("locals", "contributions"):
                for many, one in zip(getattr(swept, name), getattr(alone, name), strict=True):
                    assert [t is None for t in many] == [t is None for t in one]
                    pairs = zip(many, one, strict=True)
                    assert all(same(m[slider, row], o) for m, o in pairs if m is not None)


def same(many, one):
    # Not torch.equal: σ and ^ run other machine code for one number than for a row of numbers,
    # and the results may differ in the last bit.
    return many.shape == one.shape and torch.allclose(many, one, rtol=1e-13, atol=1e-15)


def test_a_sweep_of_plain_arithmetic_is_exact():
    positions = torch.linspace(-3, 3, 81, dtype=torch.float64)
    losses = sweep(SLIDE, [LeafEntry("b", (), "b")], positions[None]).values[SLIDE.result][0]
    alone = [trace_graph(SLIDE, {"b": position}).values[SLIDE.result] for position in positions]
    assert torch.equal(losses, torch.stack(alone))


def test_a_sweep_keeps_its_gaps():
    graph = parse_program("x = 1; L = 1/x")
    positions = torch.tensor([[-1.0, 0, 2]], dtype=torch.float64)
    losses = sweep(graph, leaf_entries(graph), positions).values[graph.result]
    assert losses.tolist() == [[-1, torch.inf, 0.5]]


def test_the_passes_run_under_vmap():
    def slope(b):
        return backpropagate(SLIDE, {"b": b}).gradients[SLIDE.index("c")]

    many = torch.arange(5, dtype=torch.float64)
    assert torch.vmap(slope)(many).tolist() == [3 + 2 * b for b in range(5)]


@settings(max_examples=50, deadline=None, derandomize=True, database=None)
@given(st.lists(st.floats(-50, 50), min_size=3, max_size=3))
def test_the_slide_holds_for_all_numbers(leaves):
    a, b, c = leaves
    new = {n: torch.tensor(v, dtype=torch.float64) for n, v in zip("abc", leaves, strict=True)}
    got = named(SLIDE, trace_graph(SLIDE, new).gradients)
    assert got == {"a": c, "b": c * 2, "c": a + 2 * b, "d": c, "e": c, "L": 1}


OUT_OF_RANGE = {
    "x = 0; L = 1/x": "line 1, column 12: L = 1 ÷ x must be finite; got ∞ at x = 0: a division by",
    "x = -1\ny = log(x)\nL = y*x": "line 2, column 5: y = log.x. must be finite; got undefined at "
    "x = −1: log needs a positive number",
    "x = [0, -1, 2]; L = sum(log(x))": r"got \[−∞, undefined, 0.6931\] at x = \[0, −1, 2\]: log",
    "x = [9, 9, 9, 9, 9, 0]; L = sum(2/x)": r"at x = \[9, 9, 9, 9, …\]: a division by zero",
    "x = -2; n = 0.5; L = x^n": "got undefined at x = −2, n = 0.5: a negative number has no frac",
    "x = 0; L = x^-1": "got ∞ at x = 0: a negative power of zero is a division by zero",
    "x = 800; L = exp(x)": "got ∞ at x = 800: too large for a floating-point number",
    "x = 1e100; y = x*x; z = y*y; L = z": "z = y × y must be finite; got ∞ at y = 1×10²⁰⁰: too",
    "x = 0; y = x^0.5; L = 2*y": r"∂L/∂x must be finite; got ∞ through y = x\^0.5 at x = 0",
    "x = 0; y = 3*x; L = y^0.5": r"∂L/∂y must be finite; got ∞ through L = y\^0.5 at y = 0",
    "x = -2; n = 2; L = x^n": "∂L/∂n must be finite; got undefined through L = x.n at x = −2, n",
}


@pytest.mark.parametrize(("program", "text"), OUT_OF_RANGE.items())
def test_the_first_number_out_of_range_is_named_with_its_reason(program, text):
    graph = parse_program(program)
    with pytest.raises(ValueError, match=text):
        trace_graph(graph)


def test_a_gradient_that_overflows_only_as_a_sum_is_named():
    path = "x*1e100*1e100*1e100*1e8"
    graph = parse_program(f"x = 0; u = {path}; v = {path}; L = u + v")
    with pytest.raises(ValueError, match="∂L/∂x must be finite; got ∞: the sum of its paths is"):
        trace_graph(graph)


def test_a_leaf_that_is_not_finite_is_named():
    with pytest.raises(ValueError, match="line 1, column 5: a must be finite; got undefined"):
        trace_graph(SLIDE, {"a": torch.tensor(torch.nan, dtype=torch.float64)})


def test_an_unknown_leaf_is_refused():
    with pytest.raises(ValueError, match="a leaf must be one of a, b, c; got 'd'"):
        trace_graph(SLIDE, {"d": torch.tensor(1.0, dtype=torch.float64)})


def test_a_leaf_of_another_shape_is_refused():
    with pytest.raises(ValueError, match="a must be a scalar; got a vector of 2"):
        trace_graph(SLIDE, {"a": torch.ones(2, dtype=torch.float64)})


def test_a_name_that_is_no_node_is_refused():
    with pytest.raises(ValueError, match="a node must be one of a, b, c, d, e, L; got 'z'"):
        SLIDE.index("z")


@pytest.mark.parametrize("at", [(), (3,), (-1,), (0, 0)])
def test_a_sweep_outside_the_leaf_is_refused(at):
    graph = parse_program("x = [1, 2, 3]; L = sum(x)")
    with pytest.raises(ValueError, match=r"the index must lie in x, a vector of 3; got \("):
        sweep(graph, [LeafEntry("x", at, "x")], torch.ones(1, 2, dtype=torch.float64))


def test_a_sweep_over_nothing_is_refused():
    with pytest.raises(
        ValueError, match="positions must have a row for each of 3 entries; got 2 ×"
    ):
        sweep(SLIDE, leaf_entries(SLIDE), torch.ones(2, 5, dtype=torch.float64))
    with pytest.raises(
        ValueError, match="positions must have a row for each of 3 entries; got 3 ×"
    ):
        sweep(SLIDE, leaf_entries(SLIDE), torch.ones(3, 0, dtype=torch.float64))


def test_a_sweep_of_an_unknown_leaf_is_refused():
    with pytest.raises(ValueError, match="a leaf must be one of a, b, c; got 'q'"):
        sweep(SLIDE, [LeafEntry("q", (), "q")], torch.ones(1, 2, dtype=torch.float64))
