"""The sentences of the translation tasks: drawn with an exact number of words, read, translated.

    SENTENCE → CLAUSE | CLAUSE and SENTENCE          clauses all passive, or all active
    passive  → PLAIN was|were PARTICIPLE by PLAIN
    active   → NP INTRANSITIVE | NP TRANSITIVE NP
    NP       → PLAIN | ARTICLE ADJECTIVE* NOUN that TRANSITIVE PLAIN
    PLAIN    → NAME | ARTICLE ADJECTIVE* NOUN

A verb agrees with its subject in number, and an article with its noun. One word of look-ahead is
enough to read it: every sentence has one structure.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from lmcore.corpora.translation_words import (
    ADJECTIVES,
    AND,
    ARTICLES,
    BY,
    INTRANSITIVE,
    NAMES,
    NOUNS,
    PAST,
    THAT,
    TRANSITIVE,
    TRANSLATED_AND,
    TRANSLATED_THAT,
    WAS,
    Noun,
    Verb,
    conjugate,
    inflect,
)

Aligned = tuple[str, int]
"""A word of the target, and the place of the word of the source that it renders, from 0."""
MOST_ADJECTIVES = 2
"""The most adjectives of a noun in drawn sentences; a noun in typed sentences may have more."""
CLAUSE_LENGTHS = {"passive": (5, 11), "active": (2, 12)}
"""Words of the shortest and of the longest clause that are drawn."""
NOUN_FORMS = {form: (noun, form == noun.many) for noun in NOUNS for form in (noun.one, noun.many)}
"""Form → its noun, and whether it is the plural."""
ARTICLE_NUMBERS = {"the": (False, True), "a": (False,), "some": (True,)}
"""Article → the numbers it goes with: False is the singular."""


class NounPhrase(NamedTuple):
    """A noun phrase by the places of its words; a name has neither noun nor article."""

    head: Aligned
    plural: bool = False
    noun: Noun | None = None
    article: Aligned = ("", -1)
    adjectives: tuple[Aligned, ...] = ()
    clause: tuple[int, Aligned, NounPhrase] | None = None
    """The place of *that*, the translated verb, and its object."""


@dataclass(slots=True)
class Reader:
    """The words of a sentence, of which the first `place` have been read."""

    words: Sequence[str]
    place: int = 0

    @property
    def next(self) -> str:
        """The next word; empty at the end."""
        return self.words[self.place] if self.place < len(self.words) else ""

    def take(self, allowed: Collection[str], kind: str) -> Aligned:
        """Read one word.

        Raises:
            ValueError: naming its place, what is allowed there, and what it is.
        """
        word = self.next
        if word not in allowed:
            got = repr(word) if word else "the end"
            raise ValueError(f"word {self.place + 1} must be {kind}; got {got}")
        self.place += 1
        return word, self.place - 1


def read_sentence(
    words: Sequence[str], read_clause: Callable[[Reader], list[Aligned]], conjunction: str
) -> list[Aligned]:
    """The target of a sentence, clause by clause.

    Raises:
        ValueError: naming the first word that fits no sentence of the grammar.
    """
    reader = Reader(words)
    target = read_clause(reader)
    while reader.next:
        _, place = reader.take((AND,), "'and', or the last")
        target += [(conjunction, place), *read_clause(reader)]
    return target


def read_passive(words: Sequence[str]) -> list[Aligned]:
    """The active sentence with the meaning of a passive one.

    Raises:
        ValueError: as `read_sentence`.
    """
    return read_sentence(words, _read_passive_clause, AND)


def read_active(words: Sequence[str]) -> list[Aligned]:
    """The translation of an active sentence.

    Raises:
        ValueError: as `read_sentence`.
    """
    return read_sentence(words, _read_active_clause, TRANSLATED_AND)


def _read_passive_clause(reader: Reader) -> list[Aligned]:
    patient = _read_noun_phrase(reader, clauses=False)
    was = WAS[patient.plural]
    reader.take((was,), f"{was!r}, as the subject is {_number(patient.plural)}")
    participle, place = reader.take(PAST, "a participle, such as 'kicked'")
    reader.take((BY,), "'by'")
    agent = _read_noun_phrase(reader, clauses=False)
    return [*_as_typed(agent), (PAST[participle], place), *_as_typed(patient)]


def _read_active_clause(reader: Reader) -> list[Aligned]:
    subject = _read_noun_phrase(reader)
    verb, takes_object = _read_verb(reader, subject.plural, (*TRANSITIVE, *INTRANSITIVE))
    objects = _translated(_read_noun_phrase(reader)) if takes_object else []
    return [*_translated(subject), *objects, verb]


def _read_verb(reader: Reader, plural: bool, verbs: Sequence[Verb]) -> tuple[Aligned, bool]:
    """The translated verb, and whether it takes an object."""
    forms: Mapping[str, Verb] = {verb.many if plural else verb.one: verb for verb in verbs}
    example = next(iter(forms))
    word, place = reader.take(
        forms, f"a verb with a {_number(plural)} subject, such as {example!r}"
    )
    return (conjugate(forms[word].stem, plural=plural), place), forms[word] in TRANSITIVE


def _read_noun_phrase(reader: Reader, *, clauses: bool = True) -> NounPhrase:
    if reader.next in NAMES:
        return NounPhrase(reader.take(NAMES, "a name"))
    article = reader.take(ARTICLES, "a name or an article, such as 'kayla' or 'the'")
    adjectives = []
    while reader.next in ADJECTIVES:
        adjectives.append(reader.take(ADJECTIVES, "an adjective"))
    numbers = ARTICLE_NUMBERS[article[0]]
    allowed = [form for form, (_, plural) in NOUN_FORMS.items() if plural in numbers]
    kind = "" if len(numbers) > 1 else f"{_number(numbers[0])} "
    head = reader.take(allowed, f"an adjective or a {kind}noun, such as {allowed[0]!r}")
    noun, plural = NOUN_FORMS[head[0]]
    clause = None
    if clauses and reader.next == THAT:
        _, place = reader.take((THAT,), "'that'")
        verb, _ = _read_verb(reader, plural, TRANSITIVE)
        clause = (place, verb, _read_noun_phrase(reader, clauses=False))
    return NounPhrase(head, plural, noun, article, tuple(adjectives), clause)


def _as_typed(phrase: NounPhrase) -> list[Aligned]:
    before = [phrase.article, *phrase.adjectives] if phrase.noun else []
    return [*before, phrase.head]


def _translated(phrase: NounPhrase) -> list[Aligned]:
    """Article, noun, adjectives, relative clause with its verb last."""
    noun, plural = phrase.noun, phrase.plural
    if noun is None:
        return [phrase.head]

    def agreeing(stem: str) -> str:
        return inflect(stem, noun.gender, plural=plural)

    article, place = phrase.article
    words = [(agreeing(ARTICLES[article]), place), (agreeing(noun.stem), phrase.head[1])]
    words += [(agreeing(ADJECTIVES[word]), place) for word, place in phrase.adjectives]
    if phrase.clause is not None:
        that, verb, seen = phrase.clause
        words += [(TRANSLATED_THAT, that), *_translated(seen), verb]
    return words


def draw_sentence(voice: str, length: int, rng: random.Random) -> list[str]:
    """A sentence of exactly `length` words, its clauses all "passive" or all "active".

    The number of clauses is drawn from those possible, then their lengths, then their words.

    Raises:
        ValueError: if no sentence is that short.
    """
    low, high = CLAUSE_LENGTHS[voice]
    if length < low:
        raise ValueError(f"a sentence that is {voice} must have {low} words or more; got {length}")
    fewest, most = -((length + 1) // -(high + 1)), (length + 1) // (low + 1)
    clauses = rng.randint(fewest, most)
    left = length - (clauses - 1)
    draw = _draw_passive_clause if voice == "passive" else _draw_active_clause
    words: list[str] = []
    for after in range(clauses - 1, -1, -1):
        size = rng.randint(max(low, left - after * high), min(high, left - after * low))
        words += [AND] * bool(words) + draw(size, rng)
        left -= size
    return words


def _draw_passive_clause(length: int, rng: random.Random) -> list[str]:
    most = 2 + MOST_ADJECTIVES
    both = length - 3
    first = rng.randint(max(1, both - most), min(most, both - 1))
    patient, plural = _draw_plain(first, rng)
    agent, _ = _draw_plain(both - first, rng)
    return [*patient, WAS[plural], rng.choice(tuple(PAST)), BY, *agent]


def _draw_active_clause(length: int, rng: random.Random) -> list[str]:
    longest = 6 + 2 * MOST_ADJECTIVES
    bare = length - 1 <= longest and (length < 3 or rng.random() < 0.25)
    first = length - 1
    if not bare:
        first = rng.randint(max(1, length - 1 - longest), min(longest, length - 2))
    subject, plural = _draw_noun_phrase(first, rng)
    verb = rng.choice(INTRANSITIVE if bare else TRANSITIVE)
    seen = [] if bare else _draw_noun_phrase(length - 1 - first, rng)[0]
    return [*subject, verb.many if plural else verb.one, *seen]


def _draw_noun_phrase(length: int, rng: random.Random) -> tuple[list[str], bool]:
    """The words, and whether they are plural; from five words on with a relative clause."""
    most = 2 + MOST_ADJECTIVES
    if length <= most:
        return _draw_plain(length, rng)
    both = length - 2
    first = rng.randint(max(2, both - most), min(most, both - 1))
    words, plural = _draw_plain(first, rng)
    verb = rng.choice(TRANSITIVE)
    seen, _ = _draw_plain(both - first, rng)
    return [*words, THAT, verb.many if plural else verb.one, *seen], plural


def _draw_plain(length: int, rng: random.Random) -> tuple[list[str], bool]:
    if length == 1:
        return [rng.choice(NAMES)], False
    noun, plural = rng.choice(NOUNS), rng.random() < 0.5
    article = rng.choice(("the", "some" if plural else "a"))
    adjectives = rng.sample(tuple(ADJECTIVES), length - 2)
    return [article, *adjectives, noun.many if plural else noun.one], plural


def _number(plural: bool) -> str:
    return "plural" if plural else "singular"
