"""MiniLM's vectors of all entries of the search, and of queries.

    python -m ui.lectures.meanings        updates assets/lectures/meanings.safetensors

It makes the vectors of the entries that have none yet, when an image is built and before a release.
An entry without a vector is found by its words alone.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from lmcore.pretrained.reading import TokenizingModel
from ui.assets import FOLDER
from ui.lectures import vector_file
from ui.lectures.finding import LONGEST, WORD, Entry, entries

PATH = FOLDER / "lectures" / "meanings.safetensors"
NAMES, NOTES, TITLES = 1 / 3, 1 / 3, 1 / 3
"""The weights, in an entry's vector, of its other names, its text and the mean of its titles.

The titles are its own and those elsewhere.

Chosen on 120 titles that are worded differently from the decks': the right view is first for 99,
and among the first three for 113. For 40 by another author, tried once, it is first for 31, and
among the first three for 38.
"""
WIDTH = 384
"""The number of dimensions of MiniLM's vectors."""
_lock, _starting = threading.Lock(), threading.Lock()
_loaders: list[threading.Thread] = []
"""The thread that loads the encoder, once there is one."""


def key(entry: Entry) -> str:
    """A hash of an entry's texts, under which the file has its vector."""
    return vector_file.key(entry.title, entry.names, entry.more, *entry.titles)


def kept_vectors() -> dict[str, np.ndarray]:
    """Key → vector, of every entry that the file has; empty without a file that can be read."""
    return vector_file.read_vectors(PATH)


@lru_cache(maxsize=1)
def entry_vectors() -> np.ndarray | None:
    """The vectors of the entries, entry × width; None if the file has none of them.

    The row of an entry that the file lacks is all 0: it is found by its words alone.
    """
    kept, none = kept_vectors(), np.zeros(WIDTH, np.float16)
    if not any(key(each) in kept for each in entries()):
        return None
    return np.stack([kept.get(key(each), none) for each in entries()]).astype(np.float32)


def entries_without() -> list[Entry]:
    """The entries that have no vector."""
    kept = kept_vectors()
    return [each for each in entries() if key(each) not in kept]


def is_available() -> bool:
    """Whether the encoder is installed and entries have vectors."""
    from lmcore.pretrained import wheel  # torch: only where a search needs it

    return wheel.package_folder() is not None and entry_vectors() is not None


def cosines(asked: str) -> np.ndarray | None:
    """The cosine of a query with every entry; None if there is no encoder."""
    return next(iter(cosines_of_all([asked])))


def cosines_if_ready(asked: str) -> np.ndarray | None:
    """As `cosines`; None while the encoder is being loaded, which the first call begins."""
    if not _loaded.cache_info().currsize:
        with _starting:
            if not _loaders:
                _loaders.append(threading.Thread(target=_load, daemon=True))
                _loaders[0].start()
        return None
    return cosines(asked)


def cosines_of_all(asked: Sequence[str]) -> Sequence[np.ndarray | None]:
    """As `cosines`, for many queries; None for those without a letter or a digit."""
    cut = [each[:LONGEST] for each in asked]
    said = [each for each in cut if WORD.search(each)]  # for the others the encoder has no token
    vectors = entry_vectors()
    if vectors is None or not said or not is_available():
        return [None] * len(asked)
    from lmcore.transfer.retrieval import embed_texts

    found = iter(embed_texts(_encoder(), said).numpy() @ vectors.T)
    return [next(found) if WORD.search(each) else None for each in cut]


def _encoder() -> TokenizingModel:
    with _lock:  # of several first callers, only one loads it
        return _loaded()


def _load() -> None:
    if is_available():
        _encoder()


@lru_cache(maxsize=1)
def _loaded() -> TokenizingModel:
    from lmcore.pretrained import wheel

    return wheel.minilm()


def make(wanted: Sequence[Entry]) -> dict[str, np.ndarray]:
    """Key → vector, of these entries."""
    from lmcore.transfer.retrieval import embed_with_minilm

    parts = [
        (weight / len(texts), key(each), text)
        for each in wanted
        for weight, texts in (
            (NAMES, [each.names]),
            (NOTES, [each.more]),
            (TITLES, [each.title, *each.titles]),
        )
        for text in texts
        if text
    ]
    vectors = {key(each): np.zeros(WIDTH, np.float32) for each in wanted}
    if parts:
        found = embed_with_minilm([text for _, _, text in parts]).numpy()
        for (weight, name, _), vector in zip(parts, found, strict=True):
            vectors[name] += weight * vector
    return vectors


def main() -> None:
    """Make the vectors that are missing, and drop those of entries that no longer exist."""
    from lmcore.pretrained import wheel

    missing, keys = entries_without(), dict.fromkeys(key(each) for each in entries())
    if not missing and [*kept_vectors()] == [*keys]:
        return
    if wheel.package_folder() is None:
        sys.stdout.write(f"{len(missing)} entries have no vector: the encoder is not installed\n")
        return
    vectors = kept_vectors() | make(missing)
    vector_file.write_vectors(PATH, {name: vectors[name] for name in keys})
    sys.stdout.write(f"{PATH.name}: {len(keys)} vectors, {len(missing)} of them new\n")


if __name__ == "__main__":
    main()
