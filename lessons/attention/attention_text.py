"""Texts of the step table: notice, steps, what d_k means here, alt text and snippet."""

from __future__ import annotations

from drawing.steps import StepRow
from lessons.attention.attention_picture import TableView, vector
from lmcore.attention.dot_terms import dot
from lmcore.attention.matrices import MOST_ROWS, count_phrase, format_matrix
from lmcore.attention.one_head import ExtractedHead
from lmcore.attention.step_table import LONGEST_TOKEN, AttentionConfig, AttentionInputs
from lmcore.numbers import format_number, operand, subscript

CUT = (
    f"The table has room for {MOST_ROWS} tokens, each of {LONGEST_TOKEN} characters: anything "
    "longer is cut."
)


def head_words(
    label: str, extracted: ExtractedHead, at: tuple[int, int], requested: tuple[int, ...]
) -> str:
    """Which head of which model this is, and whether the model has a causal mask."""
    (layer, head), last = at, (extracted.layers - 1, extracted.heads - 1)
    sentences = [f"{label}: layer {layer} of 0 to {last[0]}, head {head} of 0 to {last[1]}."]
    if at != requested:
        sentences.append(
            f"It has no layer {requested[0]} with a head {requested[1]}; this is the nearest."
        )
    sentences.append(
        "The α computed by the model and those computed here, with the model’s mask, differ by at "
        f"most {format_number(extracted.max_deviation)}."
    )
    if extracted.causal:
        sentences.append(
            "The model itself uses the causal mask; with another mask you see attention that it "
            "never computed."
        )
    return " ".join(sentences)


def d_k_words(inputs: AttentionInputs, config: AttentionConfig) -> str:
    """Explains the effect of d_k for these q and k."""
    wide = int(inputs.query.shape[1])
    if not config.scaled:
        return "The scale is off: d_k has no effect."
    if config.d_k == wide:
        return (
            f"d_k = {wide}: as wide as q and k. Drag it: the scores are unchanged, only √d_k "
            f"changes."
        )
    if config.d_k < wide:
        return (
            f"q and k have {wide} numbers; the scores are unchanged, and are divided by "
            f"√{config.d_k} as if there were {config.d_k}."
        )
    return (
        f"q and k are drawn with {count_phrase(wide, 'number')}; d_k = {config.d_k} counts "
        f"{config.d_k - wide} more that are all 0. So the scores are unchanged, and only √d_k "
        f"changes."
    )


def alt_text(inputs: AttentionInputs, view: TableView) -> str:
    """Alt text, with names in place of the numbers of the query's row."""
    every = range(1, len(inputs.tokens) + 1)
    i = view.query

    def row(letter: str) -> str:
        return ", ".join(f"{{{letter}{i}.{j}}}" for j in every)

    return (
        f"Attention of query {i} over {len(inputs.tokens)} keys: scores {row('s')}; divided by "
        f"{{divisor}}: {row('a')}; after the mask {row('m')}; weights {row('w')}; the first number "
        f"of the output {{z{i}.1}}."
    )


def steps(inputs: AttentionInputs, config: AttentionConfig, view: TableView) -> tuple[StepRow, ...]:
    """The steps of one query and one key, one operation per row."""
    i, j, length = view.query, _key(view), len(inputs.tokens)
    score = dot(inputs.query[i - 1], inputs.key[j - 1])
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
        (f"α · {vector('v', n)}[1]", f"{{w{i}.{n}}} × {operand(float(inputs.value[n - 1, 0]))}"
         f" = {{u{n}.1}}")
        for n in range(1, length + 1)
    )  # fmt: skip
    root = f"{{s{i}.{j}}}" + (" ÷ {root}" if config.scaled else "")
    root += " ÷ {tau}" if config.temperature != 1 else ""
    wide = count_phrase(int(inputs.value.shape[1]), "number")
    return (
        *_projected(inputs, i, j),
        StepRow("score", f"{vector('q', i)} · {vector('k', j)}", f"{{s{i}.{j}}}", f"s{pair}",
             "score", operands=(*terms, *others)),
        StepRow("scaled", root, f"{{a{i}.{j}}}", f"s{pair}/√d_k", "score"),
        StepRow("masked", f"{{a{i}.{j}}}, or −∞ where hidden", f"{{m{i}.{j}}}", f"m{pair}",
             "score"),
        StepRow("exp", f"exp({{m{i}.{j}:p}} − {{max:p}})", f"{{e{j}}}", "", "activation"),
        StepRow("sum over the keys", "Σ exp(m − max)", "{sum}", "", "activation", operands=weights),
        StepRow("weight", f"{{e{j}}} ÷ {{sum}}", f"{{w{i}.{j}}}", f"α{pair}", "activation"),
        StepRow("slope", f"{{w{i}.{j}}} × (1 − {{w{i}.{j}}})", f"{{g{j}}}", "∂α/∂m", "gradient"),
        StepRow("output, its first number", f"Σ α · v[1] over {count_phrase(length, 'key')}",
             f"{{z{i}.1}}", f"{vector('z', i)}[1]", "activation",
             shape=f"one of {wide}", operands=values),
    )  # fmt: skip


def _key(view: TableView) -> int:
    """The key of the opened cell, or the first."""
    pairs = ("score", "scaled", "masked", "exp", "weight")
    if view.cell.stage in pairs:
        return view.cell.column
    return view.cell.row if view.cell.stage in ("k", "v", "weighted") else 1


def _projected(inputs: AttentionInputs, i: int, j: int) -> tuple[StepRow, ...]:
    if inputs.inputs is None:
        return ()
    wide, d_k = inputs.inputs.shape[1], inputs.query.shape[1]
    return tuple(
        StepRow(name, f"{vector('x', at)} W^{letter.upper()}", vector_text(values[at - 1].tolist()),
             vector(letter, at), name, shape=f"{wide} → {d_k}")
        for name, letter, at, values in (
            ("query", "q", i, inputs.query), ("key", "k", j, inputs.key)
        )
    )  # fmt: skip


def vector_text(numbers: list[float], *, most: int = 4) -> str:
    """A vector, or its first numbers."""
    rest = ", …" if len(numbers) > most else ""
    return f"({', '.join(map(format_number, numbers[:most]))}{rest})"


def typed_source(inputs: AttentionInputs) -> str:
    """The lines of a script that make Q, K and V, as typed or from X and W."""
    if inputs.inputs is None or inputs.projections is None:
        return "\n".join(
            f"{letter} = parse_matrix({format_matrix(values)!r}, {letter!r})"
            for letter, values in zip("QKV", (inputs.query, inputs.key, inputs.value), strict=True)
        )
    products = (
        f"{letter} = X @ parse_matrix({format_matrix(weight)!r}, 'W^{letter}')"
        for letter, weight in zip("QKV", inputs.projections[:3], strict=True)
    )
    return "\n".join([f"X = parse_matrix({format_matrix(inputs.inputs)!r}, 'X')", *products])


def model_source(model: str, text: str, at: tuple[int, int]) -> str:
    """The lines of a script that take Q, K and V from a model's head."""
    return f"""reader = load({model!r})
read = reader.read({text!r}, most={MOST_ROWS})
given = extract_head(reader.network, read, layer={at[0]}, head={at[1]}).given
Q, K, V = given.query, given.key, given.value"""


def snippet(config: AttentionConfig, query: int, source: str) -> str:
    """A script that prints the numbers of the query's row; `source` makes Q, K and V."""
    imports = ["from lmcore.models.attention import attention"]
    if "parse_matrix(" in source:
        imports.append("from lmcore.attention.matrices import parse_matrix")
    else:
        imports.append("from lmcore.attention.one_head import extract_head")
        imports.append("from ui.pretrained import load")
    imports.append("from lmcore.attention.step_table import AttentionConfig")
    lines = "\n".join(imports)
    return f"""{lines}

{source}
config = {config!r}
mask = config.seen(len(Q))
trace = attention(Q, K, V, mask, scale=config.scale, temperature=config.temperature)
row = {query - 1}
print("scores ", trace.scores[row].tolist())
print("scaled ", trace.scaled[row].tolist())
print("masked ", trace.masked[row].tolist())
print("weights", trace.weights[row].tolist())
print("z      ", trace.context[row].tolist())
"""
