"""The files of a new page, from those in `template/`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from ui import contents

TEMPLATE = Path(__file__).resolve().parent / "template"
TABLE = Path("assets/contents.toml")
ENTRY = """[[page]]
slug = "SLUG"
title = "TITLE"
short = "TITLE"
promise = "You will be able to say where σ(z) is one half."
part = "PART"
icon = ":material/tune:"
"""


class PageFiles(NamedTuple):
    """The text of each file of a page by its path from the root, and the table with its entry."""

    made: dict[Path, str]
    table: str


def new_page(slug: str, title: str, part: str = "use") -> PageFiles:
    """The files of a page that runs, last in its part of the course.

    Raises:
        ValueError: if the slug cannot name a file and a link or is taken, the title is empty or has
            a quotation mark, or there is no such part.
    """
    if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z]+)?", slug):
        raise ValueError(
            "the slug must be a word of small letters, or two with _ between; got " + repr(slug)
        )
    if slug in {each.slug for each in contents.PAGES}:
        raise ValueError(f"the slug must be new; there is a page {slug!r}")
    if not title.strip() or set(title) & set('"\\\n'):
        raise ValueError(f'the title must be a text without " and \\; got {title!r}')
    if part not in contents.PARTS:
        raise ValueError(f"the part must be one of {', '.join(contents.PARTS)}; got {part!r}")

    def filled(text: str) -> str:
        named = text.replace("SLUG_NAME", slug.upper()).replace("SLUG", slug)
        return named.replace("TITLE", title.strip()).replace("PART", part)

    made = {
        Path(filled(str(path.relative_to(TEMPLATE).with_suffix("")))): filled(
            path.read_text(encoding="utf-8")
        )
        for path in sorted(TEMPLATE.rglob("*.txt"))
    }
    table = (contents.ROOT / TABLE).read_text(encoding="utf-8")
    return PageFiles(made, _with_entry(table, part, filled(ENTRY)))


def _with_entry(table: str, part: str, entry: str) -> str:
    """The table of pages with one more entry behind the last of its part, or of all."""
    blocks = re.split(r"(?m)^(?=\[)", table)
    pages = [i for i, block in enumerate(blocks) if block.startswith("[[page]]")]
    own = [i for i in pages if f'\npart = "{part}"\n' in blocks[i]]
    at = (own or pages)[-1] + 1
    blocks[at - 1] = blocks[at - 1].rstrip("\n") + "\n\n"
    return "".join([*blocks[:at], entry + "\n" * (at < len(blocks)), *blocks[at:]])
