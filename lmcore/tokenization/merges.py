"""Training a subword vocabulary: repeatedly count adjacent pairs and merge the best one.

Every step is recorded: the best pairs with their counts, the new piece, and the number of tokens
after the merge. Of equal pairs the one with the older pieces wins, as in `tokenizers`.

Source: Sennrich, Haddow and Birch 2016, algorithm 1; for the rules, rules.py.
"""

from __future__ import annotations

import heapq
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from jaxtyping import Int64

from lmcore import dataframes
from lmcore.tokenization.rules import SPECIAL_TOKENS, MergeRule
from lmcore.tokenization.split import WordCounts

if TYPE_CHECKING:
    from pandas import DataFrame

RIVALS = 5
"""Candidate pairs recorded per step."""
MOST_TYPES = 3000
"""Types of a vocabulary that is trained here, special tokens included."""

PiecePair = tuple[str, str]
Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True, slots=True)
class MergeCandidate:
    """A pair of adjacent pieces before a merge."""

    pair: PiecePair
    piece: str
    """The merged piece."""
    count: int
    """How often it occurs in the text."""
    first: int
    """How often its first piece occurs anywhere."""
    second: int

    @property
    def gain(self) -> float:
        """The gain of the pair: count(a b) / (count(a) · count(b))."""
        return self.count / (self.first * self.second)


@dataclass(frozen=True, slots=True)
class MergesTrace:
    """A training, step by step. There are as many steps as merges, plus the state at the end."""

    rule: MergeRule
    words: WordCounts
    base: tuple[str, ...]
    """The single letters, marked and unmarked: the pieces before the first merge."""
    candidates: tuple[tuple[MergeCandidate, ...], ...]
    """Before each merge, and at the end: the best pairs, the best first; it is merged next."""
    tokens: Int64[np.ndarray, " step"]
    """Pieces that the whole text has, before each merge and at the end."""
    types: Int64[np.ndarray, " step"]
    """The size of the vocabulary |V|, special tokens included."""

    @property
    def merges(self) -> tuple[MergeCandidate, ...]:
        """The merges, in order."""
        return tuple(each[0] for each in self.candidates[:-1])

    @property
    def exhausted(self) -> bool:
        """Whether every word is one piece, so that nothing is left to merge."""
        return not self.candidates[-1]

    def vocabulary(self, merges: int) -> dict[str, int]:
        """Piece → id after `merges` merges: special tokens, letters, then pieces as they are made.

        Raises:
            ValueError: if there are fewer merges.
        """
        if not 0 <= merges < len(self.candidates):
            last = len(self.candidates) - 1
            raise ValueError(f"the number of merges must be from 0 to {last}; got {merges}")
        made = (merge.piece for merge in self.merges[:merges])
        return {
            piece: i for i, piece in enumerate(dict.fromkeys((*SPECIAL_TOKENS, *self.base, *made)))
        }

    def to_frame(self) -> DataFrame:
        """One row per merge: merge, from 1, pair, piece, count(a b), |V| after, tokens after."""
        return dataframes.frame(
            {
                "merge": range(1, len(self.merges) + 1),
                "pair": [merge.pair for merge in self.merges],
                "piece": [merge.piece for merge in self.merges],
                "count(a b)": [merge.count for merge in self.merges],
                "|V| after": self.types[1:],
                "tokens after": self.tokens[1:],
            }
        )


def fewest_types(words: WordCounts, rule: MergeRule) -> int:
    """The smallest vocabulary: the special tokens and the letters, marked and unmarked."""
    return len(SPECIAL_TOKENS) + len(letters(words.counts, rule))


def train(
    words: WordCounts, rule: MergeRule, types: int, *, base: Sequence[str] | None = None
) -> MergesTrace:
    """Merge until the vocabulary has `types` types, or every word is one piece.

    `base` puts the single letters in another order, which decides between equal pairs.

    Raises:
        ValueError: if `types` has no room for the special tokens and the letters, or is above
            `MOST_TYPES`; if `base` holds other pieces than the letters.
    """
    alphabet = letters(words.counts, rule)
    fewest = fewest_types(words, rule)
    if not fewest <= types <= max(MOST_TYPES, fewest):
        raise ValueError(
            f"the vocabulary must have from {fewest:,} types "
            f"({len(SPECIAL_TOKENS)} special tokens and "
            f"{len(alphabet):,} single letters, marked and unmarked) to "
            f"{max(MOST_TYPES, fewest):,}; got {types:,}"
        )
    if base is not None and sorted(base) != sorted(alphabet):
        raise ValueError(f"base must hold the {len(alphabet)} letters; got {len(base)} pieces")
    state = _State(rule, words.counts, tuple(base or alphabet))
    steps, tokens, sizes = [state.best()], [state.total], [len(state.ids)]
    while steps[-1] and sizes[-1] + len(SPECIAL_TOKENS) < types:
        state.merge(steps[-1][0].pair)
        steps.append(state.best())
        tokens.append(state.total)
        sizes.append(len(state.ids))
    return MergesTrace(
        rule,
        words,
        state.base,
        tuple(steps),
        np.array(tokens, dtype=np.int64),
        np.array(sizes, dtype=np.int64) + len(SPECIAL_TOKENS),
    )


def letters(counts: Mapping[str, int], rule: MergeRule) -> tuple[str, ...]:
    """Every letter by itself, then the marked ones that occur, each in the order of Unicode.

    `tokenizers` has the unmarked letters in this order too, the marked ones in none: they follow
    the words, whose order differs at every training.
    """
    plain = dict.fromkeys(sorted({letter for word in counts for letter in word}))
    marked = {piece for word in counts for piece in rule.letters(word)} - plain.keys()
    return (*plain, *sorted(marked))


@dataclass(slots=True)
class _State:
    """The text in pieces, with the counts that a merge changes kept up to date."""

    rule: MergeRule
    counts: Mapping[str, int]
    base: tuple[str, ...]
    ids: dict[str, int] = field(init=False)
    cut: list[list[str]] = field(init=False)
    often: list[int] = field(init=False)
    total: int = field(init=False)
    pairs: dict[PiecePair, int] = field(init=False)
    pieces: dict[str, int] = field(init=False)
    where: dict[PiecePair, set[int]] = field(init=False)
    beside: dict[str, set[PiecePair]] = field(init=False)
    """The pairs that a piece is part of; for the gain, which moves when a piece gets rarer."""
    heap: list[tuple[float, int, int, PiecePair]] = field(init=False)

    def __post_init__(self) -> None:
        self.ids = {piece: i for i, piece in enumerate(self.base)}
        self.cut = [[] for _ in self.counts]
        self.often = list(self.counts.values())
        self.total = 0
        self.pairs, self.pieces = defaultdict(int), defaultdict(int)
        self.where, self.beside = defaultdict(set), defaultdict(set)
        for place, word in enumerate(self.counts):
            self._cut(place, self.rule.letters(word), set())
        self.heap = [self._entry(pair) for pair in self.pairs]
        heapq.heapify(self.heap)

    def best(self) -> tuple[MergeCandidate, ...]:
        """The leading pairs, the best first."""
        kept: list[tuple[float, int, int, PiecePair]] = []
        while self.heap and len(kept) < RIVALS:
            entry = heapq.heappop(self.heap)
            pair = entry[-1]
            # An entry from before a count changed is dropped; a new one was put in then.
            if self.pairs[pair] and entry == self._entry(pair) and entry not in kept:
                kept.append(entry)
        for entry in kept:
            heapq.heappush(self.heap, entry)
        return tuple(self._candidate(entry[-1]) for entry in kept)

    def merge(self, pair: PiecePair) -> None:
        """Merge the pair wherever it occurs, from left to right."""
        new = self.rule.joined(*pair)
        self.ids.setdefault(new, len(self.ids))
        changed: set[PiecePair] = set()
        for place in list(self.where[pair]):
            self._cut(place, merge_pair(self.cut[place], pair, new), changed)
        if self.rule.by == "gain":
            for piece in (*pair, new):
                changed |= self.beside[piece]
        for each in changed:
            if self.pairs.get(each):
                heapq.heappush(self.heap, self._entry(each))

    def _entry(self, pair: PiecePair) -> tuple[float, int, int, PiecePair]:
        first, second = pair
        count = self.pairs[pair]
        gain = self.rule.by == "gain"
        worth = count / (self.pieces[first] * self.pieces[second]) if gain else float(count)
        return -worth, self.ids[first], self.ids[second], pair

    def _candidate(self, pair: PiecePair) -> MergeCandidate:
        first, second = (self.pieces[piece] for piece in pair)
        return MergeCandidate(pair, self.rule.joined(*pair), self.pairs[pair], first, second)

    def _cut(self, place: int, new: list[str], changed: set[PiecePair]) -> None:
        """Cut a word into other pieces; counts move by what is different, as most of it is not."""
        old, self.cut[place] = self.cut[place], new
        times = self.often[place]
        self.total += times * (len(new) - len(old))
        for piece, more in _count_changes(old, new):
            self.pieces[piece] += times * more
        after = set(pairwise(new))
        for pair, more in _count_changes(pairwise(old), pairwise(new)):
            self.pairs[pair] += times * more
            changed.add(pair)
            _keep(self.where[pair], place, pair in after)
            for piece in pair:
                _keep(self.beside[piece], pair, self.pairs[pair] > 0)


def _count_changes(old: Iterable[Key], new: Iterable[Key]) -> list[tuple[Key, int]]:
    """The keys whose counts differ, with the differences."""
    before, after = Counter(old), Counter(new)
    other = dict(before.items() ^ after.items())
    return [(key, after[key] - before[key]) for key in other]


def _keep(group: set[Key], key: Key, there: bool) -> None:
    if there:
        group.add(key)
    else:
        group.discard(key)


def merge_pair(pieces: Sequence[str], pair: PiecePair, new: str) -> list[str]:
    """The pieces with each such pair, from left to right, made one."""
    merged: list[str] = []
    place = 0
    while place < len(pieces):
        here = place + 1 < len(pieces) and (pieces[place], pieces[place + 1]) == pair
        merged.append(new if here else pieces[place])
        place += 2 if here else 1
    return merged
