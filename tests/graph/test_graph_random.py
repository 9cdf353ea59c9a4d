"""Random programs over every operation: by hand, by autograd and by finite differences."""

import torch
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from lmcore.graph import autograd_gradients, backpropagate, finite_differences, parse_program

SHAPES = [(), (2,), (3,), (2, 3), (3, 2), (1, 3), (2, 1)]
HALVES = st.integers(-4, 4).map(lambda number: number / 2)  # ties and kinks come up often
PLACES = st.floats(-2, 2).map(lambda number: round(number, 3))
# Each expression keeps its operands where its function is defined and not steep.
UNARY = ["-{0}", "{0}^2", "{0}^3", "exp(tanh({0}))", "sigmoid({0})", "tanh({0})", "1.5^{0}"]
UNARY += ["log({0}^2 + 1)", "({0}^2 + 0.5)^-0.5", "2 - {0}/4"]
KINKED = ["relu({0})", "max({0}, 0)", "max(-1, {0}, {0}^2)"]
BINARY = ["{0} + {1}", "{0} - {1}", "{0} * {1}", "{0} / ({1}^2 + 1)", "exp(tanh({0})) ^ {1}"]
KINKED_PAIR = ["max({0}, {1})"]


@st.composite
def programs(draw, kinks):
    numbers = HALVES if kinks else PLACES
    pool, lines = [], []
    for index in range(draw(st.integers(1, 3))):
        shape = draw(st.sampled_from(SHAPES))
        count = torch.Size(shape).numel()
        values = draw(st.lists(numbers, min_size=count, max_size=count))
        lines.append(
            f"x{index} = {torch.tensor(values, dtype=torch.float64).reshape(shape).tolist()}"
        )
        pool.append((f"x{index}", shape))
    for index in range(draw(st.integers(1, 6))):
        text, shape = draw(expressions(pool, kinks))
        lines.append(f"n{index} = {text}")
        pool.append((f"n{index}", shape))
    lines.append("L = " + " + ".join(f"sum({name})" for name, _ in pool[-3:]))
    return "\n".join(lines)


@st.composite
def expressions(draw, pool, kinks):
    """One operation on values of the pool that fit, and the shape it gives."""
    (a, left), (b, right) = draw(st.sampled_from(pool)), draw(st.sampled_from(pool))
    choices = [(text, left) for text in UNARY + KINKED * kinks] + [("sum({0})", ())]
    if (shape := fitted(torch.add, left, right)) is not None:
        choices += [(text, shape) for text in BINARY + KINKED_PAIR * kinks]
    if (shape := fitted(torch.matmul, left, right)) is not None:
        choices += [("{0} @ {1}", shape)] * 8
    text, shape = draw(st.sampled_from(choices))
    return text.format(a, b), shape


def fitted(operation, left, right):
    """The shape that torch gives; None where it raises an error."""
    try:
        return tuple(operation(torch.empty(left), torch.empty(right)).shape)
    except RuntimeError:
        return None


def hand(program):
    graph = parse_program(program)
    trace = backpropagate(graph)
    assume(all(bool((t.abs() < 1e6).all()) for t in (*trace.values, *trace.gradients)))
    return graph, trace


@settings(max_examples=500, deadline=None, derandomize=True, database=None)
@given(programs(kinks=True))
def test_gradients_by_hand_are_those_of_autograd(program):
    graph, trace = hand(program)
    automatic = autograd_gradients(graph)
    for index in graph.variables:
        assert trace.gradients[index].shape == trace.values[index].shape == graph.shapes[index]
        torch.testing.assert_close(trace.gradients[index], automatic[index], rtol=1e-6, atol=1e-10)


@settings(max_examples=150, deadline=None, derandomize=True, database=None)
@given(programs(kinks=False))
def test_finite_differences_come_close_where_the_program_is_smooth(program):
    graph, trace = hand(program)
    loss = trace.values[graph.result].abs().item()
    for index, numeric in enumerate(finite_differences(graph)):
        if index not in graph.constants:
            torch.testing.assert_close(
                numeric, trace.gradients[index], rtol=1e-6, atol=1e-7 * (1 + loss)
            )
