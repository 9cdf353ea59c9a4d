"""Embeddings that drift during a recorded run, and the words nearest to one another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

import torch
from torch import Tensor

from drawing.payload import NumberArray, Script
from lessons.feedforward.feedforward_figures import Grouped
from lmcore.embeddings.drift import GROUPS, Drift, cosine, nearest_words, project
from lmcore.embeddings.pipeline import neighbours
from lmcore.models.registry import NeuralModel, embedding_table
from lmcore.numbers import format_number

WORDS = tuple(word for group in GROUPS.values() for word in group)
"""The words that are drawn, group by group."""
WEAK = 0.5
"""A cosine below this says little."""


class DriftDrawing(TypedDict):
    """Words on a plane at every snapshot of a run."""

    words: Sequence[str]
    vocabulary: Sequence[str]
    groups: list[str]
    group: list[int]
    steps: list[int]
    losses: NumberArray
    points: NumberArray
    share: NumberArray
    near: NumberArray
    count: int
    cosines: NumberArray


class DriftPayload(DriftDrawing):
    """Words on a plane at every snapshot of a run; the snapshot shown, and the chosen word."""

    at: int
    word: str


DRIFT = Script("drift", DriftPayload)


def drift_picture(drift: Drift) -> DriftDrawing:
    """Points, groups and neighbours at every snapshot."""
    plane, close = project(drift, WORDS), nearest_words(drift, WORDS)
    return {
        "words": WORDS,
        "vocabulary": drift.words,
        "groups": list(GROUPS),
        "group": [i for i, group in enumerate(GROUPS.values()) for _ in group],
        "steps": drift.steps.tolist(),
        "losses": drift.losses.numpy(),
        "points": plane.points.numpy(),
        "share": plane.share.numpy(),
        "near": close.ids.numpy(),
        "count": close.ids.shape[2],
        "cosines": close.cosines.numpy(),
    }


def drift_notice(drift: Drift) -> list[str]:
    """How many words have a nearest neighbour of their own group, before and after training."""
    begin, end = (own_nearest(drift, at) for at in (0, -1))
    cat, dog = (drift.words.index(word) for word in ("cat", "dog"))
    pair = cosine(drift.embedding, cat, dog)
    return [
        f"Of {len(WORDS)} words drawn, {begin} start with a nearest neighbour from their own "
        f"group; after step {int(drift.steps[-1])} it is {end}.",
        f"cos(E[cat], E[dog]) went from {format_number(float(pair[0]))} to "
        f"{format_number(float(pair[-1]))}.",
        "The groups were not given to the model: it only learned to predict the next word.",
    ]


def own_nearest(drift: Drift, snapshot: int) -> int:
    """Words whose nearest neighbour among those drawn is of their own group."""
    return own_nearest_in(drift.embedding[snapshot], drift.words)


def own_nearest_in(table: Tensor, known: Sequence[str]) -> int:
    """`own_nearest` in any embedding matrix, whose rows are those of the `known` words."""
    places = [known.index(word) for word in WORDS]
    rows = torch.nn.functional.normalize(table[places].double(), dim=-1)
    cosines = (rows @ rows.T).fill_diagonal_(-torch.inf)
    group = torch.tensor([i for i, words in enumerate(GROUPS.values()) for _ in words])
    return int((group[cosines.argmax(1)] == group).sum())


def own_nearest_over(learned: Drift, frozen: Drift) -> Grouped:
    """`own_nearest` at each snapshot of both runs."""
    every, still = (
        [own_nearest(each, i) for i in range(len(each.steps))] for each in (learned, frozen)
    )
    return Grouped(every, still, len(WORDS))


def near_notice(
    model: NeuralModel, record: Drift, word: str, own: Sequence[tuple[str, float]]
) -> list[str]:
    """How many neighbours are of one group, in the model's E and in the recorded run's.

    `own` are the nearest words to `word` in the model's E, as `near_rows` gives them.
    """
    known, table = model.vocabulary.tokens, embedding_table(model.network).detach()
    said = [
        f"Of {len(WORDS)} words in five groups, {own_nearest(record, -1)} have their nearest "
        f"neighbour among these words in their own group, in the recorded run: its rows have "
        f"{record.embedding.shape[2]} numbers."
    ]
    if set(WORDS) <= set(known):
        (first, near), *_ = own
        said[0] += (
            f" In this model's E, with {table.shape[1]}, it is {own_nearest_in(table, known)}."
        )
        said.append(
            f"The nearest of all {len(known)} tokens tells less here: to {word} it is {first}, "
            f"with a cosine of only {format_number(near)}."
            if near < WEAK
            else f"The nearest of all {len(known)} tokens to {word} is {first}, "
            f"{format_number(near)}."
        )
    return said


def near_rows(
    model: NeuralModel, record: Drift, word: str
) -> tuple[list[tuple[str, float]], list[tuple[str, float]]]:
    """The words nearest to `word` by cosine: in the model's E, and in the recorded run's E.

    Raises:
        ValueError: if the word is not known.
    """
    (place,) = model.vocabulary.encode([word])
    own = neighbours(model, place, count=6)
    other = nearest_words(record, (word,), count=6)
    return (
        _named(model, own.ids.tolist(), own.cosines.tolist()),
        _named(model, other.ids[-1, 0].tolist(), other.cosines[-1, 0].tolist()),
    )


def _named(model: NeuralModel, ids: list[int], numbers: list[float]) -> list[tuple[str, float]]:
    return list(zip(model.vocabulary.decode(ids), numbers, strict=True))
