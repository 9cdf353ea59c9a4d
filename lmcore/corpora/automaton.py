"""A finite grammar as an exact table of states: p(next token | all the tokens so far).

A *stack* holds the rest of a derivation: words and nonterminals, the next on top. After some words
several stacks may be possible; their probabilities are the *belief*, which determines all future
probabilities. Equal beliefs are one state. The grammar is finite, and so is the number of states; a
document visits no state twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
import torch
from jaxtyping import Float64, Int, Int64
from numpy.typing import NDArray
from torch import Tensor

from lmcore.corpora.documents import Documents as Documents
from lmcore.corpora.documents import from_columns
from lmcore.corpora.grammar import Grammar, is_nonterminal
from lmcore.vocabulary import END, START, Vocabulary

SymbolStack: TypeAlias = tuple[str, ...]
StackBelief: TypeAlias = dict[SymbolStack, float]
DIGITS = 12
"""Beliefs equal to this many decimals are one state, as rounding depends on the derivation."""
DEAD_STATE = -1


@dataclass(frozen=True, eq=False)
class Automaton:
    """States and their arcs; state 0 is where `<s>` leads, DEAD_STATE means "impossible".

    The arcs of state s are those from `offsets[s]` to `offsets[s + 1]`: a token, its probability,
    and the state it leads to. The state after `</s>` has none.
    """

    vocabulary: Vocabulary
    offsets: Int64[np.ndarray, " boundary"]
    tokens: Int64[np.ndarray, " arc"]
    probabilities: Float64[np.ndarray, " arc"]
    targets: Int64[np.ndarray, " arc"]

    @property
    def size(self) -> int:
        """The number of states."""
        return len(self.offsets) - 1

    @cached_property
    def sources(self) -> Int64[np.ndarray, " arc"]:
        """The state that each arc leaves."""
        return np.repeat(np.arange(self.size), np.diff(self.offsets))

    @cached_property
    def rows(self) -> Float64[np.ndarray, "row vocabulary"]:
        """p(token | state), one row per state; the last row, all 0, is DEAD_STATE."""
        rows = np.zeros((self.size + 1, len(self.vocabulary)))
        rows[self.sources, self.tokens] = self.probabilities
        return rows

    @cached_property
    def steps(self) -> Int64[np.ndarray, "row vocabulary"]:
        """The state that each token leads to; the last row is DEAD_STATE, which nothing leaves."""
        steps = np.full((self.size + 1, len(self.vocabulary)), DEAD_STATE)
        steps[self.sources, self.tokens] = self.targets
        return steps

    @cached_property
    def _log_rows(self) -> Float64[np.ndarray, "row vocabulary"]:
        with np.errstate(divide="ignore"):
            logs: NDArray[np.float64] = np.log(self.rows)
        return logs

    @cached_property
    def _ladder(self) -> Float64[np.ndarray, " arc"]:
        """State + p(this arc or an earlier one of the state): rises over all the arcs."""
        total = np.cumsum(self.probabilities)
        before = np.concatenate([[0.0], total])[self.offsets[:-1]]
        ladder: NDArray[np.float64] = self.sources + total - before[self.sources]
        return ladder

    def states(self, tokens: Int[np.ndarray, "*batch time"]) -> Int64[np.ndarray, "*batch time"]:
        """The state after each prefix; DEAD_STATE from the first impossible token on.

        A token after `</s>` is impossible, so rows may be filled up with anything. If the first
        token is not `<s>`, every state is DEAD_STATE.
        """
        states = np.full(tokens.shape, DEAD_STATE)
        if not tokens.shape[-1]:
            return states
        begins = tokens[..., 0] == self.vocabulary.ids[START]
        states[..., 0] = np.where(begins, 0, DEAD_STATE)
        for t in range(1, tokens.shape[-1]):
            states[..., t] = self.steps[states[..., t - 1], tokens[..., t]]
        return states

    def next_probabilities(
        self, tokens: Int[np.ndarray, "*batch time"]
    ) -> Float64[np.ndarray, "*batch time vocabulary"]:
        """p(next token | each prefix); a row of zeros where nothing can follow."""
        rows: NDArray[np.float64] = self.rows[self.states(tokens)]
        return rows

    def log_probabilities(self, tokens: Int[Tensor, " time"]) -> Float64[Tensor, "time vocabulary"]:
        """Row t holds log p(x_{t+1} = · | x_1 … x_t), in nats.

        A row is all -inf where nothing can follow: after an impossible prefix, and after `</s>`.
        """
        return torch.from_numpy(self._log_rows[self.states(tokens.numpy())])

    def log_probability(self, tokens: Sequence[int] | NDArray[np.int64]) -> float:
        """Log-probability of the prefix `tokens`, in nats.

        For a whole document, `</s>` included, this is the log-probability of the document.
        """
        ids = np.asarray(tokens, dtype=np.int64)
        states = self.states(ids)
        if not len(ids) or states[-1] == DEAD_STATE:
            return -np.inf
        return float(self._log_rows[states[:-1], ids[1:]].sum())

    def batch_log_probability(self, documents: Documents) -> Float64[np.ndarray, " predicted"]:
        """log p of each predicted token (all but `<s>`), document after document, in nats."""
        ids = documents.padded(self.vocabulary.ids[START])
        known = np.arange(ids.shape[1]) < documents.lengths[:, None]
        picked: NDArray[np.float64] = self._log_rows[self.states(ids)[:, :-1], ids[:, 1:]]
        return picked[known[:, 1:]]

    def sample(self, count: int, generator: np.random.Generator) -> Documents:
        """`count` documents, drawn independently; the same generator draws the same ones.

        Raises:
            ValueError: if `count` is below 1.
        """
        if count < 1:
            raise ValueError(f"the number of documents to sample must be at least 1; got {count}")
        alive, states = np.arange(count), np.zeros(count, dtype=np.int64)
        columns = [(alive, np.full(count, self.vocabulary.ids[START]))]
        while len(alive):
            arcs = np.searchsorted(self._ladder, states + generator.random(len(alive)), "right")
            # the cumulative sums are rounded: never pass into the arcs of another state
            arcs = np.clip(arcs, self.offsets[states], self.offsets[states + 1] - 1)
            columns.append((alive, self.tokens[arcs]))
            goes_on = self.tokens[arcs] != self.vocabulary.ids[END]
            alive, states = alive[goes_on], self.targets[arcs][goes_on]
        return from_columns(columns, count)


def compile_grammar(grammar: Grammar, vocabulary: Vocabulary) -> Automaton:
    """The automaton of a grammar: from each belief, every first word and the belief after it.

    Raises:
        ValueError: if the vocabulary lacks `<s>`, `</s>` or a word of the grammar.
    """
    vocabulary.encode([START, END])
    first = _FirstWords(grammar)
    beliefs: list[StackBelief] = [{(grammar.start, END): 1.0}]
    numbers = {_key(beliefs[0]): 0}
    offsets, arcs = [0], []
    for belief in beliefs:  # grows during the iteration
        for word, weights in sorted(_advance(belief, first).items()):
            mass = sum(weights.values())
            after = {stack: weight / mass for stack, weight in weights.items()}
            number = numbers.setdefault(_key(after), len(beliefs))
            if number == len(beliefs):
                beliefs.append(after)
            arcs.append((word, mass, number))
        offsets.append(len(arcs))
    words, masses, targets = zip(*arcs, strict=True)
    return Automaton(
        vocabulary,
        np.array(offsets, dtype=np.int64),
        np.array(vocabulary.encode(words), dtype=np.int64),
        np.array(masses),
        np.array(targets, dtype=np.int64),
    )


class _FirstWords:
    """p(first word, rest of the derivation after it | symbol), cached for each symbol."""

    def __init__(self, grammar: Grammar) -> None:
        self._rules = grammar.rules
        self._known: dict[str, dict[tuple[str, SymbolStack], float]] = {}

    def __call__(self, symbol: str) -> dict[tuple[str, SymbolStack], float]:
        if not is_nonterminal(symbol):
            return {(symbol, ()): 1.0}
        if symbol not in self._known:
            probabilities: dict[tuple[str, SymbolStack], float] = {}
            for symbols, probability in self._rules[symbol]:
                for (word, left), weight in self(symbols[0]).items():
                    key = word, left + symbols[1:]
                    probabilities[key] = probabilities.get(key, 0.0) + probability * weight
            self._known[symbol] = probabilities
        return self._known[symbol]


def _advance(belief: StackBelief, first: _FirstWords) -> dict[str, StackBelief]:
    """p(next word, stack after it): for each word the unscaled belief that it leads to."""
    arcs: dict[str, StackBelief] = {}
    for stack, weight in belief.items():
        for (word, left), probability in first(stack[0]).items() if stack else ():
            after, rest = arcs.setdefault(word, {}), left + stack[1:]
            after[rest] = after.get(rest, 0.0) + weight * probability
    return arcs


def _key(belief: StackBelief) -> frozenset[tuple[SymbolStack, float]]:
    return frozenset((stack, round(weight, DIGITS)) for stack, weight in belief.items())
