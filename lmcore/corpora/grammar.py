"""Probabilistic context-free grammars without recursion: parsed and checked.

    S -> NP sleeps {3} | NP eats FOOD
    FOOD -> rice | soup {2}

A symbol that begins with a capital is a nonterminal, any other is a word. Weights are in braces, by
default 1; those of one nonterminal are scaled to sum to 1.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from lmcore.vocabulary import END, START, Vocabulary

_WEIGHT = re.compile(r"\{([^{}]*)\}\s*$")


class Rule(NamedTuple):
    """One right-hand side and its probability given the left-hand side."""

    symbols: tuple[str, ...]
    probability: float


@dataclass(frozen=True, slots=True)
class Grammar:
    """p(symbols | nonterminal), and the nonterminal that a document starts from."""

    start: str
    rules: Mapping[str, tuple[Rule, ...]]

    def __post_init__(self) -> None:
        """Raises ValueError if a rule is missing, unused, empty or badly weighted.

        Also if a nonterminal can contain itself, which includes left recursion.
        """
        if self.start not in self.rules:
            raise ValueError(f"the start symbol must have a rule; got {self.start!r}")
        for left, rules in self.rules.items():
            _check(left, rules, self.rules)
        unused = self.rules.keys() - set(_reachable(self))
        if unused:
            raise ValueError(
                f"every nonterminal must be reachable from {self.start}; got {min(unused)!r}"
            )


def is_nonterminal(symbol: str) -> bool:
    """Whether the symbol is rewritten; a word does not begin with a capital."""
    return symbol[:1].isupper()


def parse(text: str, *, start: str) -> Grammar:
    """The grammar of a text: rules one a line, `#` to the end of a line is a comment.

    Lines with the same left-hand side add up.

    Raises:
        ValueError: naming the line, or as `Grammar`.
    """
    weighted: dict[str, list[tuple[tuple[str, ...], float]]] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        rule = line.partition("#")[0].strip()
        if rule:
            left, sides = _read_line(rule, number)
            weighted.setdefault(left, []).extend(sides)
    rules = {}
    for left, sides in weighted.items():
        total = math.fsum(weight for _, weight in sides)
        rules[left] = tuple(Rule(symbols, weight / total) for symbols, weight in sides)
    return Grammar(start, rules)


def vocabulary(grammar: Grammar) -> Vocabulary:
    """`<s>`, `</s>` and the words of the grammar in alphabetical order; there is no `<unk>`."""
    symbols = {s for rules in grammar.rules.values() for rule in rules for s in rule.symbols}
    return Vocabulary(
        (START, END, *sorted(s for s in symbols if not is_nonterminal(s))), "word", lower=True
    )


def _read_line(rule: str, number: int) -> tuple[str, list[tuple[tuple[str, ...], float]]]:
    left, arrow, right = rule.partition("->")
    left = left.strip()
    if not arrow or not is_nonterminal(left) or " " in left:
        raise ValueError(
            f"line {number} must look like 'NAME -> words {{2}} | words'; got {rule!r}"
        )
    return left, [_read_side(side, number) for side in right.split("|")]


def _read_side(side: str, number: int) -> tuple[tuple[str, ...], float]:
    match = _WEIGHT.search(side)
    try:
        weight = float(match[1]) if match else 1.0
    except ValueError:
        weight = math.nan
    if not 0 < weight < math.inf:
        raise ValueError(f"the weight in line {number} must be a number above 0; got {side!r}")
    symbols = tuple((side[: match.start()] if match else side).split())
    if not symbols:
        raise ValueError(f"each right-hand side in line {number} must have a symbol; got {side!r}")
    return symbols, weight


def _check(left: str, rules: tuple[Rule, ...], known: Mapping[str, object]) -> None:
    for symbols, probability in rules:
        if not symbols:
            raise ValueError(f"a right-hand side of {left} must have a symbol; got none")
        if not 0 < probability <= 1:
            raise ValueError(
                f"a probability of {left} must be above 0 and at most 1; got {probability}"
            )
        for symbol in symbols:
            if symbol in (START, END):
                raise ValueError(f"{left} must be made of words and nonterminals; got {symbol!r}")
            if is_nonterminal(symbol) and symbol not in known:
                raise ValueError(f"every nonterminal must have a rule; got {symbol!r} in {left}")
    total = math.fsum(rule.probability for rule in rules)
    if abs(total - 1) > 1e-9:
        raise ValueError(f"the probabilities of {left} must sum to 1; got {total}")


def _reachable(grammar: Grammar) -> Iterator[str]:
    """Every nonterminal that the start leads to, once; children before their parents.

    Raises:
        ValueError: if one leads to itself.
    """
    done: set[str] = set()
    path: list[str] = []

    def visit(left: str) -> Iterator[str]:
        if left in path:
            cycle = " → ".join([*path[path.index(left) :], left])
            raise ValueError(f"a grammar must be finite, no nonterminal in itself; got {cycle}")
        if left in done:
            return
        path.append(left)
        for rule in grammar.rules[left]:
            for symbol in filter(is_nonterminal, rule.symbols):
                yield from visit(symbol)
        path.pop()
        done.add(left)
        yield left

    yield from visit(grammar.start)
