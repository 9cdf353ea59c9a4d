"""An encoder's parameters floor by floor: the embeddings below, N equal layers, the pooler on top.

    a floor = 4 (d² + d)  +  2 d d_ff + d_ff + d  +  4 d      attention, MLP, two LayerNorms
            = 12 d² + 13 d                                    where d_ff = 4 d

Source: Devlin et al. 2019, section 3.
"""

from __future__ import annotations

from typing import NamedTuple

from lmcore.transformer.parameters import Sizes, count_by_part


class Floors(NamedTuple):
    """The parameters of an encoder by the place where they are."""

    ground: int
    """E, P, S, and their LayerNorm"""
    layers: int
    attention: int
    """of one layer, with its biases"""
    mlp: int
    """of one layer, with its biases"""
    norms: int
    """of one layer"""
    roof: int
    """the pooler and a head, if there are any"""

    @property
    def floor(self) -> int:
        """One layer."""
        return self.attention + self.mlp + self.norms

    @property
    def total(self) -> int:
        """All parameters."""
        return self.ground + self.layers * self.floor + self.roof


def floors_of(sizes: Sizes) -> Floors:
    """The floors of a BERT or a RoBERTa.

    Raises:
        ValueError: if it is a model of another kind, whose layers are built otherwise.
    """
    if sizes.kind not in ("bert", "roberta"):
        raise ValueError(f"the model must be a BERT or a RoBERTa; got the kind {sizes.kind}")
    counts, layers = count_by_part(sizes), sizes.layers
    norm = 2 * sizes.width
    return Floors(
        counts["token embedding"] + counts.get("positions", 0) + norm,
        layers,
        counts["self-attention"] // layers,
        counts["MLP"] // layers,
        2 * norm,
        counts.get("head", 0),
    )
