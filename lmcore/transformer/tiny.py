"""A Transformer so small that all of it fits on one screen, and its whole training.

    weights = train_tiny(edits=parse_edits("40: WQ[1,2] = 0.5")).weights
    trace_tiny(weights, tiny_ids("cat near cats runs")).alpha       at every recorded step

It is `lmcore.models.gpt.GPT` in float64: V = 6, d = 4, one head, one pre-norm block, d_ff = 8,
ReLU, four places, 244 weights. U is a matrix of its own: with U = Eᵀ most seeds still assign ½ to
the right verb after 200 steps, because E has to serve both ends with d = 4.

In the four sentences the verb agrees with the first word, across another noun. The second noun is
either one with probability ½, so no model gets below ln 2 / 4 nats per token.

All 244 weights are one row of numbers; rows may have leading axes and are computed in one batch.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import lru_cache, partial
from itertools import accumulate
from typing import NamedTuple

import torch
import torch.nn.functional as F
from jaxtyping import Float64, Int
from torch import Tensor
from torch.func import functional_call, vmap

from lmcore import parsing
from lmcore.checks import check_between, check_one_of
from lmcore.dataframes import Trace
from lmcore.models.gpt import GPT
from lmcore.models.transformer_config import TransformerConfig
from lmcore.optimization.updates import Optimizer
from lmcore.typed import fold_numbers

WORDS = ("cat", "cats", "near", "runs", "run", ".")
SENTENCES = (
    ("cat", "near", "cat", "runs"),
    ("cat", "near", "cats", "runs"),
    ("cats", "near", "cat", "run"),
    ("cats", "near", "cats", "run"),
)
"""What it is trained on; each ends with a full stop, which is predicted too."""
FLOOR = math.log(2) / 4
"""Nats a token: the second noun is a coin toss, all else is certain."""
CONFIG = TransformerConfig(
    vocabulary=len(WORDS),
    width=4,
    heads=1,
    layers=1,
    hidden=8,
    longest=4,
    activation="relu",
    tied=False,
)
STEPS, EVERY = 200, 2
"""The steps of Adam, and how often one is recorded."""
POSITIONS = STEPS // EVERY + 1
SEED, RATE = 20, 0.03
HIGHEST_RATE, LARGEST_WEIGHT, MOST_EDITS = 1.0, 100.0, 40

Weights = Float64[Tensor, "*run weight"]


class WeightMatrix(NamedTuple):
    """A matrix or a vector of weights as it is written, x W: a row for each number of x."""

    name: str
    parameter: str
    """Its name in the GPT, whose linear layers store Wᵀ."""
    rows: int
    columns: int
    transposed: bool


def _matrices() -> tuple[WeightMatrix, ...]:
    d, hidden, block = CONFIG.width, CONFIG.hidden, "blocks.0."

    def linear(name: str, place: str, rows: int, columns: int) -> tuple[WeightMatrix, ...]:
        weight, bias = f"{block}{place}.weight", f"{block}{place}.bias"
        return (
            WeightMatrix(f"W{name}", weight, rows, columns, transposed=True),
            WeightMatrix(f"b{name}", bias, 1, columns, transposed=False),
        )

    def norm(number: int, place: str) -> tuple[WeightMatrix, ...]:
        return (
            WeightMatrix(f"gamma{number}", f"{place}.weight", 1, d, transposed=False),
            WeightMatrix(f"beta{number}", f"{place}.bias", 1, d, transposed=False),
        )

    return (
        WeightMatrix("E", "embedding.token.weight", len(WORDS), d, transposed=False),
        WeightMatrix("P", "embedding.position.weight", CONFIG.longest, d, transposed=False),
        *norm(1, f"{block}attention_norm"),
        *linear("Q", "attention.query", d, d),
        *linear("K", "attention.key", d, d),
        *linear("V", "attention.value", d, d),
        *linear("O", "attention.output", d, d),
        *norm(2, f"{block}mlp_norm"),
        *linear("1", "mlp.up", d, hidden),
        *linear("2", "mlp.down", hidden, d),
        *norm(3, "norm"),
        WeightMatrix("U", "output.weight", d, len(WORDS), transposed=True),
    )


MATRICES = {each.name: each for each in _matrices()}
"""All weights by name, in the order of the computation, which is that of a row of weights."""
STARTS = dict(
    zip(MATRICES, accumulate((m.rows * m.columns for m in _matrices()), initial=0), strict=False)
)
"""Where each begins in a row of weights."""


class WeightPlace(NamedTuple):
    """One weight: its matrix, and its row and column there, from 0; as text they count from 1."""

    matrix: str
    row: int
    column: int

    @property
    def offset(self) -> int:
        """Its place in a row of all weights."""
        return STARTS[self.matrix] + self.row * MATRICES[self.matrix].columns + self.column

    def __str__(self) -> str:
        return f"{self.matrix}[{self.row + 1},{self.column + 1}]"


class WeightEdit(NamedTuple):
    """A weight that is set to a value at a step; training continues from there."""

    step: int
    place: WeightPlace
    value: float

    def __str__(self) -> str:
        return f"{self.step}:{self.place}={self.value:.10g}"


PLACE = re.compile(r"([A-Za-z]{1,5}[0-9]?)\[\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\]")


def parse_place(text: str) -> WeightPlace:
    """A weight as WQ[1,2]: the matrix, then row and column from 1; a vector has one row.

    Raises:
        ValueError: if there is no such weight.
    """
    found = PLACE.fullmatch(fold_numbers(text).strip())
    if not found:
        raise ValueError(
            f"a weight must be a matrix, row and column, such as WQ[1,2]; got {text[:40]!r}"
        )
    name, row, column = found[1], int(found[2]), int(found[3])
    check_one_of("the matrix of a weight", name, MATRICES)
    its = MATRICES[name]
    check_between(f"the row of {name}", row, 1, its.rows)
    check_between(f"the column of {name}", column, 1, its.columns)
    return WeightPlace(name, row - 1, column - 1)


def parse_edits(text: str) -> tuple[WeightEdit, ...]:
    """Edits as `40: WQ[1,2] = 0.5; 120: E[3,4] = -1`, in the order in which they are written.

    Of several edits of one weight at one step only the last is kept.

    Raises:
        ValueError: naming what is wrong.
    """
    found: dict[tuple[int, WeightPlace], WeightEdit] = {}
    for entry in (part for part in fold_numbers(text).split(";") if part.strip()):
        step, _, rest = entry.partition(":")
        where, _, value = rest.partition("=")
        edit = WeightEdit(
            parsing.parse_integer(step, "the step of an edit"),
            parse_place(where),
            parsing.parse_number(value, "an edited weight"),
        )
        found.pop((edit.step, edit.place), None)
        found[edit.step, edit.place] = edit
    _check_edits(tuple(found.values()))
    return tuple(found.values())


def _check_edits(edits: Sequence[WeightEdit]) -> None:
    check_between("the number of edits", len(edits), 0, MOST_EDITS)
    for each in edits:
        if each.step not in range(0, STEPS + 1, EVERY):
            raise ValueError(
                f"the step of an edit must be one of 0, {EVERY}, …, {STEPS}; got {each.step}"
            )
        if not abs(each.value) <= LARGEST_WEIGHT:
            raise ValueError(
                f"an edited weight must be from {-LARGEST_WEIGHT:g} to {LARGEST_WEIGHT:g}; "
                f"got {each.value:g}"
            )


def tiny_ids(text: str) -> Int[Tensor, " time"]:
    """The ids of one to four of the six words, separated by blanks.

    Raises:
        ValueError: if there are too few or too many, or a word is unknown.
    """
    words = text.split()
    check_between("the number of words", len(words), 1, CONFIG.longest)
    for word in words:
        check_one_of("a word", word, WORDS)
    return torch.tensor([WORDS.index(word) for word in words])


@lru_cache(maxsize=1)
def sentence_ids() -> tuple[Int[Tensor, "sentence time"], Int[Tensor, "sentence time"]]:
    """The four sentences, and the next word of each of their words."""
    rows = [[WORDS.index(word) for word in (*sentence, ".")] for sentence in SENTENCES]
    whole = torch.tensor(rows)
    return whole[:, :-1], whole[:, 1:]


@dataclass(frozen=True, slots=True)
class TinyTrace(Trace):
    """Every number of one text, in the order it is computed; a row for each word."""

    x: Float64[Tensor, "*run time width"]
    """E[x] + P"""
    n1: Float64[Tensor, "*run time width"]
    """LayerNorm(X)"""
    q: Float64[Tensor, "*run time d_k"]
    k: Float64[Tensor, "*run time d_k"]
    v: Float64[Tensor, "*run time d_k"]
    s: Float64[Tensor, "*run time key"]
    """QKᵀ/√d_k; −∞ where the causal mask hides a key"""
    alpha: Float64[Tensor, "*run time key"]
    z: Float64[Tensor, "*run time d_k"]
    o: Float64[Tensor, "*run time width"]
    """Z W^O + b^O"""
    r: Float64[Tensor, "*run time width"]
    """X + O"""
    n2: Float64[Tensor, "*run time width"]
    f: Float64[Tensor, "*run time d_ff"]
    """n₂ W₁ + b₁"""
    g: Float64[Tensor, "*run time d_ff"]
    """ReLU(F)"""
    m: Float64[Tensor, "*run time width"]
    """G W₂ + b₂"""
    h: Float64[Tensor, "*run time width"]
    """R + M"""
    n3: Float64[Tensor, "*run time width"]
    logits: Float64[Tensor, "*run time vocabulary"]
    p: Float64[Tensor, "*run time vocabulary"]
    """ŷ = softmax(logits)"""


def trace_tiny(weights: Weights, ids: Int[Tensor, " time"]) -> TinyTrace:
    """Run the GPT on one text with each of the rows of weights, in one batch.

    Raises:
        ValueError: if there are not 244 weights, or the ids are no text of one to four words.
    """
    _check_count(weights)
    check_between("the number of words", len(ids), 1, CONFIG.longest)
    return text_of(_trace_texts(weights, ids[None]), 0)


def trace_sentences(weights: Weights) -> tuple[TinyTrace, Float64[Tensor, "*run sentence"]]:
    """The four sentences with each of the rows of weights in one batch, and their losses.

    `text_of` is one of them; the losses are those of `sentence_losses`.

    Raises:
        ValueError: if there are not 244 weights.
    """
    _check_count(weights)
    inputs, targets = sentence_ids()
    trace = _trace_texts(weights, inputs)
    return trace, _losses(trace.logits, targets)


def text_of(trace: TinyTrace, place: int) -> TinyTrace:
    """One of the texts that were traced together, by its place from 0."""
    return TinyTrace(*(getattr(trace, field.name)[..., place, :, :] for field in fields(trace)))


def _trace_texts(weights: Weights, ids: Int[Tensor, "text time"]) -> TinyTrace:
    """The numbers of texts of one length, which are the axis after those of the weights."""
    run = partial(_trace_one, _network(), ids)
    if weights.ndim == 1:
        return TinyTrace(*run(weights))
    flat = weights.reshape(-1, weights.shape[-1])
    lead = weights.shape[:-1]
    return TinyTrace(*(each.reshape(*lead, *each.shape[1:]) for each in vmap(run)(flat)))


def _trace_one(network: GPT, ids: Tensor, weights: Tensor) -> tuple[Tensor, ...]:
    trace = functional_call(network, named_parameters(weights), (ids,))
    block = trace.blocks[0]
    heads, mlp = block.attention, block.mlp
    return (
        trace.embedding.output,
        block.attention_inputs,
        *(each[:, 0] for each in (heads.query, heads.key, heads.value)),
        heads.masked[:, 0],
        heads.weights[:, 0],
        heads.concatenated,
        heads.output,
        block.attention_sum,
        block.mlp_inputs,
        mlp.pre_activation,
        mlp.hidden,
        mlp.output,
        block.output,
        trace.normed,
        trace.logits,
        trace.logits.softmax(-1),
    )


@lru_cache(maxsize=1)
def _network() -> GPT:
    """The GPT without weights: those of a row take their place. Not to be built within vmap."""
    return GPT(CONFIG, seed=None)


def named_parameters(weights: Float64[Tensor, " weight"]) -> dict[str, Tensor]:
    """A row of weights as the parameters of the GPT."""
    found = {}
    for its in MATRICES.values():
        start = STARTS[its.name]
        part = weights[start : start + its.rows * its.columns]
        if its.rows > 1:
            part = part.view(its.rows, its.columns)
        found[its.parameter] = part.T.contiguous() if its.transposed else part
    return found


def initial_weights(seed: int) -> Float64[Tensor, " weight"]:
    """The initial weights of the GPT of that seed, as a row."""
    drawn = dict(GPT(CONFIG, seed).double().named_parameters())
    parts = [
        drawn[its.parameter].T if its.transposed else drawn[its.parameter]
        for its in MATRICES.values()
    ]
    return torch.cat([each.detach().reshape(-1) for each in parts])


def sentence_losses(weights: Weights) -> Float64[Tensor, "*run sentence"]:
    """The loss of each of the four sentences, in nats per token.

    Raises:
        ValueError: if there are not 244 weights.
    """
    _check_count(weights)
    run = partial(_losses_of_one, _network())
    if weights.ndim == 1:
        return run(weights)
    flat = weights.reshape(-1, weights.shape[-1])
    return vmap(run)(flat).reshape(*weights.shape[:-1], -1)


def _losses_of_one(network: GPT, weights: Tensor) -> Tensor:
    inputs, targets = sentence_ids()
    trace = functional_call(network, named_parameters(weights), (inputs,))
    return _losses(trace.logits, targets)


def _losses(logits: Tensor, targets: Tensor) -> Tensor:
    right = targets.expand(logits.shape[:-1])[..., None]
    return -F.log_softmax(logits, dim=-1).gather(-1, right)[..., 0].mean(dim=-1)


@dataclass(frozen=True, slots=True, eq=False)
class TinyRun(Trace):
    """A training run: a row every two steps, the first before the first step."""

    weights: Float64[Tensor, "position weight"]
    losses: Float64[Tensor, "position sentence"]
    """Nats per token."""


def train_tiny(
    seed: int = SEED, rate: float = RATE, edits: Sequence[WeightEdit] = (), steps: int = STEPS
) -> TinyRun:
    """Steps of Adam on all four sentences; the row of an edit's step has the edited weights.

    Adam keeps its averages over an edit. A run is a pure function of its arguments.

    Raises:
        ValueError: naming what is out of bounds.
    """
    if not (math.isfinite(rate) and 0 <= rate <= HIGHEST_RATE):
        raise ValueError(f"the learning rate η must be from 0 to {HIGHEST_RATE:g}; got {rate:g}")
    _check_edits(edits)
    row, optimizer = initial_weights(seed), Optimizer("Adam", rate)
    rows = []
    for step in range(steps + 1):
        for each in edits:
            if each.step == step:
                row[each.place.offset] = each.value
        if step % EVERY == 0:
            rows.append(row.clone())
        if step < steps:
            row = row + optimizer.change(_gradient(row))
    weights = torch.stack(rows)
    with torch.no_grad():
        return TinyRun(weights, sentence_losses(weights))


def _gradient(weights: Tensor) -> Tensor:
    with torch.enable_grad():
        leaf = weights.detach().requires_grad_()
        (found,) = torch.autograd.grad(sentence_losses(leaf).mean(), leaf)
    return found


def sweep_weight(
    weights: Float64[Tensor, " weight"], place: WeightPlace, values: Float64[Tensor, " value"]
) -> Float64[Tensor, "value weight"]:
    """The row of weights once for each value of one of them."""
    rows = weights.repeat(len(values), 1)
    rows[:, place.offset] = values
    return rows


def _check_count(weights: Tensor) -> None:
    if weights.shape[-1] != CONFIG.parameters:
        raise ValueError(f"there must be {CONFIG.parameters} weights; got {weights.shape[-1]}")
