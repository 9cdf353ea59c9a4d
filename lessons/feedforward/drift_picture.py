"""The moving picture of embeddings: what its script needs, and its words."""

from __future__ import annotations

from typing import Any

import torch

from lmcore.embeddings.drift import GROUPS, Drift, cosine, nearest_words, project
from lmcore.numbers import format_number

WORDS = tuple(word for group in GROUPS.values() for word in group)


def drift_picture(drift: Drift) -> dict[str, Any]:
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
        "reach": float(plane.points.abs().max()),
        "near": close.ids.numpy(),
        "count": close.ids.shape[2],
        "cosines": close.cosines.numpy(),
    }


def drift_notice(drift: Drift) -> list[str]:
    """What training made of the groups: how many words have one of their own nearest."""
    begin, end = (own_nearest(drift, at) for at in (0, -1))
    cat, dog = (drift.words.index(word) for word in ("cat", "dog"))
    pair = cosine(drift.embedding, cat, dog)
    return [
        f"Of {len(WORDS)} words drawn, {begin} begin with a word of their own group as the nearest "
        f"of those drawn; after step {int(drift.steps[-1])} it is {end}.",
        f"cos(E[cat], E[dog]) went from {format_number(float(pair[0]))} to "
        f"{format_number(float(pair[-1]))}.",
        "Nobody told the model of groups: it had to guess the next word.",
    ]


def own_nearest(drift: Drift, snapshot: int) -> int:
    """Words whose nearest neighbour among those drawn is of their own group."""
    places = [drift.words.index(word) for word in WORDS]
    rows = torch.nn.functional.normalize(drift.embedding[snapshot, places].double(), dim=-1)
    cosines = (rows @ rows.T).fill_diagonal_(-torch.inf)
    group = torch.tensor([i for i, words in enumerate(GROUPS.values()) for _ in words])
    return int((group[cosines.argmax(1)] == group).sum())
