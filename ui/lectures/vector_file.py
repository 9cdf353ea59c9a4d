"""Vectors of texts in a file, in half precision, each under a hash of its texts."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save_file


def key(*texts: str) -> str:
    """The hash of some texts, under which a file has their vector."""
    return hashlib.blake2b("\n".join(texts).encode(), digest_size=8).hexdigest()


def read_vectors(path: Path) -> dict[str, np.ndarray]:
    """Key → vector; empty without a file that can be read."""
    try:
        with safe_open(path, framework="numpy") as file:
            keys = (file.metadata() or {}).get("keys", "").split()
            return dict(zip(keys, file.get_tensor("vectors"), strict=False))
    except (OSError, SafetensorError):
        return {}


def write_vectors(path: Path, vectors: Mapping[str, np.ndarray]) -> None:
    """Write the file anew, readable for all users."""
    stacked = np.stack([*vectors.values()]).astype(np.float16)
    save_file({"vectors": stacked}, path, metadata={"keys": " ".join(vectors)})
    path.chmod(0o644)  # only its owner can read a new file, and the app may be another user
