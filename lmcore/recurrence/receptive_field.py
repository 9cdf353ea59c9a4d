"""The size and the receptive field of recurrent networks: context length, depth, bidirectionality.

    feedforward   |V| e + N e h + h + (h + 1)|V|      grows with the context N
    RNN           |V| e + Σ_layers h (in + h + 2) + (h + 1)|V|      independent of text length

A bidirectional layer has everything twice, and the next layer's `in` is 2h.

Source: CMU 11-411, "Advantages of RNN Language Models"; UW LING 575, "Two Extensions".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import torch
from jaxtyping import Bool, Float, Float64
from torch import Tensor, nn

from lmcore import dataframes
from lmcore.corpora import masked_words
from lmcore.corpora.automaton import Automaton
from lmcore.models.feedforward import LONGEST_CONTEXT, FeedforwardConfig
from lmcore.models.layers import MOST_LAYERS, check_size
from lmcore.models.rnn import RNNConfig, RNNWeights, rnn_layer

if TYPE_CHECKING:
    from pandas import DataFrame

TINY = (3, 5)
"""Sizes of the network for computing the receptive field, which does not depend on them."""


class ParameterCounts(NamedTuple):
    """Parameters of two models with the same embedding and hidden size."""

    contexts: tuple[int, ...]
    """N: the context lengths of the feedforward model"""
    feedforward: tuple[int, ...]
    rnn: int


def parameter_counts(config: RNNConfig) -> ParameterCounts:
    """The sizes of a feedforward model for each context length N, and of the RNN of `config`."""
    contexts = tuple(range(1, LONGEST_CONTEXT + 1))
    models = (
        FeedforwardConfig(config.vocabulary, config.embedding, config.hidden, context)
        for context in contexts
    )
    return ParameterCounts(contexts, tuple(model.parameters for model in models), config.parameters)


@dataclass(frozen=True, slots=True)
class RecurrentStack:
    """A stack of recurrent layers, unidirectional or bidirectional."""

    layers: int = 1
    bidirectional: bool = False

    def __post_init__(self) -> None:
        """Raises ValueError if there are none or too many."""
        check_size("the number of layers", self.layers, MOST_LAYERS)

    def parameters(self, config: RNNConfig) -> int:
        """Numbers in E, the layers, U and b_2, with the other sizes as in `config`."""
        ways, hidden = 1 + self.bidirectional, config.hidden
        inputs = config.embedding + (self.layers - 1) * ways * hidden
        stacked = ways * hidden * (inputs + self.layers * (hidden + 2))
        ends = config.vocabulary * (config.embedding + ways * hidden + 1)
        return stacked + ends


def last_layer_states(inputs: Float[Tensor, "batch time width"], recurrent: nn.RNN) -> Tensor:
    """h of the last layer of torch's RNN, by the equations; both directions if bidirectional."""
    ways = (False, True) if recurrent.bidirectional else (False,)
    h_0 = inputs.new_zeros(len(inputs), recurrent.hidden_size)
    for n in range(recurrent.num_layers):
        read = [
            rnn_layer(inputs, RNNWeights.from_torch(recurrent, n, reverse=way), h_0, reverse=way)
            for way in ways
        ]
        inputs = torch.cat([layer.hidden for layer in read], dim=-1)
    return inputs


def receptive_field(
    stack: RecurrentStack, time: int, *, seed: int = 0
) -> Bool[Tensor, "place word"]:
    """Whether the output at a position depends on a word: ∂h(position)/∂e(word) ≠ 0."""
    generator = torch.Generator().manual_seed(seed)
    recurrent = nn.RNN(
        *TINY, stack.layers, bidirectional=stack.bidirectional, batch_first=True, device="meta"
    )
    recurrent = recurrent.to_empty(device="cpu").double()
    with torch.no_grad():
        for weight in recurrent.parameters():
            weight.uniform_(-0.5, 0.5, generator=generator)
    inputs = torch.randn(1, time, TINY[0], generator=generator, dtype=torch.float64)
    inputs.requires_grad_()
    outputs = last_layer_states(inputs, recurrent)[0].sum(1)
    each = torch.eye(time, dtype=torch.float64)
    (gradients,) = torch.autograd.grad(outputs, inputs, each, is_grads_batched=True)
    seen: Tensor = (gradients[:, 0] != 0).any(dim=-1)
    return seen


class ContextProbabilities(NamedTuple):
    """The grammar's exact p of each word but the first."""

    left: Float64[Tensor, " word"]
    """Given only the words before it"""
    both: Float64[Tensor, " word"]
    """Given the words on both sides"""

    def to_frame(self) -> DataFrame:
        """One row per word but the first: p from the left, p from both sides."""
        return dataframes.frame({"p from the left": self.left, "p from both sides": self.both})


def context_probabilities(world: Automaton, tokens: Sequence[int]) -> ContextProbabilities:
    """The grammar's p of each word given its left context, and given both sides.

    Raises:
        ValueError: if the grammar has no such text, as `lmcore.corpora.masked_words.posteriors`.
    """
    ids = torch.tensor(list(tokens))
    both = torch.from_numpy(masked_words.leave_one_out_posteriors(world, tokens))
    left = world.log_probabilities(ids)[:-1].double().exp()
    return ContextProbabilities(*(rows.gather(1, ids[1:, None])[:, 0] for rows in (left, both)))
