"""A gap that is read with more and more of the words after it, and where the gap looks.

    x_r     = [CLS] w_1 … w_{i−1} [MASK] w_{i+1} … w_{i+r} [SEP]
    q_r(w)  the softmax of the logits at the gap, in x_r
    a_r(j)  the gap's attention to token j, the mean over the heads of all blocks

At r = 0 the text ends at the gap. It is the same encoder in each row: it never learned from texts
that end so, and is no decoder.

Source: Devlin et al. 2019, section 3.1; lecture "Bidirectional Transformer Encoders".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from jaxtyping import Float64
from torch import Tensor

from lmcore import dataframes
from lmcore.masked_lm.cloze import ClozeText, cover_places
from lmcore.models.bert import BERT

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True, slots=True)
class SidesTrace:
    """The answer at one gap, and its attention; a row for each number of tokens read after it."""

    place: int
    log_q: Float64[Tensor, "read vocabulary"]
    weights: Float64[Tensor, "read time"]
    """0 for tokens that are not read."""

    @property
    def after(self) -> int:
        """How many tokens there are after the gap, without those that end every text."""
        return len(self.log_q) - 1

    def shares(self) -> Float64[Tensor, "read 3"]:
        """The attention to the tokens before the gap, after it, and to the others.

        The others are the gap itself and the tokens that begin and end every text.
        """
        first, last = self.place + 1, self.place + 1 + self.after
        before = self.weights[:, 1 : self.place].sum(1)
        later = self.weights[:, first:last].sum(1)
        return torch.stack([before, later, self.weights.sum(1) - before - later], 1)

    def to_frame(self) -> DataFrame:
        """One row per number of tokens read after the gap, with the shares of the attention."""
        before, later, others = self.shares().unbind(1)
        columns = {"read": range(self.after + 1), "before": before, "after": later, "else": others}
        return dataframes.frame(columns)


def read_sides(network: BERT, text: ClozeText, place: int) -> SidesTrace:
    """The answer at `place` with 0, 1, 2, … of the tokens after it; typed [MASK]s stay covered.

    Raises:
        ValueError: if the position cannot be masked, or the model has no head for masked tokens.
    """
    if place not in text.maskable:
        raise ValueError(f"the gap must be one of {text.maskable}; got {place}")
    row = cover_places(text, {place, *text.typed})
    end = text.maskable[-1] + 1
    steps = [_read(network, row, place, stop, end) for stop in range(place + 1, end + 1)]
    return SidesTrace(place, *map(torch.stack, zip(*steps, strict=True)))


@torch.inference_mode()
def _read(
    network: BERT, row: Tensor, place: int, stop: int, end: int
) -> tuple[Float64[Tensor, " vocabulary"], Float64[Tensor, " time"]]:
    """The answer and the attention at the gap, without the tokens from `stop` up to `end`."""
    ids = torch.cat([row[:stop], row[end:]]).to(network.embedding.token.weight.device)
    trace = network(ids[None])
    if trace.logits is None:
        raise ValueError("the model must have a head that fills in masked tokens; it has none")
    looked = torch.stack([block.attention.weights[0, :, place] for block in trace.blocks])
    mean = looked.double().mean((0, 1)).cpu()
    weights = torch.zeros(len(row), dtype=torch.float64)
    weights[:stop], weights[end:] = mean[:stop], mean[stop:]
    return trace.logits[0, place].double().log_softmax(-1).cpu(), weights
