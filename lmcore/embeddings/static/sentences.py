"""A running text as sentences of lower-case words, for texts other than the microworld.

A sentence ends at `.`, `!`, `?` or `;` and at an empty line; other marks are left out. Apostrophes
stay within their word, so that `didn't` is one word.
"""

from __future__ import annotations

import re

LONGEST_TEXT = 100_000
FEWEST_WORDS = 8
"""The fewest distinct words of a user's text: with fewer, five neighbours say little."""

_END = re.compile(r"[.!?;]|\n\s*\n")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")


def split_sentences(text: str) -> tuple[tuple[str, ...], ...]:
    """The sentences of a text that have a word, in order.

    Raises:
        ValueError: if the text is longer than `LONGEST_TEXT` characters, has fewer than
            `FEWEST_WORDS` distinct words, or no sentence of at least 2 words.
    """
    if len(text) > LONGEST_TEXT:
        raise ValueError(
            f"the text must have at most {LONGEST_TEXT:,} characters; got {len(text):,}"
        )
    parts = (tuple(_WORD.findall(part.lower())) for part in _END.split(text))
    sentences = tuple(part for part in parts if part)
    types = {word for sentence in sentences for word in sentence}
    if len(types) < FEWEST_WORDS:
        raise ValueError(
            f"the text must have at least {FEWEST_WORDS} different words; got {len(types)}"
        )
    if max(map(len, sentences)) < 2:
        raise ValueError("the text must have a sentence of at least 2 words; got none")
    return sentences
