"""Splitting a word into known pieces: by merges in order, or by greedy longest match.

BPE repeats its training on the word: of the merges that apply, the earliest comes first. WordPiece
keeps only the vocabulary: it takes the longest piece that begins the word, then the longest that
begins the rest, and so on; if there is none, the whole word is [UNK].

Source: Sennrich, Haddow and Birch 2016, section 3.2; Wu et al. 2016, section 4.1, and
`WordpieceTokenizer` of Google's BERT.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from lmcore import dataframes
from lmcore.dataframes import Table
from lmcore.tokenization.merges import MergesTrace, PiecePair
from lmcore.tokenization.rules import CONTINUATION_MARK, LONGEST_WORD, MergeRule

if TYPE_CHECKING:
    from pandas import DataFrame

UNKNOWN = "[UNK]"


class Attempt(NamedTuple):
    """A lookup of one piece: the letters from `start` to `end` of the word."""

    piece: str
    start: int
    end: int
    known: bool


@dataclass(frozen=True, slots=True)
class MatchTrace:
    """A word, every lookup in order, and the resulting pieces."""

    word: str
    attempts: tuple[Attempt, ...]
    pieces: tuple[str, ...]

    @property
    def unknown(self) -> bool:
        """Whether no piece fits at some place, so that the whole word is [UNK]."""
        return self.pieces == (UNKNOWN,)

    def to_frame(self) -> DataFrame:
        """One row per lookup: piece, from letter, to letter (not included), known."""
        return dataframes.frame(
            {
                "piece": [each.piece for each in self.attempts],
                "from letter": [each.start for each in self.attempts],
                "to letter": [each.end for each in self.attempts],
                "known": [each.known for each in self.attempts],
            }
        )


class Segmentation(NamedTuple):
    """The split of the words of a text, from some merge on."""

    merges: int
    """The number of merges from which this split holds, until the next one."""
    words: tuple[tuple[str, ...], ...]

    def to_frame(self) -> DataFrame:
        """One row per word: after merge, pieces, tokens."""
        return dataframes.frame(
            {
                "after merge": [self.merges] * len(self.words),
                "pieces": [" ".join(word) for word in self.words],
                "tokens": [len(word) for word in self.words],
            }
        )


def longest_match(word: str, vocabulary: Collection[str]) -> MatchTrace:
    """Greedy longest match first, with every attempt.

    Raises:
        ValueError: if there is no letter.
    """
    if not word:
        raise ValueError("a word must have at least one letter; got none")
    if len(word) > LONGEST_WORD:
        return MatchTrace(word, (), (UNKNOWN,))
    attempts: list[Attempt] = []
    pieces: list[str] = []
    start = 0
    while start < len(word):
        for end in range(len(word), start, -1):
            piece = (CONTINUATION_MARK if start else "") + word[start:end]
            attempts.append(Attempt(piece, start, end, piece in vocabulary))
            if attempts[-1].known:
                break
        if not attempts[-1].known:
            return MatchTrace(word, tuple(attempts), (UNKNOWN,))
        pieces.append(attempts[-1].piece)
        start = attempts[-1].end
    return MatchTrace(word, tuple(attempts), tuple(pieces))


def longest_matches(word: str, trace: MergesTrace) -> dict[int, MatchTrace]:
    """The lookups of a word after 0, 1, 2 … merges: one entry for each change.

    Raises:
        ValueError: if there is no letter.
    """
    known = set(trace.base)
    now = longest_match(word, known)
    found = {0: now}
    for step, merge in enumerate(trace.merges, start=1):
        known.add(merge.piece)
        if trace.rule.bare(merge.piece) not in word:
            continue
        again = longest_match(word, known)
        if again != now:
            found[step] = now = again
    return found


def split_by_merges(
    word: str, rule: MergeRule, ranks: Mapping[PiecePair, int], known: Collection[str]
) -> list[str]:
    """The word after all merges that apply, the earliest first; a letter that no text had is [UNK].

    Raises:
        ValueError: if there is no letter.
    """
    if not word:
        raise ValueError("a word must have at least one letter; got none")
    return apply_merges([p if p in known else UNKNOWN for p in rule.letters(word)], rule, ranks)


def apply_merges(pieces: list[str], rule: MergeRule, ranks: Mapping[PiecePair, int]) -> list[str]:
    """The pieces, merged one pair at a time until no merge applies."""
    while len(pieces) > 1:
        applicable = [
            (ranks[pair], at) for at, pair in enumerate(pairwise(pieces)) if pair in ranks
        ]
        if not applicable:
            break
        _, at = min(applicable)
        pieces = [*pieces[:at], rule.joined(*pieces[at : at + 2]), *pieces[at + 2 :]]
    return pieces


def segmentations(words: Sequence[str], trace: MergesTrace) -> Table[Segmentation]:
    """The split of the words after 0, 1, 2 … merges: one entry for each change."""
    cut = _by_merges if trace.rule.mark != CONTINUATION_MARK else _by_longest_match
    return Table(cut(words, trace))


def _by_merges(words: Sequence[str], trace: MergesTrace) -> list[Segmentation]:
    ranks: dict[PiecePair, int] = {}
    now = [split_by_merges(word, trace.rule, ranks, set(trace.base)) for word in words]
    segmentations = [Segmentation(0, tuple(map(tuple, now)))]
    for step, merge in enumerate(trace.merges):
        ranks.setdefault(merge.pair, step)
        touched = [i for i, pieces in enumerate(now) if merge.pair in pairwise(pieces)]
        for i in touched:
            now[i] = apply_merges(now[i], trace.rule, ranks)
        if touched:
            segmentations.append(Segmentation(step + 1, tuple(map(tuple, now))))
    return segmentations


def _by_longest_match(words: Sequence[str], trace: MergesTrace) -> list[Segmentation]:
    known = set(trace.base)
    now = [longest_match(word, known).pieces for word in words]
    segmentations = [Segmentation(0, tuple(now))]
    for step, merge in enumerate(trace.merges):
        known.add(merge.piece)
        bare = trace.rule.bare(merge.piece)
        again = {
            i: longest_match(word, known).pieces for i, word in enumerate(words) if bare in word
        }
        changed = [i for i, pieces in again.items() if pieces != now[i]]
        for i in changed:
            now[i] = again[i]
        if changed:
            segmentations.append(Segmentation(step + 1, tuple(now)))
    return segmentations


def count_tokens(trace: MergesTrace, merges: int) -> int:
    """Pieces that the whole text has when it is read anew with `merges` merges.

    While WordPiece learns, the text is cut by its merges; read by longest match it may be cut
    otherwise.
    """
    known = trace.vocabulary(merges)
    if trace.rule.mark != CONTINUATION_MARK:
        return int(trace.tokens[merges])
    return sum(n * len(longest_match(word, known).pieces) for word, n in trace.words.counts.items())
