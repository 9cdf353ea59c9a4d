"""Soft attention: what a decoder takes from the states of its encoder, for one word of the target.

    e_j = a(s, h_j)        α_j = exp e_j / Σ_k exp e_k        c = Σ_j α_j h_j

    dot       a(s, h) = s · h
    cosine    a(s, h) = γ s · h / (‖s‖ ‖h‖)
    mlp       a(s, h) = v · tanh(W_a s + U_a h)

s is the decoder's state before the word, h_j the encoder's at place j of the source: it is key and
value both.

Source: Bahdanau et al. 2015, section 3.1 and appendix A.1.2 (mlp); Luong et al. 2015 (dot);
Graves et al. 2014 (cosine, with γ); lecture "Core idea of Attention" (cosine without γ: its softmax
is nearly uniform).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from lmcore.dataframes import Trace

Score = Literal["dot", "cosine", "mlp"]
SHARPNESS = 8.0
"""γ before training."""
LEAST_NORM = 1e-8
"""The least norm in a cosine: a shorter vector counts as this long."""
NEAR = 1e-4
"""How far the sum of forced weights may be from 1."""
Order: TypeAlias = Int[Tensor, "batch source"]
"""For each place j of a row, the place whose weight h_j gets."""


@dataclass(frozen=True, slots=True)
class AttentionStep(Trace):
    """Attention for one word of the target, in the order it is computed."""

    scores: Float[Tensor, "batch source"]
    """e_j; −∞ at padding."""
    weights: Float[Tensor, "batch source"]
    """α_j, as used: after what is forced or permuted."""
    context: Float[Tensor, "batch hidden"]
    """c"""


class SoftAttention(nn.Module):
    """The weights of a score, if it has any: W_a, U_a and v, or γ."""

    def __init__(self, score: Score, hidden: int) -> None:
        super().__init__()
        self.score = score
        if score == "mlp":
            self.W_a = nn.Linear(hidden, hidden, bias=False, device="meta")
            self.U_a = nn.Linear(hidden, hidden, bias=False, device="meta")
            self.v = nn.Linear(hidden, 1, bias=False, device="meta")
        if score == "cosine":
            self.sharpness = nn.Parameter(torch.empty(1, device="meta"))

    def prepare_keys(
        self, states: Float[Tensor, "batch source hidden"]
    ) -> Float[Tensor, "batch source hidden"]:
        """The part of a(s, h_j) that does not depend on s: U_a h_j, h_j / ‖h_j‖, or h_j itself."""
        if self.score == "mlp":
            keys: Tensor = self.U_a(states)
            return keys
        return _unit(states) if self.score == "cosine" else states

    def scores(
        self, query: Float[Tensor, "batch hidden"], keys: Float[Tensor, "batch source hidden"]
    ) -> Float[Tensor, "batch source"]:
        """e_j of each state for s, from what `prepare_keys` made of the states."""
        if self.score == "mlp":
            e: Tensor = self.v(torch.tanh(self.W_a(query)[:, None] + keys))
            return e[..., 0]
        if self.score == "cosine":
            query = self.sharpness * _unit(query)
        return (keys @ query[:, :, None])[..., 0]

    def forward(
        self,
        query: Float[Tensor, "batch hidden"],
        states: Float[Tensor, "batch source hidden"],
        keys: Float[Tensor, "batch source hidden"],
        mask: Bool[Tensor, "batch source"],
        *,
        forced: Float[Tensor, "*#batch source"] | None = None,
        order: Order | None = None,
    ) -> AttentionStep:
        """The equations; `mask` is true where there is a word of the source.

        `forced` takes the place of α, the same in every row or one for each; `order` permutes α of
        each row.
        """
        e = self.scores(query, keys).masked_fill(~mask, -torch.inf)
        alpha = e.softmax(dim=-1)
        if forced is not None:
            alpha = forced.to(alpha).expand_as(alpha)
        if order is not None:
            alpha = alpha.gather(1, order)
        return AttentionStep(e, alpha, (alpha[:, None] @ states)[:, 0])


def check_forced(weights: Sequence[float] | Tensor, places: int) -> Float[Tensor, " source"]:
    """Weights α for every place of a source, as a tensor.

    Raises:
        ValueError: if there is not one for each place, one is below 0, or their sum is not 1.
    """
    alpha = torch.as_tensor(weights, dtype=torch.float64)
    if tuple(alpha.shape) != (places,):
        raise ValueError(
            f"the forced weights α must be {places}, one per place of the source; "
            f"got the shape {tuple(alpha.shape)}"
        )
    if not (alpha >= 0).all() or not abs(float(alpha.sum()) - 1) <= NEAR:
        raise ValueError(
            "the forced weights α must be 0 or more, with the sum 1; "
            f"got {float(alpha.sum()):g}, the smallest {float(alpha.min()):g}"
        )
    return alpha


def check_changes(
    forced: Mapping[int, Sequence[float] | Tensor],
    order: Order | None,
    shape: tuple[int, ...],
    steps: int,
) -> dict[int, Float[Tensor, " source"]]:
    """The forced weights of each step as a tensor; `shape` is that of the sources.

    Raises:
        ValueError: as `check_forced`, if there is no such step, or `order` is not a permutation.
    """
    for step in forced:
        if not 0 <= step < steps:
            raise ValueError(
                f"a step with forced weights α must be from 0 to {steps - 1}; got {step}"
            )
    if order is not None:
        places = torch.arange(shape[1]).expand(shape)
        if not torch.equal(order.cpu().sort(dim=1).values, places):
            raise ValueError(
                f"an order must have the places 0 to {shape[1] - 1} once in each of {shape[0]} "
                f"rows; got {order.tolist()!r:.60}"
            )
    return {step: check_forced(weights, shape[1]) for step, weights in forced.items()}


def random_orders(mask: Bool[Tensor, "batch source"], generator: torch.Generator) -> Order:
    """A random permutation of the places of each row; padding stays where it is."""
    noise = torch.rand(mask.shape, generator=generator).masked_fill(~mask.cpu(), 2.0)
    return noise.argsort(dim=1, stable=True).to(mask.device)


def _unit(vectors: Float[Tensor, "*batch hidden"]) -> Float[Tensor, "*batch hidden"]:
    norms: Tensor = vectors.norm(dim=-1, keepdim=True)
    return vectors / norms.clamp(min=LEAST_NORM)
