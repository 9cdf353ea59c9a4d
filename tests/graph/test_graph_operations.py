"""Each operation's local derivatives, against torch.autograd, and the conventions at kinks."""

import pytest
import torch

from lmcore.graph import OPERATIONS, parse_program, trace_graph
from lmcore.graph.operations import edge_contribution, local_derivative
from lmcore.graph.shapes import describe_shape

F64 = torch.float64
SCALAR, OTHER = torch.tensor(0.7, dtype=F64), torch.tensor(1.9, dtype=F64)
X, Y = torch.tensor([0.3, 1.7, 2.2], dtype=F64), torch.tensor([1.1, 0.4, 2.5], dtype=F64)
W = torch.tensor([[0.4, 1.3, 2.1], [0.9, 0.2, 1.6]], dtype=F64)
V = torch.rand(3, 5, dtype=F64, generator=torch.Generator().manual_seed(0)) + 0.1
PAIRS = [(SCALAR, OTHER), (X, Y), (SCALAR, X), (X, SCALAR), (W, X), (X, W), (W, W.flip(0))]
PRODUCTS = {"dot": [(X, Y)], "matmul": [(W, X), (Y, V), (W, V)]}


def operands(operation):
    """Every mix of shapes that the operation takes; all values are positive, and without ties."""
    if len(operation.derivatives) == 1:
        return [(SCALAR,), (X,), (W,)]
    return PRODUCTS.get(operation.name, PAIRS)


CASES = [
    pytest.param(
        operation, values, id=f"{name}: {' and '.join(describe_shape(v.shape) for v in values)}"
    )
    for name, operation in OPERATIONS.items()
    for values in operands(operation)
]


@pytest.mark.parametrize(("operation", "values"), CASES)
def test_what_an_edge_passes_down_is_what_autograd_passes(operation, values):
    tracked = [value.clone().requires_grad_() for value in values]
    output = operation.forward(*tracked)
    upstream = torch.rand(output.shape, dtype=F64, generator=torch.Generator().manual_seed(1))
    expected = torch.autograd.grad(output, tracked, upstream)
    for derivative, value, wanted in zip(operation.derivatives, values, expected, strict=True):
        local = local_derivative(derivative, values, output.detach())
        part = edge_contribution(derivative.meeting, upstream, local, tuple(value.shape))
        assert part.shape == value.shape
        torch.testing.assert_close(part, wanted, rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize(("operation", "values"), CASES)
def test_the_shape_rule_is_that_of_the_values(operation, values):
    shape = operation.shape(*(tuple(value.shape) for value in values))
    assert shape == tuple(operation.forward(*values).shape)


@pytest.mark.parametrize("operation", OPERATIONS.values(), ids=OPERATIONS)
def test_formulas_name_the_operands_in_use(operation):
    names = ["p", "q"][: len(operation.derivatives)]
    assert all(name in operation.symbol.format(*names) for name in names)
    for derivative in operation.derivatives:
        assert "{" not in derivative.formula.format(*names, out="r")


def gradients(program, *names):
    graph = parse_program(program)
    trace = trace_graph(graph)
    return [trace.gradients[graph.index(name)].tolist() for name in names]


def test_relu_has_slope_zero_at_zero():
    assert gradients("x = [-1, 0, 1]; L = sum(relu(x))", "x") == [[0, 0, 1]]


def test_max_shares_a_tie_in_halves():
    assert gradients("a = 2; b = 2; L = max(a, b)", "a", "b") == [0.5, 0.5]


def test_max_of_three_equals_shares_as_its_two_pairs_do():
    assert gradients("a = 2; b = 2; c = 2; L = max(a, b, c)", "a", "b", "c") == [0.25, 0.25, 0.5]


def test_max_of_four_equals_is_halved_at_each_link():
    named = "a = 2; b = 2; c = 2; d = 2; L = max(a, b, c, d)"
    assert gradients(named, "a", "b", "c", "d") == [0.125, 0.125, 0.25, 0.5]


def test_powers_are_flat_where_pytorch_says_so():
    assert gradients("x = 0; L = x^0", "x") == [0]
    assert gradients("x = 0; n = 2; L = x^n", "x", "n") == [0, 0]


def test_a_constant_exponent_has_no_derivative():
    graph = parse_program("x = -3; L = x^2")
    trace = trace_graph(graph)
    assert trace.locals[graph.result][1] is None
    assert trace.contributions[graph.result][1] is None
    assert trace.gradients[graph.index("x")] == -6
