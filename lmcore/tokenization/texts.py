"""The texts for training subwords: those that come with the application, and the user's own."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from lmcore.corpora import prose
from lmcore.corpora.microworld import microworld
from lmcore.tokenization import own_text, split
from lmcore.tokenization.split import WordCounts
from lmcore.vocabulary import END, START, join_tokens

CLASSIC = {"low": 5, "lower": 2, "newest": 6, "widest": 3}
"""Quoted: the words and their counts of Sennrich, Haddow and Birch 2016, algorithm 1."""
BIRDS = """\
the penguin is a bird and a flight of steps is no flight at all
the flight of the gull is long and the flight of the duck is low
a flight at night is a flight in the dark
the careless gull is a homeless gull
the fearless duck is a restless duck
the sea is endless and the wind is endless
a useless wing is less than a wing
the fox is fearless and the wolf is restless
less light less wind and less fear
"""
"""Written for this page. It holds flight and less, and words that end in less, but one word it does
not hold: flightless."""
DOCUMENTS, SEED = 400, 17
"""Documents of the microworld that are drawn, and with which seed."""
MOST_CHARACTERS = 200_000
"""Characters of a visitor's own text."""
LABELS = {
    "birds": "Birds, nine lines",
    "classic": "low lower newest widest",
    "microworld": "Microworld",
    "story": "Story",
    "own": "Your own",
}


@lru_cache(maxsize=8)
def shipped_word_counts(name: str) -> WordCounts:
    """The words of a text that comes with the app.

    Raises:
        ValueError: if there is none of that name.
    """
    return split.count_words(shipped_text(name))


def shipped_text(name: str) -> str:
    """A text that comes with the app.

    Raises:
        ValueError: if there is none of that name.
    """
    if name == "birds":
        return BIRDS
    if name == "classic":
        return " ".join(word for word, n in CLASSIC.items() for _ in range(n))
    if name == "microworld":
        return _microworld()
    if name == "story":
        return prose.text()
    known = ", ".join(each for each in LABELS if each != "own")
    raise ValueError(f"the text must be one of {known}; got {name!r:.40}")


def own_word_counts(typed: str | bytes) -> WordCounts:
    """The words of a person's own text; errors quote none of it.

    Raises:
        ValueError: as `own_text.read_text`, if it exceeds `MOST_CHARACTERS`, or has no word to
            learn from.
    """
    read = own_text.read_text(typed)
    if len(read) > MOST_CHARACTERS:
        raise ValueError(
            f"the text must have at most {MOST_CHARACTERS:,} characters; got {len(read):,}"
        )
    return split.count_words(read)


@lru_cache(maxsize=1)
def _microworld() -> str:
    world = microworld()
    drawn = world.sample(DOCUMENTS, np.random.default_rng(SEED))
    tokens = (world.vocabulary.decode(document.tolist()) for document in drawn)
    kept = ([token for token in each if token not in (START, END)] for each in tokens)
    return "\n".join(join_tokens(each, "word") for each in kept)
