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

START, END, UNKNOWN = "<s>", "</s>", "<unk>"
EXCERPT_LENGTH = 40
"""Characters of an unknown token that an error shows."""
MAX_TYPES = 10_000
"""The largest vocabulary: with more types the softmax dominates the cost of a small model."""

TokenUnit = Literal["word", "character", "subword"]

_WORD = re.compile(r"</?s>|<unk>|\w+(?:['’]\w+)*|[^\w\s]")
_NO_BLANK_BEFORE = set(".,;:!?)]}’”")
_NO_BLANK_AFTER = set("([{‘“")


def split_text(text: str, unit: TokenUnit) -> list[str]:
    """The tokens of `text`: words (with their apostrophes) and marks, or single characters.

    Subwords are cut by their own vocabulary: here they are what it would begin with, words.
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


@dataclass(frozen=True)
class Vocabulary:
    """The types of a model; the id of a type is its index in `tokens`, a tuple or any other row.

    `lower` says that typed text is lower-cased before it is looked up.
    """

    tokens: tuple[str, ...]
    unit: TokenUnit = "word"
    lower: bool = field(default=False, kw_only=True)

    def __post_init__(self) -> None:
        """Raises ValueError if these are no texts, one is there twice, or none or too many are."""
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

    def encode(self, tokens: Sequence[str], of: str = "") -> list[int]:
        """The ids of `tokens`; an unknown one becomes `<unk>` where the vocabulary has it.

        `of` says in an error where the tokens stand, "of the second text" perhaps.

        Raises:
            ValueError: naming the first unknown token and its place, where there is no `<unk>`.
        """
        unknown = self.ids.get(UNKNOWN)
        ids = [self.ids.get(token, unknown) for token in tokens]
        for place, (token, i) in enumerate(zip(tokens, ids, strict=True), start=1):
            if i is None:
                where = f"{self.unit} {place} {of}".rstrip()
                raise ValueError(
                    f"{where} must be one of the {len(self)} the model knows; "
                    f"got {token[:EXCERPT_LENGTH]!r}"
                )
        return [i for i in ids if i is not None]

    def read(self, text: str) -> list[int]:
        """The ids of typed text; words after `<s>` where the vocabulary has it.

        Raises:
            ValueError: as `encode`.
        """
        tokens = split_text(text.lower() if self.lower else text, self.unit)
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
