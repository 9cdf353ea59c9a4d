"""The search for pages, slides, examples and words: by the words typed, and by their meaning.

By words it is SQLite's full-text index, with stems and the beginning of the last word. By meaning
it is the cosine of MiniLM's vectors, where that encoder is installed; the vectors of all entries
come with the app (`python -m ui.lectures.meanings` makes them).
"""

from __future__ import annotations

import re
import sqlite3
import threading
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

import numpy as np

from lmcore.typed import fold
from ui import contents, glossary
from ui.lectures.decks import decks
from ui.lessons import lesson

EntryKind = Literal["page", "slide", "example", "word"]
LONGEST = 200
"""Characters of a query that are read."""
WORD = re.compile(r"\w+")
WEIGHTS = (6.0, 3.0, 1.0)
"""Scores of a word found in the title, in the synonyms, in the notes."""
SHARE_OF_WORDS = 0.3
"""The weight of the best match by words, relative to a cosine of 1."""
LEAST_COSINE = 0.1
"""Smaller cosines are ignored."""
SURE_COSINE = 0.3
"""An entry with at least this cosine counts as a match; random letters reached at most 0.29."""
FITTING_COSINES = 0.21, 0.34, 0.4
"""The least cosine at which a view fits a title: if all of the title's words are among the view's
names, if half are, and if none are."""
NAMED = 0.2
"""Added if a title is one of the names of a slide or an example; half of it for a part of a
name."""
COMMON = frozenset(
    WORD.findall(
        "an and are as at be by can do does for from how in is it its more of on or our so than "
        "that the their this to use vs we what when which who why with you your part example slide"
    )
)
"""Words that say nothing about the subject."""
ENDING = re.compile(r"(?<=\w{3})(?:ings?|ed|es|s)$")
AHEAD = 0.1
"""Subtracted from the cosine of an entry that is not a slide."""


class Entry(NamedTuple):
    """What can be found, and where it leads."""

    kind: EntryKind
    title: str
    about: str
    path: str
    view: str
    """Entries of one view are one hit."""
    names: str
    """Other names."""
    more: str
    """The text about it."""
    titles: tuple[str, ...] = ()
    """Its titles elsewhere."""


class Hit(NamedTuple):
    """An entry that was found."""

    kind: EntryKind
    title: str
    about: str
    path: str


@lru_cache(maxsize=1)
def entries() -> tuple[Entry, ...]:
    """Everything that can be found."""
    return (*_pages(), *_slides(), *_examples(), *_words())


def _pages() -> list[Entry]:
    found = [
        Entry("page", "Home", "All pages and decks", "/", "/", "start, overview", ""),
        Entry(
            "page",
            "Lectures",
            "Every slide of the five decks",
            "/lectures",
            "/lectures",
            "decks, slides, teach, index",
            "",
        ),
    ]
    found += [
        Entry("page", page.title, page.promise, f"/{page.slug}", f"/{page.slug}", page.short, "")
        for page in contents.PAGES
        if page.built
    ]
    return found


def _slides() -> list[Entry]:
    titles = contents.read_toml("lectures/titles.toml")
    return [
        Entry(
            "slide",
            slide.heading,
            f"{there.short}, {slide.number} · {slide.view()}",
            slide.link(),
            slide.address(),
            slide.words,
            slide.notes,
            tuple(titles[there.id].get(str(slide.number), ())),
        )
        for there in decks().values()
        for slide in there.slides
        if slide.page and slide.kind == "live"
    ]


def _examples() -> list[Entry]:
    found = []
    for page in contents.PAGES:
        if not page.built:
            continue
        here = lesson(page.slug)
        for preset in here.presets:
            path = contents.path_of(page.slug, here.address(preset))
            about = f"{page.title} · example"
            found.append(Entry("example", preset.label, about, path, path, "", preset.help))
    return found


def _words() -> list[Entry]:
    return [
        Entry("word", name, says, f"/{page}", f"word {name}", "", says)
        for name, says, page in glossary.terms()
    ]


class WordIndex:
    """The full-text index of some entries; several threads may query it."""

    def __init__(self, found: Sequence[Entry]) -> None:
        self._lock = threading.Lock()
        self._store = sqlite3.connect(":memory:", check_same_thread=False)
        self._store.execute(
            "create virtual table entry using fts5(title, names, more, "
            "tokenize = 'porter unicode61 remove_diacritics 2', prefix = '2 3')"
        )
        self._store.executemany(
            "insert into entry (rowid, title, names, more) values (?, ?, ?, ?)",
            [
                (place, each.title, ", ".join((each.names, *each.titles)), each.more)
                for place, each in enumerate(found)
            ],
        )
        self._size = len(found)

    def scores(self, asked: str) -> np.ndarray:
        """How well each entry fits by its words, from 0 to 1; the best one has 1."""
        words = WORD.findall(fold(asked).lower())
        scores = np.zeros(self._size)
        if not words:
            return scores
        # In quotes, no word is an operator of the query; the last word may be incomplete.
        query = " OR ".join(f'"{word}"' for word in words) + "*"
        with self._lock:
            rows = self._store.execute(
                f"select rowid, -bm25(entry, {', '.join(map(str, WEIGHTS))}) from entry "
                "where entry match ?",
                (query,),
            ).fetchall()
        for place, score in rows:
            scores[place] = score
        most = scores.max()
        return scores / most if most > 0 else scores


@lru_cache(maxsize=1)
def word_index() -> WordIndex:
    """The index of all entries."""
    return WordIndex(entries())


def find(asked: str, meaning: np.ndarray | None = None, most: int = 8) -> list[Hit]:
    """What fits best, at most one hit per view.

    `meaning` is the cosine of the query with each entry, if an encoder is installed.
    """
    asked = asked[:LONGEST]
    scores = SHARE_OF_WORDS * word_index().scores(asked)
    if meaning is not None:
        scores = scores + np.maximum(meaning - LEAST_COSINE - AHEAD * ~_are_slides(), 0)
    scores = scores + np.maximum(_are_called(asked), NAMED * _are_named(asked))
    hits: dict[str, Hit] = {}
    for place in np.argsort(-scores, kind="stable"):
        if scores[place] <= 0 or len(hits) == most:
            break
        entry = entries()[int(place)]
        hits.setdefault(entry.view, Hit(*entry[:4]))
    return list(hits.values())


def is_sure(asked: str, meaning: np.ndarray | None) -> bool:
    """Whether an entry has this title or the best one fits by its meaning.

    Without an encoder: whether a word fits.
    """
    if meaning is not None:
        return bool(meaning.max() >= SURE_COSINE or _are_called(asked).any())
    return bool(word_index().scores(asked[:LONGEST]).any())


def fits(asked: str, hit: Hit, meaning: np.ndarray | None) -> bool:
    """Whether a hit is about what a title says, so that it may be chosen without asking.

    The title is its own or one of its names, or it is near in meaning. The fewer of the title's
    words its names have, the nearer it must be. Without an encoder or a vector of the entry, they
    must have all of them.
    """
    place = next(n for n, each in enumerate(entries()) if Hit(*each[:4]) == hit)
    if _are_called(asked)[place] or _are_named(asked)[place]:
        return True
    entry = entries()[place]
    names = f"{entry.title} {entry.names} {' '.join(entry.titles)}"
    said, known = _stems(asked) - COMMON, _stems(names)
    shared = len(said & known) / max(len(said), 1)
    if meaning is None or not meaning[place]:  # there is no encoder, or no vector of the entry
        return shared == 1
    some, half, none = FITTING_COSINES
    return bool(meaning[place] >= (some if shared == 1 else half if shared >= 0.5 else none))


def _stems(text: str) -> set[str]:
    """The words of a text, roughly without their endings; without single letters and digits."""
    words = (word for word in WORD.findall(text.casefold()) if len(word) > 1)
    return {ENDING.sub("", word) for word in words if not word.isdecimal()}


def _are_named(asked: str) -> np.ndarray:
    """For each slide and example: 1 if the title is one of its names, a half if a part of one."""
    title = " ".join(asked.casefold().split())
    # A name may continue with an index: √d is a part of √d_k.
    part = re.compile(rf"(?<!\w){re.escape(title)}(?![^\W_])")
    found = np.zeros(len(entries()))
    for place, each in enumerate(entries()):
        names = [name.strip() for name in f"{each.title}, {each.names}".casefold().split(",")]
        if title and each.kind in ("slide", "example"):
            found[place] = max(
                float(title in names), 0.5 * any(part.search(name) is not None for name in names)
            )
    return found


def _are_called(asked: str) -> np.ndarray:
    title = fold(asked).strip().lower()
    return np.array([fold(each.title).lower() == title for each in entries()])


@lru_cache(maxsize=1)
def _are_slides() -> np.ndarray:
    return np.array([each.kind == "slide" for each in entries()])
