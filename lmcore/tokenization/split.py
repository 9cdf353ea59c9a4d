"""Splits a text into words and punctuation marks, before subword tokenization.

As in BERT, blanks separate words, and each punctuation mark and each Chinese character is a word.
Case and accents are kept.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import NamedTuple

from tokenizers import Tokenizer, normalizers, pre_tokenizers
from tokenizers.models import WordLevel

from lmcore.tokenization.rules import LONGEST_WORD


class TextWord(NamedTuple):
    """A word, and its place: `text[start:end]`."""

    text: str
    start: int
    end: int


class WordCounts(NamedTuple):
    """The words of a text, and how often each occurs."""

    counts: dict[str, int]
    """In the order in which they first occur."""
    too_long: int
    """Words left out: they have more than `LONGEST_WORD` letters."""

    @property
    def total(self) -> int:
        """Words, every occurrence counted."""
        return sum(self.counts.values())


def normalizer() -> normalizers.Normalizer:
    """BERT's, for cased text: blanks around Chinese characters, and nothing else."""
    return normalizers.BertNormalizer(
        clean_text=False, handle_chinese_chars=True, strip_accents=False, lowercase=False
    )


def split_words(text: str) -> list[TextWord]:
    """The words of a text without surrogates, in order."""
    places = _splitter().encode(text).offsets
    return [TextWord(text[start:end], start, end) for start, end in places]


def count_words(text: str) -> WordCounts:
    """How often each word occurs.

    Raises:
        ValueError: if there is no word that is short enough to learn from.
    """
    every = Counter(word.text for word in split_words(text))
    kept = {word: n for word, n in every.items() if len(word) <= LONGEST_WORD}
    if not kept:
        raise ValueError(
            f"the text must have a word of at most {LONGEST_WORD} letters to learn from; got none"
        )
    return WordCounts(kept, every.total() - sum(kept.values()))


@lru_cache(maxsize=1)
def _splitter() -> Tokenizer:
    made = Tokenizer(WordLevel({"[UNK]": 0}, unk_token="[UNK]"))
    made.normalizer = normalizer()
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return made
