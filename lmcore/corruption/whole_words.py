"""Whole-word masking: of a word split into pieces, all pieces are chosen or none.

A piece that continues a word begins with ##. The pieces share the choice only; each has its own
outcome.

Source: Google's BERT repository, README of 31 May 2019, "Whole Word Masking".
Variant: their code puts the words in a random order and takes them until 15 % of the tokens are
reached; here each word is chosen independently, with the probability of a single token.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from jaxtyping import Int
from torch import Tensor

from lmcore.corruption.corruption import CorruptionDraws

CONTINUATION_PREFIX = "##"
"""The prefix of every piece but a word's first."""
WordPieces = tuple[tuple[int, ...], ...]
"""The positions of each word's pieces."""


def group_pieces(tokens: Sequence[str], maskable: Sequence[bool]) -> WordPieces:
    """The words of a text, as positions of their pieces.

    A token that may not be chosen, such as [SEP], is not a word and ends one.
    """
    words: list[list[int]] = []
    inside = False
    for place, (token, is_open) in enumerate(zip(tokens, maskable, strict=True)):
        if (
            is_open
            and inside
            and token.startswith(CONTINUATION_PREFIX)
            and token != CONTINUATION_PREFIX
        ):
            words[-1].append(place)
        elif is_open:
            words.append([place])
        inside = is_open
    return tuple(map(tuple, words))


def first_pieces(words: WordPieces, length: int) -> Int[Tensor, " time"]:
    """For each position, that of its word's first piece; outside words, the position itself."""
    lead = torch.arange(length)
    for places in words:
        lead[list(places)] = places[0]
    return lead


def choose_whole_words(draws: CorruptionDraws, words: WordPieces) -> CorruptionDraws:
    """The draws changed so that a piece is chosen exactly if its word's first piece is."""
    lead = first_pieces(words, draws.chance.shape[-1])
    return CorruptionDraws(draws.chance[:, lead], draws.way, draws.drawn)
