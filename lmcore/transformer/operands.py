"""One number of the forward pass with everything it is computed from.

    operands(flow, "b1.q", row=3, column=0)     x_3 W^Q + b^Q, term by term

All is recomputed in float64 from the numbers of the stages before it, so that `computed` and the
model's own `value` agree to the precision of float32.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import torch
from jaxtyping import Float64
from torch import Tensor

from lmcore import dataframes
from lmcore.checks import check_between
from lmcore.models.blocks import g
from lmcore.transformer.flow import (
    Activate,
    Add,
    Flow,
    Lookup,
    Mix,
    Normalise,
    Project,
    Score,
    Softmax,
    Stage,
)

if TYPE_CHECKING:
    from pandas import DataFrame

Rule = Literal["lookup", "add", "normalise", "project", "score", "softmax", "mix", "activate"]


@dataclass(frozen=True, slots=True)
class Operands:
    """A number, and its terms in the order of their places.

    The rule determines what a term is. In a sum of products, `left` × `right` = `product`. In a
    softmax, `left` is a logit and `product` its exponential over the row's sum. In an addition,
    `product` is what is added.
    """

    stage: str
    row: int
    column: int
    rule: Rule
    value: float
    """The model's own number."""
    computed: float
    """The same from its operands, in float64."""
    left: Float64[Tensor, " term"]
    right: Float64[Tensor, " term"]
    product: Float64[Tensor, " term"]
    inputs: tuple[str, ...]
    """The stages that the terms come from."""
    constants: dict[str, float]
    """Further numbers of the rule by their symbol: b, μ, σ, γ, β, scale, maximum, Σ."""

    def to_frame(self) -> DataFrame:
        """One row per term: its place, left, right, product."""
        columns = {"left": self.left, "right": self.right, "product": self.product}
        return dataframes.entries("term", columns)


@torch.no_grad()
def operands(flow: Flow, name: str, row: int, column: int) -> Operands:
    """The number of a stage at a row and a column, both from 0, with its operands.

    Raises:
        ValueError: if there is no such stage, row or column.
    """
    stage = flow[name]
    rows, columns = stage.values.shape
    check_between(f"the row of {name}", row, 0, rows - 1)
    check_between(f"the column of {name}", column, 0, columns - 1)
    match stage.operation:
        case Lookup():
            return _lookup(stage, row, column)
        case Add(parts):
            terms = torch.stack([flow[each].values[row, column].double() for each in parts])
            return _found(stage, row, column, "add", parts, terms, terms)
        case Normalise():
            return _normalised(flow, stage, row, column)
        case Project(inputs, weight, bias, _):
            x, w = flow[inputs].values[row].double(), weight[column].double()
            b = 0.0 if bias is None else float(bias[column])
            constants = {} if bias is None else {"b": b}
            return _found(
                stage, row, column, "project", (inputs,), x * w, x, w, add=b, constants=constants
            )
        case Score():
            return _score(flow, stage, row, column)
        case Softmax(inputs):
            return _softmax(flow, stage, row, column)
        case Mix():
            return _mixed(flow, stage, row, column)
        case Activate(inputs, function):
            z = flow[inputs].values[row, column].double()
            value = z.tanh() if function == "tanh" else g(z, function)
            return _found(stage, row, column, "activate", (inputs,), value[None], z[None])


def _found(
    stage: Stage,
    row: int,
    column: int,
    rule: Rule,
    inputs: tuple[str, ...],
    product: Tensor,
    left: Tensor,
    right: Tensor | None = None,
    *,
    add: float = 0.0,
    computed: float | None = None,
    constants: dict[str, float] | None = None,
) -> Operands:
    total = float(product.sum()) + add if computed is None else computed
    value = float(stage.values[row, column])
    right = torch.ones_like(left) if right is None else right
    cpu = (left.detach().cpu(), right.detach().cpu(), product.detach().cpu())
    return Operands(stage.name, row, column, rule, value, total, *cpu, inputs, constants or {})


def _lookup(stage: Stage, row: int, column: int) -> Operands:
    how = stage.operation
    assert isinstance(how, Lookup)
    entry = stage.values[row, column].double()[None] / how.scale
    constants = {"entry": float(how.entries[row]), "scale": how.scale}
    product = entry * how.scale
    return _found(stage, row, column, "lookup", (), product, entry, constants=constants)


def _normalised(flow: Flow, stage: Stage, row: int, column: int) -> Operands:
    how = stage.operation
    assert isinstance(how, Normalise)
    x = flow[how.inputs].values[row].double()
    mean, deviation = x.mean(), (x.var(correction=0) + how.norm.eps).sqrt()
    gain, shift = how.norm.weight[column].double(), how.norm.bias[column].double()
    value = float((x[column] - mean) / deviation * gain + shift)
    constants = {"μ": float(mean), "σ": float(deviation), "γ": float(gain), "β": float(shift)}
    constants["x"] = float(x[column])
    return _found(
        stage, row, column, "normalise", (how.inputs,), x, x, computed=value, constants=constants
    )


def _score(flow: Flow, stage: Stage, row: int, column: int) -> Operands:
    how = stage.operation
    assert isinstance(how, Score)
    part = slice(how.columns.start, how.columns.stop)
    q, k = (flow[how.query].values[row, part].double(), flow[how.key].values[column, part].double())
    masked = float(stage.values[row, column]) == -math.inf
    value = -math.inf if masked else float(q @ k) * how.scale
    constants = {"scale": how.scale, "q·k": float(q @ k)}
    inputs = (how.query, how.key)
    return _found(
        stage, row, column, "score", inputs, q * k, q, k, computed=value, constants=constants
    )


def _softmax(flow: Flow, stage: Stage, row: int, column: int) -> Operands:
    how = stage.operation
    assert isinstance(how, Softmax)
    scores = flow[how.inputs].values[row].double()
    largest = scores.max()
    powers = (scores - largest).exp()
    constants = {"maximum": float(largest), "Σ": float(powers.sum())}
    share = powers / powers.sum()
    return _found(
        stage,
        *(row, column, "softmax", (how.inputs,), share, scores, powers),
        computed=float(share[column]),
        constants=constants,
    )


def _mixed(flow: Flow, stage: Stage, row: int, column: int) -> Operands:
    how = stage.operation
    assert isinstance(how, Mix)
    head = column * len(how.weights) // stage.values.shape[1]
    weights = flow[how.weights[head]].values[row].double()
    value = flow[how.value].values[:, column].double()
    inputs = (how.weights[head], how.value)
    return _found(stage, row, column, "mix", inputs, weights * value, weights, value)
