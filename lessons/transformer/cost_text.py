"""Texts and numbers of the views on parameters and cost."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from drawing.steps import StepRow
from lmcore.numbers import format_number
from lmcore.transformer.flops import forward_flops, forward_memory, quadratic_from
from lmcore.transformer.measured_cost import MeasuredCost
from lmcore.transformer.parameters import (
    Part,
    Sizes,
    WeightTensor,
    count_by_part,
    count_parameters,
    weight_tree,
)
from lmcore.transformer.published import PublishedModel

KEYS: dict[Part, str] = {
    "token embedding": "tokens",
    "positions": "places",
    "self-attention": "own",
    "cross-attention": "cross",
    "MLP": "mlp",
    "LayerNorm": "norms",
    "head": "head",
}
"""Part → the name of its count among the live numbers."""
ROLES: dict[Part, str] = {
    "token embedding": "input",
    "self-attention": "weight",
    "cross-attention": "weight",
    "MLP": "activation",
}
MARKED_TOKENS = (128, 512, 1024, 2048, 4096, 8192)
"""Lengths of a text in the table of costs; BERT reads 512 tokens at most."""


def named_counts(sizes: Sizes) -> dict[str, float]:
    """The sizes and the parameters of each part by the names that templates use."""
    counts = count_by_part(sizes)
    named = {
        "V": sizes.vocabulary,
        "e": sizes.embedding,
        "d": sizes.width,
        "N": sizes.layers,
        "heads": sizes.heads,
        "d_k": sizes.width / sizes.heads,
        "d_ff": sizes.hidden,
        "T": sizes.places,
        "S": sizes.segments,
    }
    named |= {key: counts.get(part, 0) for part, key in KEYS.items()}
    return {name: float(count) for name, count in {**named, "total": sum(counts.values())}.items()}


def count_rows(sizes: Sizes) -> tuple[StepRow, ...]:
    """The parameters of each part that the model has, with the formula of its count."""
    formulas = _formulas(sizes)
    rows = [
        StepRow(part, formulas[part], f"{{{KEYS[part]}}}", "", ROLES.get(part, ""), "")
        for part in count_by_part(sizes)
    ]
    heads = StepRow("width of a head", "d / n_h = {d} / {heads}", "{d_k}", "d_k", "", "in no count")
    return (*rows, StepRow("all", "their sum", "{total}", "", "loss", ""), heads)


def _formulas(sizes: Sizes) -> dict[Part, str]:
    """Part → its formula, as a template."""
    stacks = "2 · " if sizes.kind == "transformer" else ""
    layers = "" if sizes.shared else f"{stacks}{{N}} · "
    attention = "4 ({d}² + {d})"
    albert = "{V}·{e} + {e}·{d} + {d}"
    norms = {
        "bert": "(2·{N} + 1) · 2·{d}",
        "roberta": "(2·{N} + 1) · 2·{d}",
        "gpt": "2·{N} · 2·{d}",
        "gpt2": "(2·{N} + 1) · 2·{d}",
        "transformer": "5·{N} · 2·{d}",
        "albert": "2·{e} + 2 · 2·{d}" if sizes.shared else "2·{e} + 2·{N} · 2·{d}",
    }
    head = " + ".join(["{d}² + {d}"] * sizes.pooler + ["{d}·{e} + {e} + 2·{e} + {V}"] * sizes.head)
    return {
        "token embedding": albert if sizes.kind == "albert" else "{V}·{d}",
        "positions": "({T} + {S})·{e}" if sizes.segments else "{T}·{e}",
        "self-attention": layers + attention,
        "cross-attention": "{N} · " + attention,
        "MLP": layers + "(2·{d}·{d_ff} + {d_ff} + {d})",
        "LayerNorm": norms[sizes.kind],
        "head": head,
    }


def count_title(label: str, sizes: Sizes) -> str:
    """The model and its exact number of parameters."""
    return f"{label}: {count_parameters(sizes):,} parameters"


def largest_parts(sizes: Sizes) -> str:
    """The three largest parts with their shares."""
    counts = count_by_part(sizes)
    total = sum(counts.values())
    largest = sorted(counts, key=lambda part: -counts[part])[:3]
    shares = ", ".join(f"{part} {100 * counts[part] / total:.0f} %" for part in largest)
    return f"The largest parts: {shares}."


def printed(published: PublishedModel, *, changed: bool) -> str:
    """The number that a paper or a slide prints; empty if none does."""
    if not published.printed:
        return ""
    before = "As published" if changed else "Printed"
    return f"{before}: “{published.printed}” ({published.source}) :gray-badge[quoted]"


def heads_note(sizes: Sizes) -> str:
    """Why the number of heads changes no count."""
    d, heads = sizes.width, sizes.heads
    return (
        f"The matrices W^Q, W^K, W^V and W^O of one attention hold 4 d² = **{4 * d**2:,}** "
        f"weights. One head of d_k = {d:,} has as many as n_h = {heads} heads of "
        f"d_k = {d // heads}: {heads} · {d // heads} = {d:,}."
    )


def printed_note(sizes: Sizes, name: str) -> str:
    """Why the printed number differs from the count, if not only by rounding."""
    if sizes.kind == "transformer":
        return (
            "The paper gives V as “about 37000”. One E serves source, target and output. Biases "
            "of attention are counted here; the paper’s own code has none. P is computed, not "
            "learned."
        )
    if name == "albert_xxlarge":
        return (
            "The paper prints 235M. With its sizes, d = 4,096, e = 128 and N = 12, the weights of "
            "the released model are those counted here."
        )
    if name.startswith("gpt2"):
        return (
            "The paper’s numbers of parameters (117M for the small model) are lower than the "
            "counts; the released weights are those counted here."
        )
    if name == "gpt":
        return (
            "The UW deck calls GPT and BERT base the same size. Their blocks are; vocabulary, "
            "segments and pooler differ."
        )
    return ""


def module_table(sizes: Sizes) -> str:
    """Every tensor with all its names, as a Markdown table; n is the layer."""
    stored = sizes.stored_layers
    lines = ["| symbol | shape | parameters | lmcore | HuggingFace |", "|:--|:--|--:|:--|:--|"]
    for each in weight_tree(replace(sizes, layers=1)):
        times = f"{stored} × " if each.layer else ""
        symbol, count = each.symbol.replace("_", "\\_"), f"{times}{each.count:,}"
        names = f"`{_any_layer(each, each.ours)}` | `{_any_layer(each, each.file)}`"
        lines.append(f"| {symbol} | {shape_text(each)} | {count} | {names} |")
    return "\n".join(lines)


def shape_text(each: WeightTensor) -> str:
    """A shape in letters and numbers."""
    letters = " × ".join(each.axes).replace("_", "\\_")
    return f"{letters} = {' × '.join(f'{size:,}' for size in each.shape)}"


def _any_layer(each: WeightTensor, name: str) -> str:
    return name.replace(".0.", ".n.", 1) if each.layer else name


@lru_cache(maxsize=32)
def tensor_file(sizes: Sizes) -> bytes:
    """Every tensor of every layer, as CSV."""
    written = io.StringIO()
    rows = csv.writer(written)
    rows.writerow(
        ["part", "layer", "symbol", "axes", "shape", "parameters", "lmcore", "HuggingFace"]
    )
    for each in weight_tree(sizes):
        shape = (" × ".join(each.axes), " × ".join(map(str, each.shape)))
        rows.writerow(
            [each.part, each.layer or "", each.symbol, *shape, each.count, each.ours, each.file]
        )
    return written.getvalue().encode()


# --- cost -----------------------------------------------------------------------------------------


def flops_finding(label: str, sizes: Sizes, time: int) -> str:
    """The operations at one length, and the length from which the quadratic part dominates."""
    flops = forward_flops(sizes, time)
    total, squared = float(sum(flops.values())), flops["scores and αV"]
    doubled = sum(forward_flops(sizes, 2 * time).values())
    return (
        f"**{label}**, one text of T = {time:,} tokens: **{format_number(total)} operations**, "
        f"{100 * squared / total:.1f} % of them for scores and αV, which grow with T². "
        f"Twice the tokens take {doubled / total:.2f} times the operations. From "
        f"T = {quadratic_from(sizes):,.0f} on, scores and αV cost more than all else in a layer."
    )


def memory_finding(sizes: Sizes, time: int) -> str:
    """The memory at one length."""
    memory = forward_memory(sizes, time)
    return (
        f"Memory at T = {time:,}: weights {megabytes(memory.weights)}, scores and α of all heads "
        f"{megabytes(memory.squared)}, everything else that the forward pass keeps "
        f"{megabytes(memory.linear)}."
    )


def megabytes(count: int) -> str:
    """Bytes in megabytes or gigabytes."""
    return f"{count / 1e9:.2f} GB" if count >= 1e9 else f"{count / 1e6:.1f} MB"


def cost_rows(sizes: Sizes) -> list[tuple[str, *tuple[float, ...]]]:
    """Operations and memory at some lengths: T, then the parts, their sum, and megabytes."""
    rows = list[tuple[str, *tuple[float, ...]]]()
    for time in MARKED_TOKENS:
        flops, memory = forward_flops(sizes, time), forward_memory(sizes, time)
        total, squared = sum(flops.values()), flops["scores and αV"]
        row: tuple[str, *tuple[float, ...]] = (
            f"{time:,}",
            float(total),
            float(flops["Q, K, V, O"]),
            float(squared),
            float(flops["MLP"]),
            float(flops["output"]),
            squared / total,
            memory.squared / 1e6,
            memory.linear / 1e6,
        )
        rows.append(row)
    return rows


def measured_rows(costs: Sequence[MeasuredCost]) -> list[tuple[str, *tuple[float, ...]]]:
    """What was measured: T, milliseconds, megabytes."""
    return [
        (
            f"{each.time:,}",
            1000 * each.attention,
            1000 * each.mlp,
            1000 * each.rnn,
            each.attention_memory / 1e6,
            each.mlp_memory / 1e6,
        )
        for each in costs
    ]


def growth_finding(costs: Sequence[MeasuredCost]) -> str:
    """How time and memory grew when T was doubled last."""
    before, last = costs[-2:]
    return (
        f"From T = {before.time:,} to {last.time:,}, attention’s time grew "
        f"**{last.attention / before.attention:.1f}** times and its memory "
        f"**{last.attention_memory / before.attention_memory:.1f}** times; the MLP’s "
        f"{last.mlp / before.mlp:.1f} and {last.mlp_memory / before.mlp_memory:.1f} times."
    )


def parallel_finding(costs: Sequence[MeasuredCost], where: str) -> str:
    """Where the block is faster than the RNN, and where not."""
    faster = [each.time for each in costs if each.attention + each.mlp < each.rnn]
    slower = [each.time for each in costs if each.time not in faster]
    if not slower:
        found = "The block is faster at every length measured."
    elif not faster:
        found = "The RNN is faster at every length measured."
    else:
        found = f"The block is faster at T = {_listed(faster)}, the RNN at T = {_listed(slower)}."
        if max(faster) < min(slower):
            found += " There its products of all pairs, T² of them, outweigh the fewer steps."
    if "CPU" not in where:
        return found
    return (
        f"{found} On {where} little is computed at a time, so the number of operations decides; "
        "where thousands of products are computed at a time, the number of steps does."
    )


def _listed(times: Sequence[int]) -> str:
    return ", ".join(f"{time:,}" for time in times)
