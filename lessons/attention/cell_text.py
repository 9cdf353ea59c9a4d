"""One cell of the step table, multiplied out with its numbers.

A number that follows the sliders is written as its name, {w1.2}; any other as its digits.
"""

from __future__ import annotations

from typing import NamedTuple

from torch import Tensor

from lessons.attention.attention_picture import Cell, TableView, vector
from lmcore.attention.dot_terms import Dot, dot
from lmcore.attention.step_table import AttentionConfig, AttentionInputs, Projections, StepTable
from lmcore.numbers import format_number, operand, subscript

ROLES = {
    "x": "input",
    "q": "query",
    "k": "key",
    "v": "value",
    "weight": "activation",
    "exp": "activation",
    "context": "activation",
    "weighted": "value",
}
PARTS = ("query", "key", "value")


class ComputationLine(NamedTuple):
    """A line of a computation, and the role that colours it."""

    role: str
    text: str


def cell_lines(
    inputs: AttentionInputs, config: AttentionConfig, table: StepTable, view: TableView
) -> list[ComputationLine]:
    """How the opened cell was computed."""
    cell = view.cell
    role = ROLES.get(cell.stage, "score")
    if cell.stage in ("x", "q", "k", "v"):
        return [ComputationLine(role, text) for text in _entry(inputs, cell)]
    makers = {
        "score": _score,
        "scaled": _scaled,
        "masked": _masked,
        "exp": _exponential,
        "weight": _weight,
        "weighted": _weighted,
        "context": _context,
    }
    return [ComputationLine(role, text) for text in makers[cell.stage](inputs, config, table, view)]


def output_line(
    inputs: AttentionInputs, table: StepTable, query: int, *, most: int = 6
) -> ComputationLine:
    """z as the sum of the weighted values; if many, only the three with the largest weights."""
    weights = table.weights[query - 1]
    places = list(range(len(inputs.tokens)))
    if len(places) > most:
        places = sorted(weights.argsort(descending=True, stable=True)[:3].tolist())
    terms = [f"{{w{query}.{j + 1}}}·{vector('v', j + 1)}" for j in places]
    rest = " + …" if len(places) < len(inputs.tokens) else ""
    return ComputationLine("activation", f"{vector('z', query)} = {' + '.join(terms)}{rest}")


def _entry(inputs: AttentionInputs, cell: Cell) -> list[str]:
    """An entry of X, Q, K or V."""
    stage, i, c = cell
    place = f"{vector(stage, i)}[{c}]"
    if stage == "x" or inputs.inputs is None or inputs.projections is None:
        values = {"x": inputs.inputs, "q": inputs.query, "k": inputs.key, "v": inputs.value}[stage]
        assert values is not None
        return [f"{place} = {format_number(float(values[i - 1, c - 1]))}, as entered"]
    part = "qkv".index(stage)
    weights: Projections = inputs.projections
    matrix: Tensor = weights[part]  # type: ignore[assignment]
    bias = None if weights.biases is None else float(weights.biases[part][c - 1])
    product = dot(inputs.inputs[i - 1], matrix[:, c - 1], bias)
    letter = "QKV"[part]
    added = f" + b^{letter}[{c}]" if bias is not None else ""
    return dot_product_lines(
        f"{place} = {vector('x', i)} · column {c} of W^{letter}{added}", product
    )


def dot_product_lines(name: str, product: Dot) -> list[str]:
    """A dot product multiplied out: its name, the products, their values, the sum."""
    pairs = zip(product.left, product.right, strict=True)
    products = " + ".join(f"{operand(a)}·{operand(b)}" for a, b in pairs)
    values = " + ".join(operand(product) for product in product.products)
    if product.others:
        products += f" + … ({product.others} smaller products)"
        values += f" + {operand(product.rest)}"
    if product.bias is not None:
        products += " + bias"
        values += f" + {operand(product.bias)}"
    return [f"{name} = {products}", f"= {values} = {format_number(product.total)}"]


def _score(
    inputs: AttentionInputs, config: AttentionConfig, table: StepTable, view: TableView
) -> list[str]:
    _, i, j = view.cell
    name = f"{_pair('s', i, j)} = {vector('q', i)} · {vector('k', j)}"
    return dot_product_lines(name, dot(inputs.query[i - 1], inputs.key[j - 1]))


def _comma(i: int, j: int) -> str:
    return "," if max(i, j) > 9 else ""


def _pair(letter: str, i: int, j: int) -> str:
    """A letter with the indices of a query and a key: s₁₂, or s₁,₁₂ from 10 on."""
    return f"{letter}{subscript(i)}{_comma(i, j)}{subscript(j)}"


def _scaled(
    inputs: AttentionInputs, config: AttentionConfig, table: StepTable, view: TableView
) -> list[str]:
    _, i, j = view.cell
    score, tempered = f"{{s{i}.{j}:p}}", config.temperature != 1
    name = f"{_pair('s', i, j)}"
    if not config.scaled and not tempered:
        return [f"{name} = {score}, not divided: the scale is off"]
    parts = ([("√d_k", "{root}")] if config.scaled else []) + (
        [("temperature", "{tau}")] if tempered else []
    )
    names = "".join(f" ÷ {name}" for name, _ in parts)
    values = "".join(f" ÷ {value}" for _, value in parts)
    root = f" = {score} ÷ √{{d_k}}" if config.scaled and not tempered else ""
    return [f"{name}{names}{root} = {score}{values} = {{a{i}.{j}}}"]


def _masked(
    inputs: AttentionInputs, config: AttentionConfig, table: StepTable, view: TableView
) -> list[str]:
    _, i, j = view.cell
    place = _pair("m", i, j)
    if _hidden(config, i, j, len(inputs.tokens)):
        rest = BLIND if sees_nothing(config, i, len(inputs.tokens)) else MASKED_NOTE
        return [f"{place} = −∞: query {i} may not look at key {j}", rest]
    why = "there is no mask" if config.mask == "none" else f"query {i} may look at key {j}"
    return [f"{place} = {{a{i}.{j}}}, unchanged: {why}"]


def _hidden(config: AttentionConfig, i: int, j: int, length: int) -> bool:
    mask = config.seen(length)
    return mask is not None and not bool(mask[i - 1, j - 1])


def sees_nothing(config: AttentionConfig, i: int, length: int) -> bool:
    """Whether the mask hides every key from query i."""
    return all(_hidden(config, i, j, length) for j in range(1, length + 1))


MASKED_NOTE = "exp(−∞) = 0, so its weight is 0, and the others still sum to 1"
BLIND = "every key is hidden: there is nothing to average, so each weight is 0, and so is z"


def _exponential(
    inputs: AttentionInputs, config: AttentionConfig, table: StepTable, view: TableView
) -> list[str]:
    _, i, j = view.cell
    if sees_nothing(config, i, len(inputs.tokens)):
        return [f"exp(−∞) = 0: {BLIND}"]
    return [
        f"exp({_pair('m', i, j)} − max) = exp({{m{i}.{j}:p}} − {{max:p}}) = {{e{j}}}",
        "The row’s largest number is subtracted first: no weight changes, and no exp overflows",
    ]


def _weight(
    inputs: AttentionInputs, config: AttentionConfig, table: StepTable, view: TableView
) -> list[str]:
    _, i, j = view.cell
    length, name = len(inputs.tokens), _pair("α", i, j)
    if sees_nothing(config, i, length):
        return [f"{name} = 0: {BLIND}"]
    every = range(1, length + 1)
    below = " + ".join(f"exp({{m{i}.{n}}})" for n in every)
    shifted = " + ".join(f"{{e{n}}}" for n in every)
    return [
        f"{name} = exp({{m{i}.{j}}}) ÷ ({below})",
        f"= {{e{j}}} ÷ ({shifted}), numerator and denominator divided by exp({{max}})",
        f"= {{e{j}}} ÷ {{sum}} = {{w{i}.{j}}}",
        f"slope ∂α/∂m = α(1 − α) = {{w{i}.{j}}}·(1 − {{w{i}.{j}}}) = {{g{j}}}",
    ]


def _weighted(
    inputs: AttentionInputs, config: AttentionConfig, table: StepTable, view: TableView
) -> list[str]:
    _, j, c = view.cell
    i, value = view.query, float(inputs.value[j - 1, c - 1])
    return [
        f"{_pair('α', i, j)} · {vector('v', j)}[{c}] = {{w{i}.{j}}} · {operand(value)} "
        f"= {{u{j}.{c}}}"
    ]


def _context(
    inputs: AttentionInputs, config: AttentionConfig, table: StepTable, view: TableView
) -> list[str]:
    _, i, c = view.cell
    every = range(1, len(inputs.tokens) + 1)
    column = inputs.value[:, c - 1].tolist()
    sums = " + ".join(f"{_pair('α', i, j)}·{vector('v', j)}[{c}]" for j in every)
    products = " + ".join(f"{{w{i}.{j}}}·{operand(column[j - 1])}" for j in every)
    terms = " + ".join(f"{{u{j}.{c}:p}}" for j in every)
    return [
        f"{vector('z', i)}[{c}] = {sums}",
        f"= {products}",
        f"= {terms} = {{z{i}.{c}}}",
    ]
