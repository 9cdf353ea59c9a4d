"""The map of the course's models: what a Transformer is built of, what came before, what follows.

The boxes are in `assets/map.toml`, each a link to its page; the page that is open is marked.
"""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from ui import contents


@dataclass(frozen=True, slots=True)
class Box:
    """A part of the figure, and the slug of the page that explains it, built or not."""

    label: str
    page: str


@dataclass(frozen=True, slots=True)
class Group:
    """Rows of boxes from top to bottom, in a frame if it has a title."""

    rows: tuple[tuple[Box, ...], ...]
    frame: str = ""


@dataclass(frozen=True, slots=True)
class Column:
    """Groups from top to bottom."""

    title: str
    groups: tuple[Group, ...]

    @property
    def boxes(self) -> tuple[Box, ...]:
        """All boxes, in reading order."""
        return tuple(box for group in self.groups for row in group.rows for box in row)


def _group(table: dict[str, object]) -> Group:
    rows: object = table["rows"]
    assert isinstance(rows, list)
    return Group(
        tuple(tuple(Box(**box) for box in row) for row in rows), str(table.get("frame", ""))
    )


HELP = "Map of the models"
_table = contents.read_toml("map.toml")
PARTS: tuple[str, ...] = tuple(_table["parts"])
"""The parts of the course whose pages have the map."""
COLUMNS: tuple[Column, ...] = tuple(
    Column(column["title"], tuple(map(_group, column["group"]))) for column in _table["column"]
)


def has_map(page: contents.Page) -> bool:
    """Whether a page has the map in its bar: one of those parts, with a box in the map."""
    return page.part in PARTS and any(
        box.page == page.slug for column in COLUMNS for box in column.boxes
    )


def draw_map(slug: str) -> None:
    """Draw the map, with the place of a page in it."""
    here = [box for column in COLUMNS for box in column.boxes if box.page == slug][-1]
    with st.container(key="map", horizontal=True, gap="small"):
        for column in COLUMNS:
            with st.container(gap="small"):
                st.markdown(f"**{column.title}**")
                for group in column.groups:
                    _draw_group(group, here)


def _draw_group(group: Group, here: Box) -> None:
    with st.container(border=bool(group.frame), gap="small"):
        if group.frame:
            st.caption(group.frame)
        for row in group.rows:
            with st.container(horizontal=True, wrap=False, gap="small"):
                for box in row:
                    _draw_box(box, marked=box is here)


def _draw_box(box: Box, *, marked: bool) -> None:
    page = contents.page(box.page)
    if not page.built:
        st.caption(f"{box.label} (planned)", width="stretch")
        return
    label = f"**{box.label}** · you are here" if marked else box.label
    st.page_link(page.script, label=label, width="stretch", help=page.title)
