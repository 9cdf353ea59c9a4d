"""The titles of a visitor's slides: a text with one a line, Markdown, a PowerPoint file or a PDF.

Reading a visitor's file may take long, so it is done in a process that can be ended.
"""

from __future__ import annotations

import io
import resource
import zipfile
import zlib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

import psutil

from ui import compute
from ui.lectures.markdown_titles import of_markdown
from ui.lectures.pdf_titles import of_pdf
from ui.lectures.pptx_titles import of_pptx

MOST_UNPACKED = 400_000_000
"""Bytes of a PowerPoint file once it is unpacked; larger files are refused."""
MOST_MEMORY = 1_000_000_000
"""Bytes that reading may take: the XML of a small file can take thousands of times its size."""
MOST_SLIDES = 500
LONGEST = 200
SECONDS = 20.0


class Titles(NamedTuple):
    """The title of each slide that is shown, in order; empty for a slide without text."""

    titles: list[str]
    hidden: int = 0
    """How many slides are left out because the file hides them."""


def read_titles(data: bytes, name: str) -> Titles:
    """The titles in a file of that name.

    Raises:
        ValueError: if the file is not text, a PowerPoint file or a PDF, is too large once unpacked,
            holds too many slides or none with a title, or takes too long to read.
    """
    kind = Path(name).suffix.lower()
    if kind not in READERS:
        raise ValueError(f"{name[:60]!r} must end in {', '.join(READERS)}")
    look = compute.TimeLimit(SECONDS, f"the file must be read within {SECONDS:g} s; it was not")
    return compute.call_in_process(partial(_titles_apart, data, kind), look, reuse=False)


def _titles_apart(data: bytes, kind: str) -> Titles:
    """The titles, in a process that is ended afterwards."""
    most = psutil.Process().memory_info().data + MOST_MEMORY
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))
    return titles_of(data, kind)


def titles_of(data: bytes, kind: str) -> Titles:
    """The titles in a file of that kind, such as `.pdf`.

    Raises:
        ValueError: as `read_titles`.
    """
    try:
        titles, hidden = READERS[kind](data)
    except BROKEN:
        raise ValueError(
            f"the file cannot be read as {kind}: it may be damaged, protected by a "
            "password, or too large"
        ) from None
    found = [" ".join(title.split())[:LONGEST] for title in titles]
    if not any(found):
        raise ValueError("the file must have slides with titles; none was found")
    if len(found) > MOST_SLIDES:
        raise ValueError(f"the file must have at most {MOST_SLIDES} slides; got {len(found)}")
    return Titles(found, hidden)


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError("the text must be UTF-8; it is not") from None


def _of_text(data: bytes) -> tuple[list[str], int]:
    return [line for line in _decoded(data).splitlines() if line.strip()], 0


def _of_markdown(data: bytes) -> tuple[list[str], int]:
    return of_markdown(_decoded(data)), 0


def _of_pptx(data: bytes) -> tuple[list[str], int]:
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        unpacked = sum(each.file_size for each in packed.infolist())
    if unpacked > MOST_UNPACKED:
        raise ValueError(
            f"the file must unpack to at most {MOST_UNPACKED:,} bytes; got {unpacked:,}"
        )
    return of_pptx(data)


def _of_pdf(data: bytes) -> tuple[list[str], int]:
    return of_pdf(data, MOST_SLIDES), 0


BROKEN = (
    *(zipfile.BadZipFile, LookupError, TypeError, AttributeError, ArithmeticError, EOFError),
    *(OSError, RuntimeError, SyntaxError, MemoryError, zlib.error),
)
"""The errors that reading a broken file may raise."""
READERS: dict[str, Callable[[bytes], tuple[list[str], int]]] = {
    ".txt": _of_text,
    ".md": _of_markdown,
    ".pptx": _of_pptx,
    ".pdf": _of_pdf,
}
"""The reader of each kind of file; it returns the titles and the number of hidden slides."""
