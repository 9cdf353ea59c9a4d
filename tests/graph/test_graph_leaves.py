"""The numbers of a program: listed one by one, and written back."""

import pytest
import torch
from decks import PRESETS
from hypothesis import given, settings
from hypothesis import strategies as st

from lmcore.graph import leaf_entries, parse_program, trace_graph, with_leaf_values

NUMBERS = st.floats(-1e100, 1e100)


def test_every_number_has_its_label_counted_from_one():
    found = leaf_entries(
        parse_program("b = 1; x = [5, 6]; W = [[1, 2, 3], [4, 5, 6]]; L = b*sum(x)*sum(W)")
    )
    assert [entry.label for entry in found] == [
        *("b", "x[1]", "x[2]"),
        *(f"W[{row},{column}]" for row in (1, 2) for column in (1, 2, 3)),
    ]
    assert found[-1] == ("W", (1, 2), "W[2,3]")


def test_only_the_numbers_change():
    program = "# start\n  β = 3   # slope\r\nx = [1, 2];y=-2\nL = β*sum(x)*y # end"
    changed = with_leaf_values(program, {"β": 0.25, "x": [3, -1.5], "y": torch.tensor(1e-7)})
    value = repr(float(torch.tensor(1e-7)))
    assert (
        changed == f"# start\n  β = 0.25   # slope\nx = [3, -1.5];y={value}\nL = β*sum(x)*y # end"
    )


def test_lists_over_lines_constants_and_a_last_line_without_name_are_rewritten():
    assert with_leaf_values("W = [[1, 2],\n [3, 4]]; sum(W)", {"W": [[0, 1], [2, 3]]}) == (
        "W = [[0, 1], [2, 3]]; sum(W)"
    )
    assert with_leaf_values("a = 1/3 + 2^-1; L = 2*a", {"a": 7}) == "a = 7; L = 2*a"
    assert with_leaf_values("a = (3); L = 2*a", {"a": -7.5}) == "a = (-7.5); L = 2*a"
    assert with_leaf_values("2*3", {"L": 7}) == "7"


@pytest.mark.parametrize("preset", PRESETS)
def test_a_programs_own_values_change_nothing_in_its_graph(preset):
    program = PRESETS[preset].program
    graph = parse_program(program)
    again = parse_program(with_leaf_values(program, graph.leaves))
    assert again.nodes == graph.nodes
    assert torch.equal(
        trace_graph(again).values[again.result], trace_graph(graph).values[graph.result]
    )


@settings(max_examples=100, deadline=None, derandomize=True, database=None)
@given(NUMBERS, st.lists(NUMBERS, min_size=2, max_size=2))
def test_numbers_read_back_exactly(a, x):
    leaves = parse_program(
        with_leaf_values("a = 1; x = [2, 3] # two\nL = a*0 + sum(x)*0", {"a": a, "x": x})
    ).leaves
    assert leaves["a"].item() == a
    assert leaves["x"].tolist() == x


def test_an_unknown_leaf_is_refused():
    with pytest.raises(ValueError, match="a leaf must be one of a; got 'L'"):
        with_leaf_values("a = 1; L = 2*a", {"L": 3})


def test_another_shape_is_refused():
    with pytest.raises(ValueError, match="x must be a vector of 2; got a 1 × 2"):
        with_leaf_values("x = [1, 2]; L = sum(x)", {"x": [[1, 2]]})


@pytest.mark.parametrize("number", [float("nan"), float("inf"), 1e101])
def test_a_number_out_of_range_is_refused(number):
    with pytest.raises(ValueError, match="a must lie between −1e100 and 1e100; got"):
        with_leaf_values("a = 1; L = 2*a", {"a": number})
