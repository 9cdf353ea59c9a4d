"""The titles of a visitor's slides: a text with one a line, a PowerPoint file or a PDF.

Reading a file of somebody else's may take long, so it is done in a process that can be ended.
"""

from __future__ import annotations

import io
import resource
import zipfile
import zlib
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any

import psutil

from ui import compute

MOST_UNPACKED = 400_000_000
"""Bytes of a PowerPoint file once it is unpacked; larger files are refused."""
MOST_MEMORY = 1_000_000_000
"""Bytes that reading may take: the XML of a small file can take thousands of times its size."""
MOST_SLIDES = 500
LONGEST = 200
SECONDS = 20.0


def read_titles(data: bytes, name: str) -> list[str]:
    """The title of each slide, in order; a slide without text is left out.

    Raises:
        ValueError: if the file is no text, PowerPoint file or PDF, unpacks to too much, holds too
            many slides or none with a title, or takes too long to read.
    """
    kind = Path(name).suffix.lower()
    if kind not in READERS:
        raise ValueError(f"{name[:60]!r} must end in {', '.join(READERS)}")
    look = compute.time_limit(SECONDS, f"the file must be read within {SECONDS:g} s; it was not")
    return compute.call_in_process(partial(_titles_apart, data, kind), look, reuse=False)


def _titles_apart(data: bytes, kind: str) -> list[str]:
    """The titles, in a process that is ended afterwards."""
    most = psutil.Process().memory_info().data + MOST_MEMORY
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))
    return titles_of(data, kind)


def titles_of(data: bytes, kind: str) -> list[str]:
    """The titles in a file of that kind, such as `.pdf`.

    Raises:
        ValueError: as `read_titles`.
    """
    try:
        titles = READERS[kind](data)
    except BROKEN:
        raise ValueError(
            f"the file cannot be read as {kind}: it may be damaged, protected by a "
            "password, or too large"
        ) from None
    found = [" ".join(title.split())[:LONGEST] for title in titles]
    found = [title for title in found if title]
    if not found:
        raise ValueError("the file must have slides with titles; none was found")
    if len(found) > MOST_SLIDES:
        raise ValueError(f"the file must have at most {MOST_SLIDES} slides; got {len(found)}")
    return found


def _of_text(data: bytes) -> Iterable[str]:
    try:
        return data.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise ValueError("the text must be UTF-8; it is not") from None


def _of_pptx(data: bytes) -> Iterable[str]:
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        unpacked = sum(each.file_size for each in packed.infolist())
    if unpacked > MOST_UNPACKED:
        raise ValueError(
            f"the file must unpack to at most {MOST_UNPACKED:,} bytes; got {unpacked:,}"
        )
    from pptx import Presentation
    from pptx.exc import PythonPptxError

    try:
        slides = Presentation(io.BytesIO(data)).slides
        return [_title_of(slide) for slide in slides]
    except PythonPptxError as error:
        raise LookupError(str(error)) from None


def _title_of(slide: Any) -> str:
    """The title; of a slide that has none, its first line of text."""
    if slide.shapes.title and slide.shapes.title.text.strip():
        return str(slide.shapes.title.text)
    texts = [each.text_frame.text for each in slide.shapes if each.has_text_frame]
    return next((line for text in texts for line in text.splitlines() if line.strip()), "")


def _of_pdf(data: bytes) -> Iterable[str]:
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    try:
        pages = PdfReader(io.BytesIO(data)).pages
        if len(pages) > MOST_SLIDES:
            raise ValueError(f"the file must have at most {MOST_SLIDES} slides; got {len(pages)}")
        texts = [page.extract_text() for page in pages]
    except PyPdfError as error:
        raise LookupError(str(error)) from None
    return [next((line for line in text.splitlines() if line.strip()), "") for text in texts]


BROKEN = (
    *(zipfile.BadZipFile, LookupError, TypeError, AttributeError, ArithmeticError, EOFError),
    *(OSError, RuntimeError, SyntaxError, MemoryError, zlib.error),
)
"""What reading a broken file may end in."""
READERS: dict[str, Callable[[bytes], Iterable[str]]] = {
    ".txt": _of_text,
    ".md": _of_text,
    ".pptx": _of_pptx,
    ".pdf": _of_pdf,
}
"""What reads each kind of file."""
