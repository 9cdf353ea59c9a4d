"""The story written for this project: prose with dialogue, quotations and brackets, 60 columns."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

FILE = Path(__file__).resolve().parent / "prose.txt"


@lru_cache(maxsize=1)
def text() -> str:
    """The whole story."""
    return FILE.read_text("utf-8")
