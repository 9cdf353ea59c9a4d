"""The step table: one head of attention, with every stage as a matrix.

    Q, K, V = X W^Q + b^Q, X W^K + b^K, X W^V + b^V      or Q, K and V as they are given
    s_ij    = q_i · k_j,  ÷ √d_k (and the temperature),  −∞ where the mask hides j from i
    α_ij    = exp(m_ij − max_j m_ij) / Σ_j exp(m_ij − max_j m_ij)
    u_ij    = α_ij v_j,   z_i = Σ_j u_ij

Subtracting a row's largest entry changes nothing: a softmax depends on differences only.

Source: Vaswani et al. 2017, section 3.2.1; CMU 11-411, "Divide and Take Softmax".
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import torch
from jaxtyping import Bool, Float64
from torch import Tensor

from lmcore import dataframes
from lmcore.attention.matrices import MOST_ROWS, parse_matrix
from lmcore.checks import check_one_of
from lmcore.models import masks
from lmcore.models.attention import AttentionTrace, attention
from lmcore.parsing import MAX_CHARACTERS
from lmcore.typed import fold

if TYPE_CHECKING:
    from pandas import DataFrame

LARGEST_D_K = 512
COLDEST, HOTTEST = 0.1, 10.0
MASKS = {
    "none": "None",
    "causal": "Causal",
    "before": "Before",
    "padding": "[PAD]",
}
LONGEST_TOKEN = 40


class Projections(NamedTuple):
    """W^Q, W^K and W^V, each with its bias; typed matrices have no bias."""

    query: Float64[Tensor, "width d_k"]
    key: Float64[Tensor, "width d_k"]
    value: Float64[Tensor, "width d_v"]
    biases: tuple[Tensor, Tensor, Tensor] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class AttentionInputs:
    """Q, K and V, one row per token, and the X and the projections they come from, if known."""

    tokens: tuple[str, ...]
    query: Float64[Tensor, "time d_k"]
    key: Float64[Tensor, "time d_k"]
    value: Float64[Tensor, "time d_v"]
    inputs: Float64[Tensor, "time width"] | None = None
    projections: Projections | None = None


@dataclass(frozen=True, slots=True)
class AttentionConfig:
    """Scaling, temperature and mask; under the padding mask the last `hidden` keys are padding."""

    d_k: int
    scaled: bool = True
    temperature: float = 1.0
    mask: str = "none"
    hidden: int = 1

    def __post_init__(self) -> None:
        """Raises ValueError naming what is out of bounds."""
        if not 1 <= self.d_k <= LARGEST_D_K:
            raise ValueError(f"d_k must be from 1 to {LARGEST_D_K}; got {self.d_k}")
        if not COLDEST <= self.temperature <= HOTTEST:
            raise ValueError(
                f"the temperature must be from {COLDEST:g} to {HOTTEST:g}; got {self.temperature:g}"
            )
        check_one_of("the mask", self.mask, MASKS)
        if not 0 <= self.hidden <= MOST_ROWS:
            raise ValueError(f"hidden keys must be from 0 to {MOST_ROWS}; got {self.hidden}")

    @property
    def scale(self) -> float:
        """1/√d_k, or 1."""
        return float(self.d_k**-0.5) if self.scaled else 1.0

    @property
    def divisor(self) -> float:
        """The divisor of a score: √d_k times the temperature."""
        return self.temperature * (math.sqrt(self.d_k) if self.scaled else 1.0)

    def seen(self, length: int) -> Bool[Tensor, "query key"] | None:
        """The mask of a text of `length` tokens."""
        if self.mask == "none":
            return None
        if self.mask == "padding":
            kept = torch.arange(length) < length - self.hidden
            return kept.expand(length, length).clone()
        return masks.permutation(range(length), content=self.mask == "causal")


class StepTable(NamedTuple):
    """Every stage, in order; `position` stands for any number of axes of settings."""

    scores: Float64[Tensor, "query key"]
    scaled: Float64[Tensor, "*position query key"]
    masked: Float64[Tensor, "*position query key"]
    largest: Float64[Tensor, "*position query"]
    """max_j m_ij; 0 in a row that is fully hidden."""
    exponentials: Float64[Tensor, "*position query key"]
    """exp(m_ij − max_j m_ij)"""
    sums: Float64[Tensor, "*position query"]
    weights: Float64[Tensor, "*position query key"]
    slopes: Float64[Tensor, "*position query key"]
    """∂α_ij/∂m_ij = α_ij (1 − α_ij): how much a weight changes with its own score."""
    context: Float64[Tensor, "*position query d_v"]

    def to_frame(self) -> DataFrame:
        """One row per query and key.

        The columns are s, scaled, masked, largest, exp, Σ exp, α, ∂α/∂s, z1, z2 …; z is the output
        of the query, the same at each of its keys. Axes of settings, if any, come first.
        """
        outputs = self.context[..., None, :]
        columns = {
            "s": self.scores,
            "scaled": self.scaled,
            "masked": self.masked,
            "largest": self.largest[..., None],
            "exp": self.exponentials,
            "Σ exp": self.sums[..., None],
            "α": self.weights,
            "∂α/∂s": self.slopes,
            **{f"z{c + 1}": outputs[..., c] for c in range(outputs.shape[-1])},
        }
        return dataframes.entries("*position query key", columns)


class TruncatedWords(NamedTuple):
    """The first words of a text; `cut` says whether there were more."""

    words: tuple[str, ...]
    cut: bool


def split_words(text: str, *, most: int = MOST_ROWS) -> TruncatedWords:
    """The words of a text, separated by blanks; punctuation is part of its word.

    Raises:
        ValueError: if there is no word.
    """
    words = fold(text[:MAX_CHARACTERS]).split(maxsplit=most)
    if not words:
        raise ValueError(f"there must be 1 to {most} words, separated by spaces; got none")
    shown = tuple(word[:LONGEST_TOKEN] for word in words[:most])
    return TruncatedWords(
        shown, len(text) > MAX_CHARACTERS or len(words) > most or shown != tuple(words[:most])
    )


def from_inputs(tokens: tuple[str, ...], X: str, W_q: str, W_k: str, W_v: str) -> AttentionInputs:
    """Q, K and V from a typed X and three typed weight matrices.

    Raises:
        ValueError: as `parse_matrix`, or if two sizes do not fit.
    """
    inputs = parse_matrix(X, "X", rows=(len(tokens), "one for each word"))
    tall = inputs.shape[1], "one for each column of X"
    query = parse_matrix(W_q, "W^Q", rows=tall)
    key = parse_matrix(W_k, "W^K", rows=tall, columns=(query.shape[1], "as W^Q has"))
    projections = Projections(query, key, parse_matrix(W_v, "W^V", rows=tall))
    return AttentionInputs(
        tokens, inputs @ query, inputs @ key, inputs @ projections.value, inputs, projections
    )


def inputs_from_qkv(tokens: tuple[str, ...], Q: str, K: str, V: str) -> AttentionInputs:
    """Q, K and V as they are typed.

    Raises:
        ValueError: as `parse_matrix`, or if two sizes do not fit.
    """
    tall = len(tokens), "one for each word"
    query = parse_matrix(Q, "Q", rows=tall)
    key = parse_matrix(K, "K", rows=tall, columns=(query.shape[1], "as Q has"))
    return AttentionInputs(tokens, query, key, parse_matrix(V, "V", rows=tall))


def compute_step_table(given: AttentionInputs, how: AttentionConfig) -> StepTable:
    """Every stage of attention on `given`."""
    mask = how.seen(len(given.tokens))
    trace = attention(
        *(given.query, given.key, given.value, mask),
        scale=how.scale,
        temperature=how.temperature,
    )
    return step_table_from_trace(trace.scores, trace)


def step_table_from_trace(scores: Float64[Tensor, "query key"], found: AttentionTrace) -> StepTable:
    """A step table from an attention trace, with the steps of its softmax."""
    largest = found.masked.amax(dim=-1)
    largest = largest.masked_fill(largest == -math.inf, 0)
    exponentials = (found.masked - largest[..., None]).exp()
    slopes = found.weights * (1 - found.weights)
    return StepTable(
        *(scores, found.scaled, found.masked, largest),
        *(exponentials, exponentials.sum(dim=-1), found.weights, slopes, found.context),
    )


def max_deviation(given: AttentionInputs, how: AttentionConfig, table: StepTable) -> float:
    """The largest difference between our Z and that of `F.scaled_dot_product_attention`."""
    theirs = torch.nn.functional.scaled_dot_product_attention(
        *(given.query, given.key, given.value),
        attn_mask=how.seen(len(given.tokens)),
        scale=1 / how.divisor,
    )
    return float((theirs - table.context).abs().max())


def unscaled_config(how: AttentionConfig) -> AttentionConfig:
    """The same setting, with the division by √d_k left out."""
    return replace(how, scaled=False)
