"""The shapes a node may have, the rules that give an operation's shape, and shapes in words."""

from __future__ import annotations

from typing import TypeAlias

import torch
from jaxtyping import Float64
from torch import Tensor

Value: TypeAlias = Float64[Tensor, "..."]

Shape: TypeAlias = tuple[int, ...]
"""() is a scalar, (3,) a vector of 3, (2, 3) a matrix of 2 rows and 3 columns."""


def describe_shape(shape: Shape) -> str:
    """A shape in words: "scalar", "vector of 3", "2 × 3"."""
    if not shape:
        return "scalar"
    return f"vector of {shape[0]}" if len(shape) == 1 else " × ".join(map(str, shape))


def broadcast_shape(*shapes: Shape) -> Shape | None:
    """The shape of an elementwise operation, None where the operands do not fit.

    Missing axes are added on the left, and an axis of size 1 is repeated: the rule of NumPy
    and PyTorch.
    """
    rank = max(map(len, shapes))
    padded = [(1,) * (rank - len(shape)) + shape for shape in shapes]
    sizes = [set(axis) - {1} for axis in zip(*padded, strict=True)]
    if any(len(size) > 1 for size in sizes):
        return None
    return tuple(size.pop() if size else 1 for size in sizes)


def matrix_product_shape(left: Shape, right: Shape) -> Shape | None:
    """The shape of left @ right, None where one is a scalar or the inner sizes differ."""
    if not left or not right or left[-1] != right[0]:
        return None
    return left[:-1] + right[1:]


def summed_shape(shape: Shape) -> Shape:
    """The shape of a sum over every entry of `shape`."""
    return ()


def sum_to_shape(contribution: Value, shape: Shape) -> Value:
    """`contribution` summed over the axes along which an operand of `shape` was repeated.

    An entry that was used in several places gets the sum of what those places send back.
    """
    if contribution.shape == shape:
        return contribution
    added = contribution.ndim - len(shape)
    if added:
        contribution = contribution.sum(dim=tuple(range(added)))
    repeated = [
        axis for axis, size in enumerate(shape) if size == 1 and contribution.shape[axis] != 1
    ]
    return contribution.sum(dim=repeated, keepdim=True) if repeated else contribution


def zeros(shape: Shape) -> Value:
    """A tensor of zeros."""
    return torch.zeros(shape, dtype=torch.float64)
