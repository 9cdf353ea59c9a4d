"""A word as a tree of merges: its letters below, its pieces on top, after every number of merges.

BPE repeats its merges on the word, the earliest first. WordPiece takes the longest match from its
vocabulary; the tree below a piece is then the way in which training made that piece. As long as
nothing else fits, a letter is a piece; a word that WordPiece cannot split is one piece, [UNK].

Source: Sennrich, Haddow and Birch 2016, section 3.2; Wu et al. 2016, section 4.1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from lmcore import dataframes
from lmcore.tokenization.merges import MergesTrace, PiecePair
from lmcore.tokenization.pieces import UNKNOWN, segmentations
from lmcore.tokenization.rules import CONTINUATION_MARK

if TYPE_CHECKING:
    from pandas import DataFrame


class TreeNode(NamedTuple):
    """A piece of the word: the letters from `start` to `end`, not included."""

    piece: str
    start: int
    end: int
    merge: int
    """The merge that joins its parts, from 1; 0 for a letter and for [UNK]."""
    since: int
    """Merges after which it can be there: its own, or those of its parts, if they are later."""
    times: int
    """How often its parts occurred side by side in the text before that merge; 0 for a letter."""
    parts: tuple[int, int] | None
    """Its parts among the nodes of the tree; None for a letter and for [UNK]."""


class Tops(NamedTuple):
    """The pieces of a word, from some merge on."""

    merges: int
    """The number of merges from which these pieces hold, until the next entry."""
    nodes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MergeTree:
    """A word and all its nodes, its letters first; `tops` says which are its pieces, and when."""

    word: str
    nodes: tuple[TreeNode, ...]
    tops: tuple[Tops, ...]

    def top(self, merges: int) -> int:
        """Which of `tops` holds after `merges` merges."""
        return sum(each.merges <= merges for each in self.tops) - 1

    def pieces(self, merges: int) -> tuple[str, ...]:
        """The pieces of the word after `merges` merges."""
        return tuple(self.nodes[i].piece for i in self.tops[self.top(merges)].nodes)

    def to_frame(self) -> DataFrame:
        """One row per node: piece, from letter, to letter (not included), merge, count(a b)."""
        return dataframes.frame(
            {
                "piece": [node.piece for node in self.nodes],
                "from letter": [node.start for node in self.nodes],
                "to letter": [node.end for node in self.nodes],
                "merge": [node.merge for node in self.nodes],
                "count(a b)": [node.times for node in self.nodes],
            }
        )


def merge_trees(words: Sequence[str], trace: MergesTrace) -> tuple[MergeTree, ...]:
    """The tree of each word.

    Raises:
        ValueError: if a word has no letter.
    """
    each = dict.fromkeys(words)
    if "" in each:
        raise ValueError("a word must have at least one letter; got none")
    grow = _by_longest_match if trace.rule.mark == CONTINUATION_MARK else _by_merges
    trees = dict(zip(each, grow(list(each), trace), strict=True))
    return tuple(trees[word] for word in words)


def _by_merges(words: Sequence[str], trace: MergesTrace) -> list[MergeTree]:
    order: dict[PiecePair, int] = {}
    for step, merge in enumerate(trace.merges, start=1):
        order.setdefault(merge.pair, step)
    known = set(trace.base)
    return [_merged(word, trace, order, known) for word in words]


def _merged(
    word: str, trace: MergesTrace, order: dict[PiecePair, int], known: set[str]
) -> MergeTree:
    letters = trace.rule.letters(word)
    nodes = [_letter(p if p in known else UNKNOWN, i) for i, p in enumerate(letters)]
    row, tops = [*range(len(nodes))], {0: tuple(range(len(nodes)))}
    while True:
        pairs = pairwise([nodes[i].piece for i in row])
        found = [(order[pair], at) for at, pair in enumerate(pairs) if pair in order]
        if not found:
            return MergeTree(word, tuple(nodes), tuple(Tops(*each) for each in tops.items()))
        step, at = min(found)
        nodes.append(_joined(nodes, (row[at], row[at + 1]), step, trace))
        row[at : at + 2] = [len(nodes) - 1]
        tops[max(step, *tops)] = tuple(row)


def _by_longest_match(words: Sequence[str], trace: MergesTrace) -> list[MergeTree]:
    order: dict[str, int] = {}
    for step, merge in enumerate(trace.merges, start=1):
        order.setdefault(merge.piece, step)
    trees = []
    for word in words:
        nodes = [_letter(piece, i) for i, piece in enumerate(trace.rule.letters(word))]
        places = {(node.piece, node.start): i for i, node in enumerate(nodes)}
        tops = tuple(
            Tops(cut.merges, _row(cut.words[0], word, trace, order, nodes, places))
            for cut in segmentations([word], trace)
        )
        trees.append(MergeTree(word, tuple(nodes), tops))
    return trees


def _row(
    pieces: Sequence[str],
    word: str,
    trace: MergesTrace,
    order: dict[str, int],
    nodes: list[TreeNode],
    places: dict[tuple[str, int], int],
) -> tuple[int, ...]:
    """The nodes of these pieces, one after the other; those that are missing are added."""

    def place(piece: str, start: int) -> int:
        if (piece, start) not in places:
            step = order[piece]
            first, second = trace.merges[step - 1].pair
            left = place(first, start)
            parts = left, place(second, nodes[left].end)
            nodes.append(_joined(nodes, parts, step, trace))
            places[piece, start] = len(nodes) - 1
        return places[piece, start]

    if UNKNOWN in pieces:
        if (UNKNOWN, 0) not in places:
            nodes.append(TreeNode(UNKNOWN, 0, len(word), 0, 0, 0, None))
            places[UNKNOWN, 0] = len(nodes) - 1
        return (places[UNKNOWN, 0],)
    row: list[int] = []
    for piece in pieces:
        row.append(place(piece, nodes[row[-1]].end if row else 0))
    return tuple(row)


def _letter(piece: str, at: int) -> TreeNode:
    return TreeNode(piece, at, at + 1, 0, 0, 0, None)


def _joined(
    nodes: Sequence[TreeNode], parts: tuple[int, int], step: int, trace: MergesTrace
) -> TreeNode:
    left, right = (nodes[i] for i in parts)
    merge = trace.merges[step - 1]
    since = max(step, left.since, right.since)
    piece = trace.rule.joined(left.piece, right.piece)
    return TreeNode(piece, left.start, right.end, step, since, merge.count, parts)
