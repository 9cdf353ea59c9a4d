"""RoBERTa's packing: sentences that follow one another fill an input, up to a number of tokens.

    FULL-SENTENCES   past the end of a document the next one goes on, after one more separator
    DOC-SENTENCES    an input ends with its document, and stays shorter

There are no pairs of segments and there is no task of next sentences.

Source: Liu et al. 2019, "RoBERTa", section 4.2; lecture "Bidirectional Transformer Encoders":
contiguous sentences up to 512 tokens, an extra separator between documents. RoBERTa writes <s> and
</s> where this writes [CLS] and [SEP]. DOC-SENTENCES was a little better in their table 2;
RoBERTa was trained with FULL-SENTENCES, as its batches are all of one size.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

CLS, SEP = "[CLS]", "[SEP]"
FRAME = 2
"""Tokens of an input that are not the text's: its first and its last."""
LONGEST = 512
"""RoBERTa's inputs."""

PackedKind = Literal["first", "word", "between", "last"]


class PackedToken(NamedTuple):
    """A token of an input, and where it is from; a separator belongs to what it ends."""

    token: str
    what: PackedKind
    document: int
    sentence: int


@dataclass(frozen=True, slots=True)
class PackingTrace:
    """The inputs, each at most `length` tokens with its first and its last."""

    length: int
    inputs: tuple[tuple[PackedToken, ...], ...]

    @property
    def filled(self) -> float:
        """The share of a batch of these inputs that is no padding."""
        return sum(map(len, self.inputs)) / (self.length * len(self.inputs))


SplitDocuments = Sequence[Sequence[Sequence[str]]]
"""Document → sentence → token."""


def pack(documents: SplitDocuments, length: int = LONGEST, *, across: bool = True) -> PackingTrace:
    """Fill inputs with whole sentences, in their order; `across` the ends of documents or not.

    Raises:
        ValueError: if there is no sentence, one has no token, or one does not fit by itself.
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
    """The length below which a sentence would not fit."""
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
