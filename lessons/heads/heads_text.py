"""Sentences, tables and steps of the views of the page on heads."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from drawing.steps import StepRow
from lessons.heads.heads_picture import RankingPayload, head_name, token_in_sentence
from lessons.heads.heads_row import OtherText, QueryRow, compares
from lmcore.attention import heads
from lmcore.attention.ablation import AblationEffect
from lmcore.attention.heads import Head, HeadsTrace, Network, rank_heads, transformer_blocks
from lmcore.numbers import format_number

Quote = Callable[[str], str]
"""Escapes a token for a template."""
LONGEST_QUOTED = 16
"""Characters of a token in the sentence."""
MOST_DESCRIBED = 20
"""The most keys that the alt text names with their weights."""

Escape = Callable[[str], str]
"""Escapes a token for Markdown."""
MOST_TERMS = 6
"""Terms of a dot product that are written out."""


def neuron(trace: HeadsTrace, head: Head, place: int, key: int, plain: Escape) -> str:
    """Which query and keys the neuron view shows."""
    tokens = [plain(token) for token in trace.text.tokens]
    d_k = trace.query.shape[-1]
    query_token, key_token = (token_in_sentence(tokens, each) for each in (place, key))
    return (
        f"{head_name(head).capitalize()}: the query of {query_token} is compared with the "
        f"key of {key_token}. Their {d_k} products are summed and divided by √{d_k}; a softmax "
        f"over all {len(tokens)} keys turns the scores into weights."
    )


def title(text: str, head: Head) -> str:
    """The heading of one of two maps: the end of the text, where presets differ, and the head."""
    return f"{f'… {text[-22:]}' if len(text) > 24 else text} · {head_name(head)}"


def describe_pair(
    maps: Sequence[tuple[str, Sequence[str], Float[Tensor, "_ _"]]],
    query: int | None,
    key: int | None,
) -> str:
    """Alt text for two maps side by side: the weight of the followed pair in each."""
    parts = []
    for heading, tokens, weights in maps:
        if query is None or key is None or max(query, key) >= len(tokens):
            parts.append(f"{heading}: {len(tokens)} tokens.")
            continue
        number = format_number(float(weights[query, key]))
        parts.append(f"{heading}: {tokens[query]} to {tokens[key]} {number}.")
    return f"One head side by side. {' '.join(parts)}"


def shift(
    trace: HeadsTrace,
    other: HeadsTrace,
    here: tuple[int, int],
    there: tuple[int, int],
    shifts: Float[Tensor, "layer head"],
    plain: Escape,
) -> str:
    """The head whose weight differs most between the two texts, and by how much."""
    head, _ = rank_heads(shifts.abs())[0]
    tokens = [plain(token) for token in trace.text.tokens]
    one, two = (each.weights[head] for each in (trace, other))
    return (
        f"From {token_in_sentence(tokens, here[0])} to {token_in_sentence(tokens, here[1])}, the "
        f"weight changes most in **layer {head.layer}, head {head.head}**: "
        f"**{format_number(float(one[here]))}** in the first text, "
        f"**{format_number(float(two[there]))}** in the other. Searched among all "
        f"{shifts.numel()} heads."
    )


def shift_table(
    trace: HeadsTrace,
    other: HeadsTrace,
    here: tuple[int, int],
    there: tuple[int, int],
    shifts: Float[Tensor, "layer head"],
    opened: Head,
) -> RankingPayload:
    """One row per head for `lessons/heads/ranking.js`."""
    heads = [Head(*at) for at in np.ndindex(*shifts.shape)]
    rows = [
        [float(trace.weights[head][here]), float(other.weights[head][there]), float(shifts[head])]
        for head in heads
    ]
    return {
        "columns": ["head", "first text", "other text", "difference"],
        "helps": ["layers and heads count from 0", "weight", "weight", "first less other"],
        "labels": [head_name(head) for head in heads],
        "heads": [str(head) for head in heads],
        "numbers": torch.tensor(rows, dtype=torch.double).reshape(-1).numpy(),
        "here": str(opened),
        "by": 2,
        "down": True,
        "name": "head-shifts",
        "caption": "The weight of the followed pair in both texts, head by head",
    }


def effect_table(effects: list[AblationEffect], opened: Head, measure: str) -> RankingPayload:
    """One row per head for `lessons/heads/ranking.js`."""
    predicts = effects[0].gained is not None
    columns = ["head", "1 − cosine", "moved", *(["Δ log p, nats"] if predicts else [])]
    rows = [
        [each.turned, each.moved, *([] if each.gained is None else [each.gained])]
        for each in effects
    ]
    order = ["turned", "moved", "gained"]
    return {
        "columns": columns,
        "helps": [
            "layers and heads count from 0",
            "how far the token's last vector turns",
            "how far it moves, as a share of its length",
            "change of the log-probability",
        ][: len(columns)],
        "labels": [head_name(each.head) for each in effects],
        "heads": [str(each.head) for each in effects],
        "numbers": torch.tensor(rows, dtype=torch.double).reshape(-1).numpy(),
        "here": str(opened),
        "by": order.index(measure),
        "down": True,
        "name": "head-effects",
        "caption": "The effect of each head on the token",
    }


def five_steps_caption(trace: HeadsTrace, head: Head, place: int, plain: Escape) -> str:
    """Which layer, head and token the five steps show."""
    tokens = [plain(token) for token in trace.text.tokens]
    layers, heads = trace.shape
    return (
        f"Layer {head.layer} of {layers}, head {head.head} of {heads}, the token "
        f"{token_in_sentence(tokens, place)}, its first number at each step. Press a row for its "
        "operands."
    )


def five_steps(
    network: Network, trace: HeadsTrace, head: Head, place: int
) -> tuple[tuple[StepRow, ...], dict[str, Tensor]]:
    """Multi-head attention in the five steps of Feng's slide, for one token: rows and numbers."""
    block = transformer_blocks(network)[head.layer]
    stream = trace.residual[head.layer]
    normed: Tensor = block.attention_norm(stream.to(block.attention.query.weight)).cpu()
    x = (normed if block.pre else stream)[place].double()
    number = head.head * trace.query.shape[-1]
    W = block.attention.query.weight[number].detach().cpu().double()
    b = block.attention.query.bias[number].detach().cpu().double()
    weights = trace.weights[head][place].double()
    value = block.attention.value.weight[number].detach().cpu().double()
    v_b = block.attention.value.bias[number].detach().cpu().double()
    v = (normed if block.pre else stream).double() @ value + v_b
    Z = trace.context[head.layer, :, place].reshape(-1).double()
    out = block.attention.output
    W_O, b_O = out.weight[0].detach().cpu().double(), out.bias[0].detach().cpu().double()
    now = {"x": x[0], "q": x @ W + b, "b": b, "z": weights @ v, "o": Z @ W_O + b_O, "bo": b_O}
    best = weights.argsort(descending=True)[:MOST_TERMS].tolist()
    for n in range(MOST_TERMS):
        now |= {f"x{n}": x[n], f"w{n}": W[n], f"xw{n}": x[n] * W[n]}
        now |= {f"Z{n}": Z[n], f"wo{n}": W_O[n], f"Zw{n}": Z[n] * W_O[n]}
    for n, at in enumerate(best):
        now |= {f"a{n}": weights[at], f"v{n}": v[at], f"av{n}": weights[at] * v[at]}
    return _rows(trace, head, place, best), now


def _rows(trace: HeadsTrace, head: Head, place: int, best: list[int]) -> tuple[StepRow, ...]:
    time, d_k = trace.query.shape[-2:]
    heads, width = trace.shape[1], trace.residual.shape[-1]
    tokens = trace.text.tokens
    source = "E + P + S, normed" if head.layer == 0 else f"R, the output of layer {head.layer - 1}"
    dot = "{x0:p}·{w0:p} + {x1:p}·{w1:p} + … + {b:p}"
    looked = [(tokens[at], f"{{a{n}}}·{{v{n}:p}} = {{av{n}}}") for n, at in enumerate(best)]
    return (
        StepRow("1 input sentence", f"{time} tokens", f"token {place}", shape=f"{time}"),
        StepRow("2 embed each word", source, "{x}", "X", "input", f"{time} × {width}"),
        StepRow(
            f"3 split into {heads} heads, multiply", dot, "{q}", "q = xW^Q + b", "query",
            f"{heads} × {time} × {d_k}", _terms("x", "w", "xw", width),
        ),
        StepRow(
            "4 attention", "{a0}·{v0:p} + {a1}·{v1:p} + …" if time > 1 else "{a0}·{v0:p}", "{z}",
            "z = Σ α v", "value", f"{heads} × {time} × {d_k}", tuple(looked),
        ),
        StepRow(
            "5 concatenate, multiply with W^O", "{Z0:p}·{wo0:p} + {Z1:p}·{wo1:p} + … + {bo:p}",
            "{o}", "Z W^O + b", "activation", f"{time} × {width}", _terms("Z", "wo", "Zw", width),
        ),
    )  # fmt: skip


def _terms(left: str, right: str, product: str, count: int) -> tuple[tuple[str, str], ...]:
    shown = [
        (f"number {n + 1}", f"{{{left}{n}:p}} · {{{right}{n}:p}} = {{{product}{n}}}")
        for n in range(MOST_TERMS)
    ]
    return (*shown, ("and so on", f"{count} products in all"))


def surgery(
    effects: list[AblationEffect],
    measure: str,
    here: Head,
    token: str,
    done: str,
    watched: str | None,
) -> str:
    """Which head changes the token most, and the rank of the open one.

    `watched` is the token whose log-probability is compared.
    """
    order = sorted(effects, key=lambda each: -abs(getattr(each, measure)))
    first = order[0]
    what = f"log p of {watched} changes" if measure == "gained" else "its last vector turns"
    unit = " nats" if measure == "gained" else ", as 1 − cosine"
    sentence = (
        f"With one head {done} at a time, {token} changes most without "
        f"**{head_name(first.head)}**: {what} by "
        f"**{format_number(getattr(first, measure))}**{unit}."
    )
    rank = next((n for n, each in enumerate(order, start=1) if each.head == here), None)
    if rank is None:
        return sentence
    mine = format_number(getattr(order[rank - 1], measure))
    if rank == 1:
        return f"{sentence} It is the open head."
    return (
        f"{sentence} The open head, {head_name(here)}, is number **{rank}** of {len(order)}: "
        f"{mine}."
    )


def reader_code(model: str) -> str:
    """The lines of a script that load a model by its name in the address, from lmcore alone."""
    kind, _, name = model.partition(":")
    if kind in ("folder", "hub"):
        return (
            f"from lmcore.pretrained.allowed import load_from_{kind}\n\n"
            f"reader = load_from_{kind}({name!r})"
        )
    if model == "minilm":
        return "from lmcore.pretrained.wheel import minilm\n\nreader = minilm()"
    imports = "from lmcore.pretrained.reading import VocabularyModel\n"
    if model == "encoder":
        loaded = (
            "from lmcore.shipped.models import encoder\n\nnetwork, vocabulary, *_ = encoder()\n"
        )
    else:
        loaded = (
            "from lmcore.shipped.models import load_shipped\n\n"
            f"loaded, *_ = load_shipped({model!r})\n"
            "network, vocabulary = loaded.network, loaded.vocabulary\n"
        )
    return f"{imports}{loaded}reader = VocabularyModel({model!r}, network, vocabulary)"


def snippet(model: str, text: str, pair: str, head: Head, followed: tuple[int, int]) -> str:
    """A script that prints the numbers on screen; `followed` are the query and the key."""
    place, key = followed
    return f"""from lmcore.attention import heads
from lmcore.attention.ablation import ablation_effects
{reader_code(model)}
text = reader.read({text!r}, {pair!r})
trace = heads.trace_heads(reader.network, text)
layer, head, place, key = {head.layer}, {head.head}, {place}, {key}
print(text.tokens[place], "attends to", text.tokens[key])
print(f"weight   {{trace.weights[layer, head, place, key]:.12f}}")
print(f"scaled   {{heads.query_scores(trace, heads.Head(layer, head), place).scaled[key]:.12f}}")

statistics = heads.head_statistics(trace.weights, text)
for name, title in heads.TITLES.items():
    print(f"{{title:18}}{{getattr(statistics, name)[layer, head]:.6f}}")

layers = ablation_effects(reader.network, trace, place, "mute")
effects = [each for layer in layers for each in layer]
for each in sorted(effects, key=lambda each: -each.turned)[:5]:
    print(f"without {{tuple(each.head)}} (layer, head): 1 - cosine = {{each.turned:.6f}}")
"""


def sentences(trace: HeadsTrace, row: QueryRow, other: OtherText | None, quote: Quote) -> list[str]:
    """The findings, as templates; the number @say of a head selects its finding."""
    tokens = trace.text.tokens
    query = f"[query|{_named(tokens, row.place, quote)}]"
    where = "in layer {@layer}, head {@head},"
    if row.key is not None and other is not None and compares(row):
        key = f"[key|{_named(tokens, row.key, quote)}]"
        there = f"**[activation|{{o{row.key}}}]**"
        start = _changed(tokens, other.tokens, quote)
        return [
            f"{start}: {where} the weight of {query} on {key} {verb} "
            + (f"at =={{w{row.key}}}==." if verb == "stays" and _same(row) else
               f"from =={{w{row.key}}}== to {there}.")
            for verb in ("falls", "rises", "stays")
        ]  # fmt: skip
    found = []
    for best in range(len(tokens)):
        most = f"[key|{_named(tokens, best, quote)}]"
        if row.key is None or row.key == best:
            found.append(
                f"{where.capitalize()} {query} attends most to {most}: =={{w{best}}}== of its "
                "weight."
            )
            continue
        key = f"[key|{_named(tokens, row.key, quote)}]"
        found.append(
            f"{where.capitalize()} {query} attends to {key} with weight =={{w{row.key}}}==, and "
            f"most to {most}: [activation|{{w{best}}}]."
        )
    return found


def _same(row: QueryRow) -> bool:
    """Whether no head's weight of the followed key differs in the other text."""
    here, there = (row.table[:, row.names.index(f"{letter}{row.key}")] for letter in "wo")
    return bool((here == there).all())


def _changed(tokens: Sequence[str], others: Sequence[str], quote: Quote) -> str:
    at = heads.changed_token(tokens, others)
    if at is None:
        return "Read the other text"
    return f"Change **{_cut(tokens[at], quote)}** to **{_cut(others[at], quote)}**"


def _named(tokens: Sequence[str], place: int, quote: Quote) -> str:
    return f"“\u2068{_cut(tokens[place], quote)}\u2069”"


def _cut(token: str, quote: Quote) -> str:
    return quote(token if len(token) <= LONGEST_QUOTED else f"{token[: LONGEST_QUOTED - 1]}…")


def formulas(
    trace: HeadsTrace, row: QueryRow, hidden: Sequence[str], quote: Quote
) -> list[list[str]]:
    """q · k, divided by √d_k, and its softmax; the number @formula of a head selects its row."""
    tokens, d_k = trace.text.tokens, trace.query.shape[-1]
    query = f"[query|q({_cut(tokens[row.place], quote)})]"
    visible = heads.visible_keys(trace, row.place)
    keys = range(len(tokens)) if row.key is None else [row.key]
    over = f"softmax over {visible} key{'s' * (visible != 1)}"
    if row.key is None and "weights" in hidden:
        return [[f"{query} · k ÷ √{d_k}", f"{over}: [activation|α = ?]"]] * len(tokens)
    return [
        [
            f"{query} · [key|k({_cut(tokens[key], quote)})] = **[score|{{dot}}]**",
            f"÷ √{d_k} = **[score|{{s{key}}}]**",
            f"{over}: [activation|α] = **[activation|{{w{key}}}]**",
        ]
        for key in keys
    ]


def moved(trace: HeadsTrace) -> str:
    """The sentence while the threshold is dragged."""
    count = len(trace.text.tokens) ** 2
    return (
        f"In layer {{@layer}}, head {{@head}}, =={{left}}== of {count:,} weights are at least "
        "**{moved}**; the others are hidden."
    )


def describe(trace: HeadsTrace, row: QueryRow, model: str) -> str:
    """The alt text of the picture, as a template."""
    tokens = [token.replace("{", "(").replace("}", ")") for token in trace.text.tokens]
    layers, count = trace.shape
    shown = range(min(len(tokens), MOST_DESCRIBED))
    rest = "" if len(tokens) <= MOST_DESCRIBED else f" The first {MOST_DESCRIBED} of them."
    listed = ", ".join(f"{tokens[j]} {{w{j}}}" for j in shown)
    return (
        f"The attention weights of {model} over {len(tokens)} tokens: {layers} layers of {count} "
        f"heads, one small map each. Open: layer {{@layer}}, head {{@head}}. The row of "
        f"{tokens[row.place]} before and after the softmax; its weights: {listed}.{rest}"
    )
