"""The data of the picture of word vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypedDict

import numpy as np
import torch
from typing_extensions import TypedDict as EventDict

from drawing.events import Name, Real
from drawing.payload import NumberArray, Script
from lmcore.embeddings.static import planted
from lmcore.embeddings.static.counts import CooccurrenceCounts
from lmcore.embeddings.static.maps import NearestThroughTime, project_snapshots
from lmcore.embeddings.static.methods import PPMI_SVD, MethodRun
from lmcore.embeddings.static.neighbours import TIED

SENTENCES_SENT = 12
"""The maximum number of sentences with the chosen word that are sent."""
LONGEST_FIRST = 9
"""Sentences with at most this many words come first: they fit into two rows."""
LONGEST_SHOWN = 14
"""The maximum number of words of a sentence that are shown around the chosen one."""


class TextWindow(TypedDict):
    """A sentence that the window slides over."""

    words: Sequence[str]
    at: int
    """The index of the chosen word in the sentence."""
    counts: NumberArray
    """The count X of every pair of its words, one row after another."""
    before: bool
    """Whether the sentence continues to the left."""
    after: bool


class VectorsPayload(TypedDict):
    """Words on a plane at every snapshot, the neighbours of one of them, and its sentences."""

    words: Sequence[str]
    groups: Sequence[str]
    groupOf: NumberArray
    """For each word, the index of its planted group; −1: none."""
    points: bytes
    """x, y of each word at each snapshot, one snapshot after another, as float32."""
    word: int
    """The index of the chosen word."""
    near: NumberArray
    """The indices of its nearest words at each snapshot."""
    cosines: NumberArray
    """Their cosines."""
    steps: NumberArray
    losses: NumberArray
    precision: NumberArray
    """Precision@5 of all planted words at each snapshot; empty if no word is planted."""
    judged: bool
    """Whether the chosen word is planted, so that its neighbours can be right or wrong."""
    curve: str
    axis: str
    window: int
    texts: list[TextWindow]
    occurrences: int
    """How many sentences of the text have the chosen word."""
    share: float
    """The share of the variance that lies in the plane at the last snapshot."""


class VectorsMoves(EventDict, total=False):
    """A step, or a word that was pressed."""

    step: Real
    word: Name


VECTORS = Script(
    "vectors",
    VectorsPayload,
    ("step", "loss", "dot", "n1", "n2", "hits", "c#", "@say"),
    VectorsMoves,
)


class TimeText(NamedTuple):
    """The label, the spoken name and the help of a method's slider."""

    label: str
    spoken: str
    help: str


TIME = (
    TimeText("step", "step of training", "Go through the training, forwards and back"),
    TimeText("d", "number of dimensions d", "Keep only the first d singular values"),
)
"""The slider of a training, and that of PPMI–SVD."""


def vectors_picture(
    run: MethodRun,
    counts: CooccurrenceCounts,
    sentences: Sequence[Sequence[str]],
    near: NearestThroughTime,
    mapped: Sequence[str],
    precision: torch.Tensor,
) -> VectorsPayload:
    """The payload of `lessons/vectors/vectors.js` without the live numbers."""
    record = run.record
    found = [record.words[i] for i in dict.fromkeys(near.ids.flatten().tolist())]
    others = [word for word in dict.fromkeys([near.word, *found]) if word not in set(mapped)]
    plane = project_snapshots(record, mapped, others)
    place = {word: i for i, word in enumerate(plane.words)}
    has_groups = len(precision) > 0
    group_of = planted.group_of_word() if has_groups else {}
    groups = list(planted.GROUPS) if has_groups else []
    texts, occurrences = word_sentences(sentences, counts, near.word)
    return {
        "words": plane.words,
        "groups": groups,
        "groupOf": np.array(
            [groups.index(group_of[word]) if word in group_of else -1 for word in plane.words]
        ),
        "points": plane.points.float().numpy().tobytes(),
        "word": place[near.word],
        "near": np.array([[place[record.words[i]] for i in row] for row in near.ids.tolist()]),
        "cosines": near.cosines.numpy(),
        "steps": record.steps.numpy(),
        "losses": record.losses.numpy(),
        "precision": precision.numpy(),
        "judged": near.word in group_of,
        "curve": curve_label(run.config.method),
        "axis": TIME[run.config.method == PPMI_SVD].label,
        "window": run.config.window,
        "texts": texts,
        "occurrences": occurrences,
        "share": float(plane.share[-1]),
    }


def word_sentences(
    sentences: Sequence[Sequence[str]], counts: CooccurrenceCounts, word: str
) -> tuple[list[TextWindow], int]:
    """The first distinct sentences with a word, cut around it, and the number of all with it."""
    found = [tuple(sentence) for sentence in sentences if word in sentence]
    different = list(dict.fromkeys(sentence for sentence in found if len(sentence) > 1))
    # Prefer sentences with words on both sides of the word, then short ones.
    different.sort(
        key=lambda each: (not 0 < each.index(word) < len(each) - 1, len(each) > LONGEST_FIRST)
    )
    return [_text_window(each, counts, word) for each in different[:SENTENCES_SENT]], len(found)


def _text_window(sentence: tuple[str, ...], counts: CooccurrenceCounts, word: str) -> TextWindow:
    at = sentence.index(word)
    start = max(0, min(at - LONGEST_SHOWN // 2, len(sentence) - LONGEST_SHOWN))
    shown = sentence[start : start + LONGEST_SHOWN]
    number = {each: i for i, each in enumerate(counts.words)}
    ids = [number[each] for each in shown]
    return {
        "words": shown,
        "at": at - start,
        "counts": counts.counts[ids][:, ids].numpy(),
        "before": start > 0,
        "after": start + len(shown) < len(sentence),
    }


def curve_label(method: str) -> str:
    """What the curve below the map shows."""
    return {
        PPMI_SVD: "share of ‖PPMI‖² not explained",
        "GloVe": "objective J",
    }.get(method, "loss L, nats per example")


def chosen_sentences(near: NearestThroughTime) -> list[int]:
    """For each snapshot, the index of its sentence in `run_sentences`."""
    order = sentence_order(near)
    return [order.index(key) for key in _sentence_keys(near)]


class _Key(NamedTuple):
    """What a sentence depends on: the nearest word, whether it is the first snapshot, a tie."""

    place: int
    first: bool
    tied: bool


def _sentence_keys(near: NearestThroughTime) -> list[_Key]:
    tied = [len(row) > 1 and row[0] - row[1] <= TIED for row in near.cosines.tolist()]
    return [_Key(row[0], i == 0, tied[i]) for i, row in enumerate(near.ids.tolist())]


def sentence_order(near: NearestThroughTime) -> list[_Key]:
    """The keys of the sentences, each once, in the order in which they begin to hold."""
    return list(dict.fromkeys(_sentence_keys(near)))
