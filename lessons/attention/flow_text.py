"""The sentence, the formula and the description of the picture of one query."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from lessons.attention.attention_picture import TableView, vector
from lessons.attention.flow_picture import MOST_TERMS, Pair
from lmcore.attention.step_table import AttentionConfig, AttentionInputs, StepTable
from lmcore.numbers import operand, subscript

MOST_SUMMED = 3
"""The most weighted values that the formula of z writes out: the largest ones."""
LONGEST_QUOTED = 18
"""Characters of a token in the sentence."""
Quote = Callable[[str], str]
"""Escapes a token for the sentence."""


def sentence(
    inputs: AttentionInputs,
    config: AttentionConfig,
    table: StepTable,
    view: TableView,
    favoured: Pair,
    quote: Quote,
) -> str:
    """The finding, as a template: which key gets the most weight, and why."""
    best, second = favoured
    asks = quoted_word(inputs, view.query - 1, quote)
    if best is None:
        return f"{asks} sees no key: there is nothing to average, so every weight and z are ==0==."
    w = f"=={{w{best + 1}}}=="
    looks = f"{asks} looks most at {_other(inputs, view, best, quote)}: {w}"
    if second is None:
        return f"{asks} sees only {_other(inputs, view, best, quote)}: it gets all the weight, {w}."
    row = table.masked[view.query - 1]
    if float(row[best]) == float(row[second]):
        return (
            f"{looks}, and as much at {_other(inputs, view, second, quote)}: the scores are equal."
        )
    ratio = "[activation|**{ratio}** to 1]"
    if not config.scaled:
        other = _other(inputs, view, second, quote)
        divided = "Not divided" if config.temperature == 1 else "Divided by τ = {tau} alone"
        return (
            f"{divided}, scores **{{gap}}** apart make weights {ratio}: {other} gets "
            f"=={{w{second + 1}}}==."
        )
    return (
        f"{looks}. Scores [score|**{{gap}}** apart], ÷ {{divisor}}, are [score|**{{apart}}** "
        f"apart]: weights {ratio}."
    )


def moved(inputs: AttentionInputs, view: TableView, favoured: Pair, quote: Quote) -> str:
    """The sentence while a slider is dragged."""
    start = "You moved **{label}** from {moved<} to =={moved}==: "
    if favoured.best is None:
        return f"{start}no key is visible, so nothing changes."
    w, key = f"w{favoured.best + 1}", quoted_word(inputs, favoured.best, quote)
    divided = "scores ÷ {divisor<} are now ÷ **{divisor}**"
    return f"{start}{divided}, and {key} gets {{{w}<}} → **[activation|{{{w}}}]**."


def quoted_word(inputs: AttentionInputs, at: int, quote: Quote) -> str:
    """A token in quotation marks, cut where it is long."""
    token = inputs.tokens[at]
    cut = token if len(token) <= LONGEST_QUOTED else f"{token[: LONGEST_QUOTED - 1]}…"
    return f"“{quote(cut)}”"


def _other(inputs: AttentionInputs, view: TableView, at: int, quote: Quote) -> str:
    return "itself" if at == view.query - 1 else quoted_word(inputs, at, quote)


def formula(
    inputs: AttentionInputs,
    config: AttentionConfig,
    table: StepTable,
    view: TableView,
    favoured: Pair,
) -> list[str]:
    """The formulas with their numbers, as templates: the score, its divisor, α and z."""
    i, length = view.query, len(inputs.tokens)
    z = f"[value|{vector('z', i)}]"
    if favoured.best is None:
        return ["[score|−∞] for every key", f"{z} = **0**"]
    j = favoured.best + 1
    comma = "," if max(i, j) > 9 else ""
    places = f"{subscript(i)}{comma}{subscript(j)}"
    divided = f"{{s{j}}}" + (" ÷ √{d_k}" if config.scaled else "")
    divided += " ÷ {tau}" if config.temperature != 1 else ""
    visible = [n + 1 for n in range(length) if float(table.masked[i - 1, n]) > -math.inf]
    below = (
        " + ".join(f"exp({{a{n}}})" for n in visible) if len(visible) <= MOST_SUMMED else "Σ exp(…)"
    )
    return [
        f"[score|s{places}] = {_dot(inputs, i, j)} = **[score|{{s{j}}}]**",
        *([f"{divided} = **[score|{{a{j}}}]**"] if "÷" in divided else []),
        f"[activation|α{places}] = exp({{a{j}}}) ÷ {_grouped(below)} = **[activation|{{w{j}}}]**",
        f"{z} = {_sum(table, i, visible)}",
    ]


def _dot(inputs: AttentionInputs, i: int, j: int) -> str:
    """The products that add up to q · k, or the two vectors if there are too many."""
    products = [
        f"{operand(a)}·{operand(b)}"
        for a, b in zip(inputs.query[i - 1].tolist(), inputs.key[j - 1].tolist(), strict=True)
    ]
    if len(products) > MOST_TERMS:
        return f"{vector('q', i)}·{vector('k', j)}"
    return " + ".join(products)


def _grouped(text: str) -> str:
    return f"({text})" if " + " in text else text


def _sum(table: StepTable, i: int, visible: Sequence[int]) -> str:
    weights = table.weights[i - 1]
    largest = sorted(visible, key=lambda n: -float(weights[n - 1]))[:MOST_SUMMED]
    terms = [f"[activation|{{w{n}}}]·{vector('v', n)}" for n in sorted(largest)]
    return " + ".join(terms) + (" + …" if len(visible) > len(largest) else "")


def describe(inputs: AttentionInputs, config: AttentionConfig, view: TableView) -> str:
    """The alt text of the picture, as a template."""
    length = len(inputs.tokens)
    every = range(1, length + 1)
    mask = config.seen(length)
    closed = [] if mask is None else [j for j in every if not bool(mask[view.query - 1, j - 1])]
    hidden = f" Hidden by the mask: keys {', '.join(map(str, closed))}." if closed else ""
    return (
        f"Attention of query {view.query} of {length}: scores {_listed('s', every)}, divided by "
        f"{{divisor}}: {_listed('a', every)}; weights {_listed('w', every)}; the first number of "
        f"its output: {{z1}}.{hidden}"
    )


def _listed(letter: str, every: Sequence[int]) -> str:
    return ", ".join(f"{{{letter}{j}}}" for j in every)
