"""Scaled dot-product attention: an average of the values, weighted by how well a query fits a key.

    scores  = Q Kᵀ                        s_ij = q_i · k_j
    scaled  = scores / √d_k               and divided by a temperature, which is 1 in every paper
    masked  = scaled, with −∞ where the mask hides j from i
    weights = softmax(masked)             α_ij; each row sums to 1
    context = weights V                   z_i = Σ_j α_ij v_j

Source: Vaswani et al. 2017, section 3.2.1, equation 1; lecture "Self-Attention" (CSE538).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from lmcore.dataframes import Trace

Mask = Bool[Tensor, "*#batch #query key"] | Float[Tensor, "*#batch #query key"]
"""True where query i may look at key j; or numbers to be added to the scaled scores."""
AnyMask = Bool[Tensor, "..."] | Float[Tensor, "..."]
"""The same, where there are two of them and so two sets of keys."""


@dataclass(frozen=True, slots=True)
class AttentionTrace(Trace):
    """Every quantity, in the order it is computed."""

    scores: Float[Tensor, "*batch query key"]
    """QKᵀ"""
    scaled: Float[Tensor, "*batch query key"]
    """QKᵀ/√d_k"""
    masked: Float[Tensor, "*batch query key"]
    """−∞ where nothing may be seen; the same tensor as `scaled` without a mask."""
    weights: Float[Tensor, "*batch query key"]
    """α"""
    context: Float[Tensor, "*batch query width"]
    """Z = αV"""


def attention(
    query: Float[Tensor, "*batch query d_k"],
    key: Float[Tensor, "*batch key d_k"],
    value: Float[Tensor, "*batch key width"],
    mask: Mask | None = None,
    *,
    scale: float | None = None,
    temperature: float = 1.0,
) -> AttentionTrace:
    """softmax(QKᵀ/√d_k)V, with every intermediate quantity.

    `scale` takes the place of 1/√d_k. A query whose keys are all hidden has weights 0 and
    context 0, where a plain softmax would give nan.

    Raises:
        ValueError: if the temperature is not a number above 0.
    """
    if not (math.isfinite(temperature) and temperature > 0):
        raise ValueError(f"the temperature must be a number above 0; got {temperature:g}")
    scale = query.shape[-1] ** -0.5 if scale is None else scale
    scores = query @ key.transpose(-2, -1)
    scaled = scores * (scale / temperature)
    masked = scaled if mask is None else apply_mask(scaled, mask)
    weights = softmax(masked, mask)
    return AttentionTrace(scores, scaled, masked, weights, context=weights @ value)


def apply_mask(
    scaled: Float[Tensor, "*batch query key"], mask: Mask
) -> Float[Tensor, "*batch query key"]:
    """The scaled scores with −∞ where a boolean mask hides a key, or plus a numeric mask."""
    if mask.dtype == torch.bool:
        return scaled.masked_fill(~mask, -math.inf)
    return scaled + mask


def softmax(
    masked: Float[Tensor, "*batch query key"], mask: Mask | None
) -> Float[Tensor, "*batch query key"]:
    """exp(s_ij) / Σ_k exp(s_ik); 0 throughout a row in which every key is hidden."""
    blind = None if mask is None else fully_hidden_queries(mask)
    if blind is None or not blind.any():
        return masked.softmax(dim=-1)
    # Filled before the softmax too: nan has no gradient that could be thrown away afterwards.
    return masked.masked_fill(blind, 0).softmax(dim=-1).masked_fill(blind, 0)


def fully_hidden_queries(mask: Mask) -> Bool[Tensor, "*#batch #query 1"]:
    """The queries whose keys are all hidden."""
    hidden = ~mask if mask.dtype == torch.bool else mask == -math.inf
    return hidden.all(dim=-1, keepdim=True)
