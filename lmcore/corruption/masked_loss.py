"""The loss of masked language modelling: one term per chosen position, and their mean.

    term_i = −log p(x_i | corrupted text)       for i in M, the chosen positions
    L = (1/|M|) Σ_{i∈M} term_i                      nats

Only the chosen positions have a term. Through attention every position affects those terms: the
gradient of L reaches all of them.

Source: lecture "Bidirectional Transformer Encoders", "Masked Language Modeling (MLM)".
"""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch
from jaxtyping import Bool, Float64, Int
from torch import Tensor

from lmcore import dataframes
from lmcore.models.bert import BERT

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True, slots=True)
class MaskedLossTrace:
    """Every quantity, in the order it is computed; one row per corruption of the text."""

    surprise: Float64[Tensor, "row time"]
    """−log p of the original token at every position, in nats."""
    terms: Float64[Tensor, "row time"]
    """The same at chosen positions, else nan."""
    loss: Float64[Tensor, " row"]
    """The mean of the terms; nan where no position was chosen."""

    def to_frame(self) -> DataFrame:
        """One row per position of each corruption: row, time, −log p, and the term of the loss."""
        return dataframes.entries("row time", {"−log p": self.surprise, "term": self.terms})


@torch.no_grad()
def masked_loss(
    network: BERT,
    tokens: Int[Tensor, "1 time"],
    corrupted: Int[Tensor, "row time"],
    chosen: Bool[Tensor, "row time"],
) -> MaskedLossTrace:
    """The model's loss on each row; identical rows are computed once.

    Raises:
        ValueError: if the model has no head that fills in masked tokens.
    """
    where = network.embedding.token.weight.device
    rows, of_row = np.unique(corrupted.numpy(), axis=0, return_inverse=True)
    different = torch.from_numpy(rows)
    logits = network(different.to(where)).logits
    if logits is None:
        raise ValueError("the model must have a head that fills in masked tokens; it has none")
    log_p = logits.double().log_softmax(-1).cpu()
    wanted = tokens.expand(len(different), -1)[:, :, None]
    surprise = -log_p.gather(2, wanted)[:, :, 0][of_row.reshape(-1)]
    terms = torch.where(chosen, surprise, torch.nan)
    return MaskedLossTrace(surprise, terms, terms.nanmean(dim=1))


def gradient_at_places(
    network: BERT,
    tokens: Int[Tensor, "1 time"],
    corrupted: Int[Tensor, "1 time"],
    chosen: Bool[Tensor, "1 time"],
) -> Float64[Tensor, " time"]:
    """‖∂L/∂P[t]‖ for each position t: the gradient that reaches the input embedding there.

    Each row of P is added at its own position only. The model is copied, as another thread may be
    using it.

    Raises:
        ValueError: if no position is chosen, or the model lacks learned positions or the head.
    """
    if not chosen.any():
        raise ValueError("a gradient must be that of 1 chosen place or more; got none")
    if network.config.positions != "learned":
        raise ValueError(
            f"the model must have learned positions; its are {network.config.positions}"
        )
    own = copy.deepcopy(network).cpu().requires_grad_(False)
    own.embedding.position.requires_grad_(True)
    logits = own(corrupted).logits
    if logits is None:
        raise ValueError("the model must have a head that fills in masked tokens; it has none")
    log_p = logits.double().log_softmax(-1)
    loss = -log_p.gather(2, tokens[:, :, None])[:, :, 0][chosen].mean()
    (rows,) = torch.autograd.grad(loss, own.embedding.position.weight)
    norms: Tensor = rows[: tokens.shape[1]].double().norm(dim=1)
    return norms
