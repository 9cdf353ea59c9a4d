"""The feedforward model's five steps over a whole text: from three words to the next one."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import torch
import torch.nn.functional as F
from jaxtyping import Float64, Int
from torch import Tensor

from lmcore import dataframes
from lmcore.dataframes import Trace
from lmcore.models.feedforward import Feedforward, one_hot_times
from lmcore.models.registry import NeuralModel, embedding_table

if TYPE_CHECKING:
    from pandas import DataFrame

CHOICES = 6
MAX_TOKENS = 64
"""The longest text, in tokens: every number of every step is sent to the browser."""


@dataclass(frozen=True, slots=True, eq=False)
class PipelineTrace(Trace):
    """Each step at each position of a text, in float64; position t predicts token t + 1."""

    tokens: Int[Tensor, " time"]
    window: Int[Tensor, "time context"]
    product: Float64[Tensor, "time context width"]
    """One-hot rows times E."""
    embedding: Float64[Tensor, "time context width"]
    """The rows of E, looked up."""
    difference: Float64[Tensor, " time"]
    """The largest |product − embedding|."""
    concatenated: Float64[Tensor, "time context*width"]
    """e"""
    pre_activation: Float64[Tensor, "time hidden"]
    """z = W e + b"""
    hidden: Float64[Tensor, "time hidden"]
    """h = g(z)"""
    logits: Float64[Tensor, "time vocabulary"]
    """U h + b_2"""
    probabilities: Float64[Tensor, "time vocabulary"]
    """ŷ = softmax(logits)"""
    best: Int[Tensor, "time choice"]
    """The most probable next tokens, best first."""
    true_probabilities: Float64[Tensor, " known"]
    """ŷ of the actual next token; the last position has none."""
    ranks: Int[Tensor, " known"]
    """1 where that token is the model's first choice."""


@torch.no_grad()
def trace_pipeline(model: NeuralModel, tokens: Int[Tensor, " time"]) -> PipelineTrace:
    """The five steps for every window of `tokens`, which begins with `<s>`.

    Raises:
        ValueError: if the model is not a feedforward one, or the text is empty or too long.
    """
    if not isinstance(model.network, Feedforward):
        raise ValueError(
            f"the model must be a feedforward one; got {type(model.network).__name__.lower()}"
        )
    if not 1 <= len(tokens) <= MAX_TOKENS:
        raise ValueError(f"the text must have 1 to {MAX_TOKENS} tokens; got {len(tokens)}")
    network = deepcopy(model.network).double()
    trace = network(tokens[None])
    window, embedding = trace.window[0], trace.embedding[0]
    product = one_hot_times(window, network.embedding.weight)
    chances = trace.logits[0].softmax(-1)
    true = chances[:-1].gather(1, tokens[1:, None])
    return PipelineTrace(
        tokens=tokens,
        window=window,
        product=product,
        embedding=embedding,
        difference=(product - embedding).abs().amax((1, 2)),
        concatenated=trace.concatenated[0],
        pre_activation=trace.pre_activation[0],
        hidden=trace.hidden[0],
        logits=trace.logits[0],
        probabilities=chances,
        best=chances.topk(min(CHOICES, chances.shape[1])).indices,
        true_probabilities=true[:, 0],
        ranks=1 + (chances[:-1] > true).sum(1),
    )


@dataclass(frozen=True, slots=True, eq=False)
class UnitTerms(Trace):
    """At each position, the largest terms of one unit's sum and of the best token's logit."""

    unit: Int[Tensor, " time"]
    inputs: Int[Tensor, "time term"]
    """The places in e of the unit's largest terms, largest first."""
    input_terms: Float64[Tensor, "time term"]
    """W[unit, j] · e[j]"""
    units: Int[Tensor, "time other_term"]
    """The hidden units of the logit's largest terms, largest first."""
    unit_terms: Float64[Tensor, "time other_term"]
    """U[best, i] · h[i]"""


@torch.no_grad()
def unit_terms(
    model: NeuralModel, trace: PipelineTrace, unit: int | None = None, count: int = 8
) -> UnitTerms:
    """The `count` terms of largest size in z[unit], and in the logit of the most probable token.

    Without a `unit`, at each position the one that adds most to that logit.

    Raises:
        ValueError: if there is no such unit, or `count` is not positive.
    """
    network = model.network
    assert isinstance(network, Feedforward)
    hidden = trace.hidden.shape[1]
    if unit is not None and not 0 <= unit < hidden:
        raise ValueError(f"the unit must be from 0 to {hidden - 1}; got {unit}")
    if count < 1:
        raise ValueError(f"the terms must be at least 1; got {count}")
    W, U = network.hidden.weight.double(), network.output.weight.double()
    to_logit = U[trace.best[:, 0]] * trace.hidden
    chosen = to_logit.argmax(1) if unit is None else torch.full((len(to_logit),), unit)
    to_unit = W[chosen] * trace.concatenated
    units = to_logit.abs().topk(min(count, hidden)).indices
    inputs = to_unit.abs().topk(min(count, to_unit.shape[1])).indices
    return UnitTerms(chosen, inputs, to_unit.gather(1, inputs), units, to_logit.gather(1, units))


class NearestTypes(NamedTuple):
    """The types nearest to one by the cosine of their rows of E, nearest first."""

    ids: Int[Tensor, " neighbour"]
    cosines: Float64[Tensor, " neighbour"]

    def to_frame(self) -> DataFrame:
        """One row per type, the nearest first: token (its id), cosine."""
        return dataframes.frame({"token": self.ids, "cosine": self.cosines})


@torch.no_grad()
def neighbours(model: NeuralModel, token: int, count: int = 8) -> NearestTypes:
    """The `count` types nearest to `token`; the token itself is left out.

    Raises:
        ValueError: if the token is not an id of the vocabulary, or there are fewer than `count`
            others.
    """
    types = len(model.vocabulary)
    if not 0 <= token < types:
        raise ValueError(f"the token must be an id from 0 to {types - 1}; got {token}")
    if not 1 <= count < types:
        raise ValueError(f"the neighbours must be 1 to {types - 1}; got {count}")
    rows = F.normalize(embedding_table(model.network).double(), dim=-1)
    cosines = rows @ rows[token]
    cosines[token] = -torch.inf
    best = cosines.topk(count)
    return NearestTypes(best.indices, best.values)
