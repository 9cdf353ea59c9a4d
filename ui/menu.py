"""The bar above every page: the menu of all pages, the title, and the page's buttons."""

from __future__ import annotations

from itertools import groupby
from typing import Any

import streamlit as st

from ui import components, contents, course_map, glossary, guide, login
from ui.frame import APP, device_badge
from ui.lectures import index, place
from ui.lessons import lesson
from ui.widgets import slide_corrections


def bar() -> Any:
    """The row that the bar is drawn in."""
    return st.container(
        key="bar", horizontal=True, wrap=False, vertical_alignment="center", gap="small"
    )


def page_bar(here: contents.Page) -> None:
    """The bar of a lesson's page; in presenter mode its title and the search."""
    with bar():
        if guide.presenting():
            st.title(here.title, anchor=False)
            components.find("none")
            return
        pages_menu()
        with st.container(key="heading", gap=None):
            st.title(here.title, anchor=False)
            st.markdown(here.promise)
        if place.is_part():
            place.draw_place(presenting=False)
        else:
            neighbours(here)
        components.find("button")
        if course_map.has_map(here):
            with st.popover("Map", icon=":material/map:", key="map-open", help=course_map.HELP):
                course_map.draw_map(here.slug)
        with st.popover("Slides & goals", icon=":material/info:", key="goals"):
            slides_and_goals(here)
        with st.popover("Save", icon=":material/download:", key="save"):
            components.saver(here.slug)
        _ways_in(here)


def _ways_in(here: contents.Page) -> None:
    """The buttons that start the tour, unless it is on, and presenter mode."""
    script = lesson(here.slug)
    if guide.mode() == "":
        st.button(
            "Tour",
            icon=":material/explore:",
            key="tour-start",
            on_click=guide.start,
            args=(script, "tour"),
            help="The page explained in a few steps",
        )
    st.button(
        "Present",
        icon=":material/slideshow:",
        key="present-start",
        type="primary",
        on_click=guide.start,
        args=(script, "present"),
        help="One picture for the projector, step by step (P)",
    )


def pages_menu() -> None:
    """The button *Pages*: every page, in its part of the course."""
    with st.popover("Pages", icon=":material/menu:", key="menu"):
        st.page_link("app.py", label=APP, icon=":material/home:")
        st.page_link("pages/lectures.py", label="Lectures", icon=":material/co_present:")
        for part, pages in groupby(contents.PAGES, key=lambda each: each.part):
            st.markdown(f"**{contents.PARTS[part]}**")
            for each in pages:
                if each.built:
                    st.page_link(each.script, label=each.title, icon=each.icon)
        device_badge()
        login.log_out_button()


def neighbours(here: contents.Page) -> None:
    """The pages before and after this one, and its place among all."""
    built = [each for each in contents.PAGES if each.built]
    with st.container(key="turn", horizontal=True, wrap=False, gap=None, width="content"):
        for each, sign, key in zip(
            contents.neighbours(here.slug),
            (":material/chevron_left:", ":material/chevron_right:"),
            ("page-before", "page-after"),
            strict=True,
        ):
            with st.container(key=key, width="content"):
                if each:
                    st.page_link(each.script, label=each.title, icon=sign, width="content")
            if key == "page-before":
                place = 1 + sum(each.number < here.number for each in built)
                st.caption(f"{place} of {len(built)}", width="content")


def slides_and_goals(here: contents.Page) -> None:
    """What a page teaches, the slides that it serves, what it builds on, and the glossary."""
    st.markdown(f"**{here.promise}**")
    st.caption(", ".join(here.objectives))
    for identity in here.objectives:
        st.markdown(f"- {contents.OBJECTIVES[identity].text}")
    index.draw_slides_of_page(here.slug)
    if here.needs:
        needed = ", ".join(contents.page(slug).title for slug in here.needs)
        st.markdown(f"Builds on {needed}.")
    slide_corrections(here.slug)
    with st.expander("Glossary"):
        st.markdown(
            "\n".join(f"- **{name}**: {says}" for name, says in glossary.glossary().items())
        )
