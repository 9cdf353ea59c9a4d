"""Vocabularies: text to token ids, by words or characters, and back.

Notation: token x_t is an id in {0..|V|−1}; its string w_t is for display only.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from lmcore.typed import fold

START, END, UNKNOWN = "<s>", "</s>", "<unk>"
EXCERPT_LENGTH = 40
"""Characters of an unknown token that an error shows."""
MAX_TYPES = 10_000
"""The largest vocabulary: with more types the softmax dominates the cost of a small model."""

TokenUnit = Literal["word", "character", "subword"]

MOST_SIMILAR = 3
LONGEST_ENDING = 3
"""Letters by which two words that differ in their ending may differ in length."""
SPECIAL = re.compile(r"</?s>|<unk>|\[[A-Z]+\]")
"""Types that stand for no word: `<s>`, `[CLS]` and their like."""
ENDINGS = {"", "s", "es", "d", "ed", "ing", "er", "ly"}
"""Two words that differ in one of these are similar."""

_WORD = re.compile(r"</?s>|<unk>|\w+(?:['’]\w+)*|[^\w\s]")
_NO_BLANK_BEFORE = set(".,;:!?)]}’”")
_NO_BLANK_AFTER = set("([{‘“")


def split_text(text: str, unit: TokenUnit) -> list[str]:
    """The tokens of `text`: words (with their apostrophes) and marks, or single characters.

    Subwords are cut by their own vocabulary: for them this returns the words that it begins with.
    """
    return list(text) if unit == "character" else _WORD.findall(text)


def join_tokens(tokens: Iterable[str], unit: TokenUnit) -> str:
    """Tokens as text: words with blanks between them, none before a full stop."""
    if unit == "character":
        return "".join(tokens)
    text = ""
    for token in tokens:
        glued = not text or token in _NO_BLANK_BEFORE or text[-1] in _NO_BLANK_AFTER
        text += token if glued else f" {token}"
    return text


class UnknownTokenError(ValueError):
    """A token that a vocabulary does not have; `vocabulary` is that vocabulary."""

    vocabulary: Vocabulary


@dataclass(frozen=True)
class Vocabulary:
    """The types of a model; the id of a type is its index in `tokens`, a tuple or any other row.

    `lower` says that typed text is lower-cased before it is looked up.
    """

    tokens: tuple[str, ...]
    unit: TokenUnit = "word"
    lower: bool = field(default=False, kw_only=True)

    def __post_init__(self) -> None:
        """Raises ValueError if a type is not text or occurs twice, or if none or too many are."""
        if isinstance(self.tokens, str) or not isinstance(self.tokens, Iterable):
            raise ValueError(f"a vocabulary must be a list of tokens; got {self.tokens!r:.60}")
        if not isinstance(self.tokens, tuple):
            object.__setattr__(self, "tokens", tuple(self.tokens))
        for token in self.tokens:
            if not isinstance(token, str):
                raise ValueError(f"a token must be text; got {token!r:.60}")
        if not 1 <= len(self.tokens) <= MAX_TYPES:
            raise ValueError(
                f"a vocabulary must hold 1 to {MAX_TYPES:,} types; got {len(self.tokens):,}"
            )
        if len(self.ids) != len(self.tokens):
            twice = next(token for token, n in Counter(self.tokens).items() if n > 1)
            raise ValueError(f"a vocabulary must hold each type once; got {twice!r} twice")

    def __len__(self) -> int:
        """|V|."""
        return len(self.tokens)

    def __contains__(self, token: str) -> bool:
        """Whether the type is known."""
        return token in self.ids

    @cached_property
    def ids(self) -> dict[str, int]:
        """Type → id."""
        return {token: i for i, token in enumerate(self.tokens)}

    @cached_property
    def characters(self) -> frozenset[str]:
        """Every character that some type holds."""
        return frozenset().union(*self.tokens)

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The types that can be typed: no special tokens and, of words, no punctuation."""
        typed = (token for token in self.tokens if not SPECIAL.fullmatch(token))
        if self.unit != "word":
            return tuple(typed)
        return tuple(token for token in typed if any(letter.isalnum() for letter in token))

    def similar(self, word: str) -> tuple[str, ...]:
        """The words spelt like a mistyped one, or with another ending, the most alike first."""
        if self.unit != "word" or not 2 < len(word) <= EXCERPT_LENGTH:
            return ()
        most = 1 if len(word) <= 5 else 2
        alike = (known for known in self.words if abs(len(known) - len(word)) <= LONGEST_ENDING)
        near = ((_edits(word, known, LONGEST_ENDING), known) for known in alike)
        found = [each for each in near if each[0] <= most or _differ_in_ending(word, each[1])]
        return tuple(known for _, known in sorted(found)[:MOST_SIMILAR])

    def split(self, text: str) -> list[str]:
        """The tokens of typed text, spelt as the types are: didn’t as didn't, unless ’ is known."""
        text = fold(text, keep=self.characters)
        return split_text(text.lower() if self.lower else text, self.unit)

    def encode(self, tokens: Sequence[str], of: str = "") -> list[int]:
        """The ids of `tokens`; an unknown one becomes `<unk>` where the vocabulary has it.

        `of` says in an error where the tokens are from, "of the second text" perhaps.

        Raises:
            UnknownTokenError: naming the first unknown token, its place, and words spelt like it,
                where there is no `<unk>`.
        """
        known = self.ids
        try:
            return [known[each] for each in tokens]
        except KeyError:
            return [self._id(each, place, of) for place, each in enumerate(tokens, start=1)]

    def _id(self, token: str, place: int, of: str) -> int:
        for spelt in (token, fold(token), UNKNOWN):
            if spelt in self.ids:
                return self.ids[spelt]
        where = f"{self.unit} {place} {of}".rstrip()
        near, count = self.similar(token.lower()), len(self.words)
        error = UnknownTokenError(
            f"{where} must be one of the {count} {self.unit}{'s' * (count != 1)} the model "
            f"knows; got {token[:EXCERPT_LENGTH]!r}"
            + (f"; similar words: {', '.join(near)}" if near else "")
        )
        error.vocabulary = self
        raise error

    def read(self, text: str) -> list[int]:
        """The ids of typed text; words after `<s>` where the vocabulary has it.

        Raises:
            ValueError: as `encode`.
        """
        tokens = self.split(text)
        ids = self.encode(tokens)  # before <s> is put in front: places are those of what was typed
        if START in self.ids and tokens[:1] != [START]:
            return [self.ids[START], *ids]
        return ids

    def decode(self, ids: Iterable[int]) -> list[str]:
        """The types of `ids`."""
        return [self.tokens[i] for i in ids]

    def write(self, ids: Iterable[int]) -> str:
        """The ids as text, without `<s>` and `</s>`."""
        return join_tokens((t for t in self.decode(ids) if t not in (START, END)), self.unit)


def _edits(one: str, other: str, most: int) -> int:
    """The insertions, deletions, replacements and swaps of neighbours between two words.

    If there are more than `most`, the result is `most` + 1, and the table is not completed.

    Source: the optimal string alignment distance (Damerau 1964), near the diagonal (Ukkonen 1985).
    """
    far, n = most + 1, len(other)
    if abs(len(one) - n) > most:
        return far
    rows = [list(range(n + 1))]
    for i, a in enumerate(one, start=1):
        row = [i] + [far] * n
        for j in range(max(1, i - most), min(n, i + most) + 1):
            b = other[j - 1]
            cost = min(rows[i - 1][j] + 1, row[j - 1] + 1, rows[i - 1][j - 1] + (a != b))
            if i > 1 and j > 1 and (a, one[i - 2]) == (other[j - 2], b):
                cost = min(cost, rows[i - 2][j - 2] + 1)
            row[j] = cost
        rows.append(row)
        if min(row) > most and min(rows[-2]) > most:
            return far
    return min(rows[-1][-1], far)


def _differ_in_ending(one: str, other: str) -> bool:
    stem = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), None)
    stem = min(len(one), len(other)) if stem is None else stem
    return stem > 2 and {one[stem:], other[stem:]} <= ENDINGS


def build_vocabulary(
    tokens: Iterable[str], unit: TokenUnit, *, limit: int = MAX_TYPES
) -> Vocabulary:
    """The vocabulary of a text: its most frequent types, at most `limit`, the rest `<unk>`.

    Words get `<s>` and `</s>` in front; ties in frequency are broken by the alphabet. Without
    rare types to set aside there is still an `<unk>`, for what may be typed later.

    Raises:
        ValueError: if `limit` leaves no room beside those, or is above `MAX_TYPES`.
    """
    special = (UNKNOWN,) if unit == "character" else (START, END, UNKNOWN)
    if not len(special) < limit <= MAX_TYPES:
        raise ValueError(
            f"the limit must be from {len(special) + 1} to {MAX_TYPES:,} types; got {limit:,}"
        )
    counts = Counter(tokens)
    ranked = sorted(counts.keys() - set(special), key=lambda token: (-counts[token], token))
    return Vocabulary((*special, *ranked[: limit - len(special)]), unit)
