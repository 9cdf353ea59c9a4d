"""The words that the features of a review count, and the tokenizer that finds them in a text.

The lexicons are small and were written for this project. A noun and an adjective are listed apart
because the grammar of `reviews` needs them apart; the features do not distinguish them.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from lmcore.checks import check_between
from lmcore.typed import fold

POSITIVE_NOUNS = (
    *("charm", "wit", "fun", "joy", "warmth", "magic", "beauty", "humour"),
    *("grace", "talent", "style", "heart", "sparkle", "depth", "delight", "elegance"),
)
NEGATIVE_NOUNS = (
    *("boredom", "noise", "nonsense", "mistakes", "flaws", "confusion", "filler", "gloom"),
    *("hype", "kitsch", "waste", "failure", "clutter", "trouble", "tedium", "errors"),
)
POSITIVE_ADJECTIVES = (
    *("good", "great", "funny", "lovely", "brilliant", "clever", "superb", "moving", "fresh"),
    *("wonderful", "excellent", "gripping", "charming", "amazing", "perfect", "delightful"),
    *("enjoyable", "witty"),
)
NEGATIVE_ADJECTIVES = (
    *("bad", "dull", "awful", "boring", "terrible", "weak", "poor", "ugly", "stupid"),
    *("tedious", "annoying", "clumsy", "lazy", "predictable", "horrible", "dreadful"),
    *("disappointing", "silly"),
)
POSITIVE = frozenset((*POSITIVE_NOUNS, *POSITIVE_ADJECTIVES, "love", "loved", "enjoyed", "best"))
NEGATIVE = frozenset((*NEGATIVE_NOUNS, *NEGATIVE_ADJECTIVES, "hate", "hated", "disliked", "worst"))
PRONOUNS = frozenset(
    (
        *("i", "me", "my", "mine", "myself", "we", "us", "our", "ours", "ourselves"),
        *("you", "your", "yours", "yourself", "yourselves"),
    )
)
"""Pronouns of the 1st and 2nd person."""
EXCLAMATION = "!"
MOST_WORDS = 500
"""The longest review, in words."""

_TOKEN = re.compile(r"[^\W_]+(?:['’][^\W_]+)*|!")


class ReviewToken(NamedTuple):
    """A word in lower case, or "!", and its place: characters `start` to `end` − 1 of the text."""

    text: str
    start: int
    end: int

    @property
    def is_word(self) -> bool:
        """Whether this is a word: everything but "!"."""
        return self.text != EXCLAMATION


def tokenize_review(text: str) -> tuple[ReviewToken, ...]:
    """The words of a review in lower case, and each "!" as a token of its own.

    A word is a run of letters and digits, with an apostrophe inside (“don't”); all other marks are
    left out.

    Raises:
        ValueError: if there is no word, or there are more than `MOST_WORDS`.
    """
    tokens = tuple(
        ReviewToken(fold(match[0]).lower(), *match.span()) for match in _TOKEN.finditer(text)
    )
    words = sum(token.is_word for token in tokens)
    if words == 0:
        got = f"{text.strip()!r:.40}" if text.strip() else "an empty text"
        raise ValueError(f"the text must have at least one word; got {got}")
    check_between("the number of words of the text", words, 1, MOST_WORDS)
    return tokens


def is_pronoun(word: str) -> bool:
    """Whether a word is a 1st or 2nd person pronoun, alone or before an apostrophe (“I'm”)."""
    return word.partition("'")[0] in PRONOUNS
