"""The operations a graph is made of: what each computes, and its local derivatives by hand.

Two conventions, where the derivative does not exist:

    relu′(0) = 0     PyTorch's choice; the CMU slide has 1; any value in [0, 1] is a subgradient
    max at a tie     each of the two operands gets ½ of what arrives, as torch.maximum does

max of more than two is a chain of max of two, so that a tie is halved at each link: max(a, b, c, d)
of equal values passes on ⅛, ⅛, ¼ and ½. Any such shares that sum to 1 are a subgradient.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import torch

from lmcore.graph.shapes import (
    Shape,
    Value,
    broadcast_shape,
    matrix_product_shape,
    sum_to_shape,
    summed_shape,
)

ProductKind: TypeAlias = Literal["times", "before", "after"]
"""How upstream and local derivative are multiplied: entry by entry, or as a matrix product with
upstream before the local derivative (upstream · local) or after it."""


@dataclass(frozen=True, slots=True)
class Derivative:
    """The derivative of one operation with respect to one of its operands."""

    formula: str
    """For display: {0} and {1} stand for the operands, {out} for the node itself."""
    local: Callable[..., Value]
    """∂output/∂operand from (*operands, output).

    For a matrix product it is the other factor, transposed where it is a matrix.
    """
    meeting: ProductKind = "times"


@dataclass(frozen=True, slots=True)
class Operation:
    """One kind of computed node."""

    name: str
    symbol: str
    """For display: "{0} + {1}"."""
    forward: Callable[..., Value]
    derivatives: tuple[Derivative, ...]
    """One per operand."""
    shape: Callable[..., Shape | None] = broadcast_shape
    """The output's shape from the operands' shapes, None where they do not fit."""


def local_derivative(derivative: Derivative, operands: Sequence[Value], output: Value) -> Value:
    """∂output/∂operand, at full size: one number for each entry of the output.

    (For a sum, one for each entry of the operand; a matrix product's local is left as it is.)
    """
    local = derivative.local(*operands, output)
    return local.expand_as(output) if derivative.meeting == "times" and output.ndim else local


def edge_contribution(meeting: ProductKind, upstream: Value, local: Value, shape: Shape) -> Value:
    """The gradient an edge passes to an operand of `shape`: upstream combined with local.

    If the operand was broadcast, this is the sum over its repetitions.
    """
    if meeting == "times":
        return sum_to_shape(upstream * local, shape)
    left, right = (upstream, local) if meeting == "before" else (local, upstream)
    return torch.outer(left, right) if left.ndim == right.ndim == 1 else left @ right


def _power_by_base(base: Value, exponent: Value, output: Value) -> Value:
    # 0·0⁻¹ is undefined, but a⁰ = 1 is flat at 0 too.
    return torch.where(exponent == 0, 0.0, exponent * base ** (exponent - 1))


def _power_by_exponent(base: Value, exponent: Value, output: Value) -> Value:
    # 0·log 0 is undefined, but 0ᵇ is flat for b ≥ 0: PyTorch's value too.
    return torch.where((base == 0) & (exponent >= 0), 0.0, output * base.log())


def _larger(a: Value, b: Value) -> Value:
    return torch.where(a == b, 0.5, (a > b).to(a.dtype))


def _transposed(factor: Value) -> Value:
    return factor.mT if factor.ndim == 2 else factor


_ONE = Derivative("1", lambda *tensors: torch.ones_like(tensors[-1]))

_MAX = (
    Derivative("1 if {0} > {1}, ½ if equal, else 0", lambda a, b, out: _larger(a, b)),
    Derivative("1 if {1} > {0}, ½ if equal, else 0", lambda a, b, out: _larger(b, a)),
)

_ALL = (
    # A second name for a value: a clone, so that the two keep gradients of their own.
    Operation("copy", "{0}", torch.clone, (_ONE,)),
    Operation("add", "{0} + {1}", torch.add, (_ONE, _ONE)),
    Operation(
        "subtract",
        "{0} − {1}",
        torch.sub,
        (_ONE, Derivative("−1", lambda a, b, out: -torch.ones_like(out))),
    ),
    Operation(
        "multiply",
        "{0} × {1}",
        torch.mul,
        (Derivative("{1}", lambda a, b, out: b), Derivative("{0}", lambda a, b, out: a)),
    ),
    Operation(
        "divide",
        "{0} ÷ {1}",
        torch.div,
        (
            Derivative("1 ÷ {1}", lambda a, b, out: 1 / b),
            Derivative("−{0} ÷ {1}^2", lambda a, b, out: -out / b),
        ),
    ),
    Operation(
        "power",
        "{0}^{1}",
        torch.pow,
        (
            Derivative("{1}·{0}^({1} − 1)", _power_by_base),
            Derivative("{out}·log({0})", _power_by_exponent),
        ),
    ),
    Operation(
        "negate", "−{0}", torch.neg, (Derivative("−1", lambda a, out: -torch.ones_like(out)),)
    ),
    Operation("exp", "exp({0})", torch.exp, (Derivative("{out}", lambda a, out: out),)),
    Operation("log", "log({0})", torch.log, (Derivative("1 ÷ {0}", lambda a, out: 1 / a),)),
    Operation(
        "sigmoid",
        "σ({0})",
        torch.sigmoid,
        (Derivative("{out}·(1 − {out})", lambda a, out: out * (1 - out)),),
    ),
    Operation(
        "tanh", "tanh({0})", torch.tanh, (Derivative("1 − {out}^2", lambda a, out: 1 - out * out),)
    ),
    Operation(
        "relu",
        "ReLU({0})",
        torch.relu,
        (Derivative("1 if {0} > 0, else 0", lambda a, out: (a > 0).to(a.dtype)),),
    ),
    Operation("max", "max({0}, {1})", torch.maximum, _MAX),
    Operation(
        "sum",
        "sum({0})",
        torch.sum,
        (Derivative("1", lambda a, out: torch.ones_like(a)),),
        shape=summed_shape,
    ),
    Operation(
        "dot",  # vector @ vector
        "{0} @ {1}",
        torch.dot,
        (Derivative("{1}", lambda a, b, out: b), Derivative("{0}", lambda a, b, out: a)),
        shape=matrix_product_shape,
    ),
    Operation(
        "matmul",
        "{0} @ {1}",
        torch.matmul,
        (
            Derivative("{1}ᵀ", lambda a, b, out: _transposed(b), "before"),
            Derivative("{0}ᵀ", lambda a, b, out: _transposed(a), "after"),
        ),
        shape=matrix_product_shape,
    ),
)

OPERATIONS: dict[str, Operation] = {operation.name: operation for operation in _ALL}
