"""Home: the timeline of the field, the learning objectives, all pages, and the notation."""

from __future__ import annotations

from datetime import date
from itertools import groupby
from typing import Any

import streamlit as st

import ui
from lessons.home.timeline import TimelineMark, timeline
from lmcore.notation import NOTATION
from ui import contents


def welcome() -> None:
    """Draw the introduction, and links to the pages to start with."""
    st.markdown(
        "From one sigmoid neuron to BERT and GPT, following five lecture decks. Every number is "
        "computed live, and changes when you change an input."
    )
    stars = [page for page in contents.PAGES if page.star]
    built = [page for page in stars if page.built]
    with st.container(horizontal=True, vertical_alignment="center"):
        for page in built:
            st.page_link(page.script, label=f"Start: {page.title}", icon=page.icon)


def history() -> None:
    """Draw the decks' timeline; choosing a mark opens the page that runs a small version of it."""
    st.header("How the field got here", anchor=False)
    marks = [TimelineMark(e.year, e.label, e.kind, e.text) for e in contents.TIMELINE]
    chosen = ui.show_figure(
        timeline(marks, date.today().year, ui.theme_mode()),
        name="timeline",
        reading="Stony Brook deck, “Timeline: Language Modeling and Vector Semantics”. Choose a "
        "mark to open the page that runs a small version of it.",
        alt=f"{len(marks)} events from {marks[0].label} {marks[0].year} to {marks[-1].label} "
        f"{marks[-1].year}.",
        selectable=True,
    )
    if chosen:
        visit(chosen[0])
    with st.expander("The same as a list"):
        for event in contents.TIMELINE:
            year = f"**{event.year}**" + ("" if event.printed else " (looked up)")
            st.markdown(f"{year} {event.label}: {event.text} → {contents.page(event.page).title}")


def visit(label: str) -> None:
    """Open the page of the timeline event with this label, or say that it is planned."""
    event = next(e for e in contents.TIMELINE if f"{e.label} {e.year}" == label)
    page = contents.page(event.page)
    if page.built:
        st.switch_page(page.script)
    st.info(f"{event.text} Its page, “{page.title}”, is planned.")


def objectives() -> None:
    """List the learning objectives, each with links to the pages that serve it."""
    st.header("What you will be able to do", anchor=False)
    for objective in contents.OBJECTIVES.values():
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown(f"**{objective.id}** {objective.text}", width="content")
            pages = contents.pages_serving(objective.id)
            for page in pages:
                if page.built:
                    st.page_link(page.script, label=page.title, icon=page.icon)
            coming = [page.title for page in pages if not page.built]
            if coming:
                st.caption(f"Coming: {' · '.join(coming)}")


def every_page() -> None:
    """List all pages by part, built and planned, each with its promise."""
    st.header("All pages", anchor=False)
    for part, pages in groupby(contents.PAGES, key=lambda page: page.part):
        st.markdown(f"**{contents.PARTS[part]}**")
        grid: Any = st.grid(min_column_width=300)
        for page in pages:
            with grid.container(border=True):
                if page.built:
                    st.page_link(page.script, label=page.title, icon=page.icon)
                else:
                    st.markdown(f"{page.title} :gray-badge[coming]")
                st.caption(page.promise)


def notation() -> None:
    """List every symbol of the course, once."""
    with st.expander("Notation"):
        lines = ["| quantity | symbol | meaning |", "|---|---|---|"]
        lines += [f"| {s.word} | ${s.latex}$ | {s.meaning} |" for s in NOTATION]
        st.markdown("\n".join(lines))


ui.open_home()
welcome()
history()
objectives()
every_page()
notation()
ui.errata(contents.HOME_ERRATA)
