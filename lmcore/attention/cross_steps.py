"""A translation by an encoder–decoder Transformer, and where each step of its decoder looks.

    α_ij = softmax_j(q_i · k_j ÷ √d_k)      q_i from the decoder's word i, k_j from m, the encoder's
                                            output for word j of the source

Every head of every decoder block has weights of its own; row i is the step that writes word i.

Source: Vaswani et al. 2017, section 3.2.3, "encoder–decoder attention".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import torch
from jaxtyping import Float64
from torch import Tensor

from lmcore import dataframes
from lmcore.models.encoder_decoder import Transformer
from lmcore.models.registry import device_of
from lmcore.training.translation_batches import MOST_WRITTEN, encode_sources
from lmcore.vocabulary import END, START, Vocabulary

if TYPE_CHECKING:
    from pandas import DataFrame


class CrossSteps(NamedTuple):
    """A greedy translation, and the weights of every head at every step."""

    read: tuple[str, ...]
    """What the decoder reads at each step: `<s>`, and the words that it has written."""
    written: tuple[str, ...]
    probability: Float64[Tensor, " time"]
    """p(y_i | y_1 … y_{i−1}, x) of each written word."""
    weights: Float64[Tensor, "block head time source"]
    """α; the last place of the source is its `</s>`."""

    def to_frame(self) -> DataFrame:
        """One row per step and place of the source of each head: block, head, step, place, α."""
        return dataframes.entries("block head step place", {"α": self.weights})

    def of_head(self, block: int, head: int | None) -> Float64[Tensor, "time source"]:
        """The weights of a head, from 0, or the mean over a block's heads."""
        its = self.weights[block]
        return its.mean(dim=0) if head is None else its[head]


@torch.no_grad()
def trace_cross_attention(
    network: Transformer,
    vocabulary: Vocabulary,
    source: Sequence[str],
    *,
    longest: int = MOST_WRITTEN,
) -> CrossSteps:
    """Translate a source greedily, at most `longest` words, and keep all weights on the source.

    Raises:
        ValueError: if a word is not in the vocabulary.
    """
    ids = encode_sources([source]).to(device_of(network))
    state, end = network.encode(ids), vocabulary.ids[END]
    read, written = [vocabulary.ids[START]], list[int]()
    while len(written) < longest and end not in written:
        logits, _, state = network.step(torch.tensor(read[-1:], device=ids.device), state)
        written.append(int(logits[0].argmax()))
        read.append(written[-1])
    trace = network(ids, torch.tensor([read[:-1]], device=ids.device))
    chances = trace.logits[0].double().softmax(dim=-1)
    chosen = torch.tensor(written, device=ids.device)[:, None]
    blocks = [block.cross.weights[0].double().cpu() for block in trace.decoder]
    return CrossSteps(
        tuple(vocabulary.decode(read[:-1])),
        tuple(vocabulary.decode(written)),
        chances.gather(1, chosen)[:, 0].cpu(),
        torch.stack(blocks),
    )
