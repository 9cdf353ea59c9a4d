"""The sentence, the formula and the description of the picture of all matrices."""

from __future__ import annotations

from lessons.attention.attention_picture import TableView, vector
from lessons.attention.flow_picture import Pair
from lessons.attention.flow_text import Quote, quoted_word
from lessons.attention.matrices_picture import MatrixStage, divided
from lmcore.attention.step_table import AttentionConfig, AttentionInputs

MOST_MIXED = 3
"""The most weighted values that the formula of z writes out: the largest ones."""


def row(letter: str, i: int, wide: int) -> str:
    """A row of a matrix, as a template: ({q2.1}, {q2.2})."""
    return f"({', '.join(f'{{{letter}{i}.{j}}}' for j in range(1, wide + 1))})"


def sentence(
    inputs: AttentionInputs, view: TableView, favoured: Pair, stage: MatrixStage, quote: Quote
) -> str:
    """The finding, as a template: what a row of X becomes, or of what a row of Z is made."""
    asks = quoted_word(inputs, view.query - 1, quote)
    i, (d_k, d_v) = view.query, _widths(inputs)
    if stage == "qkv":
        wide = 0 if inputs.inputs is None else int(inputs.inputs.shape[1])
        return (
            f"The row of {asks}, {row('x', i, wide)}, becomes a query =={row('q', i, d_k)}==, a "
            f"key [key|**{row('k', i, d_k)}**] and a value [value|**{row('v', i, d_v)}**]."
        )
    best, second = favoured
    if best is None:
        return f"{asks} sees no key: its weights and its row of Z, =={row('z', i, d_v)}==, are 0."
    w, other = f"{{w{i}.{best + 1}}}", _other(inputs, i, best, quote)
    if second is None:
        return f"{asks} sees only {other}: it takes all of its new vector, =={w}==, from it."
    return f"{asks} takes =={w}== of its new vector {row('z', i, d_v)} from {other}."


def moved(
    inputs: AttentionInputs, view: TableView, favoured: Pair, stage: MatrixStage, quote: Quote
) -> str:
    """The sentence while a number of X is dragged."""
    asks = quoted_word(inputs, view.query - 1, quote)
    i, (d_k, d_v) = view.query, _widths(inputs)
    start = "You moved **{label}** from {moved<} to =={moved}==: "
    if stage == "qkv":
        query, key, value = row("q", i, d_k), row("k", i, d_k), row("v", i, d_v)
        return (
            f"{start}{asks} asks with [query|**{query}**], is found by [key|**{key}**] and gives "
            f"[value|**{value}**]."
        )
    if favoured.best is None:
        return f"{start}{asks} sees no key, so its row of Z stays 0."
    w, other = f"w{i}.{favoured.best + 1}", _other(inputs, i, favoured.best, quote)
    return f"{start}{asks} takes {{{w}<}} → **[activation|{{{w}}}]** from {other}."


def _other(inputs: AttentionInputs, i: int, key: int, quote: Quote) -> str:
    return "itself" if key == i - 1 else quoted_word(inputs, key, quote)


def _widths(inputs: AttentionInputs) -> tuple[int, int]:
    return int(inputs.query.shape[1]), int(inputs.value.shape[1])


def formula(
    inputs: AttentionInputs,
    config: AttentionConfig,
    view: TableView,
    weights: list[float],
    stage: MatrixStage,
) -> list[str]:
    """The formulas with their numbers, as templates: q, k and v, or s, α and z."""
    i, (_, d_v) = view.query, _widths(inputs)
    if stage == "qkv":
        return [_projected(inputs, i, letter, role) for letter, role in ROLES.items()]
    z = f"[value|{vector('z', i)}]"
    visible = [j for j, weight in enumerate(weights, start=1) if weight > 0]
    if not visible:
        return ["[score|−∞] for every key", f"{z} = **{row('z', i, d_v)}**"]
    length = len(inputs.tokens)
    by = f" ÷ {divided(config)}" if divided(config) else ""
    largest = sorted(sorted(visible, key=lambda j: -weights[j - 1])[:MOST_MIXED])
    terms = [f"[activation|{{w{i}.{j}}}]·{row('v', j, d_v)}" for j in largest]
    rest = " + …" if len(visible) > len(largest) else ""
    return [
        f"[query|{vector('q', i)}] [key|Kᵀ]{by} = [score|{row('m', i, length)}]",
        f"{z} = {' + '.join(terms)}{rest} = **{row('z', i, d_v)}**",
    ]


ROLES = {"q": "query", "k": "key", "v": "value"}
"""A vector → its colour."""


def _projected(inputs: AttentionInputs, i: int, letter: str, role: str) -> str:
    """The first number of a vector: the row of X times the first column of a matrix."""
    wide = 0 if inputs.inputs is None else int(inputs.inputs.shape[1])
    products = [
        f"{{x{i}.{c}{':p' if c > 1 else ''}}}·{{W{letter}{c}.1:p}}" for c in range(1, wide + 1)
    ]
    return f"[{role}|{vector(letter, i)}]\\[1\\] = {' + '.join(products)} = **{{{letter}{i}.1}}**"


def describe(inputs: AttentionInputs, view: TableView, stage: MatrixStage) -> str:
    """The alt text of the picture, as a template."""
    i, (d_k, d_v), length = view.query, _widths(inputs), len(inputs.tokens)
    if stage == "qkv":
        wide = 0 if inputs.inputs is None else int(inputs.inputs.shape[1])
        return (
            f"X, {length} words by {wide} numbers, times three matrices. Row {i} of X is "
            f"{row('x', i, wide)}; of Q {row('q', i, d_k)}; of K {row('k', i, d_k)}; of V "
            f"{row('v', i, d_v)}."
        )
    return (
        f"Q times K transposed, divided, softmax, times V. Row {i} of the scores: "
        f"{row('s', i, length)}; divided and masked: {row('m', i, length)}; weights: "
        f"{row('w', i, length)}; Z: {row('z', i, d_v)}."
    )
