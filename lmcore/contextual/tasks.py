"""Words of the Microworld with labels from its grammar: properties that a vector may hold.

    part of speech   of every word; fine, die and her have two, by what is meant
    number           of the subject, at each word between its noun and its verb
    depth            how many relative clauses a word of a sentence about animals is in
    sense            which of its two senses one of the eight words has
    reference        whether “it” is the noun named first or second

A document is drawn from the grammar rule by rule, so that each word has its path from the root; the
labels are read off the path.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from lmcore.corpora.documents import concatenate
from lmcore.corpora.grammar import Grammar, is_nonterminal
from lmcore.corpora.microworld import held_out_mask, microworld, microworld_grammar
from lmcore.corpora.microworld_rules import AMBIGUOUS_WORDS
from lmcore.vocabulary import END, START

NO_LABEL = -1
DEEPEST = 3
"""Relative clauses around a word: two that nest, and a reduced one inside."""
POS_WORDS: Mapping[str, str] = {
    "punctuation": ".",
    "determiner": "a the all every half his my some",
    "pronoun": "everyone he him i it me nobody she they we which",
    "auxiliary": "am are could couldn't didn't is was wasn't were",
    "conjunction": "and because",
    "preposition": "at behind beside by for from in near of on past with",
    "adverb": "again away down home not now so soon then today too yesterday",
    "adjective": "angry big busy clean closed cold deep empty great happy hungry icy ill long low "
    "new old proud ready red sad scared slow small strong sure tired warm weak white wide young",
    "verb": "ate broke brushed came chase chases cooked cross crossed does driven eats fed feel "
    "felt fit fixed follow follows forgot get gets given going has hates have hear hears hold led "
    "like likes look looks lost lying make met needed paid parked pay played plays raced reads "
    "roll run runs said sat saw see seen sees sing sings sleep sleeps slept sold stops think took "
    "tripped trusted trying wait waits washed went won worked",
}
"""Words of one part of speech, as they are used here; a word in no list is a noun."""
PARTS_OF_SPEECH = (*POS_WORDS, "noun", "particle")


class Task(NamedTuple):
    """A question about a word, and its possible answers."""

    name: str
    asks: str
    classes: tuple[str, ...]


SENSES = tuple(f"{word} {sense}" for word in AMBIGUOUS_WORDS for sense in (1, 2))
TASKS = {
    task.name: task
    for task in (
        Task("part of speech", "Which part of speech is this word?", PARTS_OF_SPEECH),
        Task("number", "Is the subject singular or plural?", ("singular", "plural")),
        Task(
            "depth",
            "How many relative clauses is this word in?",
            tuple(str(depth) for depth in range(DEEPEST + 1)),
        ),
        Task("sense", "Which word is it, in which of its two senses?", SENSES),
        Task("reference", "Is “it” the first noun or the second?", ("first", "second")),
    )
}


class Step(NamedTuple):
    """A nonterminal on the path to a word, and which symbol of its rule the path continues with."""

    name: str
    place: int
    relative: bool
    """Whether the rule has a relative clause; it begins with the third symbol: “the M that …”."""


@dataclass(frozen=True, slots=True)
class LabelledText:
    """A document, `<s>` to `</s>`, and for each task the class of each word, or `NO_LABEL`."""

    words: tuple[str, ...]
    labels: Mapping[str, tuple[int, ...]]


@lru_cache(maxsize=4)
def labelled_texts(
    count: int, seed: int = 0
) -> tuple[tuple[LabelledText, ...], tuple[LabelledText, ...]]:
    """`count` different documents: those that may be trained on, and those held out.

    Raises:
        ValueError: if `count` is below 1.
    """
    if count < 1:
        raise ValueError(f"the number of documents must be at least 1; got {count}")
    draw, grammar, vocabulary = random.Random(seed), microworld_grammar(), microworld().vocabulary
    found: dict[tuple[str, ...], LabelledText] = {}
    while len(found) < count:
        text = draw_labelled(grammar, draw)
        found[text.words] = text
    texts = tuple(found.values())
    held_out = held_out_mask(concatenate([vocabulary.encode(text.words) for text in texts]))
    parts = [np.flatnonzero(held_out == wanted) for wanted in (False, True)]
    train, test = (tuple(texts[i] for i in part) for part in parts)
    return train, test


def draw_labelled(grammar: Grammar, draw: random.Random) -> LabelledText:
    """One document of the grammar with its labels."""
    words, paths = zip(*_derive(grammar, grammar.start, (), draw), strict=True)
    senses = tuple(_sense(word, path) for word, path in zip(words, paths, strict=True))
    labels = {
        "part of speech": _parts_of_speech(words, senses),
        "number": tuple(_number(path) for path in paths),
        "depth": tuple(_depth(path) for path in paths),
        "sense": senses,
        "reference": _reference(words, paths),
    }
    framed = {name: (NO_LABEL, *found, NO_LABEL) for name, found in labels.items()}
    return LabelledText((START, *words, END), framed)


def _derive(
    grammar: Grammar, symbol: str, path: tuple[Step, ...], draw: random.Random
) -> Iterator[tuple[str, tuple[Step, ...]]]:
    """The words below a symbol, drawn by the rules' probabilities, each with its path."""
    if not is_nonterminal(symbol):
        yield symbol, path
        return
    rules = grammar.rules[symbol]
    (rule,) = draw.choices(rules, [each.probability for each in rules])
    relative = not {"that", "which"}.isdisjoint(rule.symbols)
    for place, child in enumerate(rule.symbols):
        yield from _derive(grammar, child, (*path, Step(symbol, place, relative)), draw)


def _sense(word: str, path: Sequence[Step]) -> int:
    names = [step.name for step in path]
    person = next((name[-1] for name in names if name.startswith(("STORY_", "LINE_"))), None)
    if person is None or word not in AMBIGUOUS_WORDS:
        return NO_LABEL
    return SENSES.index(f"{word} {int(person) + 1}")


def _number(path: Sequence[Step]) -> int:
    """Whether the main subject is plural, at its words after the noun, which would give it away."""
    if len(path) < 3 or path[1][:2] != ("AGREE", 0) or path[2].place < 2:
        return NO_LABEL
    return int(path[2].name.startswith("NP_many"))


def _depth(path: Sequence[Step]) -> int:
    if len(path) < 2 or path[1].name != "AGREE" or path[1].place > 1:
        return NO_LABEL
    return sum(s.name.startswith("NP_") and s.relative and s.place >= 2 for s in path)


def _reference(words: Sequence[str], paths: Sequence[Sequence[Step]]) -> tuple[int, ...]:
    """Whether the noun that the last sentence names is the first or the second of the document."""
    found = [NO_LABEL] * len(words)
    steps = (step.name for path in paths for step in path)
    named = [name.removeprefix("NAME_") for name in steps if name.startswith("NAME_")]
    if named:
        nouns = [w for w in words[: words.index("because")] if w in _crossing_nouns()]
        found[words.index("it")] = nouns.index(named[0])
    return tuple(found)


@lru_cache(maxsize=1)
def _crossing_nouns() -> frozenset[str]:
    names = microworld_grammar().rules
    return frozenset(n.removeprefix("NAME_") for n in names if n.startswith("NAME_"))


def _parts_of_speech(words: Sequence[str], senses: Sequence[int]) -> tuple[int, ...]:
    around = zip(("", *words), words, (*words[1:], ""), senses, strict=False)
    tags = [_part_of_speech(*each) for each in around]
    for place, word in enumerate(words):
        if word == "her":  # “her die”: a thing of hers, or what she does
            tags[place] = "determiner" if tags[place + 1] == "noun" else "pronoun"
    return tuple(PARTS_OF_SPEECH.index(tag) for tag in tags)


def _part_of_speech(before: str, word: str, after: str, sense: int) -> str:
    first = sense % 2 == 0
    match word:
        case "that":
            return "determiner" if after == "die" else _that(before)
        case "to":
            return "particle" if after in ("make", "game", "die", "roll", "pay") else "preposition"
        case "there":
            return "pronoun" if after == "was" else "adverb"
        case "fine":
            return "adjective" if first else "noun"
        case "die":
            return "noun" if first else "verb"
        case "game":
            return "verb" if before == "to" else "noun"
    return _lexicon().get(word, "noun")


def _that(before: str) -> str:
    return "conjunction" if before == "sure" else "pronoun"


@lru_cache(maxsize=1)
def _lexicon() -> dict[str, str]:
    return {word: tag for tag, words in POS_WORDS.items() for word in words.split()}
