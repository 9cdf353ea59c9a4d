"""The user's own text: decoded and checked, counted, and tokenized for training.

The text is never stored on disk, and error messages quote none of it, only a position and a
code point, which suffice to find the error.
"""

from __future__ import annotations

import codecs
import itertools
import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
from jaxtyping import Int64

from lmcore.configuration import configuration
from lmcore.tokenization.subwords import train_subwords
from lmcore.typed import fold
from lmcore.vocabulary import (
    END,
    MAX_TYPES,
    START,
    UNKNOWN,
    TokenUnit,
    Vocabulary,
    build_vocabulary,
    split_text,
)

LARGEST_BYTES = 1_000_000
MIN_TOKENS = 200
"""The fewest tokens: fewer are not enough to learn from, nor a tenth of them to validate on."""
SMALLEST_LIMIT = 10
VALIDATION_ONE_IN = 10
"""One token in this many, at the end of the text, is for validation."""
MOST_MARKS = 30
"""Combining marks on one letter, as Unicode's Stream-Safe Text Format allows: putting them in order
takes time quadratic in their number."""

_UTF_16_OR_32 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_BE)
_LINE_ENDS = re.compile("\r\n|[\r\v\f\x85\u2028\u2029]")
_REFUSED = re.compile("[\0-\x08\x0e-\x1f\x7f-\x9f\ud800-\udfff]")


def byte_limit() -> int:
    """Bytes a text may have on this server."""
    return min(LARGEST_BYTES, 1000 * configuration().text_kb)


def read_text(data: bytes | str, keep: Collection[str] = "`") -> str:
    """Decode a text: UTF-8, in one spelling (`lmcore/typed.py`), lines that end in a newline.

    A byte order mark at the beginning goes; every other way to end a line or a page becomes a
    newline; tabs stay, and so do the marks of `keep`. Bytes and characters are numbered from 1.

    Raises:
        ValueError: if the text is empty or blank, has more than `byte_limit` bytes, is not
            UTF-8, or holds a control character or more marks on one letter than `MOST_MARKS`.
    """
    text = data if isinstance(data, str) else _decoded(data)
    if isinstance(data, str):
        _check_size(len(data.encode("utf-8", "surrogatepass")))
    text = _LINE_ENDS.sub("\n", text.removeprefix("\ufeff"))
    if not text.strip():
        got = "only spaces" if text else "an empty text"
        raise ValueError(f"the text must have at least one word; got {got}")
    _check_characters(text)
    return fold(text, keep)


def _decoded(data: bytes) -> str:
    _check_size(len(data))
    if data.startswith(_UTF_16_OR_32):
        raise ValueError("the text must be UTF-8; got UTF-16 or UTF-32: save it as UTF-8")
    if (place := data.find(b"\0")) >= 0:
        raise ValueError(
            f"the text must be plain text in UTF-8; got byte 0x00 at byte {place + 1:,}, as in a "
            "picture, a document of a word processor, or UTF-16"
        )
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(
            f"the text must be UTF-8; got byte 0x{data[error.start]:02X} at byte "
            f"{error.start + 1:,}, which is not: save it as UTF-8"
        ) from None


def _check_size(size: int) -> None:
    if size > (most := byte_limit()):
        raise ValueError(f"the text must have at most {most:,} bytes; got {size:,}")


def _check_characters(text: str) -> None:
    if match := _REFUSED.search(text):
        raise ValueError(
            "the text must have no control characters but tabs and line ends; got "
            f"U+{ord(match[0]):04X} in {_place(text, match.start())}"
        )
    marks = "".join(re.escape(mark) for mark in set(text) if unicodedata.combining(mark))
    if marks and (match := re.search(f"[{marks}]{{{MOST_MARKS + 1}}}", text)):
        raise ValueError(
            f"the text must have at most {MOST_MARKS} marks on one letter; got more in "
            f"{_place(text, match.start())}"
        )


def _place(text: str, index: int) -> str:
    line, before = text.count("\n", 0, index) + 1, text.rfind("\n", 0, index)
    return f"line {line:,}, character {index - before:,}"


class TextStatistics(NamedTuple):
    """Statistics of a text. Its tokens are words and marks, or characters."""

    characters: int
    words: int
    """Words separated by blanks."""
    lines: int
    """Lines that are not blank."""
    tokens: int
    types: int
    """Different tokens; 1 means that there is nothing to learn: the loss goes to 0."""
    singletons: int
    """Types that occur once."""
    covered: float
    """Share of the tokens that the vocabulary holds."""
    unknown: float
    """Share of the tokens that become `<unk>`."""


@dataclass(frozen=True)
class OwnText:
    """A text of `read_text`'s, by words or by characters; at most `limit` types, `<unk>` included.

    By words, each paragraph is `<s> … </s>`, where blank lines part paragraphs, or line ends if
    there are no blank lines; the paragraphs follow each other in one running text. By characters
    the text is as it is. What is written `<s>` or `</s>` in the text itself is `<unk>`.

    Raises:
        ValueError: if there are fewer than `MIN_TOKENS` tokens, or the limit is out of bounds.
    """

    text: str = field(repr=False)
    unit: TokenUnit = "word"
    limit: int = MAX_TYPES

    def __post_init__(self) -> None:
        if not SMALLEST_LIMIT <= self.limit <= MAX_TYPES:
            raise ValueError(
                f"the vocabulary must be limited to {SMALLEST_LIMIT} to {MAX_TYPES:,} types; "
                f"got {self.limit:,}"
            )
        if (size := self._counts.total()) < MIN_TOKENS:
            raise ValueError(
                f"a text to train on must have at least {MIN_TOKENS} {self.unit}s; got {size}"
            )

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The most frequent types, and `<unk>` for the others; or the pieces of words."""
        if self.unit == "subword":
            return train_subwords(self.text[: -(len(self.text) // VALIDATION_ONE_IN)])
        return build_vocabulary(self._counts.elements(), self.unit, limit=self.limit)

    @cached_property
    def ids(self) -> Int64[np.ndarray, " token"]:
        """The text as ids, with the `<s>` and `</s>` around each paragraph of words."""
        if self.unit == "character":
            return np.array(self.vocabulary.encode(self.text), dtype=np.int64)
        if self.unit == "subword":
            return np.array(self.vocabulary.read(self.text), dtype=np.int64)
        ends = ([START, *tokens, END] for tokens in self._paragraphs)
        running = list(itertools.chain.from_iterable(ends))
        return np.array(self.vocabulary.encode(running), dtype=np.int64)

    @property
    def training(self) -> Int64[np.ndarray, " token"]:
        """The ids but for the last tenth."""
        return self.ids[: -(len(self.ids) // VALIDATION_ONE_IN)]

    @property
    def validation(self) -> Int64[np.ndarray, " token"]:
        """The last tenth of the ids."""
        return self.ids[-(len(self.ids) // VALIDATION_ONE_IN) :]

    @cached_property
    def statistics(self) -> TextStatistics:
        """The statistics of the text, and the share that the vocabulary covers."""
        counts, size = self._counts, self._counts.total()
        known = sum(n for token, n in counts.items() if token in self.vocabulary)
        known -= counts[UNKNOWN] if self.unit == "word" else 0
        return TextStatistics(
            characters=len(self.text),
            words=len(self.text.split()),
            lines=sum(bool(line.strip()) for line in self.text.split("\n")),
            tokens=size,
            types=len(counts),
            singletons=sum(n == 1 for n in counts.values()),
            covered=known / size,
            unknown=(size - known) / size,
        )

    @cached_property
    def _counts(self) -> Counter[str]:
        if self.unit == "character":
            return Counter(self.text)
        if self.unit == "subword":
            return Counter(self.vocabulary.decode(self.ids.tolist()))
        return Counter(itertools.chain.from_iterable(self._paragraphs))

    @cached_property
    def _paragraphs(self) -> list[list[str]]:
        return [
            [UNKNOWN if token in (START, END) else token for token in split_text(paragraph, "word")]
            for paragraph in _parted(self.text)
        ]


def _parted(text: str) -> Iterator[str]:
    """The paragraphs of a text; its lines, if no blank line parts any."""
    lines = [line if line.strip() else "" for line in text.strip().split("\n")]
    if "" not in lines:
        yield from lines
        return
    for filled, together in itertools.groupby(lines, key=bool):
        if filled:
            yield "\n".join(together)
