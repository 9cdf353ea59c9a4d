"""Slow, plain computations on a grammar, in other ways than `lmcore.corpora.automaton`."""

from functools import cache
from itertools import product
from math import prod

TINY = """
    S -> NP VP | again NP VP {2}
    NP -> the N {3} | the N near the N | N
    N -> cat | dog {2}
    VP -> sleeps {2} | sees NP | sees NP near the N | sleeps near the N
"""


def every_document(grammar):
    """Words → probability, for every document of the grammar."""

    @cache
    def said(symbol):
        if symbol not in grammar.rules:
            return {(symbol,): 1.0}
        found = {}
        for symbols, probability in grammar.rules[symbol]:
            for parts in product(*(said(part).items() for part in symbols)):
                words = sum((part for part, _ in parts), ())
                found[words] = found.get(words, 0.0) + probability * prod(p for _, p in parts)
        return found

    return said(grammar.start)


def inside(grammar, words):
    """p(words | grammar): the inside algorithm, over symbols and their start positions."""

    @cache
    def ends(symbols, begin):
        """{end: p(symbols derive words[begin:end])}"""
        if not symbols:
            return {begin: 1.0}
        found = {}
        for middle, left in one(symbols[0], begin).items():
            for end, right in ends(symbols[1:], middle).items():
                found[end] = found.get(end, 0.0) + left * right
        return found

    @cache
    def one(symbol, begin):
        if symbol not in grammar.rules:
            return {begin + 1: 1.0} if words[begin : begin + 1] == [symbol] else {}
        found = {}
        for symbols, probability in grammar.rules[symbol]:
            for end, weight in ends(symbols, begin).items():
                found[end] = found.get(end, 0.0) + probability * weight
        return found

    return one(grammar.start, 0).get(len(words), 0.0)


def misfit(counts, probabilities):
    """χ² of counts against expectation, as standard deviations above its mean: near 0 if right."""
    total = sum(counts.values())
    assert counts.keys() <= probabilities.keys()
    squares = sum((counts[key] - total * p) ** 2 / (total * p) for key, p in probabilities.items())
    freedom = len(probabilities) - 1
    return (squares - freedom) / (2 * freedom) ** 0.5


def derive(grammar, generator):
    """The words of one document, by rewriting the start symbol: independent of any automaton."""
    words = []
    pending = [grammar.start]
    while pending:
        symbol = pending.pop()
        if symbol in grammar.rules:
            pending += reversed(_choose(grammar.rules[symbol], generator.random()))
        else:
            words.append(symbol)
    return words


def _choose(rules, point):
    for rule in rules:
        point -= rule.probability
        if point < 0:
            return rule.symbols
    return rules[-1].symbols  # rounding may leave a remainder after the last one
