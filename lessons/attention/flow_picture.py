"""The main picture of the page: one query meets every key, and leaves as a mixture of the values.

Its numbers are those of the chosen query, so they tween when another word is chosen: q2 is the
query's second number, s3 its score with key 3, a3 divided, h3 less the largest, w3 the weight, n3
the weight without ÷ √d_k; k3.2 and v3.2 are entries, u3.2 is w3·v3.2, and z2 their sum over keys.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple, TypedDict

import numpy as np
import torch
from torch import Tensor

from drawing.payload import NumberName, Script
from lessons.attention.attention_picture import IN_TABLE, AskedOrOpened, NamedNumbers, TableView
from lmcore.attention.step_sweep import ScoreScaling
from lmcore.attention.step_table import AttentionConfig, AttentionInputs, StepTable
from lmcore.models.attention import softmax
from lmcore.numbers import operand

MOST_TERMS = 4
"""A dot product of at most this many products is written out."""
MOST_SHOWN = 8
"""Numbers of a vector that are sent; the script draws as many as there is room for."""


class Pair(NamedTuple):
    """The keys with the largest and the second largest weight, from 0; None if there is none."""

    best: int | None
    second: int | None


class AttentionFlowPayload(TypedDict):
    """What `lessons/attention/flow.js` draws other than the numbers."""

    tokens: Sequence[str]
    query: int
    """The query, from 0."""
    closed: list[bool]
    """The keys that the mask hides from the query."""
    products: list[str]
    """The products of each score, added up; empty if there are too many."""
    shown: tuple[int, int]
    """How many numbers of q and k, and of v, there are to draw."""
    whole: tuple[int, int]
    """How many numbers q and k have, and v."""
    best: int
    """The key with the largest weight; −1 if every key is hidden."""
    second: int
    """The key with the second largest weight, or −1."""
    marked: NumberName
    """The number that the sentence names."""
    mask: str
    """The name of the mask, or nothing."""
    scaled: bool
    tempered: bool
    """Whether the temperature divides too."""


OF_QUERY = (*(f"{letter}#" for letter in "qsahewnz"), *(f"{letter}#.#" for letter in "kvu"))
OF_SCALING = ("d_k", "root", "tau", "divisor", "max", "sum", "total")
"""The names of `ScoreScaling.by_name`."""
APART = ("gap", "apart", "ratio")
FLOW = Script(
    "flow",
    AttentionFlowPayload,
    (*OF_QUERY, *OF_SCALING, *APART, "temperature", *IN_TABLE),
    AskedOrOpened,
)
"""While the table of every number is open, the picture also receives the table's numbers."""


def pair(table: StepTable, query: int) -> Pair:
    """The two keys that the softmax favours for this query, counted from 1; the first of equals."""
    row = table.masked[query - 1].tolist()
    order = sorted(range(len(row)), key=lambda j: -row[j])
    visible = [j for j in order if row[j] > -math.inf]
    return Pair(*(*visible, None, None)[:2])


def numbers(
    inputs: AttentionInputs,
    config: AttentionConfig,
    table: StepTable,
    view: TableView,
    setting: ScoreScaling,
    favoured: Pair,
) -> NamedNumbers:
    """Every number of the picture, one row per slider position."""
    at, position = view.query - 1, table.scaled.shape[:-2]
    key, value = (each[:, :MOST_SHOWN] for each in (inputs.key, inputs.value))
    query = inputs.query[at, : key.shape[1]]
    masked, weights = table.masked[..., at, :], table.weights[..., at, :]
    mask = config.seen(len(inputs.tokens))
    undivided = table.masked * setting.root[..., None, None]
    rows: list[tuple[str, Tensor]] = [
        ("q", query),
        ("s", table.scores[at]),
        ("a", table.scaled[..., at, :]),
        ("h", masked - table.largest[..., at, None]),
        ("e", table.exponentials[..., at, :]),
        ("w", weights),
        ("n", softmax(undivided, mask)[..., at, :]),
        ("z", table.context[..., at, : value.shape[1]]),
    ]
    matrices = (("k", key), ("v", value), ("u", weights[..., None] * value))
    found = {
        f"{letter}{i + 1}": values[..., i]
        for letter, values in rows
        for i in range(values.shape[-1])
    }
    found |= {
        f"{letter}{i + 1}.{j + 1}": values[..., i, j]
        for letter, values in matrices
        for i, j in np.ndindex(*values.shape[-2:])
    }
    found |= setting.by_name(table, at) | _gap(table, at, favoured)
    found["temperature"] = setting.temperature
    whole = [each.expand(position) for each in found.values()]
    return NamedNumbers(tuple(found), torch.stack(whole, dim=-1))


def _gap(table: StepTable, at: int, favoured: Pair) -> dict[str, Tensor]:
    """How far apart the two favoured keys are before and after the division, and after exp."""
    best, second = favoured
    if best is None or second is None:
        return {}
    scores, scaled = table.scores[at], table.scaled[..., at, :]
    apart = scaled[..., best] - scaled[..., second]
    return {
        "gap": scores[best] - scores[second],
        "apart": apart,
        "ratio": apart.clamp(max=700).exp(),
    }


def picture(
    inputs: AttentionInputs,
    config: AttentionConfig,
    view: TableView,
    favoured: Pair,
) -> AttentionFlowPayload:
    """The data of `flow.js` other than the numbers."""
    at, length = view.query - 1, len(inputs.tokens)
    mask = config.seen(length)
    best, second = (-1 if j is None else j for j in favoured)
    return {
        "tokens": list(inputs.tokens),
        "query": at,
        "closed": [False] * length if mask is None else (~mask[at]).tolist(),
        "products": [_products(inputs.query[at], key) for key in inputs.key],
        "shown": (_shown(inputs.key), _shown(inputs.value)),
        "whole": (int(inputs.key.shape[1]), int(inputs.value.shape[1])),
        "best": best,
        "second": second,
        "marked": marked(config, favoured),
        "mask": "" if config.mask == "none" else MASKS[config.mask],
        "scaled": config.scaled,
        "tempered": config.temperature != 1,
    }


MASKS = {"causal": "closed: later keys", "before": "open: earlier keys", "padding": "closed: [PAD]"}


def _shown(values: Tensor) -> int:
    return min(int(values.shape[1]), MOST_SHOWN)


def _products(query: Tensor, key: Tensor) -> str:
    if len(query) > MOST_TERMS:
        return ""
    return " + ".join(operand(product) for product in (query * key).tolist())


def marked(config: AttentionConfig, favoured: Pair) -> NumberName:
    """The number that the sentence names: a weight, or z if there is none.

    Without the division, it is the second largest weight.
    """
    best, second = favoured
    if best is None:
        return "z1"
    return f"w{best + 1}" if config.scaled or second is None else f"w{second + 1}"


def given_away(inputs: AttentionInputs, *, from_z: bool = False) -> tuple[str, ...]:
    """The numbers that reveal the weights, or only those that reveal the output."""
    count, wide = len(inputs.tokens), _shown(inputs.value)
    every = range(1, count + 1)
    z = tuple(f"z{c}" for c in range(1, wide + 1))
    if from_z:
        return z
    weighted = tuple(f"u{j}.{c}" for j in every for c in range(1, wide + 1))
    letters = tuple(f"{letter}{j}" for letter in "ewn" for j in every)
    return (*letters, *weighted, *z, "ratio", "sum", "total")
