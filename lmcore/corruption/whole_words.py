"""Whole-word masking: where words are cut into pieces, all pieces of a word are chosen, or none.

A piece that goes on with the word before it begins with ##. Only the choice is the word's: what
becomes of it, each piece draws for itself.

Source: Google's BERT repository, README of 31 May 2019, "Whole Word Masking".
Variant: their code puts the words in a random order and takes them until 15 % of the tokens are
reached; here each word is chosen by itself, as likely as a single token.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from jaxtyping import Int
from torch import Tensor

from lmcore.corruption.corruption import Draws

GOES_ON = "##"
"""What a piece that is not its word's first begins with."""
Words = tuple[tuple[int, ...], ...]
"""The places of each word's pieces."""


def words(tokens: Sequence[str], may: Sequence[bool]) -> Words:
    """The words of a text, as places of their pieces; a token that may not be chosen, such as
    [SEP], is no word and ends one."""
    found: list[list[int]] = []
    inside = False
    for place, (token, is_open) in enumerate(zip(tokens, may, strict=True)):
        if is_open and inside and token.startswith(GOES_ON) and token != GOES_ON:
            found[-1].append(place)
        elif is_open:
            found.append([place])
        inside = is_open
    return tuple(map(tuple, found))


def leaders(words: Words, length: int) -> Int[Tensor, " time"]:
    """For each place the place of its word's first piece; a place of no word leads itself."""
    lead = torch.arange(length)
    for places in words:
        lead[list(places)] = places[0]
    return lead


def by_word(draws: Draws, words: Words) -> Draws:
    """The same draws, but every piece is chosen where its word's first piece is."""
    lead = leaders(words, draws.chance.shape[-1])
    return Draws(draws.chance[:, lead], draws.way, draws.drawn)
