"""Chooses what to corrupt: single tokens, whole words or spans, at random or by the user.

Random numbers are drawn once, so the result at every slider position is known in advance.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, NamedTuple, get_args

import torch

from lmcore.corruption.corruption import (
    KEPT,
    MASKED,
    RANDOM,
    UNTOUCHED,
    CorruptionDraws,
    CorruptionTrace,
    Rates,
    apply_draws,
    apply_outcomes,
    draw_corruption,
)
from lmcore.corruption.spans import Span, choose_spans
from lmcore.corruption.text import MASK, CorruptText
from lmcore.corruption.whole_words import choose_whole_words
from lmcore.typed import fold

Unit = Literal["token", "word", "span"]
UNITS = get_args(Unit)
RandomTokenSource = Literal["uniform", "unigram"]
SLIDERS = ("chosen", "masked", "random")


class CorruptionConfig(NamedTuple):
    """How a text is corrupted at random."""

    rates: Rates = Rates()
    unit: Unit = "token"
    source: RandomTokenSource = "uniform"
    """Whether random tokens are drawn uniformly, or by their counts"""
    seed: int = 1
    at_least_one: bool = False
    """Whether at least one token is chosen in every text"""


class TextDraws(NamedTuple):
    """The random numbers of one text."""

    draws: CorruptionDraws
    spans: tuple[Span, ...]
    """With spans only: the spans in the order they were drawn"""


def draw_for_text(
    text: CorruptText,
    config: CorruptionConfig,
    generator: torch.Generator | None = None,
    *,
    rows: int = 1,
) -> TextDraws:
    """The draws of a text, repeated for `rows` rows; they do not depend on the shares.

    Raises:
        ValueError: if types are to be drawn by counts and there are none, or as `choose_spans`.
    """
    stock, counts = text.stock, None
    if config.source == "unigram":
        counts = stock.counts
        if counts is None:
            raise ValueError(f"unigram draws must have known token frequencies; got {stock.whose}")
    given = torch.Generator().manual_seed(config.seed) if generator is None else generator
    draws = draw_corruption(text.ids.expand(rows, -1), len(stock.types), given, counts)
    if config.unit == "span":
        spans = choose_spans(draws, text.words, given)
        return TextDraws(spans.draws, spans.spans)
    return TextDraws(choose_whole_words(draws, text.words) if config.unit == "word" else draws, ())


def corrupt_at_random(
    text: CorruptText, config: CorruptionConfig, rates: Sequence[Rates], draws: CorruptionDraws
) -> CorruptionTrace:
    """The text corrupted under each of these shares, one row each."""
    rows = len(rates)
    return apply_draws(
        text.ids.expand(rows, -1),
        text.maskable.expand(rows, -1),
        rates,
        draws.repeated(rows),
        mask=text.mask,
        at_least_one=config.at_least_one,
    )


def change_rate(rates: Rates, slider: str, value: float) -> Rates:
    """The shares with one changed; masked and random are reduced to sum to at most 1.

    Raises:
        ValueError: if the value is not from 0 to 1.
    """
    now = replace(rates, **{slider: value}) if slider == "chosen" else rates
    if slider == "masked":
        now = replace(rates, masked=value, random=min(rates.random, round(max(1 - value, 0), 12)))
    if slider == "random":
        now = replace(rates, random=value, masked=min(rates.masked, round(max(1 - value, 0), 12)))
    return now


def corrupt_as_chosen(text: CorruptText, written: str) -> CorruptionTrace:
    """The corruption chosen by the user, in the form `2:[MASK] 7:apricot 3:and`.

    Each entry is the number of a word and its replacement. Words are counted from 1, without [CLS]
    and [SEP]; a word replaced by itself is kept.

    Raises:
        ValueError: if the form is wrong, a word does not exist or is named twice, or a replacement
            is not one of the types.
    """
    outcomes = torch.full_like(text.ids, UNTOUCHED)
    replaced = text.ids.clone()
    places = text.open_places
    for part in fold(written).split():
        number, colon, word = part.partition(":")
        if not (colon and word and number.isascii() and number.isdecimal() and len(number) < 4):
            raise ValueError(f"a choice by hand must look like 7:apricot; got {part[:40]!r}")
        if not 1 <= int(number) <= len(places):
            raise ValueError(f"a place by hand must be from 1 to {len(places)}; got {number}")
        at = places[int(number) - 1]
        if outcomes[0, at] != UNTOUCHED:
            raise ValueError(f"a place by hand must be chosen once; got {number} twice")
        outcomes[0, at], replaced[0, at] = _outcome(text, at, word)
    return apply_outcomes(text.ids, outcomes, replaced, mask=text.mask)


def _outcome(text: CorruptText, at: int, word: str) -> tuple[int, int]:
    """The outcome at a position that gets this replacement, and the replacement's id."""
    own = int(text.ids[0, at])
    if word == MASK:
        return MASKED, own
    if word == text.tokens[at]:
        return KEPT, own
    if word in text.stock.types:
        return RANDOM, text.stock.types.index(word)
    if text.network is not None:
        raise ValueError(f"a word by hand must be one that the model knows; got {word[:40]!r}")
    return RANDOM, text.mask + 1  # a word that is neither a type nor in the text


def visible_tokens(text: CorruptText, trace: CorruptionTrace, written: str = "") -> tuple[str, ...]:
    """The tokens that the model sees; random tokens chosen by the user keep their spelling."""
    given = dict(part.split(":", 1) for part in written.split())
    number = {place: str(n) for n, place in enumerate(text.open_places, start=1)}
    shown = []
    for place, (token, outcome) in enumerate(
        zip(text.tokens, trace.outcomes[0].tolist(), strict=True)
    ):
        put = int(trace.corrupted[0, place])
        drawn = text.stock.types[put] if put < len(text.stock.types) else token
        other = given.get(number.get(place, ""), drawn)
        shown.append(MASK if outcome == MASKED else other if outcome == RANDOM else token)
    return tuple(shown)
