"""The picture of the merges: the numbers that follow the slider, the trees, and the next pairs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypedDict

import numpy as np
import torch
from torch import Tensor

from drawing.payload import NumberArray, Script
from drawing.steps import StepRow
from lmcore.tokenization.merges import RIVALS, MergeCandidate, MergesTrace
from lmcore.tokenization.packing import PackedInput
from lmcore.tokenization.rules import SPECIAL_TOKENS
from lmcore.tokenization.trees import MergeTree

LISTED = 12
"""Merges that the table lists."""
NOWHERE = (0, 0)
"""The offsets of [CLS], [SEP] and [PAD], which are in no sentence, as in `tokenizers`."""


def numbers(trace: MergesTrace, words: Sequence[MergeTree], named: MergeTree) -> dict[str, Tensor]:
    """Every number that depends on the merges, after each number of merges.

    @say is the index of the `named` word's current pieces among all its splits over time; @formula
    is 1 if no pair is left.
    """
    steps = len(trace.candidates)
    best = [each[0] if each else None for each in trace.candidates]
    total = float(trace.words.total)
    tokens = torch.from_numpy(trace.tokens).double()
    types = torch.from_numpy(trace.types).double()
    counts = {tree.word: _piece_counts(tree, steps) for tree in words}
    return {
        "tokens_n": torch.arange(steps, dtype=torch.float64),
        "made": types - len(SPECIAL_TOKENS) - len(trace.base),
        "types": types,
        "tokens": tokens,
        "per_word": tokens / total,
        "count": _pair_numbers(best, "count"),
        "first": _pair_numbers(best, "first"),
        "second": _pair_numbers(best, "second"),
        "gain": _pair_numbers(best, "gain"),
        "sentence": torch.stack([counts[tree.word] for tree in words]).sum(dim=0),
        "pieces": counts[named.word],
        "@say": _steps(named, [*range(len(named.tops))], steps),
        "@formula": torch.tensor([float(each is None) for each in best], dtype=torch.float64),
    }


def _pair_numbers(best: Sequence[MergeCandidate | None], name: str) -> Tensor:
    """A field of the next pair after each number of merges; 0 if there is none."""
    values = [0 if each is None else getattr(each, name) for each in best]
    return torch.tensor(values, dtype=torch.float64)


def _piece_counts(tree: MergeTree, steps: int) -> Tensor:
    """The number of pieces of a word after each number of merges."""
    return _steps(tree, [len(each.nodes) for each in tree.tops], steps)


def _steps(tree: MergeTree, values: Sequence[int], steps: int) -> Tensor:
    """A value for each of the tree's `tops`, after each number of merges."""
    found = np.zeros(steps)
    for each, value in zip(tree.tops, values, strict=True):
        found[each.merges :] = value
    return torch.from_numpy(found)


def steps(trace: MergesTrace) -> tuple[StepRow, ...]:
    """The sizes of vocabulary and text and the next pair, one operation per row."""
    base, words = len(trace.base), f"{trace.words.total:,}"
    return (
        StepRow("merges", "pairs merged so far", "{tokens_n}", role="weight"),
        StepRow("new pieces", "a piece made by two merges counts once", "{made}", role="weight"),
        StepRow("vocabulary", f"{len(SPECIAL_TOKENS)} special tokens + {base} letters + {{made}}",
             "{types}", "|V|", "weight"),
        StepRow("tokens of the text", f"the pieces of its {words} words", "{tokens}", role="input"),
        StepRow("tokens per word", f"{{tokens}} / {words}", "{per_word}", role="input"),
        StepRow("next pair a b", "how often the two occur side by side", "{count}", "count(a b)",
             "score"),
        StepRow("its gain", "{count} / ({first} · {second})", "{gain}",
             "count(a b) / (count(a) · count(b))", "score"),
    )  # fmt: skip


class TreeWord(TypedDict):
    """A word: its letters, its nodes, and the nodes that are its pieces from some merge on."""

    letters: list[str]
    nodes: list[tuple[str, int, int, int, int, int, int, int, int]]
    """Piece, first letter, letter after the last, merge (0: none), merges from which on it can
    occur, count of its pair, left and right part (−1: none), and id (−1: not in the vocabulary)."""
    tops: list[tuple[int, Sequence[int]]]


class TreePayload(TypedDict):
    """The trees, the best pairs before each merge, and the sizes after it."""

    words: list[TreeWord]
    named: int
    """The word that the sentence is about."""
    rivals: list[list[tuple[str, str, str]]]
    """The best pairs before each merge: first part, second part, and the piece they make."""
    most: int
    """The maximum number of pairs per merge."""
    by: Literal["count", "gain"]
    counts: NumberArray
    gains: NumberArray
    curve: NumberArray
    """Tokens of the text after each number of merges."""
    total: int


SIZES = ("tokens_n", "made", "types", "tokens", "per_word", "sentence", "pieces")
NEXT = ("count", "first", "second", "gain")
"""The numbers of the next pair."""
TOKENS = Script("tokens", TreePayload, (*SIZES, *NEXT, "@say", "@formula"))


def tree_picture(trace: MergesTrace, words: Sequence[MergeTree], named: MergeTree) -> TreePayload:
    """The payload of `lessons/tokens/tokens.js` without the live numbers."""
    width = [len(each) for each in trace.candidates]
    counts = np.zeros((len(width), RIVALS))
    gains = np.zeros((len(width), RIVALS))
    for step, rivals in enumerate(trace.candidates):
        counts[step, : width[step]] = [each.count for each in rivals]
        gains[step, : width[step]] = [each.gain for each in rivals]
    ids = trace.vocabulary(len(trace.merges))
    return {
        "words": [_tree_word(tree, ids) for tree in words],
        "named": [tree.word for tree in words].index(named.word),
        "rivals": [[(*each.pair, each.piece) for each in rivals] for rivals in trace.candidates],
        "most": RIVALS,
        "by": trace.rule.by,
        "counts": counts,
        "gains": gains,
        "curve": trace.tokens.astype(np.float64),
        "total": trace.words.total,
    }


def _tree_word(tree: MergeTree, ids: dict[str, int]) -> TreeWord:
    return {
        "letters": [*tree.word],
        "nodes": [
            (
                node.piece, node.start, node.end, node.merge, node.since, node.times,
                *(node.parts or (-1, -1)), ids.get(node.piece, -1),
            )
            for node in tree.nodes
        ],
        "tops": [(each.merges, each.nodes) for each in tree.tops],
    }  # fmt: skip


def merge_rows(trace: MergesTrace, merges: int) -> list[tuple[str, float, float, float]]:
    """The last merges: the pair and its piece, its count, and |V| and tokens after the merge."""
    first = max(merges - LISTED, 0)
    return [
        (
            f"{at + 1}: {merge.pair[0]} + {merge.pair[1]} → {merge.piece}",
            float(merge.count),
            float(trace.types[at + 1]),
            float(trace.tokens[at + 1]),
        )
        for at, merge in enumerate(trace.merges[first:merges], start=first)
    ]


def packed_rows(packed: PackedInput) -> list[tuple[str, float, float, float, float, float]]:
    """One row per token: id, segment, position, and its place in its sentence."""
    rows = []
    columns = zip(packed.tokens, packed.ids, packed.segments, packed.spans, strict=True)
    for position, (token, i, segment, span) in enumerate(columns):
        start, end = span or NOWHERE
        rows.append((token, float(i), float(segment), float(position), float(start), float(end)))
    return rows
