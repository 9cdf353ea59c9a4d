"""What a forward pass of one text costs: operations and memory, predicted from the sizes.

    Q, K, V, O       8 T d²          per layer
    scores and αV    4 T² d          per layer: the part that grows with the square of T
    MLP              4 T d d_ff      per layer
    output           2 T d V

A multiply-add counts as two operations. Softmax, LayerNorm, the nonlinearity and the additions are
left out: they are below 1 % of the operations. The scores are computed for all pairs, those that a
causal mask hides too, as in lmcore.models. Memory is in bytes, float32: the weights, and all that
a trace of the forward pass keeps. Of an encoder–decoder source and target have T tokens each.

Source: Vaswani et al. 2017, table 1; Kaplan et al. 2020, section 2.1.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

from lmcore.transformer.parameters import Sizes, count_parameters
from lmcore.transformer.weight_names import ENCODERS

FlopPart = Literal["Q, K, V, O", "scores and αV", "MLP", "output"]
FLOP_PARTS: tuple[FlopPart, ...] = get_args(FlopPart)
BYTES = 4
"""Bytes of a number in float32."""


class Memory(NamedTuple):
    """Bytes of a forward pass that keeps its trace."""

    weights: int
    linear: int
    """Bytes of all that grows in proportion to T."""
    squared: int
    """Bytes of the scores and α of all heads, which grow with T²."""

    @property
    def total(self) -> int:
        """All bytes together."""
        return sum(self)


def forward_flops(sizes: Sizes, time: int) -> dict[FlopPart, int]:
    """The operations of one text of `time` tokens, by part."""
    d, attentions = sizes.width, _attentions(sizes)
    widened = 2 * time * sizes.embedding * d if sizes.kind == "albert" else 0
    return {
        "Q, K, V, O": attentions * 8 * time * d**2,
        "scores and αV": attentions * 4 * time**2 * d,
        "MLP": _mlps(sizes) * 4 * time * d * sizes.hidden,
        "output": _output(sizes, time) + widened,
    }


def quadratic_from(sizes: Sizes) -> float:
    """The number of tokens from which scores and αV cost more than all else in the layers.

    4 T² d > 8 T d² + 4 T d d_ff / (attentions per MLP)
    """
    return 2 * sizes.width + sizes.hidden * _mlps(sizes) / _attentions(sizes)


def forward_memory(sizes: Sizes, time: int) -> Memory:
    """The memory of one text of `time` tokens.

    Per attention and MLP a layer keeps q, k, v, Z, its heads side by side, the outputs, the sums
    and the LayerNorms, all d wide, two vectors of d_ff, and scores and α of every head.
    """
    d, attentions, mlps = sizes.width, _attentions(sizes), _mlps(sizes)
    # A single head has no second tensor with the heads side by side.
    vectors = 8 if sizes.heads > 1 else 7
    per_token = attentions * vectors * d + mlps * (3 * d + 2 * sizes.hidden)
    per_token += _embedded(sizes) + _predicted(sizes)
    squared = attentions * 2 * sizes.heads * time**2
    return Memory(BYTES * count_parameters(sizes), BYTES * per_token * time, BYTES * squared)


def _attentions(sizes: Sizes) -> int:
    """Attentions in all layers; a decoder layer of an encoder–decoder has two."""
    return sizes.layers * (3 if sizes.kind == "transformer" else 1)


def _mlps(sizes: Sizes) -> int:
    return sizes.layers * (2 if sizes.kind == "transformer" else 1)


def _output(sizes: Sizes, time: int) -> int:
    """Operations of the head, U included, and of the pooler."""
    d, e, types = sizes.width, sizes.embedding, sizes.vocabulary
    if sizes.kind not in ENCODERS:
        return 2 * time * d * types
    return sizes.head * 2 * time * e * (d + types) + sizes.pooler * 2 * d**2


def _embedded(sizes: Sizes) -> int:
    """Numbers per token of the input embedding: each table's row, their sum, its LayerNorm."""
    e, encoder = sizes.embedding, sizes.kind in ENCODERS
    tables = 1 + (sizes.places > 0 or sizes.kind == "transformer") + (sizes.segments > 0)
    widened = sizes.width if sizes.kind == "albert" else 0
    once = (tables + 1 + encoder) * e + widened
    return 2 * once if sizes.kind == "transformer" else once


def _predicted(sizes: Sizes) -> int:
    """Numbers per token of the output: the last LayerNorm or the head's vector, and the logits."""
    if sizes.kind in ENCODERS:
        return sizes.head * (sizes.embedding + sizes.vocabulary)
    return sizes.vocabulary + (sizes.width if sizes.kind == "gpt2" else 0)
