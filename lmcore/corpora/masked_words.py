"""The exact probability of masked words, given the words on both sides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from jaxtyping import Float64
from numpy.typing import NDArray

from lmcore.corpora.automaton import Automaton
from lmcore.vocabulary import START

Tokens: TypeAlias = Sequence[int] | NDArray[np.int64]
ArcSelection: TypeAlias = slice | NDArray[np.int64]
"""The arcs that a document may take to reach a position."""
StateWeights: TypeAlias = list[Float64[np.ndarray, " state"]]


def posterior(
    automaton: Automaton, tokens: Tokens, position: int
) -> Float64[np.ndarray, " vocabulary"]:
    """p(token at `position` = · | all the others); the token that is there is not read.

    Raises:
        ValueError: as `posteriors`.
    """
    row: NDArray[np.float64] = posteriors(automaton, tokens, [position])[0]
    return row


def posteriors(
    automaton: Automaton, tokens: Tokens, positions: Sequence[int]
) -> Float64[np.ndarray, "position vocabulary"]:
    """p(token at each position = · | the tokens outside `positions`): all are covered at once.

        p(w at t) ∝ Σ_s before_{t−1}(s) p(w | s) after_t(next(s, w))

    `before` is summed from the left and `after` from the right, over all states and, where a
    word is covered, over all words. Position 0 is `<s>`, which cannot be covered. Without `</s>`,
    or with a covered one, the tokens are the beginning of a document, which may go on in any way.

    Raises:
        ValueError: if a position is not in 1 … the last, a token is not in the grammar, or the
            grammar allows no document with the other tokens in their places.
    """
    ids = np.asarray(tokens, dtype=np.int64)
    for position in positions:
        if not 0 < position < len(ids):
            raise ValueError(f"a covered position must be from 1 to {len(ids) - 1}; got {position}")
    _check(automaton, np.delete(ids, list(positions)))
    arcs = _arcs(automaton, ids, positions)
    before, after = _from_left(automaton, arcs), _from_right(automaton, arcs)
    return np.array([_row(automaton, ids, before[t - 1], after[t]) for t in positions])


def leave_one_out_posteriors(
    automaton: Automaton, tokens: Tokens
) -> Float64[np.ndarray, "covered vocabulary"]:
    """Row t − 1 is `posterior` at t = 1 … the last, each covered alone: two passes for them all.

    Raises:
        ValueError: as `posteriors`.
    """
    ids = np.asarray(tokens, dtype=np.int64)
    _check(automaton, ids)
    arcs = _arcs(automaton, ids, ())
    before, after = _from_left(automaton, arcs), _from_right(automaton, arcs)
    return np.array([_row(automaton, ids, b, a) for b, a in zip(before, after[1:], strict=False)])


def _check(automaton: Automaton, ids: NDArray[np.int64]) -> None:
    types = len(automaton.vocabulary)
    if len(strange := ids[(ids < 0) | (ids >= types)]):
        raise ValueError(f"a token must be an id from 0 to {types - 1}; got {strange[0]}")


def _row(
    automaton: Automaton,
    ids: NDArray[np.int64],
    before: Float64[np.ndarray, " state"],
    after: Float64[np.ndarray, " state"],
) -> Float64[np.ndarray, " vocabulary"]:
    flow = before[automaton.sources] * automaton.probabilities * after[automaton.targets]
    row: Float64[np.ndarray, " vocabulary"] = np.bincount(
        automaton.tokens, flow, len(automaton.vocabulary)
    )
    total = row.sum()
    if ids[0] != automaton.vocabulary.ids[START] or not total:
        words = automaton.vocabulary.write(ids[ids < len(row)].tolist())  # such as [MASK]
        raise ValueError(f"the words around must have a probability above 0; got {words!r}")
    scaled: Float64[np.ndarray, " vocabulary"] = row / total
    return scaled


def _arcs(
    automaton: Automaton, ids: NDArray[np.int64], positions: Sequence[int]
) -> list[ArcSelection]:
    """For each position past `<s>`: the arcs of its token, or all of them if it is covered."""
    return [
        slice(None) if t in positions else np.flatnonzero(automaton.tokens == ids[t])
        for t in range(1, len(ids))
    ]


def _from_left(automaton: Automaton, arcs: list[ArcSelection]) -> StateWeights:
    """p(x_1 … x_t, state) after each position t, over whatever is covered."""
    weights: StateWeights = [np.eye(1, automaton.size)[0]]
    for some in arcs:
        flow = weights[-1][automaton.sources[some]] * automaton.probabilities[some]
        weights.append(np.bincount(automaton.targets[some], flow, automaton.size))
    return weights


def _from_right(automaton: Automaton, arcs: list[ArcSelection]) -> StateWeights:
    """p(x_{t+1} … | state) after each position t, over whatever is covered."""
    weights: StateWeights = [np.ones(automaton.size)]
    for some in reversed(arcs):
        flow = weights[-1][automaton.targets[some]] * automaton.probabilities[some]
        weights.append(np.bincount(automaton.sources[some], flow, automaton.size))
    return weights[::-1]
