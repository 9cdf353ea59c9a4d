"""One open number of the flow in words: its name, its terms, and its formula with numbers."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypedDict

from lessons.transformer.transformer_shown import Shown
from lmcore.numbers import format_number, operand
from lmcore.transformer.flow import Add, Lookup, Mix, Project, Stage
from lmcore.transformer.operands import Operands

SHOWN_TERMS = 7
"""The number of terms of a sum that are shown: those with the largest products."""


class NumberTerm(TypedDict):
    """A term: its name, and those of left × right = product that it has."""

    label: str
    left: str
    right: str
    product: str
    share: float
    """The product divided by the largest product of all terms, with its sign."""


class OpenNumber(TypedDict):
    """A number with its operands, as they are printed."""

    stage: str
    row: int
    column: int
    title: str
    rule: str
    """What is computed, in symbols."""
    heads: Sequence[str]
    """The titles of left, right and product; "" for none."""
    terms: Sequence[NumberTerm]
    rest: str
    """The number of terms that are not shown, and their sum."""
    further: Sequence[str]
    """The other numbers of the rule."""
    text: str
    formula: list[str]


PARTS = {
    "token": "E[x]",
    "position": "position",
    "segment": "segment",
    "embedding": "embedding",
    "ln0": "LayerNorm of the embedding",
    "ln1": "LayerNorm before attention",
    "ln2": "LayerNorm before the MLP",
    "lnc": "LayerNorm before cross-attention",
    "q": "Q",
    "k": "K",
    "v": "V",
    "score": "score",
    "alpha": "α",
    "z": "Z",
    "o": "attention’s output",
    "r1": "stream after attention",
    "n1": "stream after attention, normalised",
    "rc": "stream after cross-attention",
    "nc": "stream after cross-attention, normalised",
    "pre": "z of the MLP",
    "act": "g(z) of the MLP",
    "mlp": "MLP’s output",
    "r2": "stream after the MLP",
    "n2": "stream after the MLP, normalised",
    "m": "encoder’s output m",
    "final": "LayerNorm of the last vectors",
    "dense": "z of the head",
    "active": "g(z) of the head",
    "transformed": "LayerNorm of the head",
    "logits": "logit",
    "p": "ŷ",
}
"""Part of a stage's name → its name in words."""
STAGE = re.compile(r"(?:([bed])(\d+)\.)?(e\.)?(c?)([a-z]+\d?)(?:\.(\d+))?")
BLOCKS = {"b": "block", "e": "encoder block", "d": "decoder block"}


def stage_name(name: str) -> str:
    """A stage in words: Q of block 1, α of head 2 of block 1."""
    found = STAGE.fullmatch(name)
    if found is None:
        return name
    letter, block, encoder, cross, part, head = found.groups()
    if f"{cross}{part}" in PARTS:
        cross, part = "", f"{cross}{part}"
    said = PARTS.get(part, part)
    if cross:
        said = f"cross-attention’s {said}"
    if head and part in ("score", "alpha"):
        said += f" of head {head}"
    if letter:
        said += f", {BLOCKS[letter]} {block}"
    return f"{said} of the source" if encoder else said


def stage_title(shown: Shown, number: Operands) -> str:
    """The name of an open number: its stage, its token, its column."""
    stage = shown.flow[number.stage]
    tokens = shown.source if stage.rows == "source" else shown.tokens
    said = f"{stage_name(number.stage)}, of **{_plain(tokens[number.row])}**"
    return f"{said}, {_column(shown, stage, number)}"


def _column(shown: Shown, stage: Stage, number: Operands) -> str:
    part = number.stage.rpartition(".")[0].rpartition(".")[2]
    if stage.name in ("logits", "p"):
        return f"word **{_plain(shown.decode([number.column])[0])}**"
    if part in ("score", "alpha", "cscore", "calpha"):
        keys = shown.tokens if not part.startswith("c") and stage.rows == "target" else shown.source
        return f"for **{_plain(keys[number.column])}**"
    return f"column {number.column}"


def _plain(text: str) -> str:
    return "".join(f"\\{c}" if c in "\\*=[]|{}" else c for c in text)


def open_number(shown: Shown, number: Operands) -> OpenNumber:
    """A number with its operands, as they are printed."""
    stage = shown.flow[number.stage]
    order = number.product.abs().argsort(descending=True, stable=True)[:SHOWN_TERMS].sort().values
    largest = float(number.product.abs().max()) or 1.0
    labels = _label_of(shown, stage, number)
    heads = _heads(shown, number)
    terms: list[NumberTerm] = [
        {
            "label": labels(i),
            "left": format_number(float(number.left[i])) if heads[0] else "",
            "right": format_number(float(number.right[i])) if heads[1] else "",
            "product": format_number(float(number.product[i])),
            "share": float(number.product[i]) / largest,
        }
        for i in order.tolist()
    ]
    left_out = len(number.product) - len(terms)
    rest = float(number.product.sum() - number.product[order].sum())
    return {
        "stage": number.stage,
        "row": number.row,
        "column": number.column,
        "title": re.sub(r"\*\*|\\", "", stage_title(shown, number)),
        "rule": _rule(stage, number),
        "heads": heads,
        "terms": [] if number.rule in ("normalise", "lookup", "activate") else terms,
        "rest": f"{left_out:,} more: {format_number(rest)}" if left_out else "",
        "further": _further(shown, stage, number),
        "text": format_number(number.value),
        "formula": _formula(stage, number),
    }


def _label_of(shown: Shown, stage: Stage, number: Operands) -> Callable[[int], str]:
    """A function from the index of a term to its name."""
    keys = shown.source if stage.rows == "source" else shown.tokens
    match number.rule:
        case "add":
            return lambda i: shown.flow[number.inputs[i]].symbol
        case "mix" if shown.flow[number.inputs[1]].rows == "source":
            return shown.source.__getitem__
        case "mix":
            return keys.__getitem__
        case "softmax" if stage.name == "p":
            return lambda i: shown.decode([i])[0]
        case "softmax" if ".calpha" in stage.name:
            return shown.source.__getitem__
        case "softmax":
            return keys.__getitem__
    return lambda i: f"column {i}"


def _heads(shown: Shown, number: Operands) -> tuple[str, str, str]:
    match number.rule:
        case "project":
            return "x", "w", "x·w"
        case "score":
            return "q", "k", "q·k"
        case "mix":
            return "α", "v", "α·v"
        case "softmax":
            return "score", "", "share"
        case "add":
            return "", "", "adds"
    return "", "", ""


def _rule(stage: Stage, number: Operands) -> str:
    match stage.operation:
        case Project(_, _, bias, (weight, shift)):
            return f"Σ x·w, w from {weight}" + ("" if bias is None else f"; + b from {shift}")
        case Lookup(table):
            entry = int(number.constants["entry"])
            return f"row {entry:,} of {table}"
        case Mix():
            return "Σⱼ αⱼ vⱼ"
        case Add():
            return "the sum of"
    return {
        "normalise": "(x − μ) / σ · γ + β",
        "score": "q·k / √d_k",
        "softmax": "exp(s) / Σ exp(s)",
        "activate": "g(z)",
    }[number.rule]


def _further(shown: Shown, stage: Stage, number: Operands) -> list[str]:
    said = {name: format_number(value) for name, value in number.constants.items()}
    match number.rule:
        case "normalise":
            return [f"{name} = {said[name]}" for name in ("x", "μ", "σ", "γ", "β")]
        case "project":
            return [f"b = {said['b']}"] if "b" in said else []
        case "score":
            hidden = number.value == float("-inf")
            found = [f"q·k = {said['q·k']}", f"1/√d_k = {said['scale']}"]
            return [*found, "the mask hides this key: −∞"] if hidden else found
        case "softmax":
            return [f"Σ exp(s − {said['maximum']}) = {said['Σ']}"]
        case "activate":
            return [f"z = {format_number(float(number.left[0]))}"]
        case "lookup" if number.constants["scale"] != 1:
            scaled = f"entry {format_number(float(number.left[0]))}"
            return [f"{scaled} · √d = {said['scale']}"]
    return []


def _formula(stage: Stage, number: Operands) -> list[str]:
    value = f"**{format_number(number.value)}**"
    constants = {name: operand(each) for name, each in number.constants.items()}
    order = number.product.abs().argsort(descending=True)[:2].tolist()
    match number.rule:
        case "project" | "score" | "mix":
            products = " + ".join(
                f"{operand(float(number.left[i]))}·{operand(float(number.right[i]))}" for i in order
            )
            dots = " + …" if len(number.product) > len(order) else ""
            if number.rule == "score":
                return [f"({products}{dots}) · {constants['scale']} = {value}"]
            bias = f" + {constants['b']}" if "b" in constants else ""
            return [f"{products}{dots}{bias} = {value}"]
        case "normalise":
            c = constants
            return [f"({c['x']} − {c['μ']}) / {c['σ']} · {c['γ']} + {c['β']} = {value}"]
        case "softmax":
            score = operand(float(number.left[number.column]))
            return [f"exp({score} − {constants['maximum']}) / {constants['Σ']} = {value}"]
        case "add":
            return [f"{' + '.join(operand(float(each)) for each in number.product)} = {value}"]
        case "activate":
            return [f"g({operand(float(number.left[0]))}) = {value}"]
    return [f"{_rule(stage, number)} = {value}"]
