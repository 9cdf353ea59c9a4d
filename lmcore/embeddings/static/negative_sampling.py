"""The loss of word2vec: tell a word from k noise words, with gradients written out.

    L = −log σ(u_o · h) − Σ_{k} log σ(−u_k · h)

    ∂L/∂u_o = (σ(u_o · h) − 1) h        ∂L/∂u_k = σ(u_k · h) h
    ∂L/∂h   = (σ(u_o · h) − 1) u_o + Σ_k σ(u_k · h) u_k

h is the vector of the input: the mean of rows of the input table. In skip-gram it is the centre
word's row, in CBOW the mean over the context words, in fastText the mean over the word's subwords.
The noise words are drawn from p(w) ∝ frequency^¾, each independently; one of them may happen to be
the true word, as in the paper's formula. Variant: word2vec's program skips such a draw.

Source: Mikolov et al. 2013, "Distributed representations of words and phrases and their
compositionality", equation 4 and section 2.2.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
import torch.nn.functional as F
from jaxtyping import Float64, Int
from torch import Tensor

from lmcore import dataframes
from lmcore.checks import check_between
from lmcore.dataframes import Trace
from lmcore.embeddings.drift import snapshot_steps
from lmcore.embeddings.static.vectors import SNAPSHOTS, check_training
from lmcore.optimization.updates import Optimizer

if TYPE_CHECKING:
    from pandas import DataFrame

NOISE_POWER = 0.75
MOST_EPOCHS, LARGEST_BATCH, MOST_NEGATIVES = 100, 8192, 25
JUDGED = 4096
"""Examples over which the loss of a snapshot is taken."""


@dataclass(frozen=True, slots=True, eq=False)
class Examples:
    """Training examples: a bag of rows of the input table, and the word to tell from noise."""

    bags: Int[Tensor, "example slot"]
    """Rows of the input table; unused slots hold row 0 with share 0."""
    shares: Float64[Tensor, "example slot"]
    """The weight of each row in h: 1/n for a mean over n rows."""
    targets: Int[Tensor, " example"]
    """o"""

    def __len__(self) -> int:
        """The number of examples."""
        return len(self.targets)

    def select(self, rows: Int[Tensor, " chosen"]) -> Examples:
        """Some of the examples."""
        return Examples(self.bags[rows], self.shares[rows], self.targets[rows])

    def to_frame(self) -> DataFrame:
        """One row per example and slot: example, slot, row, share, target."""
        columns = {"row": self.bags, "share": self.shares, "target": self.targets[:, None]}
        return dataframes.entries("example slot", columns)


@dataclass(frozen=True, slots=True, eq=False)
class NegativeSamplingTrace(Trace):
    """The loss of each example, step by step."""

    hidden: Float64[Tensor, "example dimension"]
    """h"""
    true_score: Float64[Tensor, " example"]
    """u_o · h"""
    noise_scores: Float64[Tensor, "example noise"]
    """u_k · h"""
    true_probability: Float64[Tensor, " example"]
    """σ(u_o · h): the probability that the pair is a true one"""
    noise_probabilities: Float64[Tensor, "example noise"]
    """σ(u_k · h)"""
    losses: Float64[Tensor, " example"]
    """In nats."""


@dataclass(frozen=True, slots=True, eq=False)
class TableGradients(Trace):
    """∂L / ∂ every entry of both tables, with L the mean loss over the examples."""

    inputs: Float64[Tensor, "row dimension"]
    outputs: Float64[Tensor, "word dimension"]


def noise_distribution(
    frequencies: Int[Tensor, " word"], power: float = NOISE_POWER
) -> Float64[Tensor, " word"]:
    """p(w) ∝ frequency^power, from which noise words are drawn."""
    weights = frequencies.double().pow(power)
    return weights / weights.sum()


def draw_noise(
    distribution: Float64[Tensor, " word"], examples: int, count: int, generator: torch.Generator
) -> Int[Tensor, "example noise"]:
    """`count` noise words for each example, drawn independently."""
    uniforms = torch.rand(examples, count, generator=generator, dtype=torch.float64)
    drawn = torch.searchsorted(distribution.cumsum(dim=0), uniforms, right=True)
    return drawn.clamp(max=len(distribution) - 1)  # the sum may be rounded to less than 1


def trace_losses(
    inputs: Float64[Tensor, "row dimension"],
    outputs: Float64[Tensor, "word dimension"],
    examples: Examples,
    noise: Int[Tensor, "example noise"],
) -> NegativeSamplingTrace:
    """The forward pass of some examples, each with its own noise words."""
    hidden = (inputs[examples.bags] * examples.shares[..., None]).sum(dim=1)
    true_score = (outputs[examples.targets] * hidden).sum(dim=-1)
    noise_scores = (outputs[noise] @ hidden[..., None]).squeeze(-1)
    losses = F.softplus(-true_score) + F.softplus(noise_scores).sum(dim=-1)
    return NegativeSamplingTrace(
        hidden, true_score, noise_scores, true_score.sigmoid(), noise_scores.sigmoid(), losses
    )


def table_gradients(
    inputs: Float64[Tensor, "row dimension"],
    outputs: Float64[Tensor, "word dimension"],
    examples: Examples,
    noise: Int[Tensor, "example noise"],
    trace: NegativeSamplingTrace,
) -> TableGradients:
    """The gradients of the mean loss; a row used in several examples gets all their parts."""
    ids = torch.cat([examples.targets[:, None], noise], dim=1)
    slopes = torch.cat([trace.true_probability[:, None] - 1, trace.noise_probabilities], dim=1)
    slopes = slopes / len(examples)
    to_hidden = (slopes[:, None] @ outputs[ids]).squeeze(1)
    to_outputs = slopes[..., None] * trace.hidden[:, None]
    to_inputs = examples.shares[..., None] * to_hidden[:, None]
    width = inputs.shape[1]
    return TableGradients(
        torch.zeros_like(inputs).index_add_(
            0, examples.bags.flatten(), to_inputs.reshape(-1, width)
        ),
        torch.zeros_like(outputs).index_add_(0, ids.flatten(), to_outputs.reshape(-1, width)),
    )


@dataclass(frozen=True, slots=True)
class SamplingConfig:
    """The size of the vectors and how they are trained; η falls linearly to 0."""

    dimensions: int = 24
    negatives: int = 5
    """k, noise words for each example."""
    optimizer: str = "Adam"
    learning_rate: float = 0.02
    epochs: int = 5
    batch: int = 512
    snapshots: int = SNAPSHOTS
    seed: int = 0

    def __post_init__(self) -> None:
        """Raises ValueError naming what is out of bounds."""
        check_training(self.dimensions, self.optimizer, self.learning_rate, self.snapshots)
        check_between("the number of noise words k", self.negatives, 1, MOST_NEGATIVES)
        check_between("epochs", self.epochs, 1, MOST_EPOCHS)
        check_between("the batch", self.batch, 1, LARGEST_BATCH)


@dataclass(frozen=True, slots=True, eq=False)
class TableState:
    """Both tables after `step` updates, and their loss."""

    step: int
    seen: int
    loss: float
    """Mean over the first `JUDGED` examples with noise words that stay the same, nats."""
    inputs: Float64[Tensor, "row dimension"]
    outputs: Float64[Tensor, "word dimension"]

    def to_frame(self) -> DataFrame:
        """One row: step, examples, loss."""
        return dataframes.one_row({"step": self.step, "examples": self.seen, "loss": self.loss})


def train_tables(
    examples: Examples, rows: int, noise: Float64[Tensor, " word"], config: SamplingConfig
) -> Iterator[TableState]:
    """Train both tables in shuffled mini-batches; the state before the first step and later.

    A step follows the gradient of the batch's mean loss. Inputs begin uniform in ±1/(2d), outputs
    at 0, as in word2vec's program.

    Raises:
        ValueError: if the loss is no longer finite at a snapshot.
    """
    generator = torch.Generator().manual_seed(config.seed)
    start = torch.rand(rows, config.dimensions, generator=generator, dtype=torch.float64) - 0.5
    theta = torch.cat([start / config.dimensions, start.new_zeros(len(noise), config.dimensions)])
    judged = examples.select(torch.randperm(len(examples), generator=generator)[:JUDGED])
    judged_noise = draw_noise(noise, len(judged), config.negatives, generator)
    batches = -(-len(examples) // config.batch)
    steps = config.epochs * batches
    wanted = set(snapshot_steps(steps, min(config.snapshots, steps + 1)))
    optimizer = Optimizer(config.optimizer, config.learning_rate)
    step = seen = 0
    yield _state(step, seen, theta, rows, judged, judged_noise)
    for _ in range(config.epochs):
        order = torch.randperm(len(examples), generator=generator)
        for begin in range(0, len(examples), config.batch):
            batch = examples.select(order[begin : begin + config.batch])
            drawn = draw_noise(noise, len(batch), config.negatives, generator)
            optimizer.learning_rate = config.learning_rate * (1 - step / steps)
            theta = theta + optimizer.change(_gradient(theta, rows, batch, drawn))
            step, seen = step + 1, seen + len(batch)
            if step in wanted:
                yield _state(step, seen, theta, rows, judged, judged_noise)


def _gradient(theta: Tensor, rows: int, batch: Examples, noise: Tensor) -> Tensor:
    inputs, outputs = theta[:rows], theta[rows:]
    trace = trace_losses(inputs, outputs, batch, noise)
    found = table_gradients(inputs, outputs, batch, noise, trace)
    return torch.cat([found.inputs, found.outputs])


def _state(
    step: int, seen: int, theta: Tensor, rows: int, judged: Examples, noise: Tensor
) -> TableState:
    inputs, outputs = theta[:rows], theta[rows:]
    loss = float(trace_losses(inputs, outputs, judged, noise).losses.mean())
    if not math.isfinite(loss):
        raise ValueError(f"the loss must stay finite: lower η; got {loss:g} after step {step}")
    return TableState(step, seen, loss, inputs, outputs)
