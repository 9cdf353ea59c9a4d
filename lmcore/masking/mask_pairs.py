"""Two masks beside each other: what the same head computes under either."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor

from lmcore.masking import under_mask
from lmcore.masking.mask_choice import MaskChoice, Sweep, sweep
from lmcore.masking.under_mask import Look, Words
from lmcore.models import masks
from lmcore.models.encoder_decoder import Transformer
from lmcore.models.gpt import GPT


@dataclass(frozen=True, slots=True)
class Shown:
    """A mask with a name, and the head under it, at each value that a hand may give the mask."""

    name: str
    keys: tuple[str, ...]
    look: Look
    values: tuple[int, ...] = (0,)
    at: int = 0

    @property
    def now(self) -> Look:
        """The same with the one value that is chosen; a batch of one."""
        parts = (getattr(self.look, each.name)[self.at][None] for each in fields(Look))
        return Look(*parts)


class Pair(NamedTuple):
    """The mask that is chosen, and the one that it is compared with."""

    queries: tuple[str, ...]
    other: Shown
    chosen: Shown


class Where(NamedTuple):
    """The attention that is looked at, counted from 0."""

    layer: int = 0
    head: int = 0


def of_text(
    network: GPT, words: Words, other: MaskChoice, choice: MaskChoice, where: Where
) -> Pair:
    """A text under two masks.

    Raises:
        ValueError: if the model has no such layer or head.
    """
    ids = torch.tensor([words.ids])
    swept = [sweep(each, len(words.ids)) for each in (other, choice)]
    shown = [
        _shown(each.kind, words.tokens, network, ids, found, where)
        for each, found in zip((other, choice), swept, strict=True)
    ]
    return Pair(words.tokens, *shown)


def _shown(
    name: str, keys: tuple[str, ...], network: GPT, ids: Tensor, found: Sweep, where: Where
) -> Shown:
    look = under_mask.look(network, ids, found.masks, layer=where.layer, head=where.head)
    return Shown(name, keys, look, found.values, found.at)


class Batch(NamedTuple):
    """Texts filled up to one length, with what is put in the empty places."""

    texts: tuple[Words, ...]
    filler: int
    causal: bool = False
    """Whether no place sees ahead either"""

    @property
    def lengths(self) -> list[int]:
        """Tokens of each text."""
        return [len(one.ids) for one in self.texts]


def of_batch(network: GPT, batch: Batch, one: int, where: Where) -> Pair:
    """One text of a ragged batch, without and with the mask that hides its [PAD]s.

    Raises:
        ValueError: if there is no such text, or as `of_text`.
    """
    if not 0 <= one < len(batch.texts):
        raise ValueError(f"the text must be from 1 to {len(batch.texts)}; got {one + 1}")
    tokens, ids = under_mask.padded(batch.texts, batch.filler)
    runs = [
        under_mask.look(network, ids, mask, layer=where.layer, head=where.head)
        for mask in (_open(batch), _open(batch) & masks.padding(batch.lengths))
    ]
    rows = [Look(*(getattr(run, each.name)[[one]] for each in fields(Look))) for run in runs]
    names = ("causal" if batch.causal else "bidirectional", "padding")
    shown = [Shown(name, tokens[one], row) for name, row in zip(names, rows, strict=True)]
    return Pair(tokens[one], *shown)


def _open(batch: Batch) -> Tensor:
    """The mask of the batch before its [PAD]s are hidden."""
    longest = max(batch.lengths)
    mask = masks.causal(longest) if batch.causal else masks.bidirectional(longest)
    return mask.expand(len(batch.texts), -1, -1)


class PaddingEffect(NamedTuple):
    """How far a text's outputs in the batch are from those it has alone: the largest number."""

    without: float
    masked: float


def padding_effect(network: GPT, batch: Batch, one: int, pair: Pair) -> PaddingEffect:
    """What the [PAD]s do to a text if they may be seen, and if they may not."""
    alone = only(batch, one)
    run = under_mask.look(network, torch.tensor([batch.texts[one].ids]), _open(alone))
    length = len(batch.texts[one].ids)
    ends = (each.look.output[0, :length] - run.output[0] for each in (pair.other, pair.chosen))
    return PaddingEffect(*(float(end.abs().max()) for end in ends))


def only(batch: Batch, one: int) -> Batch:
    """A batch of that text alone."""
    return batch._replace(texts=(batch.texts[one],))


def of_source(network: Transformer, source: Words, target: Words, where: Where) -> Pair:
    """A decoder's look at what it has written, and at its source.

    Raises:
        ValueError: if the model has no such layer or head.
    """
    own, cross = under_mask.look_across(
        network,
        torch.tensor(source.ids),
        torch.tensor(target.ids),
        layer=where.layer,
        head=where.head,
    )
    return Pair(
        target.tokens, Shown("causal", target.tokens, own), Shown("cross", source.tokens, cross)
    )


class Steps(NamedTuple):
    """One query's row of the softmax, key by key."""

    scaled: Float[Tensor, " key"]
    masked: Float[Tensor, " key"]
    powers: Float[Tensor, " key"]
    """e to the masked score: e^−∞ is 0"""
    weights: Float[Tensor, " key"]


def steps(shown: Shown, query: int) -> Steps:
    """What happens to the scores of one query, counted from 0."""
    now = shown.now
    row = [part[0, query].double() for part in (now.scaled, now.masked, now.weights)]
    return Steps(row[0], row[1], row[1].exp(), row[2])


class Seen(NamedTuple):
    """What one query sees under the chosen mask, and under the other one."""

    sees: int
    places: int
    given: float
    """The share of its weight that the other mask lets it give to what the chosen one hides"""
    other_sees: int
    kept: float
    """The share of its weight that the chosen mask lets it give to what the other one hides"""


def seen(pair: Pair, query: int) -> Seen:
    """Places that a query sees, counted from 0, and what the mask takes from it."""
    mask, other = pair.chosen.now.mask[0, query], pair.other.now.mask[0, query]
    counts = int(mask.sum()), len(mask)
    if pair.chosen.keys != pair.other.keys:
        return Seen(*counts, 0.0, int(other.sum()), 0.0)
    given = float(pair.other.now.weights[0, query][~mask].sum())
    kept = float(pair.chosen.now.weights[0, query][~other].sum())
    return Seen(*counts, given, int(other.sum()), kept)


def differences(pair: Pair) -> Float[Tensor, " query"]:
    """How far each place's output vector is under one mask from that under the other, relative."""
    one, other = pair.chosen.now.output[0].double(), pair.other.now.output[0].double()
    relative: Tensor = (one - other).norm(dim=-1) / other.norm(dim=-1)
    return relative
