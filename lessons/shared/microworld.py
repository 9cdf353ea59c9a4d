"""The Microworld in words: what it is, sentences from it, and the words that it has."""

from __future__ import annotations

import re
from functools import lru_cache

from lmcore.corpora.microworld import microworld
from lmcore.evaluation.sentence import nearest_words
from lmcore.vocabulary import END, START, split_text

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


def introduction() -> str:
    """What the Microworld is and why the small models learn from it."""
    return (
        f"A tiny English of **{len(known_words()) - 1} words** and the full stop, written by a "
        "grammar: all small models here learn from its texts. The grammar knows the true "
        "probability of every next word, so a model can be compared with the truth. Four kinds "
        "of text:"
    )


def unknown_words(text: str) -> tuple[str, ...]:
    """The words of a typed text that the Microworld does not have, each once."""
    tokens = split_text(text.lower(), "word")
    known = microworld().vocabulary
    return tuple(dict.fromkeys(token for token in tokens if token not in known))


def similar_words(word: str) -> tuple[str, ...]:
    """The words of the Microworld that are spelt most like `word`; empty if none is similar."""
    return tuple(each for each in nearest_words(microworld().vocabulary, word) if each[0] != "<")


def replace_word(text: str, word: str, by: str) -> str:
    """A typed text with `by` in every place of `word`."""
    return re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", lambda _: by, text, flags=re.IGNORECASE)


def replace_place(text: str, place: int, by: str) -> str:
    """A text with the word at `place` replaced, or with one word more; 1 is the first place."""
    tokens = [token for token in split_text(text, "word") if token not in (START, END)]
    tokens[place - 1 : place] = [by]
    return " ".join(tokens)
