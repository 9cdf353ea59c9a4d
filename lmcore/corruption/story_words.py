"""The first words of the story, each corrupted by itself: how many are chosen, and their fates.

    expected: n·c chosen; of these n·c·m become [MASK], n·c·r a random word, n·c·(1 − m − r) stay

Each word has its own two numbers, and a share is a threshold on them: counts at other shares are of
the same draw.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import torch
from jaxtyping import Int64
from torch import Tensor

from lmcore.corpora import prose
from lmcore.corruption.corruption import RANDOM, UNTOUCHED, CorruptionDraws, Rates
from lmcore.corruption.draws import CorruptionConfig, corrupt_at_random
from lmcore.corruption.text import CorruptText, story_types
from lmcore.vocabulary import split_text

WORDS = 10_000
"""The words that are read, from the beginning of the story."""
AT_ONCE = 8
"""Shares that are applied at once."""
OUTCOMES = 4


@lru_cache(maxsize=1)
def story_words() -> CorruptText:
    """The words, in the order of the story; all of them may be chosen."""
    stock = story_types()
    words = [each.lower() for each in split_text(prose.text(), "word") if each[0].isalpha()]
    known = {word: n for n, word in enumerate(stock.types)}
    tokens = tuple(words[:WORDS])
    ids = torch.tensor([[known[word] for word in tokens]])
    return CorruptText(tokens, ids, torch.ones_like(ids, dtype=torch.bool), len(known), stock)


def count_fates(
    text: CorruptText, config: CorruptionConfig, rates: Sequence[Rates], draws: CorruptionDraws
) -> Int64[Tensor, "rate 5"]:
    """How many words are untouched, masked, random and kept under each of these shares.

    The fifth count is of those random ones into which the most frequent word was put.
    """
    found = list[Tensor]()
    for first in range(0, len(rates), AT_ONCE):
        trace = corrupt_at_random(text, config, rates[first : first + AT_ONCE], draws)
        outcomes = trace.outcomes
        counts = [(outcomes == each).sum(1) for each in range(UNTOUCHED, OUTCOMES)]
        often = ((outcomes == RANDOM) & (trace.corrupted == 0)).sum(1)
        found.append(torch.stack([*counts, often], dim=1))
    return torch.cat(found)
