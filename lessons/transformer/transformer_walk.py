"""One token through one block: the rows of the step table, one per operation, and their numbers."""

from __future__ import annotations

import re

from jaxtyping import Float64
from torch import Tensor

from drawing.steps import StepRow
from lessons.transformer.transformer_shown import Shown, embedding_sum
from lmcore.transformer.flow import Stage

FIRST = 4
"""The number of a stage's numbers that an opened row of the table shows."""
ROLES = {"q": "query", "k": "key", "v": "value", "score": "score", "alpha": "weight"}
FORMULAS = {
    "token": ("token’s row", "row x of E", "E[x]"),
    "position": ("position’s row", "row t of P", "P"),
    "segment": ("segment’s row", "row of S", "S"),
    "embedding": ("their sum", "E[x] + P", "h⁽⁰⁾"),
    "ln0": ("LayerNorm", "(x − μ)/σ · γ + β", "h⁽⁰⁾"),
    "ln1": ("LayerNorm", "(x − μ)/σ · γ + β", "x̂"),
    "q": ("query", "x̂ W^Q + b^Q", "Q"),
    "k": ("key", "x̂ W^K + b^K", "K"),
    "v": ("value", "x̂ W^V + b^V", "V"),
    "score": ("scores, head 1", "q·k / √d_k", "s"),
    "alpha": ("weights, head 1", "softmax(s)", "α"),
    "z": ("heads’ outputs", "Σⱼ αⱼ vⱼ, all heads", "Z"),
    "o": ("attention’s output", "Z W^O + b^O", "o"),
    "r1": ("added", "x + o", "x"),
    "n1": ("LayerNorm", "(x − μ)/σ · γ + β", "x"),
    "lnc": ("LayerNorm", "(x − μ)/σ · γ + β", "x̂"),
    "cq": ("query to the source", "x̂ W^Q + b^Q", "Q"),
    "cscore": ("scores, head 1", "q·k / √d_k", "s"),
    "calpha": ("weights, head 1", "softmax(s)", "α"),
    "cz": ("heads’ outputs", "Σⱼ αⱼ vⱼ, v of the source", "Z"),
    "co": ("cross-attention’s output", "Z W^O + b^O", "o"),
    "rc": ("added", "x + o", "x"),
    "nc": ("LayerNorm", "(x − μ)/σ · γ + β", "x"),
    "ln2": ("LayerNorm", "(x − μ)/σ · γ + β", "x̂"),
    "pre": ("MLP, first layer", "x̂ W₁ + b₁", "z"),
    "act": ("nonlinearity", "g(z)", "a"),
    "mlp": ("MLP, second layer", "a W₂ + b₂", "o"),
    "r2": ("added", "x + o", "x"),
    "n2": ("LayerNorm", "(x − μ)/σ · γ + β", "x"),
    "final": ("last LayerNorm", "(x − μ)/σ · γ + β", "x̂"),
    "dense": ("head, first layer", "x W + b", "z"),
    "active": ("nonlinearity", "g(z)", "a"),
    "transformed": ("LayerNorm", "(x − μ)/σ · γ + β", "x̂"),
}
"""Part of a stage's name → its name, its formula and its symbol in the table."""


def block_of(shown: Shown, part: str) -> str:
    """The block whose rows are shown: that of the open part, or the first."""
    letter = "d" if shown.kind == "translation" else "b"
    found = re.match(rf"{letter}(\d+)", part)
    layer = min(int(found[1]), shown.flow.layers) if found else 1
    return f"{letter}{max(layer, 1)}"


def walked_stages(shown: Shown, block: str) -> list[tuple[str, Stage]]:
    """The stages of the tokens outside of blocks and in one block, each with its part's name."""
    found = list[tuple[str, Stage]]()
    for name, stage in shown.flow.stages.items():
        first, _, rest = name.partition(".")
        part = first if not rest else rest.partition(".")[0]
        if rest and (first != block or rest.endswith(tuple(f".{h}" for h in range(2, 99)))):
            continue
        if part in FORMULAS and stage.rows == "target":
            found.append((part, stage))
    return found


def walk_numbers(shown: Shown, block: str) -> dict[str, Float64[Tensor, " token"]]:
    """For each stage the vector’s length, or its largest number, and its first numbers."""
    named = dict[str, Float64[Tensor, " token"]]()
    for part, stage in walked_stages(shown, block):
        values = stage.values.double().cpu()
        scores = part.endswith(("score", "alpha"))
        named[f"{part}!"] = values.amax(dim=1) if scores else values.norm(dim=1)
        for i in range(min(FIRST, values.shape[1])):
            hidden = values[:, i].isinf()
            named[f"{part}{i}"] = values[:, i].masked_fill(hidden, float("nan"))
    return named


def walk_rows(shown: Shown, block: str) -> tuple[StepRow, ...]:
    """The rows of the table; an opened row shows the first numbers of its vector."""
    rows = list[StepRow]()
    for part, stage in walked_stages(shown, block):
        name, formula, symbol = FORMULAS[part]
        scores = part.endswith(("score", "alpha"))
        count = stage.values.shape[1]
        keys = shown.source if count == len(shown.source) and part.startswith("c") else shown.tokens
        labels = keys if scores else [f"column {i}" for i in range(count)]
        rows.append(
            StepRow(
                name,
                formula.replace("E[x] + P", embedding_sum(shown)),
                f"largest {{{part}!}}" if scores else f"‖{symbol}‖ = {{{part}!}}",
                symbol,
                ROLES.get(part.removeprefix("c"), "activation"),
                f"[{count}]",
                tuple((labels[i], f"{{{part}{i}}}") for i in range(min(FIRST, count))),
            )
        )
    if shown.probabilities is not None:
        rows.append(StepRow("largest logit", "x̂ · U", "{logit}", "logit", "score", "scalar"))
        rows.append(StepRow("its probability", "exp / Σ exp", "{p}", "ŷ", "score", "scalar"))
        rows.append(StepRow("index", "argmax ŷ", "{id}", "", "score", "scalar"))
    return tuple(rows)
