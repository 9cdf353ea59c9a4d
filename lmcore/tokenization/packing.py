"""BERT's input: a sentence or a pair in one row of tokens, with segments and positions.

    [CLS] a [SEP]                 segment 0
    [CLS] a [SEP] b [SEP]         segment 0 up to the first [SEP], then 1
    … [PAD] [PAD]                 up to the length of the row; masked

Source: Devlin et al. 2019, section 3 and figure 2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxtyping import Bool, Int
from tokenizers import Encoding, Tokenizer
from torch import Tensor, tensor

from lmcore import dataframes
from lmcore.pretrained import limits
from lmcore.tokenization.rules import SPECIAL_TOKENS

if TYPE_CHECKING:
    from pandas import DataFrame

PAD, UNKNOWN, CLS, SEP, MASK = SPECIAL_TOKENS
MAX_LENGTH = 64
"""The longest row, in tokens."""


@dataclass(frozen=True, slots=True)
class PackedInput:
    """A row of tokens; the place of a token in its row is its position."""

    tokens: tuple[str, ...]
    ids: Int[Tensor, " time"]
    segments: Int[Tensor, " time"]
    """0 for the first sentence and its frame, 1 for the second; 0 for [PAD]."""
    there: Bool[Tensor, " time"]
    """False for [PAD]."""
    spans: tuple[tuple[int, int] | None, ...]
    """The place of a token in its sentence, `sentence[start:end]`; None for one of the frame."""
    decoded: tuple[str, ...]
    """Each sentence decoded from its ids, [UNK] included."""
    cut: bool
    """Whether a sentence was truncated to fit the row."""

    def to_frame(self) -> DataFrame:
        """One row per token: token, id, segment, position, from letter, to letter (or <NA>)."""
        found = dataframes.frame(
            {
                "token": self.tokens,
                "id": self.ids,
                "segment": self.segments,
                "position": range(len(self.tokens)),
                "from letter": [None if span is None else span[0] for span in self.spans],
                "to letter": [None if span is None else span[1] for span in self.spans],
            }
        )
        return found.astype({"from letter": "Int64", "to letter": "Int64"})


def pack(reader: Tokenizer, first: str, second: str, length: int) -> PackedInput:
    """The sentence, or the pair, in a row of `length`; the longer sentence is cut first.

    What is typed as [MASK] or another special token is that token.

    Raises:
        ValueError: if a sentence has no token, or `length` has no room for one of each beside the
            frame, or is above `MAX_LENGTH`.
    """
    texts = [first, second] if second.strip() else [first]
    frame = 1 + len(texts)
    if not frame + len(texts) <= length <= MAX_LENGTH:
        raise ValueError(
            f"the length must be from {frame + len(texts)} to {MAX_LENGTH} tokens; got {length}"
        )
    parts = [reader.encode(text, add_special_tokens=False) for text in texts]
    sizes = [len(part.ids) for part in parts]
    kept = limits.token_shares(sizes, length - frame)
    for part, keep in zip(parts, kept, strict=True):
        part.truncate(keep)
    return _framed(reader, parts, length, cut=kept != sizes)


def _framed(reader: Tokenizer, parts: list[Encoding], length: int, *, cut: bool) -> PackedInput:
    tokens, segments = [CLS], [0]
    spans: list[tuple[int, int] | None] = [None]
    for n, part in enumerate(parts):
        tokens += [*part.tokens, SEP]
        segments += [n] * (len(part.tokens) + 1)
        spans += [*part.offsets, None]
    empty = length - len(tokens)
    there = [True] * len(tokens) + [False] * empty
    tokens += [PAD] * empty
    return PackedInput(
        tuple(tokens),
        tensor([reader.token_to_id(token) for token in tokens]),
        tensor(segments + [0] * empty),
        tensor(there),
        (*spans, *[None] * empty),
        tuple(reader.decode(part.ids, skip_special_tokens=False) for part in parts),
        cut,
    )
