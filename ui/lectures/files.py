"""Lectures that do not come with the app: TOML files, from a server's folder or a visitor.

    title = "Week 3"
    by = "A. Lecturer"

    [[slide]]
    heading = "What saturation does"
    path = "/neuron?w=4%2C+4%2C+4&b=2"      the address of a view, from its link
    notes = "Ask first. Then drag b."
    hide = true                             its controls are hidden while it is presented

They are read as data. A faulty file is reported, with what must be there instead.
"""

from __future__ import annotations

import logging
import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator
from pydantic_core import ErrorDetails

from lmcore.configuration import configuration
from lmcore.typed import fold
from ui import contents
from ui.lectures.decks import HOME, OWN, Lecture, Slide, beats_of

LOG = logging.getLogger("lmlive")
MOST_SLIDES = 500
MOST_BYTES = 2_000_000
NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
"""A file's name without its ending: the lecture's name in an address."""


class SlideOfFile(BaseModel):
    """A slide of a file."""

    model_config = ConfigDict(extra="forbid", strict=True)

    heading: str = Field(max_length=200)
    path: str = Field(max_length=8000)
    notes: str = Field("", max_length=2000)
    hide: bool = False

    @field_validator("path")
    @classmethod
    def of_this_app(cls, path: str) -> str:
        """Raises ValueError if it is not a page of this app; a slide without a view has no path."""
        if not path:
            return path
        parts = urlsplit(path)
        slug = parts.path.removeprefix("/")
        slugs = {page.slug for page in contents.PAGES if page.built}
        elsewhere = parts.scheme or parts.netloc or parts.fragment or not path.startswith("/")
        if elsewhere or slug not in slugs | {""}:
            raise ValueError("must be a page of this app, such as /neuron?w=1")
        return path


class LectureOfFile(BaseModel):
    """A lecture as it is in a file."""

    model_config = ConfigDict(extra="forbid", strict=True)

    title: str = Field(max_length=120)
    by: str = Field("", max_length=120)
    slide: list[SlideOfFile] = Field(min_length=1, max_length=MOST_SLIDES)


class FolderOfLectures(NamedTuple):
    """The lectures of a folder, and what is wrong with each of its other files."""

    lectures: Mapping[str, Lecture]
    refused: Sequence[str]


def read_lecture(text: str) -> LectureOfFile:
    """A lecture from the text of a TOML file.

    Raises:
        ValueError: with the first error and its place.
    """
    try:
        try:
            table = tomllib.loads(text)
        except tomllib.TOMLDecodeError:
            table = tomllib.loads(fold(text))  # with a word processor's quotes replaced
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"must be TOML; {error}") from None
    except RecursionError:
        raise ValueError("must have fewer tables or lists inside one another") from None
    try:
        return LectureOfFile.model_validate(table)
    except ValidationError as error:
        raise ValueError(read_error(error)) from None


def read_bytes(data: bytes) -> LectureOfFile:
    """A lecture from the bytes of a TOML file.

    Raises:
        ValueError: as `read_lecture`, or if they are not text.
    """
    try:
        return read_lecture(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise ValueError("must be text in UTF-8") from None


def read_error(error: ValidationError) -> str:
    """The first error and its place, and the number of further errors."""
    first, *others = error.errors()
    more = f" (and {len(others)} more)" if others else ""
    return f"{_place(first['loc'])}: {_message(first)}{more}"


def _place(where: tuple[int | str, ...]) -> str:
    """Where in the file it is: `heading of slide 3`."""
    match where:
        case ("slide" | "slides", int(number), *name):
            return " of ".join([*map(str, name), f"slide {number + 1}"])
        case _:
            return ".".join(map(str, where)) or "the file"


SAID = {
    "missing": "must be given",
    "extra_forbidden": "must be left out: a lecture has no such field",
    "string_type": "must be text",
    "bool_type": "must be true or false",
    "list_type": "must be a list of tables",
    "model_type": "must be a table",
    "string_too_long": "must have at most {max_length} characters",
    "too_long": "must have at most {max_length} slides",
    "too_short": "must have at least {min_length} slide",
}
"""The message for each kind of error."""


def _message(error: ErrorDetails) -> str:
    said = SAID.get(error["type"])
    given = error.get("input")
    shown = f"; got {str(given)[:60]!r}" if isinstance(given, str | int | float | bool) else ""
    if said is None:  # pydantic's own sentence, which may quote braces that were given
        return error["msg"].removeprefix("Value error, ") + shown
    return said.format(**error.get("ctx", {})) + shown


def lectures_of_folder() -> FolderOfLectures:
    """The lectures of the folder that `LMCORE_LECTURES` names, read once."""
    return _read_folder(configuration().lectures)


def check_folder() -> None:
    """Check the folder that `LMCORE_LECTURES` names, if it names one.

    Raises:
        ValueError: if there is no such folder.
    """
    folder = configuration().lectures
    if folder and not Path(folder).is_dir():
        raise ValueError(f"LMCORE_LECTURES must be a folder; got {folder!r}")


@lru_cache(maxsize=4)
def _read_folder(folder: str) -> FolderOfLectures:
    if not folder:
        return FolderOfLectures({}, ())
    try:
        check_folder()
    except ValueError:  # the server does not start without it: it has been removed since
        return FolderOfLectures({}, ("The folder of this server’s lectures is not there.",))
    found, refused = dict[str, Lecture](), list[str]()
    for file in sorted(Path(folder).glob("*.toml")):
        try:
            found[file.stem] = _of_file(file)
        except ValueError as error:
            refused.append(f"{file.name}: {error}")
        except OSError as error:  # whose text contains the file's path
            refused.append(f"{file.name}: {error.strerror}")
    for each in refused:
        LOG.warning("a lecture is left out: %s", each)
    return FolderOfLectures(found, tuple(refused))


def _of_file(file: Path) -> Lecture:
    if not NAME.fullmatch(file.stem) or file.stem in {OWN, *contents.DECKS}:
        raise ValueError(
            "its name must be 1 to 40 lower-case letters, digits, - or _, begin with a letter or "
            f"digit, and not be one of {', '.join((OWN, *contents.DECKS))}"
        )
    if (size := file.stat().st_size) > MOST_BYTES:
        raise ValueError(f"must have at most {MOST_BYTES:,} bytes; got {size:,}")
    read = read_bytes(file.read_bytes())
    slides = tuple(
        Slide(
            file.stem,
            number,
            each.heading,
            kind="live" if each.path else "other",
            page=(urlsplit(each.path).path.removeprefix("/") or HOME) if each.path else "",
            path=each.path,
            beats=beats_of(each.path),
            notes=each.notes,
            hide=each.hide,
        )
        for number, each in enumerate(read.slide, start=1)
    )
    return Lecture(file.stem, read.title, read.title, read.by or "This server", slides)
