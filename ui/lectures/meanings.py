"""The vectors of all entries of the search under MiniLM, and of what is asked.

    python -m ui.lectures.meanings        makes assets/lectures/meanings.safetensors

A test fails where the vectors are not those of the entries' texts.
"""

from __future__ import annotations

import hashlib
import sys
import threading
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from safetensors import safe_open
from safetensors.numpy import save_file

from lmcore.pretrained.reading import TokenizingModel
from ui.assets import FOLDER
from ui.lectures.finding import LONGEST, WORD, entries

PATH = FOLDER / "lectures" / "meanings.safetensors"
NAMES, NOTES, TITLES = 1 / 3, 1 / 3, 1 / 3
"""How much of an entry's vector are its other names, what is said of it, and the mean of what it
is called elsewhere. Its own title counts as one of the last.

Chosen on 120 titles in other words than the decks': the right view is first for 99 and among three
for 113. For 40 by another author, tried once, it is first for 31 and among three for 38.
"""
WIDTH = 384
"""Of MiniLM's vectors."""
_lock, _starting = threading.Lock(), threading.Lock()
_loaders: list[threading.Thread] = []
"""The thread that loads the encoder, once there is one."""


def digest() -> str:
    """A hash of the texts of all entries: if it differs from the file's, the vectors are stale."""
    texts = "\n".join(
        "\n".join((each.title, each.names, each.more, *each.titles)) for each in entries()
    )
    return hashlib.blake2b(texts.encode(), digest_size=16).hexdigest()


@lru_cache(maxsize=1)
def entry_vectors() -> np.ndarray | None:
    """The vectors of the entries, entry × width; None if they are of other texts."""
    if not PATH.is_file():
        return None
    with safe_open(PATH, framework="numpy") as file:
        if (file.metadata() or {}).get("texts") != digest():
            return None
        return np.asarray(file.get_tensor("vectors"), dtype=np.float32)


def is_available() -> bool:
    """Whether the encoder is installed and the vectors are those of the entries."""
    from lmcore.pretrained import wheel  # torch: only where a search needs it

    return wheel.package_folder() is not None and entry_vectors() is not None


def cosines(asked: str) -> np.ndarray | None:
    """The cosine of a question with every entry; None where there is no encoder."""
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
    """As `cosines`, for many questions; None for those without a letter or a digit."""
    cut = [each[:LONGEST] for each in asked]
    said = [each for each in cut if WORD.search(each)]  # the encoder reads nothing in the others
    vectors = entry_vectors()
    if vectors is None or not said or not is_available():
        return [None] * len(asked)
    from lmcore.transfer.retrieval import embed_texts

    found = iter(embed_texts(_encoder(), said).numpy() @ vectors.T)
    return [next(found) if WORD.search(each) else None for each in cut]


def _encoder() -> TokenizingModel:
    with _lock:  # of several who ask first, one loads it
        return _loaded()


def _load() -> None:
    if is_available():
        _encoder()


@lru_cache(maxsize=1)
def _loaded() -> TokenizingModel:
    from lmcore.pretrained import wheel

    return wheel.minilm()


def main() -> None:
    """Make the vectors of the entries as they are now."""
    from lmcore.transfer.retrieval import embed_with_minilm

    parts = [
        (weight / len(texts), place, text)
        for place, each in enumerate(entries())
        for weight, texts in (
            (NAMES, [each.names]),
            (NOTES, [each.more]),
            (TITLES, [each.title, *each.titles]),
        )
        for text in texts
        if text
    ]
    found = embed_with_minilm([text for _, _, text in parts]).numpy()
    vectors = np.zeros((len(entries()), WIDTH), dtype=np.float32)
    for (weight, place, _), vector in zip(parts, found, strict=True):
        vectors[place] += weight * vector
    save_file({"vectors": vectors.astype(np.float16)}, PATH, metadata={"texts": digest()})
    sys.stdout.write(f"{PATH.name}: {len(vectors)} entries\n")


if __name__ == "__main__":
    main()
