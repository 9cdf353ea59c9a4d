"""An encoder's parameters floor by floor: the embeddings below, N equal layers, the pooler on top.

    a floor = 4 (d² + d)  +  2 d d_ff + d_ff + d  +  4 d      attention, MLP, two LayerNorms
            = 12 d² + 13 d                                    where d_ff = 4 d

An ALBERT may store one floor for all its layers; its E is V × e, and a matrix e × d widens it.

Source: Devlin et al. 2019, section 3; Lan et al. 2020, section 3.
"""

from __future__ import annotations

from typing import NamedTuple

from lmcore.transformer.parameters import Sizes, count_by_part


class Floors(NamedTuple):
    """The parameters of an encoder by the place where they are."""

    ground: int
    """E, P, S, and their LayerNorm; in an ALBERT also the matrix that widens E"""
    layers: int
    stored: int
    """Layers with weights of their own: all, or one that all share."""
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
        return self.ground + self.stored * self.floor + self.roof


def floors_of(sizes: Sizes) -> Floors:
    """The floors of a BERT, a RoBERTa or an ALBERT.

    Raises:
        ValueError: if it is a model of another kind, whose layers are built otherwise.
    """
    if sizes.kind not in ("bert", "roberta", "albert"):
        raise ValueError(
            f"the model must be a BERT, a RoBERTa or an ALBERT; got the kind {sizes.kind}"
        )
    counts, stored = count_by_part(sizes), sizes.stored_layers
    return Floors(
        counts["token embedding"] + counts.get("positions", 0) + 2 * sizes.embedding,
        sizes.layers,
        stored,
        counts["self-attention"] // stored,
        counts["MLP"] // stored,
        4 * sizes.width,
        counts.get("head", 0),
    )
