"""The step table in words: notice, steps, what d_k means here, alt text and snippet."""

from __future__ import annotations

import math
from collections.abc import Callable

from lessons.attention.cells import BLIND, sees_nothing
from lessons.attention.picture import TableView, vector
from lessons.shared.steps import StepRow
from lmcore.attention.dot_terms import dot
from lmcore.attention.matrices import MOST_ROWS, count_phrase, format_matrix
from lmcore.attention.one_head import ExtractedHead
from lmcore.attention.step_table import (
    LONGEST_TOKEN,
    AttentionConfig,
    AttentionInputs,
    StepTable,
    compute_step_table,
    unscaled_config,
)
from lmcore.numbers import format_number, operand, subscript


def notice(
    given: AttentionInputs,
    how: AttentionConfig,
    table: StepTable,
    query: int,
    plain: Callable[[str], str],
) -> list[str]:
    """Where the query looks, and what the division does to it; `plain` makes text of a token."""
    at, length = query - 1, len(given.tokens)
    said = f"“{plain(given.tokens[at])}”"
    if sees_nothing(how, query, length):
        return [f"Query {query}, {said}: {BLIND}."]
    weights = table.weights[at]
    best = int(weights.argmax())
    first = (
        f"{said} looks most at “{plain(given.tokens[best])}”: α{subscript(query)}"
        f"{',' if max(query, best + 1) > 9 else ''}{subscript(best + 1)} = "
        f"**{format_number(float(weights[best]))}**."
    )
    finite = table.masked[at][table.masked[at] > -math.inf]
    if len(finite) < 2:
        return [first, "It is the only key that it may look at, so its weight is 1."]
    top, second = finite.topk(2).values.tolist()
    apart = (
        f"Its two largest numbers before the softmax are {format_number(top - second)} apart, so "
        f"their weights are as exp({format_number(top - second)}) = "
        f"{format_number(math.exp(min(top - second, 700)))} to 1."
    )
    return [first, apart, _scale_words(given, how, table, at)]


def _scale_words(given: AttentionInputs, how: AttentionConfig, table: StepTable, at: int) -> str:
    largest, slope = float(table.weights[at].max()), float(table.slopes[at].max())
    if not how.scaled:
        return (
            f"Without ÷ √d_k no weight of this row moves by more than {format_number(slope)} for "
            "each unit of its score."
        )
    other = compute_step_table(given, unscaled_config(how))
    return (
        f"Without ÷ √d_k the largest weight would be {_near_one(float(other.weights[at].max()))} "
        f"in place of {format_number(largest)}, and the steepest slope "
        f"{format_number(float(other.slopes[at].max()))} in place of {format_number(slope)}."
    )


def _near_one(weight: float) -> str:
    """A weight so near 1 that four digits would say it is 1."""
    short = format_number(weight)
    return short if short != "1.000" else f"1 − {format_number(1 - weight)}"


CUT = (
    f"The table has room for {MOST_ROWS} tokens, each of {LONGEST_TOKEN} characters: what is "
    "longer was cut."
)


def head_words(
    label: str, found: ExtractedHead, at: tuple[int, int], asked: tuple[int, ...]
) -> str:
    """Which head of which model this is, and what its own mask is."""
    (layer, head), last = at, (found.layers - 1, found.heads - 1)
    said = f"{label}: layer {layer} of 0 to {last[0]}, head {head} of 0 to {last[1]}."
    if at != asked:
        said += f" It has no layer {asked[0]} with a head {asked[1]}; this is the nearest."
    said += (
        f" Its own α and ours, with its own mask, differ by at most {format_number(found.max_deviation)}."
    )
    if found.causal:
        said += " The model itself has the causal mask; with another you see what it never did."
    return said


def d_k_words(given: AttentionInputs, how: AttentionConfig) -> str:
    """What dragging d_k means for the q and k at hand."""
    wide = int(given.query.shape[1])
    if not how.scaled:
        return "The scale is off: d_k plays no part."
    if how.d_k == wide:
        return f"d_k = {wide}: as wide as q and k are. Drag it: scores stay, only √d_k changes."
    if how.d_k < wide:
        return (
            f"q and k have {wide} numbers; the scores stay, and are divided by √{how.d_k} as if "
            f"there were {how.d_k}."
        )
    return (
        f"q and k are drawn with {count_phrase(wide, 'number')}; d_k = {how.d_k} counts "
        f"{how.d_k - wide} more that are all 0. So the scores stay, and only √d_k changes."
    )


def alt_text(given: AttentionInputs, seen: TableView) -> str:
    """Alt text, with the numbers of the query's row as names."""
    every = range(1, len(given.tokens) + 1)
    i = seen.query

    def row(letter: str) -> str:
        return ", ".join(f"{{{letter}{i}.{j}}}" for j in every)

    return (
        f"Attention of query {i} over {len(given.tokens)} keys: scores {row('s')}; divided by "
        f"{{divisor}}: {row('a')}; after the mask {row('m')}; weights {row('w')}; the first number "
        f"of the output {{z{i}.1}}."
    )


def steps(given: AttentionInputs, how: AttentionConfig, seen: TableView) -> tuple[StepRow, ...]:
    """One query and one key, an operation a row."""
    i, j, length = seen.query, _key(seen), len(given.tokens)
    score = dot(given.query[i - 1], given.key[j - 1])
    terms = [
        (f"q[{c + 1}] · k[{c + 1}]", f"{operand(a)}·{operand(b)} = {format_number(product)}")
        for c, a, b, product in zip(
            score.places, score.left, score.right, score.products, strict=True
        )
    ]
    others = [(f"the other {score.others}", format_number(score.rest))] if score.others else []
    pair = f"{subscript(i)}{',' if max(i, j) > 9 else ''}{subscript(j)}"
    weights = tuple((f"exp of key {n}", f"{{e{n}}}") for n in range(1, length + 1))
    values = tuple(
        (f"α · {vector('v', n)}[1]", f"{{w{i}.{n}}} × {operand(float(given.value[n - 1, 0]))}"
         f" = {{u{n}.1}}")
        for n in range(1, length + 1)
    )  # fmt: skip
    root = f"{{s{i}.{j}}}" + (" ÷ {root}" if how.scaled else "")
    root += " ÷ {tau}" if how.temperature != 1 else ""
    wide = count_phrase(int(given.value.shape[1]), "number")
    return (
        *_projected(given, i, j),
        StepRow("score", f"{vector('q', i)} · {vector('k', j)}", f"{{s{i}.{j}}}", f"s{pair}", "score",
             operands=(*terms, *others)),
        StepRow("scaled", root, f"{{a{i}.{j}}}", f"s{pair}/√d_k", "score"),
        StepRow("masked", f"{{a{i}.{j}}}, or −∞ where hidden", f"{{m{i}.{j}}}", f"m{pair}", "score"),
        StepRow("exp", f"exp({{m{i}.{j}:p}} − {{max:p}})", f"{{e{j}}}", "", "activation"),
        StepRow("sum over the keys", "Σ exp(m − max)", "{sum}", "", "activation", operands=weights),
        StepRow("weight", f"{{e{j}}} ÷ {{sum}}", f"{{w{i}.{j}}}", f"α{pair}", "activation"),
        StepRow("slope", f"{{w{i}.{j}}} × (1 − {{w{i}.{j}}})", f"{{g{j}}}", "∂α/∂m", "gradient"),
        StepRow("output, its first number", f"Σ α · v[1] over {count_phrase(length, 'key')}", f"{{z{i}.1}}",
             f"{vector('z', i)}[1]", "activation", shape=f"one of {wide}", operands=values),
    )  # fmt: skip


def _key(seen: TableView) -> int:
    """The key of the opened cell, or the first."""
    pairs = ("score", "scaled", "masked", "exp", "weight")
    if seen.cell.stage in pairs:
        return seen.cell.column
    return seen.cell.row if seen.cell.stage in ("k", "v", "weighted") else 1


def _projected(given: AttentionInputs, i: int, j: int) -> tuple[StepRow, ...]:
    if given.inputs is None:
        return ()
    wide, d_k = given.inputs.shape[1], given.query.shape[1]
    return tuple(
        StepRow(name, f"{vector('x', at)} W^{letter.upper()}", vector_text(values[at - 1].tolist()),
             vector(letter, at), name, shape=f"{wide} → {d_k}")
        for name, letter, at, values in (
            ("query", "q", i, given.query), ("key", "k", j, given.key)
        )
    )  # fmt: skip


def vector_text(numbers: list[float], *, most: int = 4) -> str:
    """A vector, or how it begins."""
    rest = ", …" if len(numbers) > most else ""
    return f"({', '.join(map(format_number, numbers[:most]))}{rest})"


def typed_source(given: AttentionInputs) -> str:
    """The lines of a script that make Q, K and V as they were typed, or came of X and W."""
    if given.inputs is None or given.projections is None:
        return "\n".join(
            f"{letter} = matrix({format_matrix(values)!r}, {letter!r})"
            for letter, values in zip("QKV", (given.query, given.key, given.value), strict=True)
        )
    products = (
        f"{letter} = X @ matrix({format_matrix(weight)!r}, 'W^{letter}')"
        for letter, weight in zip("QKV", given.projections[:3], strict=True)
    )
    return "\n".join([f"X = matrix({format_matrix(given.inputs)!r}, 'X')", *products])


def model_source(model: str, text: str, at: tuple[int, int]) -> str:
    """The lines of a script that take Q, K and V from a model's head."""
    return f"""reader = load({model!r})
read = reader.read({text!r}, most={MOST_ROWS})
given = one_head(reader.network, read, layer={at[0]}, head={at[1]}).given
Q, K, V = given.query, given.key, given.value"""


def snippet(how: AttentionConfig, query: int, source: str) -> str:
    """A script that prints the numbers of the query's row; `source` makes Q, K and V."""
    imports = ["from lmcore.models.attention import attention"]
    if "parse_matrix(" in source:
        imports += [
            "from lmcore.attention.matrices import parse_matrix",
            "from lmcore.attention.step_table import AttentionConfig",
        ]
    else:
        imports += [
            "from lmcore.attention.one_head import extract_head",
            "from lmcore.attention.step_table import AttentionConfig",
        ]
        imports += ["from ui.pretrained import load"]
    lines = "\n".join(imports)
    return f"""{lines}

{source}
how = {how!r}
mask = how.seen(len(Q))
seen = attention(Q, K, V, mask, scale=how.scale, temperature=how.temperature)
row = {query - 1}
print("scores ", seen.scores[row].tolist())
print("scaled ", seen.scaled[row].tolist())
print("masked ", seen.masked[row].tolist())
print("weights", seen.weights[row].tolist())
print("z      ", seen.context[row].tolist())
"""
