"""The entropy of a grammar, and the lowest perplexity of any model with k tokens of context.

Nothing is sampled: the expected number of visits of each state of the automaton is known exactly.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from jaxtyping import Float64

from lmcore.corpora.automaton import DIGITS, Automaton

StateBelief: TypeAlias = dict[int, float]
StateBeliefs: TypeAlias = dict[frozenset[tuple[int, float]], tuple[StateBelief, float]]
"""Key → a belief about the state, and how often it is held per document on average."""
ArcsByState: TypeAlias = list[list[tuple[int, float, int]]]
"""For each state its (token, probability, next state)."""


def visit_probabilities(automaton: Automaton) -> Float64[np.ndarray, "time state"]:
    """p(state after t tokens beyond `<s>`): rows for t = 0, 1, … until every document has ended."""
    now = np.zeros(automaton.size)
    now[0] = 1.0
    rows = []
    while now.any():
        rows.append(now)
        now = _onward(automaton, now)
    return np.array(rows)


def local_entropies(automaton: Automaton) -> Float64[np.ndarray, " state"]:
    """H(next token | state) in nats; 0 after `</s>`."""
    surprise = -automaton.probabilities * np.log(automaton.probabilities)
    return np.bincount(automaton.sources, surprise, minlength=automaton.size)


def entropy(automaton: Automaton) -> float:
    """H(document) in nats: Σ over states, expected visits × H(next token | state)."""
    return float(visit_probabilities(automaton).sum(axis=0) @ local_entropies(automaton))


def expected_length(automaton: Automaton) -> float:
    """The mean number of predicted tokens in a document: its words and `</s>`."""
    goes_on = np.diff(automaton.offsets) > 0
    return float(visit_probabilities(automaton).sum(axis=0) @ goes_on)


def entropy_rate(automaton: Automaton) -> float:
    """H(document) / expected length, in nats per token: the lowest loss of any model."""
    return entropy(automaton) / expected_length(automaton)


def perplexity(automaton: Automaton) -> float:
    """exp(entropy rate): the lowest perplexity of any model."""
    return math.exp(entropy_rate(automaton))


def perplexity_floor(automaton: Automaton, k: int) -> float:
    """The perplexity of the best possible model that sees only the k previous tokens.

    Raises:
        ValueError: as `perplexity_floors`.
    """
    return float(perplexity_floors(automaton, k)[k])


def perplexity_floors(automaton: Automaton, longest: int) -> Float64[np.ndarray, " context"]:
    """`floor(k)` for k = 0 … `longest`.

        floor(k) = exp( Σ_c n(c) H(next token | context c) / expected length )

    n(c) is how often a document holds the context c. `<s>` is a token of the context: fewer than k
    words after it, a model sees the whole prefix, and that it is whole. Later it sees only k words,
    after which several states of the grammar may be possible.

    Raises:
        ValueError: if `longest` is below 0.
    """
    if longest < 0:
        raise ValueError(f"the number of tokens seen must be at least 0; got {longest}")
    from_start = visit_probabilities(automaton) @ local_entropies(automaton)
    later = [cost for cost, _ in zip(_late_costs(automaton), range(longest + 1), strict=False)]
    early = [from_start[:k].sum() for k in range(longest + 1)]
    return np.exp((np.array(early) + later) / expected_length(automaton))


def _late_costs(automaton: Automaton) -> Iterator[float]:
    """For k = 0, 1, …: nats per document on the tokens that have k words or more before them.

    Contexts that determine the state are counted in `sure`, by state. The others are kept one by
    one, and those with equal beliefs are merged.
    """
    local, arcs = local_entropies(automaton), _arcs(automaton)
    total = np.where(
        np.diff(automaton.offsets) > 0, visit_probabilities(automaton).sum(axis=0), 0.0
    )
    sure = np.zeros(automaton.size)
    count = float(total.sum())
    prior = {int(s): float(total[s]) / count for s in np.flatnonzero(total)}
    unsure: StateBeliefs = {frozenset(): (prior, count)}
    while True:
        doubt = sum(n * _entropy(belief, arcs) for belief, n in unsure.values())
        yield float(sure @ local) + doubt
        sure = _onward(automaton, sure)
        unsure = _listen(unsure, sure, arcs)


def _listen(
    unsure: StateBeliefs, sure: Float64[np.ndarray, " state"], arcs: ArcsByState
) -> StateBeliefs:
    """The beliefs after one more word; those that became certain are added to `sure`."""
    beliefs: StateBeliefs = {}
    for belief, count in unsure.values():
        for after in _after_each_word(belief, arcs).values():
            mass = sum(after.values())
            if len(after) == 1:
                sure[next(iter(after))] += count * mass
                continue
            scaled = {state: weight / mass for state, weight in after.items()}
            key = frozenset((state, round(weight, DIGITS)) for state, weight in scaled.items())
            before = beliefs[key][1] if key in beliefs else 0.0
            beliefs[key] = scaled, before + count * mass
    return beliefs


def _after_each_word(belief: StateBelief, arcs: ArcsByState) -> dict[int, StateBelief]:
    """Word → p(word, state after it | belief)."""
    words: dict[int, StateBelief] = {}
    for state, weight in belief.items():
        for word, probability, target in arcs[state]:
            after = words.setdefault(word, {})
            after[target] = after.get(target, 0.0) + weight * probability
    return words


def _entropy(belief: StateBelief, arcs: ArcsByState) -> float:
    """H(next token | belief)."""
    sums = [math.fsum(after.values()) for after in _after_each_word(belief, arcs).values()]
    return -math.fsum(p * math.log(p) for p in sums)


def _arcs(automaton: Automaton) -> ArcsByState:
    every = list(
        zip(
            automaton.tokens.tolist(),
            automaton.probabilities.tolist(),
            automaton.targets.tolist(),
            strict=True,
        )
    )
    ends = automaton.offsets.tolist()
    return [every[i:j] for i, j in pairwise(ends)]


def _onward(
    automaton: Automaton, weights: Float64[np.ndarray, " state"]
) -> Float64[np.ndarray, " state"]:
    flow = weights[automaton.sources] * automaton.probabilities
    return np.bincount(automaton.targets, flow, minlength=automaton.size)
