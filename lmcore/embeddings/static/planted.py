"""The training corpus of the word vectors, and which of its words are similar by construction.

The sentences are those of the microworld. Its grammar lets the words of one set fill one slot:
after some beginning of a document each of them may come next. A group is one category of words,
with a set for each of its slots; the singular and the plural of an animal are in one group. Two
words are similar if they share a group.

Some of these words have other uses as well: a dog is an animal that also plays at the door, `likes`
occurs in "he likes to game", `sleeps` in "sleeps on the sofa". One vector must serve all uses of a
word, so such words are the first to lose their neighbours.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from lmcore.checks import check_between
from lmcore.corpora.microworld import microworld, training_documents
from lmcore.corpora.microworld_rules import (
    ANIMALS,
    CREATURE_ADJECTIVES,
    CREATURES,
    HOLDERS,
    INNER_VERBS,
    LOADS,
    OUTER_VERBS,
    PLACES,
    WAY_ADJECTIVES,
    WAYS,
)

SENTENCES = 4000
MOST_SENTENCES = 20_000
FULL_STOP = "."

SLOTS: dict[str, tuple[tuple[str, ...], ...]] = {
    "animals": (tuple(ANIMALS["one"]), tuple(ANIMALS["many"]), tuple(CREATURES)),
    "places": ((*PLACES["one"], *PLACES["many"]),),
    "ways": (tuple(WAYS),),
    "things": (tuple(LOADS), tuple(HOLDERS)),
    "verbs of clauses": (tuple(INNER_VERBS["one"]), tuple(INNER_VERBS["many"])),
    "verbs of sentences": (
        (*OUTER_VERBS["one"][1:], "tripped"),
        (*OUTER_VERBS["many"][1:], "tripped"),
    ),
    "adjectives": ((*CREATURE_ADJECTIVES, *WAY_ADJECTIVES), ("big", "small")),
}
"""Group → the sets of words that fill one slot each; `is` and `are` take an adjective, so they are
in none."""
GROUPS: dict[str, tuple[str, ...]] = {
    name: tuple(dict.fromkeys(word for slot in slots for word in slot))
    for name, slots in SLOTS.items()
}
"""Group → its words."""


def similar_words() -> dict[str, frozenset[str]]:
    """Word → the other words of its group: the truth that neighbours are judged by."""
    return {word: frozenset(members) - {word} for members in GROUPS.values() for word in members}


def words_of_one_slot() -> dict[str, frozenset[str]]:
    """Word → the other words of its own slots only: a stricter truth than `similar_words`.

    Here the singular and the plural of an animal are not similar.
    """
    slots = [slot for group in SLOTS.values() for slot in group]
    return {
        word: frozenset(other for slot in slots if word in slot for other in slot) - {word}
        for members in GROUPS.values()
        for word in members
    }


def group_of_word() -> dict[str, str]:
    """Word → the name of its group."""
    return {word: name for name, members in GROUPS.items() for word in members}


@lru_cache(maxsize=4)
def microworld_sentences(count: int = SENTENCES, seed: int = 0) -> tuple[tuple[str, ...], ...]:
    """`count` sentences of sampled training documents, in order and without their full stops.

    A count and a seed give one corpus; another count draws other documents.

    Raises:
        ValueError: if the count is not from 1 to `MOST_SENTENCES`.
    """
    check_between("the number of sentences", count, 1, MOST_SENTENCES)
    world = microworld()
    documents = training_documents(world.sample(2 * count + 20, np.random.default_rng(seed)))
    sentences: list[tuple[str, ...]] = []
    for document in documents:
        words = world.vocabulary.decode(document[1:-1].tolist())
        begin = 0
        for end in (i for i, word in enumerate(words) if word == FULL_STOP):
            sentences.append(tuple(words[begin:end]))
            begin = end + 1
        if len(sentences) >= count:
            break
    return tuple(sentences[:count])
