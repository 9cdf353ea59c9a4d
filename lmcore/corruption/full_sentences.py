"""RoBERTa's packing: consecutive sentences fill an input, up to a number of tokens.

    FULL-SENTENCES   an input continues with the next document, after an extra separator
    DOC-SENTENCES    an input ends with its document, and may be shorter

There are no segment pairs, and there is no next sentence prediction.

Source: Liu et al. 2019, "RoBERTa", section 4.2; lecture "Bidirectional Transformer Encoders":
contiguous sentences up to 512 tokens, an extra separator between documents. RoBERTa writes <s> and
</s> where this writes [CLS] and [SEP]. DOC-SENTENCES was a little better in their table 2;
RoBERTa was trained with FULL-SENTENCES, as its batches are all of one size.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

from lmcore import dataframes

if TYPE_CHECKING:
    from pandas import DataFrame

CLS, SEP = "[CLS]", "[SEP]"
FRAME = 2
"""Special tokens of an input: the first and the last."""
LONGEST = 512
"""Tokens of RoBERTa's longest input."""

PackedKind = Literal["first", "word", "between", "last"]


class PackedToken(NamedTuple):
    """A token of an input, and its sentence and document; a separator belongs to what it ends."""

    token: str
    what: PackedKind
    document: int
    sentence: int


@dataclass(frozen=True, slots=True)
class PackingTrace:
    """The inputs, each of at most `length` tokens, special tokens included."""

    length: int
    inputs: tuple[tuple[PackedToken, ...], ...]

    @property
    def filled(self) -> float:
        """The share of a batch of these inputs that is not padding."""
        return sum(map(len, self.inputs)) / (self.length * len(self.inputs))

    def to_frame(self) -> DataFrame:
        """One row per token: input and place, from 0, token, what, document, sentence."""
        placed = [
            (n, at, *each) for n, row in enumerate(self.inputs) for at, each in enumerate(row)
        ]
        names = ("input", "place", *PackedToken._fields)
        return dataframes.frame(dict(zip(names, zip(*placed, strict=True), strict=True)))


SplitDocuments = Sequence[Sequence[Sequence[str]]]
"""Document → sentence → token."""


def pack(documents: SplitDocuments, length: int = LONGEST, *, across: bool = True) -> PackingTrace:
    """Fill inputs with whole sentences in order; with `across`, also across document boundaries.

    Raises:
        ValueError: if there is no sentence, one is empty, or one alone is too long.
    """
    parts = [
        [PackedToken(token, "word", n, m) for token in sentence]
        for n, document in enumerate(documents)
        for m, sentence in enumerate(document)
    ]
    _check(parts, length)
    inputs = list[tuple[PackedToken, ...]]()
    body = list[PackedToken]()
    for part in parts:
        new = bool(body) and body[-1].document != part[0].document
        between = [body[-1]._replace(token=SEP, what="between")] if new else []
        full = FRAME + len(body) + len(between) + len(part) > length
        if body and (full or (new and not across)):
            inputs.append(_framed(body))
            body, between = [], []
        body += [*between, *part]
    return PackingTrace(length, (*inputs, _framed(body)))


def shortest_length(documents: SplitDocuments) -> int:
    """The shortest length into which every sentence fits."""
    return FRAME + max((len(each) for document in documents for each in document), default=1)


def _framed(body: Iterable[PackedToken]) -> tuple[PackedToken, ...]:
    words = tuple(body)
    first = words[0]._replace(token=CLS, what="first")
    return (first, *words, words[-1]._replace(token=SEP, what="last"))


def _check(parts: Sequence[Sequence[PackedToken]], length: int) -> None:
    if not parts or not all(parts):
        raise ValueError("each document must have a sentence, and each sentence a token; got none")
    for part in parts:
        if FRAME + len(part) > length:
            raise ValueError(
                f"sentence {part[0].sentence + 1} of document {part[0].document + 1} must have at "
                f"most {length - FRAME} tokens; got {len(part)}"
            )
