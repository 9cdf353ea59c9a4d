"""The input embeddings of a text, token by token: the row of each table, and their sum.

    x_t = E[token_t] + P[t] + S[segment_t]

Source: Devlin et al. 2019, figure 2; computed by `lmcore/models/embedding.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import torch
from jaxtyping import Float
from torch import Tensor

from lmcore import dataframes
from lmcore.models.bert import BERT
from lmcore.models.gpt import GPT
from lmcore.pretrained.reading import PAD, TokenizedText
from lmcore.tokenization.rules import CONTINUATION_MARK

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True, slots=True)
class InputTrace:
    """The rows of a text's tokens, in the order they are added, and their sum."""

    reading: TokenizedText
    token: Float[Tensor, "time width"]
    position: Float[Tensor, "time width"] | None
    """None where the model has no table of places; likewise `segment`."""
    segment: Float[Tensor, "time width"] | None
    output: Float[Tensor, "time width"]

    def __post_init__(self) -> None:
        """Raises ValueError if the rows are not as many as the tokens."""
        if len(self.output) != len(self.reading.tokens):
            raise ValueError(
                f"there must be a row for each of {len(self.reading.tokens)} tokens; "
                f"got {len(self.output)}"
            )

    @property
    def rows(self) -> dict[str, Float[Tensor, "time width"]]:
        """The tables that the model has, then the sum, each by its name."""
        every = {
            "token": self.token,
            "position": self.position,
            "segment": self.segment,
            "input": self.output,
        }
        return {name: values for name, values in every.items() if values is not None}

    def to_frame(self) -> DataFrame:
        """One row per number of a token's vector: place, dimension, and each table of `rows`."""
        return dataframes.entries("place dimension", self.rows)


@torch.no_grad()
def trace_inputs(network: BERT | GPT, reading: TokenizedText) -> InputTrace:
    """The rows of the text's tokens, on the CPU.

    Raises:
        ValueError: if the model has no such token, place or segment.
    """
    where = network.embedding.token.weight.device
    # A model with one segment, or none, was trained without the difference.
    pairs = network.config.segments > 1
    seen = network.embedding(
        reading.ids[None].to(where), segments=reading.segments[None].to(where) if pairs else None
    )
    position, segment = (
        None if part is None else part[0].cpu() for part in (seen.position, seen.segment)
    )
    return InputTrace(reading, seen.token[0].cpu(), position, segment, seen.output[0].cpu())


def pad_reading(reading: TokenizedText, pad: int, multiple: int) -> TokenizedText:
    """The text with [PAD], whose id is `pad`, up to the next multiple of a length; segment 0."""
    empty = -len(reading.tokens) % multiple
    return replace(
        reading,
        ids=torch.cat([reading.ids, reading.ids.new_full((empty,), pad)]),
        tokens=(*reading.tokens, *[PAD] * empty),
        segments=torch.cat([reading.segments, reading.segments.new_zeros(empty)]),
        special=torch.cat([reading.special, reading.special.new_ones(empty)]),
    )


def word_spans(tokens: Sequence[str], special: Sequence[bool]) -> list[range]:
    """The places of each word's pieces; special tokens belong to no word."""
    spans = list[range]()
    for place, (token, outside) in enumerate(zip(tokens, special, strict=True)):
        if outside:
            continue
        if token.startswith(CONTINUATION_MARK) and spans and spans[-1].stop == place:
            spans[-1] = range(spans[-1].start, place + 1)
        else:
            spans.append(range(place, place + 1))
    return spans
