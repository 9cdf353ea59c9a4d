from collections import Counter

import numpy as np
import pytest
from grammar_oracles import TINY, derive, every_document, misfit

from lmcore.corpora.grammar import Grammar, Rule, parse, vocabulary


def test_weights_of_one_nonterminal_are_scaled_to_one():
    rules = parse("S -> a {3} | b c", start="S").rules["S"]
    assert rules == (Rule(("a",), 0.75), Rule(("b", "c"), 0.25))


def test_lines_with_the_same_left_hand_side_add_up_and_comments_are_left_out():
    two = parse("# a grammar\nS -> a {3}   # often\n\nS -> b c", start="S")
    assert two == parse("S -> a {3} | b c", start="S")


def test_the_vocabulary_is_in_the_order_of_the_alphabet():
    words = vocabulary(parse("S -> the X . | b\nX -> zebra | a", start="S"))
    assert words.tokens == ("<s>", "</s>", ".", "a", "b", "the", "zebra")
    with pytest.raises(ValueError, match=r"word 1 must be one of the 4 words .* got 'yak'"):
        words.read("yak")


def test_derived_documents_are_as_frequent_as_they_are_probable():
    grammar = parse(TINY, start="S")
    generator = np.random.default_rng(0)
    found = Counter(tuple(derive(grammar, generator)) for _ in range(10_000))
    assert abs(misfit(found, every_document(grammar))) < 4


def test_the_same_generator_derives_the_same():
    grammar = parse(TINY, start="S")
    first, second = (np.random.default_rng(5) for _ in range(2))
    assert [derive(grammar, first) for _ in range(9)] == [derive(grammar, second) for _ in range(9)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("S = a", r"line 1 must look like 'NAME -> words \{2\} \| words'; got 'S = a'"),
        ("S -> a\ns -> b", "line 2 must look like"),
        ("S X -> a", "line 1 must look like"),
        ("S -> a {0}", r"the weight in line 1 must be a number above 0; got ' a \{0\}'"),
        ("S -> a {-1}", "the weight in line 1 must be a number above 0"),
        ("S -> a {inf}", "the weight in line 1 must be a number above 0"),
        ("S -> a {much}", "the weight in line 1 must be a number above 0"),
        ("S -> a | ", "each right-hand side in line 1 must have a symbol; got ''"),
        ("S -> a | {2}", "each right-hand side in line 1 must have a symbol"),
        ("X -> a", "the start symbol must have a rule; got 'S'"),
        ("S -> a X", "every nonterminal must have a rule; got 'X' in S"),
        ("S -> a\nX -> b", "every nonterminal must be reachable from S; got 'X'"),
        ("S -> S a | b", "a grammar must be finite, no nonterminal in itself; got S → S"),
        ("S -> a X\nX -> b S", "a grammar must be finite, .* got S → X → S"),
        ("S -> a </s>", "S must be made of words and nonterminals; got '</s>'"),
    ],
)
def test_what_is_wrong_with_a_grammar_is_said(text, message):
    with pytest.raises(ValueError, match=message):
        parse(text, start="S")


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ((Rule((), 1.0),), "a right-hand side of S must have a symbol; got none"),
        ((Rule(("a",), 0.0),), "a probability of S must be above 0 and at most 1; got 0.0"),
        ((Rule(("a",), 0.5),), "the probabilities of S must sum to 1; got 0.5"),
    ],
)
def test_what_is_wrong_with_ready_made_rules_is_said(rules, message):
    with pytest.raises(ValueError, match=message):
        Grammar("S", {"S": rules})
