"""Two masks compared: what the same head computes under each."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from lmcore import dataframes
from lmcore.masking import under_mask
from lmcore.masking.mask_choice import MaskChoice, sweep_mask
from lmcore.masking.under_mask import MaskedHeadTrace, MaskText
from lmcore.models import masks
from lmcore.models.encoder_decoder import Transformer
from lmcore.models.gpt import GPT

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True, slots=True)
class MaskedHead:
    """A named mask, and the head's trace under it at each value of the mask's slider."""

    name: str
    keys: tuple[str, ...]
    trace: MaskedHeadTrace
    values: tuple[int, ...] = (0,)
    at: int = 0

    @property
    def now(self) -> MaskedHeadTrace:
        """The trace at the chosen value: a batch of one."""
        parts = (getattr(self.trace, each.name)[self.at][None] for each in fields(MaskedHeadTrace))
        return MaskedHeadTrace(*parts)


class MaskPair(NamedTuple):
    """The chosen mask, and the one it is compared with."""

    queries: tuple[str, ...]
    other: MaskedHead
    chosen: MaskedHead


class HeadIndex(NamedTuple):
    """The layer and the head that are shown, counted from 0."""

    layer: int = 0
    head: int = 0


def text_pair(
    network: GPT, words: MaskText, other: MaskChoice, choice: MaskChoice, where: HeadIndex
) -> MaskPair:
    """A text under two masks.

    Raises:
        ValueError: if the model has no such layer or head.
    """
    ids, shown = torch.tensor([words.ids]), []
    for each in (other, choice):
        swept = sweep_mask(each, len(words.ids))
        trace = under_mask.trace_masked_head(
            network, ids, swept.masks, layer=where.layer, head=where.head
        )
        shown.append(MaskedHead(each.kind, words.tokens, trace, swept.values, swept.at))
    return MaskPair(words.tokens, *shown)


class PaddedBatch(NamedTuple):
    """Texts padded to one length, and the token that pads them."""

    texts: tuple[MaskText, ...]
    filler: int
    causal: bool = False
    """Whether later positions are hidden too"""

    @property
    def lengths(self) -> list[int]:
        """Tokens of each text."""
        return [len(one.ids) for one in self.texts]


def padding_pair(network: GPT, batch: PaddedBatch, one: int, where: HeadIndex) -> MaskPair:
    """One text of a ragged batch, without and with the mask that hides its [PAD]s.

    Raises:
        ValueError: if there is no such text, or as `text_pair`.
    """
    if not 0 <= one < len(batch.texts):
        raise ValueError(f"the text must be from 1 to {len(batch.texts)}; got {one + 1}")
    tokens, ids = under_mask.pad_batch(batch.texts, batch.filler)
    runs = [
        under_mask.trace_masked_head(network, ids, mask, layer=where.layer, head=where.head)
        for mask in (_open(batch), _open(batch) & masks.padding(batch.lengths))
    ]
    rows = [
        MaskedHeadTrace(*(getattr(run, each.name)[[one]] for each in fields(MaskedHeadTrace)))
        for run in runs
    ]
    names = ("causal" if batch.causal else "bidirectional", "padding")
    shown = [MaskedHead(name, tokens[one], row) for name, row in zip(names, rows, strict=True)]
    return MaskPair(tokens[one], *shown)


def _open(batch: PaddedBatch) -> Tensor:
    """The mask of the batch with its [PAD]s visible."""
    longest = max(batch.lengths)
    mask = masks.causal(longest) if batch.causal else masks.bidirectional(longest)
    return mask.expand(len(batch.texts), -1, -1)


class PaddingEffect(NamedTuple):
    """The largest difference between a text's outputs in the batch and alone."""

    without: float
    masked: float


def padding_effect(network: GPT, batch: PaddedBatch, one: int, pair: MaskPair) -> PaddingEffect:
    """The effect of the [PAD]s on a text when they are visible, and when they are masked."""
    alone = single_text_batch(batch, one)
    run = under_mask.trace_masked_head(network, torch.tensor([batch.texts[one].ids]), _open(alone))
    length = len(batch.texts[one].ids)
    ends = (each.trace.output[0, :length] - run.output[0] for each in (pair.other, pair.chosen))
    return PaddingEffect(*(float(end.abs().max()) for end in ends))


def single_text_batch(batch: PaddedBatch, one: int) -> PaddedBatch:
    """A batch of that text alone."""
    return batch._replace(texts=(batch.texts[one],))


def cross_attention_pair(
    network: Transformer, source: MaskText, target: MaskText, where: HeadIndex
) -> MaskPair:
    """A decoder's self-attention and its cross-attention.

    Raises:
        ValueError: if the model has no such layer or head.
    """
    own, cross = under_mask.trace_cross_attention(
        network,
        torch.tensor(source.ids),
        torch.tensor(target.ids),
        layer=where.layer,
        head=where.head,
    )
    return MaskPair(
        target.tokens,
        MaskedHead("causal", target.tokens, own),
        MaskedHead("cross", source.tokens, cross),
    )


class SoftmaxSteps(NamedTuple):
    """One query's row of the softmax, key by key."""

    scaled: Float[Tensor, " key"]
    masked: Float[Tensor, " key"]
    powers: Float[Tensor, " key"]
    """e to the masked score: e^−∞ is 0"""
    weights: Float[Tensor, " key"]

    def to_frame(self) -> DataFrame:
        """One row per key: key, q·k/√d_k, masked, e^masked, α."""
        columns = {
            "q·k/√d_k": self.scaled,
            "masked": self.masked,
            "e^masked": self.powers,
            "α": self.weights,
        }
        return dataframes.entries("key", columns)


def softmax_steps(shown: MaskedHead, query: int) -> SoftmaxSteps:
    """The softmax of one query's scores, step by step; queries count from 0."""
    now = shown.now
    row = [part[0, query].double() for part in (now.scaled, now.masked, now.weights)]
    return SoftmaxSteps(row[0], row[1], row[1].exp(), row[2])


class RowShares(NamedTuple):
    """For each query: how many keys it sees, and where its weight lies."""

    sees: Int[Tensor, "*value query"]
    hidden: Int[Tensor, "*value query"]
    watched: Float[Tensor, "*value query"]
    """Its weight on the watched keys"""
    others: Float[Tensor, "*value query"]
    """Its weight on the other keys; 1 together with the watched, or 0 where it sees none"""

    def to_frame(self) -> DataFrame:
        """One row per query, or per value and query: sees, hidden, watched, others."""
        return dataframes.entries("*value query", self._asdict())


def row_shares(trace: MaskedHeadTrace, watched: Bool[Tensor, "query key"]) -> RowShares:
    """What each query sees under each mask, and how much of its weight is on the watched keys."""
    sees = trace.mask.sum(dim=-1)
    weights = trace.weights.double()
    return RowShares(
        sees,
        trace.mask.shape[-1] - sees,
        (weights * watched).sum(dim=-1),
        (weights * ~watched).sum(dim=-1),
    )


def later_keys(length: int) -> Bool[Tensor, "query key"]:
    """For each query the keys that come after it in the text."""
    return ~masks.causal(length)


class Exchange(NamedTuple):
    """For each query, the weight that one of two masks gives to keys that the other hides."""

    given: Float[Tensor, "value query"]
    """Its weight, under the other mask, on keys that the chosen mask hides"""
    kept: Float[Tensor, "value query"]
    """Its weight, under the chosen mask, on keys that the other mask hides"""

    def to_frame(self) -> DataFrame:
        """One row per value of the slider and query: given, kept."""
        return dataframes.entries("value query", self._asdict())


def exchange(pair: MaskPair) -> Exchange:
    """The weight that a change of mask moves, at each value of the chosen mask's slider.

    Raises:
        ValueError: if the two masks have different keys.
    """
    if pair.chosen.keys != pair.other.keys:
        raise ValueError("the masks must have the same keys; one belongs to cross-attention")
    other, chosen = pair.other.now, pair.chosen.trace
    given = (other.weights.double() * ~chosen.mask).sum(dim=-1)
    return Exchange(given, (chosen.weights.double() * ~other.mask).sum(dim=-1))


def differences(pair: MaskPair) -> Float[Tensor, " query"]:
    """The relative difference of each position's output vector under the two masks."""
    one, other = pair.chosen.now.output[0].double(), pair.other.now.output[0].double()
    relative: Tensor = (one - other).norm(dim=-1) / other.norm(dim=-1)
    return relative
