"""MiniLM's vectors of the course's passages, which come with the app.

    python -m lessons.transfer.uses.passage_vectors      updates assets/passages.safetensors

It makes the vectors of the passages that have none yet. A server makes what is missing there when
it is first asked for.
"""

from __future__ import annotations

import sys
from functools import lru_cache

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from lessons.transfer.uses.passages import passages
from lmcore.pretrained import wheel
from lmcore.transfer.retrieval import embed_with_minilm
from ui.assets import FOLDER
from ui.lectures import vector_file
from ui.lectures.vector_file import key

PATH = FOLDER / "passages.safetensors"


@lru_cache(maxsize=1)
def kept_vectors() -> dict[str, np.ndarray]:
    """Key → vector, of every passage that the file has."""
    return vector_file.read_vectors(PATH)


def texts_without() -> tuple[str, ...]:
    """The passages that have no vector in the file."""
    return tuple(each.text for each in passages() if key(each.text) not in kept_vectors())


def completed(made: Float[Tensor, "missing width"] | None) -> Float[Tensor, "text width"]:
    """A vector of length 1 for each passage: from the file, in half precision, or from `made`.

    `made` has the rows of `texts_without`; it is None if none is missing.
    """
    vectors = _all_vectors(made)
    rows = np.stack([vectors[key(each.text)] for each in passages()]).astype(np.float32)
    return torch.nn.functional.normalize(torch.from_numpy(rows), dim=-1)


def _all_vectors(made: Float[Tensor, "missing width"] | None) -> dict[str, np.ndarray]:
    if made is None:
        return kept_vectors()
    return kept_vectors() | dict(
        zip(map(key, texts_without()), made.numpy().astype(np.float16), strict=True)
    )


def main() -> None:
    """Make the vectors that are missing, and drop those of passages that no longer exist."""
    missing, keys = texts_without(), dict.fromkeys(key(each.text) for each in passages())
    if not missing and [*kept_vectors()] == [*keys]:
        return
    if missing and wheel.package_folder() is None:
        sys.stdout.write(f"{len(missing)} passages have no vector: MiniLM is not installed\n")
        return
    vectors = _all_vectors(embed_with_minilm(missing) if missing else None)
    vector_file.write_vectors(PATH, {name: vectors[name] for name in keys})
    sys.stdout.write(f"{PATH.name}: {len(keys)} vectors, {len(missing)} of them new\n")


if __name__ == "__main__":
    main()
