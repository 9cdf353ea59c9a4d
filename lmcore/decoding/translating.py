"""A translation model as a `NextTokenModel`: the target is written after the whole source is read.

The prompt of every decoder here is `<s>`, or a beginning of the target: the source belongs to the
model. So greedy search, sampling and beam search translate without any change.

    generate_steps(TranslationAdapter(network, source), [[start]], SamplingConfig(20, (end,)))
    search(TranslationAdapter(network, source), torch.tensor([start]), BeamConfig(4, 20, (end,)))
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor

from lmcore.models.encoder_decoder import TranslationState
from lmcore.models.recurrent_seq2seq import DecoderState, SourcesIds
from lmcore.models.registry import TranslationModel, device_of

Memory = DecoderState | TranslationState


@dataclass(frozen=True, slots=True)
class TranslationAdapter:
    """A `NextTokenModel` of the target, given one source, which is read once.

    Raises:
        ValueError: if the source has no word, or a token that is not an id of the network.
    """

    network: TranslationModel
    source: SourcesIds
    longest: int | None = None
    _read: tuple[Memory, ...] = field(init=False, repr=False, compare=False, default=())

    @torch.inference_mode()
    def __post_init__(self) -> None:
        ids = self.network.read_source(self.source).to(device_of(self.network))
        if len(ids) != 1:
            raise ValueError(f"a translation must be of one source; got {len(ids)}")
        object.__setattr__(self, "_read", (self.network.encode(ids),))

    @torch.inference_mode()
    def start(
        self, tokens: Int[Tensor, "batch time"]
    ) -> tuple[Float[Tensor, "batch vocabulary"], Memory]:
        """As `NextTokenModel.start`: the prompts are beginnings of the target, from `<s>` on."""
        memory = self.select(self._read[0], torch.zeros(len(tokens), dtype=torch.long))
        scores, memory = self.step(tokens[:, 0], memory)
        for column in tokens[:, 1:].T:
            scores, memory = self.step(column, memory)
        return scores, memory

    @torch.inference_mode()
    def step(
        self, tokens: Int[Tensor, " batch"], memory: Any
    ) -> tuple[Float[Tensor, "batch vocabulary"], Memory]:
        """As `NextTokenModel.step`; in float64, since log p is near 0 for a well-trained model."""
        scores, _, memory = self.network.step(tokens, memory)
        return scores.double(), memory

    def select(self, memory: Memory, rows: Int[Tensor, " kept"]) -> Memory:
        """As `NextTokenModel.select`."""
        return memory.select(rows)
