"""The Microworld in words: what it is, sentences from it, and its vocabulary."""

from __future__ import annotations

import re
from functools import lru_cache

from lmcore.corpora.microworld import microworld
from lmcore.tokenization.rules import SPECIAL_TOKENS
from lmcore.typed import fold
from lmcore.vocabulary import END, START, Vocabulary

SENTENCES = (
    "i have to make sure that the cat gets fed in the morning .",
    "the horse which was raced past the barn tripped .",
    "the animal didn't cross the street because it was too tired .",
    "the note said fine . it came from the doctor .",
)
"""One sentence of each of the four kinds of text."""


@lru_cache(maxsize=1)
def known_words() -> tuple[str, ...]:
    """The words and marks of the Microworld, in the order of the alphabet."""
    return tuple(sorted(set(microworld().vocabulary.tokens) - {START, END}))


def word_count() -> int:
    """The number of words of the Microworld that every page states: without the full stop."""
    return len(microworld().vocabulary.words)


def introduction() -> str:
    """What the Microworld is and why the small models learn from it."""
    return (
        f"A tiny English of **{word_count()} words** and the full stop, written by a grammar: all "
        "small models here learn from its texts. The grammar knows the true probability of every "
        "next word, so a model can be compared with the truth. Four kinds of text:"
    )


def reason(vocabulary: Vocabulary) -> str:
    """Why a vocabulary lacks a word: what the Microworld is, if the words are its own."""
    if vocabulary.words != microworld().vocabulary.words:
        return ""
    return (
        f". This model has read the Microworld alone, a tiny English of {word_count()} words. A "
        "grammar writes it, so that every probability can be compared with the exact one."
    )


def unknown_words(text: str) -> tuple[str, ...]:
    """The words of a typed text that the Microworld does not have, each once.

    Special tokens such as [MASK] do not count as words.
    """
    for special in SPECIAL_TOKENS:
        text = text.replace(special, " ")
    known = microworld().vocabulary
    return tuple(dict.fromkeys(token for token in known.split(text.lower()) if token not in known))


def similar_words(word: str) -> tuple[str, ...]:
    """The words of the Microworld that are spelt most like `word`; empty if none is similar."""
    return microworld().vocabulary.similar(word)


def replace_word(text: str, word: str, by: str) -> str:
    """A typed text with every `word` replaced by `by`."""
    return re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", lambda _: by, fold(text), flags=re.IGNORECASE)


def replace_place(text: str, place: int, by: str) -> str:
    """A text with the word at `place` replaced, or with one word more; 1 is the first place."""
    known = microworld().vocabulary
    tokens = [token for token in known.split(text) if token not in (START, END)]
    tokens[place - 1 : place] = [by]
    return " ".join(tokens)
