"""Many documents in one array of token ids."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np
from jaxtyping import Bool, Int64
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class Documents(Sequence[NDArray[np.int64]]):
    """Documents end to end: number i is `tokens[offsets[i] : offsets[i + 1]]`."""

    tokens: Int64[np.ndarray, " token"]
    offsets: Int64[np.ndarray, " boundary"]

    def __post_init__(self) -> None:
        """Raises ValueError if the offsets do not cut the tokens up from end to end."""
        ends = (0, len(self.tokens))
        if len(self.offsets) < 1 or (self.offsets[0], self.offsets[-1]) != ends:
            raise ValueError(f"offsets must run from 0 to {ends[1]}; got {self.offsets}")
        if np.any(np.diff(self.offsets) < 0):
            raise ValueError(f"offsets must not fall; got {self.offsets}")

    def __len__(self) -> int:
        """The number of documents."""
        return len(self.offsets) - 1

    @overload
    def __getitem__(self, index: int) -> NDArray[np.int64]: ...
    @overload
    def __getitem__(self, index: slice) -> Documents: ...
    def __getitem__(self, index: int | slice) -> NDArray[np.int64] | Documents:
        """The ids of one document, or some of the documents.

        Raises:
            IndexError: if there is no such document.
        """
        if isinstance(index, slice):
            wanted = np.zeros(len(self), dtype=bool)
            start, stop, step = index.indices(len(self))
            if step != 1:
                raise ValueError(f"the step of a slice of documents must be 1; got {step}")
            wanted[start:stop] = True
            return self.where(wanted)
        place = range(len(self))[index]
        return self.tokens[self.offsets[place] : self.offsets[place + 1]]

    @property
    def lengths(self) -> Int64[np.ndarray, " document"]:
        """Tokens in each document, `<s>` and `</s>` among them."""
        return np.diff(self.offsets)

    def where(self, wanted: Bool[np.ndarray, " document"]) -> Documents:
        """The selected documents, in order."""
        tokens = self.tokens[np.repeat(wanted, self.lengths)]
        return _cut(tokens, self.lengths[wanted])

    def padded(self, fill: int = 0) -> Int64[np.ndarray, "document time"]:
        """One document per row, padded on the right."""
        lengths = self.lengths
        rows = np.full((len(self), lengths.max(initial=0)), fill, dtype=np.int64)
        rows[np.arange(rows.shape[1]) < lengths[:, None]] = self.tokens
        return rows


def concatenate(documents: Sequence[Sequence[int]] | Sequence[NDArray[np.int64]]) -> Documents:
    """Separate documents as one array."""
    flat = [np.asarray(document, dtype=np.int64) for document in documents]
    tokens = np.concatenate([np.empty(0, dtype=np.int64), *flat])
    return _cut(tokens, np.array([len(document) for document in flat], dtype=np.int64))


def from_columns(
    columns: Sequence[tuple[NDArray[np.int64], NDArray[np.int64]]], count: int
) -> Documents:
    """Documents generated in parallel: column t holds (the unfinished documents, their token t).

    A document that has ended is in no later column.
    """
    places = np.concatenate([place for place, _ in columns])
    times = np.repeat(np.arange(len(columns)), [len(place) for place, _ in columns])
    documents = _cut(np.empty(len(places), dtype=np.int64), np.bincount(places, minlength=count))
    documents.tokens[documents.offsets[places] + times] = np.concatenate([t for _, t in columns])
    return documents


def _cut(tokens: NDArray[np.int64], lengths: NDArray[np.int64]) -> Documents:
    return Documents(tokens, np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(lengths)]))
