"""The titles of the slides of a PowerPoint file."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

from ui.lectures.title_lines import Line, title_of

ASIDE = ("DATE", "FOOTER", "SLIDE_NUMBER", "HEADER")
"""Placeholders whose text is not part of a slide's content."""
TITLES = ("TITLE", "CENTER_TITLE", "VERTICAL_TITLE")
POINTS = 18.0
"""The font size where none is set, in points."""
PER_POINT = 12_700
"""English metric units in a point."""


def of_pptx(data: bytes) -> tuple[list[str], int]:
    """The titles of the slides that are not hidden, and the number of hidden ones.

    Raises:
        LookupError: if it is not a PowerPoint file.
    """
    from pptx import Presentation
    from pptx.exc import PythonPptxError

    try:
        slides = list(Presentation(io.BytesIO(data)).slides)
        shown = [slide for slide in slides if slide.element.get("show") not in ("0", "false")]
        return [_title(slide) for slide in shown], len(slides) - len(shown)
    except PythonPptxError as error:
        raise LookupError(str(error)) from None


def _title(slide: Any) -> str:
    """The text of the title's placeholder, also within a group, else the largest line."""
    shapes = list(_flat(slide.shapes))
    for shape, _ in shapes:
        if _placeholder(shape) in TITLES and shape.text_frame.text.strip():
            return str(shape.text_frame.text)
    return title_of(
        [line for shape, top in shapes if _placeholder(shape) not in ASIDE
         for line in _lines(shape, top)]
    )  # fmt: skip


def _placeholder(shape: Any) -> str:
    """The kind of placeholder that it is; empty if it is none."""
    if not shape.is_placeholder or shape.placeholder_format.type is None:
        return ""
    return str(shape.placeholder_format.type.name)


def _flat(shapes: Any, start: float = 0, per: float = 1) -> Iterator[tuple[Any, float]]:
    """Every shape, also within groups, with its distance from the top of the slide in points."""
    for shape in shapes:
        top = (start + per * (shape.top or 0)) / PER_POINT
        if not hasattr(shape, "shapes"):
            yield shape, top
            continue
        # A group has units of its own: the box of its children is scaled to its own box.
        inner = shape.element.grpSpPr.find(f"{DRAWING}xfrm")
        offset = extent = None
        if inner is not None:
            offset, extent = inner.find(f"{DRAWING}chOff"), inner.find(f"{DRAWING}chExt")
        high = int(extent.get("cy")) if extent is not None else 0
        within = per * (shape.height / high if high and shape.height else 1)
        first = int(offset.get("y")) if offset is not None else 0
        yield from _flat(shape.shapes, start + per * (shape.top or 0) - within * first, within)


def _lines(shape: Any, top: float) -> Iterator[Line]:
    if getattr(shape, "has_table", False) and shape.has_table:
        for row in shape.table.rows:
            for cell in row.cells:
                yield from _paragraphs(cell.text_frame, top, [])
            top += row.height / PER_POINT
    elif shape.has_text_frame:
        yield from _paragraphs(shape.text_frame, top, _styles(shape))


def _paragraphs(frame: Any, top: float, styles: list[Any]) -> Iterator[Line]:
    for paragraph in frame.paragraphs:
        sizes = [run.font.size.pt for run in paragraph.runs if run.font.size is not None]
        size = max(sizes) if sizes else _inherited(paragraph, styles)
        for text in paragraph.text.replace("\v", "\n").split("\n"):
            if text.strip():
                yield Line(text, size, top)
            top += 1.2 * size


def _styles(shape: Any) -> list[Any]:
    """The list styles that set the font size of a shape, its own first."""
    frames = [shape.element]
    if shape.is_placeholder:
        number = shape.placeholder_format.idx
        layout = shape.part.slide_layout
        frames += [each.element for each in layout.placeholders
                   if each.placeholder_format.idx == number]  # fmt: skip
    return [style for frame in frames for style in frame.iter(f"{DRAWING}lstStyle")]


def _inherited(paragraph: Any, styles: list[Any]) -> float:
    if paragraph.font.size is not None:
        return float(paragraph.font.size.pt)
    for style in styles:
        level = style.find(f"{DRAWING}lvl{paragraph.level + 1}pPr/{DRAWING}defRPr")
        if level is not None and level.get("sz"):
            return int(level.get("sz")) / 100
    return POINTS


DRAWING = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
