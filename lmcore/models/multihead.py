"""Multi-head attention: several heads in parallel, each with its own low-dimensional projection.

    Q, K, V  = X W^Q + b^Q, M W^K + b^K, M W^V + b^V        M = X, or a source to attend to
    Z_h      = attention(Q_h, K_h, V_h)                     head h has its own d_k = d / n_h columns
    output   = [Z_1; …; Z_{n_h}] W^O + b^O

Source: Vaswani et al. 2017, section 3.2.2, with the biases that BERT and GPT-2 have.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from jaxtyping import Float
from torch import Tensor, nn

from lmcore.dataframes import Trace
from lmcore.models.attention import Mask, apply_mask, attention
from lmcore.models.interventions import HeadEdit, apply_head_edits


@dataclass(frozen=True, slots=True)
class MultiHeadTrace(Trace):
    """Every quantity, in the order it is computed.

    `scaled` and `masked` are recomputed from `scores` when they are read, bit for bit the same:
    stored, they would take half of the memory of a long text's trace, and half of its time.
    """

    query: Float[Tensor, "batch head query d_k"]
    key: Float[Tensor, "batch head key d_k"]
    value: Float[Tensor, "batch head key d_k"]
    scores: Float[Tensor, "batch head query key"]
    mask: Mask | None
    weights: Float[Tensor, "batch head query key"]
    context: Float[Tensor, "batch head query d_k"]
    """Z_h, the output of each head"""
    concatenated: Float[Tensor, "batch query width"]
    output: Float[Tensor, "batch query width"]

    @property
    def scaled(self) -> Float[Tensor, "batch head query key"]:
        """The scores divided by √d_k."""
        return self.scores * float(self.query.shape[-1] ** -0.5)

    @property
    def masked(self) -> Float[Tensor, "batch head query key"]:
        """scaled, with −∞ where the mask hides a key; without a mask as it is."""
        return self.scaled if self.mask is None else apply_mask(self.scaled, self.mask)


class MultiHead(nn.Module):
    """W^Q, W^K, W^V and W^O with their biases."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.query = nn.Linear(width, width, device="meta")
        self.key = nn.Linear(width, width, device="meta")
        self.value = nn.Linear(width, width, device="meta")
        self.output = nn.Linear(width, width, device="meta")

    def forward(
        self,
        inputs: Float[Tensor, "batch query width"],
        source: Float[Tensor, "batch key width"] | None = None,
        mask: Mask | None = None,
        edits: Sequence[HeadEdit] = (),
    ) -> MultiHeadTrace:
        """Self-attention, or cross-attention to `source`.

        A mask has the axes [query key], [batch query key] or [batch head query key].
        """
        source = inputs if source is None else source
        if mask is not None and mask.ndim == 3:
            mask = mask[:, None]
        q = self.split(self.query(inputs))
        k, v = self.split(self.key(source)), self.split(self.value(source))
        seen = attention(q, k, v, mask)
        if edits:
            seen = apply_head_edits(seen, v, edits)
        concatenated = seen.context.transpose(1, 2).flatten(2)
        return MultiHeadTrace(
            *(q, k, v, seen.scores, mask, seen.weights, seen.context),
            *(concatenated, self.output(concatenated)),
        )

    def split(
        self, wide: Float[Tensor, "batch time width"]
    ) -> Float[Tensor, "batch head time d_k"]:
        """The columns of `wide`, divided among the heads."""
        return wide.reshape(*wide.shape[:2], self.heads, -1).transpose(1, 2)
