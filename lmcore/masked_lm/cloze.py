"""A text with masked words: the model's prediction at each, and the grammar's exact posterior.

    q(w)       the model's ŷ at the masked position, the softmax of its logits
    p(w)       the grammar's posterior given every word that is not masked
    term       −log q(w*) of the original word w*; only masked positions have one
    L          the mean of the terms, nats
    KL         Σ_w p(w) log p(w) / q(w), nats

Source: Taylor 1953; Devlin et al. 2019, section 3.1; lecture "Masked Language Modeling (MLM)".
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from jaxtyping import Float64, Int
from torch import Tensor

from lmcore import dataframes
from lmcore.corpora import masked_words
from lmcore.corpora.microworld import microworld
from lmcore.models.bert import BERT, BERTTrace
from lmcore.models.gpt import GPT
from lmcore.pretrained.reading import TokenizedText, TokenizingModel, VocabularyModel
from lmcore.training.masked_batches import MASK, masked_vocabulary

if TYPE_CHECKING:
    from pandas import DataFrame

LONGEST = 48
"""The longest text in tokens, special ones included."""


@dataclass(frozen=True, slots=True)
class ClozeText:
    """A text as ids, and which positions may be masked."""

    reading: TokenizedText
    mask: int
    """The id of [MASK]"""
    typed: tuple[int, ...]
    """Positions where the user typed [MASK]: always masked, with an unknown original"""
    in_microworld: bool
    """Whether the ids are those of the microworld's grammar"""

    @property
    def tokens(self) -> tuple[str, ...]:
        """The tokens in their display form."""
        return self.reading.tokens

    @property
    def maskable(self) -> tuple[int, ...]:
        """The positions that may be masked: all but those of [CLS] and [SEP]."""
        return tuple((~self.reading.special).nonzero()[:, 0].tolist())


def same_words(before: ClozeText, places: Sequence[int], after: ClozeText) -> tuple[int, ...]:
    """The positions that the words at some places of a text have in another reading of it.

    A word that is read as several tokens, or is not in the text, has no position there.
    """
    found = []
    for place in places:
        word = before.tokens[place].lower()
        nth = [token.lower() for token in before.tokens[:place]].count(word)
        alike = [i for i in after.maskable if after.tokens[i].lower() == word]
        found += alike[nth : nth + 1]
    return tuple(found)


@dataclass(frozen=True, slots=True)
class FillTrace:
    """One choice of masked positions, in the order it is computed; one row per masked position."""

    places: tuple[int, ...]
    corrupted: Int[Tensor, " time"]
    log_q: Float64[Tensor, "place vocabulary"]
    exact: Float64[Tensor, "place type"] | None
    """p of each of the grammar's types; None if the text is not one of the grammar's"""
    terms: Float64[Tensor, " place"]
    """nan where [MASK] was typed"""
    exact_terms: Float64[Tensor, " place"] | None
    divergence: Float64[Tensor, " place"] | None

    @property
    def loss(self) -> float:
        """The mean of the terms; nan if there is none."""
        return float(self.terms.nanmean()) if len(self.terms) else float("nan")

    def to_frame(self) -> DataFrame:
        """One row per covered place: place, −log q, and with a grammar −log p, KL of q from p."""
        columns: dict[str, Any] = {"place": self.places, "−log q, model": self.terms}
        if self.exact_terms is not None:
            columns |= {"−log p, grammar": self.exact_terms, "KL of q from p": self.divergence}
        return dataframes.frame(columns)


def cloze_text(reader: TokenizingModel, text: str) -> ClozeText:
    """The tokens of an encoder, typed [MASK]s included.

    Raises:
        ValueError: if the model is not an encoder, has no [MASK], or cannot read the text.
    """
    if not isinstance(reader.network, BERT):
        raise ValueError(f"the model must be an encoder; got {reader.name}")
    mask = mask_id(reader)
    reading = reader.read(text, most=LONGEST)
    typed = tuple((reading.ids == mask).nonzero()[:, 0].tolist())
    world = masked_vocabulary().tokens
    in_microworld = isinstance(reader, VocabularyModel) and reader.vocabulary.tokens == world
    return ClozeText(reading, mask, typed, in_microworld)


def mask_id(reader: TokenizingModel) -> int:
    """The id of a model's [MASK].

    Raises:
        ValueError: if it has none.
    """
    reading = reader.read(MASK)
    ids = reading.ids[~reading.special]
    shown = [t for t, s in zip(reading.tokens, reading.special.tolist(), strict=True) if not s]
    if len(ids) != 1 or shown != [MASK]:
        raise ValueError(f"the model must have a {MASK}; {reader.name} has none")
    return int(ids[0])


def covered_places(text: ClozeText, places: Collection[int]) -> tuple[int, ...]:
    """The masked positions in order: the given ones, and every typed [MASK].

    Raises:
        ValueError: naming the first that cannot be masked.
    """
    for place in sorted(places):
        if place not in text.maskable:
            raise ValueError(
                f"a covered word must be from {text.maskable[0]} to {text.maskable[-1]}; "
                f"got {place}"
            )
    return tuple(sorted({*places, *text.typed}))


def cover_places(text: ClozeText, places: Collection[int]) -> Int[Tensor, " time"]:
    """The ids with the given positions replaced by [MASK]."""
    ids = text.reading.ids.clone()
    ids[list(places)] = text.mask
    return ids


def fill(network: BERT, text: ClozeText, ways: Sequence[tuple[int, ...]]) -> tuple[FillTrace, ...]:
    """The model's predictions for each choice of masked positions, in one batch.

    Raises:
        ValueError: if the model has no head for masked tokens.
    """
    rows = torch.stack([cover_places(text, places) for places in ways])
    where = network.embedding.token.weight.device
    with torch.inference_mode():
        logits = network(rows.to(where)).logits
    if logits is None:
        raise ValueError("the model must have a head that fills in masked tokens; it has none")
    log_q = logits.double().log_softmax(-1).cpu()
    return tuple(
        _trace(text, places, row, q) for places, row, q in zip(ways, rows, log_q, strict=True)
    )


@torch.no_grad()
def trace_text(network: BERT, row: Int[Tensor, " time"]) -> BERTTrace:
    """Everything the model computes on one text."""
    trace: BERTTrace = network(row[None].to(network.embedding.token.weight.device))
    return trace


def _trace(
    text: ClozeText,
    places: tuple[int, ...],
    row: Int[Tensor, " time"],
    log_q: Float64[Tensor, "time vocabulary"],
) -> FillTrace:
    return _compare(text, places, row, log_q[list(places)], posterior(text, places))


def fill_from_left(network: GPT, text: ClozeText, place: int) -> FillTrace:
    """A GPT's prediction at one position, from the words before it; `exact` is p given those words.

    `exact` is None if the grammar never begins a text so.

    Raises:
        ValueError: if the text has other words than the microworld, the position cannot be masked,
            or a [MASK] was typed before it.
    """
    if not text.in_microworld or place not in text.maskable:
        raise ValueError(f"the place must be a word of a microworld text; got {place}")
    if any(typed < place for typed in text.typed):
        raise ValueError("a left-to-right model cannot read [MASK]: one must not precede the gap")
    before, types = text.reading.ids[:place], len(microworld().vocabulary)
    own = 0 if place in text.typed else int(text.reading.ids[place])
    if max(own, int(before.max())) >= types:
        raise ValueError("a left-to-right model knows the microworld's words only")
    with torch.inference_mode():
        logits = network(before[None].to(network.embedding.token.weight.device)).logits
    log_q = logits[0, -1:].double().log_softmax(-1).cpu()
    row = torch.from_numpy(microworld().next_probabilities(before[None].numpy())[:, -1])
    exact = row if row.sum() > 0 else None
    return _compare(text, (place,), cover_places(text, [place]), log_q, exact)


def _compare(
    text: ClozeText,
    places: tuple[int, ...],
    row: Int[Tensor, " time"],
    chosen: Float64[Tensor, "place vocabulary"],
    exact: Float64[Tensor, "place type"] | None,
) -> FillTrace:
    unknown = torch.tensor([place in text.typed for place in places], dtype=torch.bool)
    own = text.reading.ids[list(places), None].masked_fill(unknown[:, None], 0)
    terms = (-chosen.gather(1, own)[:, 0]).masked_fill(unknown, torch.nan)
    if exact is None:
        return FillTrace(places, row, chosen, None, terms, None, None)
    exact_terms = (-exact.gather(1, own)[:, 0].log()).masked_fill(unknown, torch.nan)
    q = chosen[:, : exact.shape[1]]
    divergence = (torch.xlogy(exact, exact) - torch.where(exact > 0, exact * q, 0.0)).sum(1)
    return FillTrace(places, row, chosen, exact, terms, exact_terms, divergence)


def posterior(text: ClozeText, places: Sequence[int]) -> Float64[Tensor, "place type"] | None:
    """The grammar's p at each masked position, or None if the grammar cannot judge the text.

    That is so if the text has other words or was truncated, or if no words at the masked
    positions make it grammatical.
    """
    if not text.in_microworld or text.reading.cut:
        return None
    if not places:
        return torch.zeros(0, len(microworld().vocabulary), dtype=torch.float64)
    ids = text.reading.ids.clone()
    ids[list(places)] = 0  # not read: any word of the grammar
    try:
        rows = masked_words.posteriors(microworld(), ids.tolist(), list(places))
    except ValueError:
        return None
    return torch.from_numpy(rows)


def likeliest_types(trace: FillTrace, row: int, count: int, own: int | None) -> tuple[int, ...]:
    """The types to show at a masked position, in the model's order.

    They are the model's likeliest, the grammar's likeliest, and the original word.
    """
    wanted = set(trace.log_q[row].topk(count).indices.tolist())
    if trace.exact is not None:
        best = np.argsort(-trace.exact[row].numpy(), kind="stable")[:count]
        wanted |= {int(i) for i in best if trace.exact[row][int(i)] > 0}
    wanted |= set() if own is None else {own}
    return tuple(sorted(wanted, key=lambda i: (-float(trace.log_q[row, i]), i)))
