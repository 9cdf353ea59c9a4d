"""Two sentences for BERT: the second continues where the first stops, or comes from elsewhere.

    IsNext    [CLS] first half of a document [SEP] its second half [SEP]
    NotNext   [CLS] first half of a document [SEP] second half of another [SEP]

Documents are cut after a full stop. Source: Devlin et al. 2019, section 3.1, task 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

Ids = NDArray[np.int64]
PairLabel = Literal[0, 1]
IS_NEXT: PairLabel = 0
NOT_NEXT: PairLabel = 1
NO_PAIR = -100
"""The label of a text that is no pair: no loss is taken there."""


class SegmentedText(NamedTuple):
    """What BERT reads: ids with their segments, and whether the second continues the first."""

    ids: Ids
    segments: Ids
    label: int


def single_segment(document: Ids) -> SegmentedText:
    """A whole document, `[CLS] … [SEP]`: all of it is the first segment."""
    return SegmentedText(document, np.zeros_like(document), NO_PAIR)


def join_halves(first: Ids, second: Ids, separator: int, label: PairLabel) -> SegmentedText:
    """`[CLS] … [SEP]` and `… [SEP]` of two halves: `first` begins a document, `second` ends one."""
    ids = np.concatenate([first, [separator], second])
    segments = np.repeat([0, 1], [len(first) + 1, len(second)])
    return SegmentedText(ids, segments, label)


def cut_positions(document: Ids, stop: int) -> Ids:
    """The places where a document may be cut: after each full stop but its last."""
    return np.flatnonzero(document == stop)[:-1] + 1


def draw_pairs(
    documents: Sequence[Ids], share: float, rng: np.random.Generator, *, stop: int, separator: int
) -> list[SegmentedText]:
    """Draw a share of the documents that can be cut as pairs, half with a wrong second half.

    The wrong half is that of the next document which gets a wrong one too. In a small world it
    may be, word for word, the right one (about one in eighty is); it counts as wrong, as BERT's
    own pairs do.
    """
    places = [cut_positions(document, stop) for document in documents]
    chosen = [i for i, some in enumerate(places) if len(some) and rng.random() < share]
    at = {i: int(rng.choice(places[i])) for i in chosen}
    wrong = [i for i in chosen if rng.random() < 0.5]
    partner = dict(zip(wrong, wrong[1:] + wrong[:1], strict=True)) if len(wrong) > 1 else {}
    texts = []
    for i, document in enumerate(documents):
        if i not in at:
            texts.append(single_segment(document))
            continue
        other = partner.get(i, i)
        label = NOT_NEXT if other != i else IS_NEXT
        texts.append(
            join_halves(document[: at[i]], documents[other][at[other] :], separator, label)
        )
    return texts
