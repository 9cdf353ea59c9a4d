"""Pairs of a source and its target, with the exact target of every source.

    passive       the ball was kicked by kayla      kayla kicked the ball
    translation   the big dogs see a cat            lon kelon granon una mira viden
    mixture       sentences of both: a passive becomes active, an active one is translated
    copy          tom cup dog                       tom cup dog
    reverse       tom cup dog                       dog cup tom

The invented language of `translation` has the adjective after the noun and the verb at the end of
its clause; `translation_words` lists how its words agree. Longer sentences are clauses joined by
*and*; those of `translation` may also have relative clauses.

The split: a source whose hash is in the last tenth is never trained on.

Source: the first sentence is that of CMU 11-411, "Encoder-Decoder Challenge".
"""

from __future__ import annotations

import random
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Literal, get_args

from lmcore import dataframes
from lmcore.checks import check_between, check_one_of
from lmcore.corpora.translation_grammar import draw_sentence, read_active, read_passive
from lmcore.corpora.translation_words import (
    ACTIVE_WORDS,
    COPIED,
    PASSIVE_WORDS,
    WAS,
    source_words,
    target_words,
)
from lmcore.typed import fold
from lmcore.vocabulary import END, EXCERPT_LENGTH, START, Vocabulary

if TYPE_CHECKING:
    from pandas import DataFrame

Task = Literal["passive", "translation", "mixture", "copy", "reverse"]
TASKS: tuple[str, ...] = get_args(Task)
SHORTEST = {"passive": 5, "translation": 2, "mixture": 2, "copy": 1, "reverse": 1}
"""Words of the shortest source of each task."""
LONGEST = 40
"""Words of the longest source."""
PAD = "[PAD]"
"""Fills up short sources in a batch."""
HELD_OUT_ONE_IN = 10
"""One source in this many is held out of training."""
TRIES = 400
"""After this many draws in a row without a new source, there are taken to be no more."""

Words = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TranslatedPair:
    """A source, its target, and for each word of the target the place of the word it renders."""

    source: Words
    target: Words
    alignment: tuple[int, ...]
    """Places in the source, from 0."""

    def to_frame(self) -> DataFrame:
        """One row per word of the target: place, target, source place, source."""
        return dataframes.frame(
            {
                "place": range(len(self.target)),
                "target": list(self.target),
                "source place": list(self.alignment),
                "source": [self.source[place] for place in self.alignment],
            }
        )


@lru_cache(maxsize=1)
def translation_vocabulary() -> Vocabulary:
    """The types of all tasks, of source and target: `<s>`, `</s>`, the words, and last `[PAD]`."""
    words = sorted({*source_words(), *target_words()})
    return Vocabulary((START, END, *words, PAD), "word", lower=True)


@lru_cache(maxsize=len(TASKS))
def task_words(task: str) -> frozenset[str]:
    """The words that a source of the task may have.

    Raises:
        ValueError: if there is no such task.
    """
    check_one_of("the task", task, TASKS)
    if task in ("copy", "reverse"):
        return frozenset(COPIED)
    if task == "mixture":
        return frozenset(source_words())
    return frozenset(PASSIVE_WORDS if task == "passive" else ACTIVE_WORDS)


def parse_source(text: str, task: str) -> Words:
    """The words of a typed source, in lower case, without a full stop at the end.

    Raises:
        ValueError: naming the word that the task does not have or that fits none of its sentences,
            or if there are none or too many words.
    """
    known = task_words(task)
    words = tuple(fold(text).lower().strip().removesuffix(".").split())
    for place, word in enumerate(words, start=1):
        if word not in known:
            near = get_close_matches(word, sorted(known), n=1) or ["kayla"]
            raise ValueError(
                f"word {place} must be one of the {len(known)} words of this task, such as "
                f"{near[0]!r}; got {word[:EXCERPT_LENGTH]!r}"
            )
    translate(words, task)
    return words


def translate(source: Sequence[str], task: str) -> Words:
    """The target of a source.

    Raises:
        ValueError: as `translate_aligned`.
    """
    return translate_aligned(source, task).target


def translate_aligned(source: Sequence[str], task: str) -> TranslatedPair:
    """The target of a source, and which word of the source each of its words renders.

    Raises:
        ValueError: if there is no such task, no word, more than `LONGEST`, or a word that fits no
            sentence of the task.
    """
    known, words = task_words(task), tuple(source)
    if not 1 <= len(words) <= LONGEST:
        raise ValueError(f"a source must have 1 to {LONGEST} words; got {len(words)}")
    if task == "mixture":
        task = "passive" if set(words) & set(WAS.values()) else "translation"
    if task == "passive":
        pairs = read_passive(words)
    elif task == "translation":
        pairs = read_active(words)
    else:
        unknown = [place for place, word in enumerate(words) if word not in known]
        if unknown:
            place = unknown[0]
            raise ValueError(
                f"word {place + 1} must be one of the {len(known)} words of this task; "
                f"got {words[place][:EXCERPT_LENGTH]!r}"
            )
        pairs = list(zip(words, range(len(words)), strict=True))
        pairs = pairs[::-1] if task == "reverse" else pairs
    target, places = zip(*pairs, strict=True)
    return TranslatedPair(words, target, places)


def draw_source(task: str, length: int, rng: random.Random) -> Words:
    """A random source of exactly `length` words.

    Raises:
        ValueError: if there is no such task, or it has no source of that length.
    """
    check_one_of("the task", task, TASKS)
    check_between(f"the words of a source of the task {task}", length, SHORTEST[task], LONGEST)
    if task in ("copy", "reverse"):
        return tuple(rng.choices(COPIED, k=length))
    if task == "mixture":
        passive = length >= SHORTEST["passive"] and rng.random() < 0.5
        task = "passive" if passive else "translation"
    return tuple(draw_sentence("passive" if task == "passive" else "active", length, rng))


def is_held_out(source: Sequence[str]) -> bool:
    """Whether a source belongs to the test split: a property of its words alone."""
    return zlib.crc32(" ".join(source).encode()) % HELD_OUT_ONE_IN == HELD_OUT_ONE_IN - 1


def training_sources(task: str, longest: int, rng: random.Random) -> Iterator[Words]:
    """Sources to train on, endlessly: every length from the shortest to `longest` equally often.

    Raises:
        ValueError: as `draw_source`.
    """
    check_one_of("the task", task, TASKS)
    check_between(f"the words of a source of the task {task}", longest, SHORTEST[task], LONGEST)
    while True:
        # Of a length at which most sources are held out by chance, draws are repeated.
        source = draw_source(task, rng.randint(SHORTEST[task], longest), rng)
        if not is_held_out(source):
            yield source


def held_out_sources(task: str, length: int, count: int, seed: int = 0) -> tuple[Words, ...]:
    """Different sources of exactly `length` words that no run trains on.

    They are fewer than `count` where the task has no more: short sources are few.

    Raises:
        ValueError: as `draw_source`.
    """
    rng = random.Random(f"{task} {length} {seed}")
    found: dict[Words, None] = {}
    for source in islice(_new_held_out(task, length, rng, found), count):
        found[source] = None
    return tuple(found)


def _new_held_out(
    task: str, length: int, rng: random.Random, known: dict[Words, None]
) -> Iterator[Words]:
    """Held-out sources that are not `known` yet, until many draws in a row give none."""
    tries = 0
    while tries < TRIES * HELD_OUT_ONE_IN:
        source = draw_source(task, length, rng)
        tries += 1
        if is_held_out(source) and source not in known:
            tries = 0
            yield source
