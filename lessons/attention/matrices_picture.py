"""The picture of self-attention as matrices, in which the row of one word is lit.

Its numbers are entries of matrices: x2.1 is in row 2 and column 1 of X, and so are q, k, v, s (the
scores Q Kᵀ), a (divided), m (masked), w (the weights α) and z; Wq2.1 is an entry of W^Q.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypedDict

import numpy as np
import torch
from torch import Tensor
from typing_extensions import TypedDict as EventDict

from drawing.events import Place
from drawing.live import LiveNumbers, Slider, slider_positions
from drawing.payload import NumberName, Script
from lessons.attention.attention_picture import TableView
from lessons.attention.flow_picture import Pair
from lmcore.attention import row_sweep
from lmcore.attention.row_sweep import AllMatrices
from lmcore.attention.step_table import AttentionConfig, AttentionInputs

MatrixStage = Literal["qkv", "z"]
STAGES: dict[MatrixStage, str] = {"qkv": "X to Q, K, V", "z": "Q, K, V to Z"}
MOST_WORDS, MOST_WIDE = 6, 6
"""The most words, and the most columns of a matrix, whose numbers can be read on the stage."""
REACH = 4.0
"""How far a number of X is moved, up and down: in whole numbers."""


class MatricesPayload(TypedDict):
    """What `lessons/attention/matrices.js` draws other than the numbers."""

    tokens: Sequence[str]
    query: int
    """The word whose row is lit, from 0."""
    stage: MatrixStage
    wide: tuple[int, int, int]
    """How many columns X has, Q and K, and V."""
    closed: list[list[bool]]
    """Per query, the keys that the mask hides from it."""
    best: int
    """The key with the largest weight; −1 if every key is hidden."""
    parts: bool
    """Whether the scores of the lit row are parts of their sum: none of them is negative."""
    divided: str
    """By what the scores are divided; empty if by nothing."""
    marked: NumberName
    """The number that the sentence names."""
    moves: bool
    """Whether the numbers of the lit row of X can be dragged."""


class Followed(EventDict):
    """The word whose row is followed, from 1."""

    query: Place


MATRICES = Script(
    "matrices",
    MatricesPayload,
    (*(f"{letter}#.#" for letter in "xqkvsamwz"), *(f"W{letter}#.#" for letter in "qkv"), "sum"),
    Followed,
)


def too_large(inputs: AttentionInputs) -> str:
    """Why the matrices cannot be drawn with their numbers; empty if they can."""
    if inputs.projections is not None and inputs.projections.biases is not None:
        return "a model’s matrices are too large to read; choose X and W"
    given = (inputs.inputs, inputs.query, inputs.value)
    wide = max(each.shape[1] for each in given if each is not None)
    if len(inputs.tokens) > MOST_WORDS or wide > MOST_WIDE:
        return f"only up to {MOST_WORDS} words, and matrices of up to {MOST_WIDE} columns"
    return ""


def moves(inputs: AttentionInputs) -> bool:
    """Whether Q, K and V follow from a typed X, so that its numbers can be moved."""
    return inputs.projections is not None and inputs.projections.biases is None


def live_numbers(inputs: AttentionInputs, config: AttentionConfig, view: TableView) -> LiveNumbers:
    """Every number of the picture, now and with each number of the lit row of X moved."""
    row = view.query - 1
    now = _named(inputs, row_sweep.all_matrices(inputs, config), row)
    names = tuple(now)
    sliders, tables = list[Slider](), list[np.ndarray]()
    for slider in _sliders(inputs, row):
        to = torch.from_numpy(slider.positions)
        column = len(sliders)
        moved = _named(inputs, row_sweep.moved_rows(inputs, config, row, column, to), row)
        rows = [moved[name].expand(len(to)) for name in names]
        tables.append(torch.stack(rows, dim=-1).numpy())
        sliders.append(slider)
    numbers = np.array([float(number) for number in now.values()])
    return LiveNumbers("matrices", names, numbers, tuple(sliders), tables)


def _sliders(inputs: AttentionInputs, row: int) -> list[Slider]:
    if inputs.inputs is None or not moves(inputs):
        return []
    word = inputs.tokens[row]
    return [
        Slider(
            f"x{row + 1}.{column + 1}",
            f"x[{column + 1}]",
            f"number {column + 1} of {word} in X",
            value,
            slider_positions(value, reach=REACH, count=round(2 * REACH) + 1),
            help=f"Number {column + 1} of the row of X that is lit: follow it through",
            role="input",
        )
        for column, value in enumerate(inputs.inputs[row].tolist())
    ]


def _named(inputs: AttentionInputs, found: AllMatrices, row: int) -> dict[str, Tensor]:
    """Every number of the picture by its name, at any number of positions."""
    trace = found.trace
    matrices = {
        "q": found.query, "k": found.key, "v": found.value, "s": trace.scores,
        "a": trace.scaled, "m": trace.masked, "w": trace.weights, "z": trace.context,
    }  # fmt: skip
    if found.inputs is not None:
        matrices = {"x": found.inputs} | matrices
    if inputs.projections is not None:
        weights = zip(("Wq", "Wk", "Wv"), inputs.projections[:3], strict=True)
        matrices |= {name: torch.as_tensor(each) for name, each in weights}
    visible = trace.masked[..., row, :].isfinite()
    total = trace.scaled[..., row, :].where(visible, 0).sum(dim=-1)
    return {
        f"{letter}{i + 1}.{j + 1}": values[..., i, j]
        for letter, values in matrices.items()
        for i, j in np.ndindex(*values.shape[-2:])
    } | {"sum": total}


def are_parts(inputs: AttentionInputs, config: AttentionConfig, row: int) -> bool:
    """Whether the scores of a row that are not hidden are parts of a sum: none is negative."""
    masked = row_sweep.all_matrices(inputs, config).trace.masked[row]
    visible = masked[masked.isfinite()]
    return bool(len(visible) > 1 and (visible >= 0).all() and visible.sum() > 0)


def picture(
    inputs: AttentionInputs,
    config: AttentionConfig,
    view: TableView,
    favoured: Pair,
    stage: MatrixStage,
) -> MatricesPayload:
    """The data of `matrices.js` other than the numbers."""
    row, length = view.query - 1, len(inputs.tokens)
    mask = config.seen(length)
    wide = 0 if inputs.inputs is None else int(inputs.inputs.shape[1])
    return {
        "tokens": list(inputs.tokens),
        "query": row,
        "stage": stage,
        "wide": (wide, int(inputs.query.shape[1]), int(inputs.value.shape[1])),
        "closed": [[False] * length] * length if mask is None else (~mask).tolist(),
        "best": -1 if favoured.best is None else favoured.best,
        "parts": are_parts(inputs, config, row),
        "divided": divided(config),
        "marked": marked(view, favoured, stage),
        "moves": moves(inputs),
    }


def divided(config: AttentionConfig) -> str:
    """By what the scores are divided, as it is written; empty if by nothing."""
    root = f"√{config.d_k}" if config.scaled else ""
    tau = f"{config.temperature:g}" if config.temperature != 1 else ""
    return " ÷ ".join(filter(None, (root, tau)))


def marked(view: TableView, favoured: Pair, stage: MatrixStage) -> NumberName:
    """The number that the sentence names: the first of the query, or the largest weight."""
    if stage == "qkv":
        return f"q{view.query}.1"
    return f"z{view.query}.1" if favoured.best is None else f"w{view.query}.{favoured.best + 1}"
