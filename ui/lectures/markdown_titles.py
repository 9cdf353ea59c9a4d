"""The titles of slides written in Markdown, as Marp, reveal.js and Pandoc read them.

If lines of dashes separate the slides, each slide has a row, with its first heading. Otherwise
every heading of the two upper levels is a slide.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*")
UNDERLINE = re.compile(r" {0,3}(=+|-+)[ \t]*")
RULE = re.compile(r" {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})")
FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
FRONT = re.compile(r"\A\s*---[ \t]*\n.*?\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
ATTRIBUTES = re.compile(r"\s*\{[^{}]*\}\s*$")
MARKS = re.compile(r"(\*\*|__|\*|`|~~)(?=\S)(.+?)(?<=\S)\1")


class Mark(NamedTuple):
    """A heading, or with level 0 a line that separates two slides."""

    level: int
    text: str = ""


def of_markdown(text: str) -> list[str]:
    """The titles of the slides, in order; empty for a slide that has no heading."""
    marks = list(_marks(COMMENT.sub("", FRONT.sub("", text.replace("\r\n", "\n"), count=1))))
    if any(mark.level == 0 for mark in marks):
        slides: list[list[str]] = [[]]
        for mark in marks:
            if mark.level == 0:
                slides.append([])
            else:
                slides[-1].append(mark.text)
        titles = [headings[0] if headings else "" for headings in slides]
        return titles if titles[-1] else titles[:-1]  # a rule may end the file
    levels = sorted({mark.level for mark in marks})[:2]
    return [mark.text for mark in marks if mark.level in levels]


def _marks(text: str) -> Iterator[Mark]:
    fence, before = "", ""
    for line in text.split("\n"):
        if found := FENCE.match(line):
            if not fence:
                fence = found[1]
            elif line.strip().startswith(fence) and not line.strip().strip(fence[0]):
                fence = ""
            before = ""
        elif fence:
            continue
        elif found := HEADING.fullmatch(line):
            yield Mark(len(found[1]), _plain(found[2] or ""))
            before = ""
        elif before and (found := UNDERLINE.fullmatch(line)):
            yield Mark(1 if "=" in found[1] else 2, _plain(before))
            before = ""
        elif RULE.fullmatch(line):
            yield Mark(0)
            before = ""
        else:
            before = line.strip()


def _plain(text: str) -> str:
    """A heading without its marks."""
    text = ATTRIBUTES.sub("", LINK.sub(r"\1", text))
    return MARKS.sub(r"\2", MARKS.sub(r"\2", text)).strip()
