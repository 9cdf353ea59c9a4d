"""A recurrent language model unrolled: every number of every step, in the equation's letters.

    e_t = E[x_t]
    z_t = W_x e_t + W_h h_{t−1} + b        h_0 = 0
    h_t = tanh(z_t)
    ŷ_t = softmax(U h_t + b_2)
    J(t) = −log ŷ_t[x_{t+1}]               nats; J = mean of J(1) … J(T−1) is the loss of the text

Source: CMU 11-411, "An RNN Language Model" and "Training an RNN Language Model"; the loop is that
of Stony Brook CSE538, "Example: Forward Pass", with the step it leaves out and the biases.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import torch
from jaxtyping import Float64, Int64
from torch import Tensor

from lmcore import dataframes
from lmcore.checks import check_one_of
from lmcore.models.language_model import LanguageModel
from lmcore.models.registry import NeuralModel
from lmcore.models.rnn import RNN, RNNWeights

if TYPE_CHECKING:
    from pandas import DataFrame

MAX_TOKENS = 32
"""The most tokens, `<s>` included: each is a column."""
CHOICES = 5
TERMS = 8
PHASES = ("x", "e", "h", "y", "J")
"""The quantities of a step in the order of computation; y stands for ŷ."""
UNKNOWN = torch.tensor(math.nan, dtype=torch.float64)
"""The loss of the last step, whose next token is unknown."""


@dataclass(frozen=True, slots=True)
class UnrolledPosition:
    """A text and a position in its computation: step t (from 1), after `phase`, and a unit."""

    tokens: tuple[int, ...]
    step: int = 1
    phase: str = "J"
    unit: int = 1

    def __post_init__(self) -> None:
        """Raises ValueError naming what is out of bounds."""
        if not 2 <= len(self.tokens) <= MAX_TOKENS:
            raise ValueError(
                f"the text must have from 1 to {MAX_TOKENS - 1} words; got {len(self.tokens) - 1}"
            )
        if not 1 <= self.step <= len(self.tokens):
            raise ValueError(f"the step must be from 1 to {len(self.tokens)}; got {self.step}")
        check_one_of("the phase", self.phase, PHASES)
        if self.unit < 1:
            raise ValueError(f"the hidden unit must be 1 or more; got {self.unit}")


class RNNMatrices(NamedTuple):
    """A network of one layer, in the letters of the equation."""

    E: Float64[Tensor, "vocabulary width"]
    W_x: Float64[Tensor, "hidden width"]
    W_h: Float64[Tensor, "hidden hidden"]
    b: Float64[Tensor, " hidden"]
    U: Float64[Tensor, "vocabulary hidden"]
    b_2: Float64[Tensor, " vocabulary"]

    @classmethod
    def from_network(cls, network: RNN) -> RNNMatrices:
        """The weights of `network`, in float64 on the CPU.

        Raises:
            ValueError: if it has more than one layer, or another g than tanh.
        """
        config = network.config
        if config.layers != 1 or config.nonlinearity != "tanh":
            raise ValueError(
                "the network must have one layer and g = tanh; "
                f"got {config.layers} and {config.nonlinearity}"
            )
        layer = RNNWeights.from_torch(network.recurrent, 0)
        E, U, b_2 = network.embedding.weight, network.output.weight, network.output.bias
        every = (E, layer.W_x, layer.W_h, layer.b, U, b_2)
        return cls(*(weight.detach().cpu().double() for weight in every))


def rnn_network(model: LanguageModel) -> RNN:
    """The RNN inside a language model.

    Raises:
        ValueError: if the model is not an RNN.
    """
    if isinstance(model, NeuralModel) and isinstance(model.network, RNN):
        return model.network
    raise ValueError(f"the model must be an RNN; got {type(model).__name__}")


def can_unroll(model: LanguageModel) -> bool:
    """Whether `unroll` supports this model: an RNN of one layer with g = tanh."""
    try:
        RNNMatrices.from_network(rnn_network(model))
    except ValueError:
        return False
    return True


class Unrolled(NamedTuple):
    """Every quantity of every step; the last loss is nan: the next token is unknown."""

    embedding: Float64[Tensor, "time width"]
    pre_activation: Float64[Tensor, "time hidden"]
    hidden: Float64[Tensor, "time hidden"]
    probabilities: Float64[Tensor, "time vocabulary"]
    losses: Float64[Tensor, " time"]

    def to_frame(self) -> DataFrame:
        """One row per number: quantity, time, and width, hidden or vocabulary; value."""
        return dataframes.numbers(self)


def unroll(weights: RNNMatrices, tokens: Sequence[int]) -> Unrolled:
    """Read the tokens one by one; the same weights at every step."""
    E, W_x, W_h, b, U, b_2 = weights
    h, steps = torch.zeros_like(b), []
    for x, x_next in pairwise([*tokens, None]):
        e = E[x]
        z = W_x @ e + W_h @ h + b
        h = torch.tanh(z)
        y = torch.softmax(U @ h + b_2, dim=0)
        J = UNKNOWN if x_next is None else -torch.log(y[x_next])
        steps.append((e, z, h, y, J))
    return Unrolled(*map(torch.stack, zip(*steps, strict=True)))


class LossSummary(NamedTuple):
    """The losses of a text of T tokens, in nats."""

    each: Float64[Tensor, " loss"]
    """J(1) … J(T−1)"""
    running: Float64[Tensor, " loss"]
    """The mean of J(1) … J(t)"""
    mean: float
    perplexity: float
    as_printed: float
    """The mean of −ŷ_t[x_{t+1}], without the log, as in the slide's last line."""

    def to_frame(self) -> DataFrame:
        """One row per predicted token: time, J, mean of J so far."""
        return dataframes.entries("time", {"J": self.each, "mean of J so far": self.running})


def summarize_losses(each: Float64[Tensor, " loss"]) -> LossSummary:
    """The running mean of some losses, and their summary.

    Raises:
        ValueError: if there is none.
    """
    if not len(each):
        raise ValueError("a text must have at least 2 tokens for a loss; got none to predict")
    running = each.cumsum(0) / torch.arange(1, len(each) + 1)
    mean = float(each.mean())
    perplexity = float(each.mean().exp())
    return LossSummary(each, running, mean, perplexity, -float((-each).exp().mean()))


def token_losses(model: LanguageModel, tokens: Sequence[int]) -> Float64[Tensor, " loss"]:
    """J(1) … J(T−1) of any language model; infinite where p is 0."""
    ids = torch.tensor(list(tokens))
    rows = model.log_probabilities(ids)[:-1].double()
    each: Tensor = -rows.gather(1, ids[1:, None])[:, 0]
    return each


class LargestTerms(NamedTuple):
    """The largest products of a dot product at each step, and the sum of the others."""

    places: Int64[Tensor, "time term"]
    """Which unit of e or h, from 1"""
    weights: Float64[Tensor, "time term"]
    values: Float64[Tensor, "time term"]
    products: Float64[Tensor, "time term"]
    rest: Float64[Tensor, " time"]


class UnitTrace(NamedTuple):
    """One hidden unit at every step: z = from_input + from_memory + b, h = tanh(z)."""

    from_input: Float64[Tensor, " time"]
    """W_x e_t"""
    from_memory: Float64[Tensor, " time"]
    """W_h h_{t−1}"""
    bias: Float64[Tensor, " time"]
    pre_activation: Float64[Tensor, " time"]
    hidden: Float64[Tensor, " time"]
    input_terms: LargestTerms
    memory_terms: LargestTerms

    def to_frame(self) -> DataFrame:
        """One row per step: time, W_x e, W_h h, b, z, h."""
        columns = {
            "W_x e": self.from_input,
            "W_h h": self.from_memory,
            "b": self.bias,
            "z": self.pre_activation,
            "h": self.hidden,
        }
        return dataframes.entries("time", columns)


def unit_trace(weights: RNNMatrices, unrolled: Unrolled, unit: int) -> UnitTrace:
    """The sums behind hidden unit number `unit`, counted from 1.

    Raises:
        ValueError: if there is no such unit.
    """
    if not 1 <= unit <= len(weights.b):
        raise ValueError(f"the hidden unit must be from 1 to {len(weights.b)}; got {unit}")
    row = unit - 1
    before = torch.cat([torch.zeros_like(unrolled.hidden[:1]), unrolled.hidden[:-1]])
    z = unrolled.pre_activation[:, row]
    return UnitTrace(
        unrolled.embedding @ weights.W_x[row],
        before @ weights.W_h[row],
        weights.b[row].expand(len(z)),
        z,
        unrolled.hidden[:, row],
        largest_terms(weights.W_x[row], unrolled.embedding),
        largest_terms(weights.W_h[row], before),
    )


def largest_terms(
    weights: Float64[Tensor, " unit"], values: Float64[Tensor, "time unit"]
) -> LargestTerms:
    """The `TERMS` products of largest magnitude at each step, the largest first."""
    products = weights * values
    places = products.abs().topk(min(TERMS, len(weights)), dim=1).indices
    shown = products.gather(1, places)
    rest = products.sum(1) - shown.sum(1)
    return LargestTerms(places + 1, weights[places], values.gather(1, places), shown, rest)
