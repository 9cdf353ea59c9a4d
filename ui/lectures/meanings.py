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
from ui.lectures.finding import LONGEST, entries

PATH = FOLDER / "lectures" / "meanings.safetensors"
WEIGHTS = (0.13, 0.435, 0.435)
"""Of an entry's title, its other names, and what is said of it. Chosen on 80 titles in other words
than the decks': the right view is first for 56 and among three for 69; for 40 others 22 and 32."""
WIDTH = 384
"""Of MiniLM's vectors."""
_lock = threading.Lock()


def digest() -> str:
    """What the texts of all entries are, in short."""
    texts = "\n".join("\n".join(entry.texts()) for entry in entries())
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


def cosines_of_all(asked: Sequence[str]) -> Sequence[np.ndarray | None]:
    """As `cosines`, for many questions."""
    vectors = entry_vectors()
    if vectors is None or not all(each.strip() for each in asked) or not is_available():
        return [None] * len(asked)
    from lmcore.transfer.retrieval import embed_texts

    found = embed_texts(_encoder(), [each[:LONGEST] for each in asked]).numpy()
    return list(found @ vectors.T)


def _encoder() -> TokenizingModel:
    with _lock:  # of several who ask first, one loads it
        return _loaded()


@lru_cache(maxsize=1)
def _loaded() -> TokenizingModel:
    from lmcore.pretrained import wheel

    return wheel.minilm()


def main() -> None:
    """Make the vectors of the entries as they are now."""
    from lmcore.transfer.retrieval import embed_with_minilm

    texts = [entry.texts() for entry in entries()]
    vectors = np.zeros((len(texts), WIDTH), dtype=np.float32)
    for weight, column in zip(WEIGHTS, zip(*texts, strict=True), strict=True):
        given = [place for place, text in enumerate(column) if text]
        vectors[given] += weight * embed_with_minilm([column[place] for place in given]).numpy()
    save_file({"vectors": vectors.astype(np.float16)}, PATH, metadata={"texts": digest()})
    sys.stdout.write(f"{PATH.name}: {len(vectors)} entries\n")


if __name__ == "__main__":
    main()
