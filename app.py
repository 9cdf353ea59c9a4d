"""Home: a picture to drag, the lectures, the path through seven pages, and all pages."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import streamlit as st

import ui
from lessons.home import home_picture, home_state, rivers
from lmcore.notation import NOTATION
from ui import contents
from ui.goals import draw_goals
from ui.lectures import coverage, lectures

STARS = sorted((page for page in contents.PAGES if page.star), key=lambda page: page.star or 0)
GUIDED = {"tour": "1"}


@st.fragment
def stage() -> None:
    """The next word on a line of length 1: the needle is dragged, the temperature turned."""
    with st.container(key="stage", height="stretch", gap=None):
        with st.container(key="errors", gap=None):
            home_state.SETTINGS.restore()
            try:
                opening = home_state.opening()
            except ValueError as error:  # a device that is not there
                ui.show_error(error)
                return
            live = ui.validated_or_previous(
                "home", home_state.slider_numbers, home_state.slider_numbers
            )
        texts = ui.stage_texts(
            home_state.LESSON,
            sentences=home_picture.sentences(opening),
            alt=home_picture.describe(opening),
            kind=f"measured here: small GPT, {len(opening.words)} words",
        )
        with st.container(key="picture", height="stretch", gap=None):
            ui.main_picture(home_picture.HOME, live, home_picture.payload(opening), texts)
        with st.container(key="hands"):
            ui.sliders(live, on_settled=home_state.store_slider)
        ui.folded_view(FOLDED)


def teach() -> None:
    """The decks, each a way to the index of its slides."""
    st.subheader("Teach a lecture", anchor=False)
    st.caption("The decks, slide by slide")
    with st.container(key="decks", gap=None):
        for deck in lectures().values():
            found = coverage(deck.slides)
            st.page_link(
                "pages/lectures.py",
                label=f"{deck.short} · {found.whole} live"
                + (f", {found.part} in part" if found.part else ""),
                query_params={"deck": deck.id},
                help=f"{deck.title}, {deck.by}",
            )


def learn() -> None:
    """The seven pages in a row, each opened as a tour, with marks for those that are done."""
    st.subheader("Learn by yourself", anchor=False)
    st.caption("Seven pages in a row, each with a tour")
    with st.container(key="path", gap=None):
        for page in STARS:
            with st.container(key=f"path-{page.slug}"):
                st.page_link(page.script, label=page.short, query_params=GUIDED, help=page.promise)
    with st.container(
        key="path-end", horizontal=True, wrap=False, vertical_alignment="center", gap="small"
    ):
        first = STARS[0]
        with st.container(key="path-start", width="content"):
            st.page_link(first.script, label="Start with one neuron", query_params=GUIDED)
        ui.path_marks([page.slug for page in STARS])


def every_page() -> None:
    """All pages by part."""
    built = sum(page.built for page in contents.PAGES)
    st.subheader("All pages", anchor=False)
    st.caption(f"{built} pages in five parts")
    with st.container(key="parts", gap=None):
        for part, pages in groupby(contents.PAGES, key=lambda page: page.part):
            with st.container(key=f"part-{part}", horizontal=True, gap=None):
                st.markdown(f"**{contents.PARTS[part]}**", width=192)
                for page in (page for page in pages if page.built):
                    st.page_link(page.script, label=page.short, width="content", help=page.promise)


@st.fragment
def history_stage(presented: bool) -> None:
    """The timeline on the stage: a year is chosen, and the pages that run its works are linked."""
    with st.container(key="stage", height="stretch", gap=None):
        with st.container(key="errors", gap=None):
            home_state.SETTINGS.restore()
            year = ui.validated_or_previous(
                "rivers", lambda: home_state.SETTINGS.number("year"), lambda: rivers.FIRST
            )
        live = rivers.numbers(year)
        texts = ui.stage_texts(
            home_state.LESSON,
            sentences=rivers.sentences(),
            alt=rivers.describe(year),
            kind="quoted",
        )
        with st.container(key="picture", height="stretch", gap=None):
            ui.main_picture(rivers.RIVERS, live, rivers.picture(), texts)
        with st.container(key="hands"):
            ui.sliders(live, on_settled=home_state.store_slider)
            if not presented:
                link_pages(rivers.events_of(year))


def link_pages(events: Sequence[contents.TimelineEvent]) -> None:
    """The pages that run a small version of these works."""
    with st.container(horizontal=True, gap="medium"):
        for slug in dict.fromkeys(each.page for each in events):
            page = contents.page(slug)
            st.page_link(
                page.script, label=f"Open {page.short}", help=page.promise, width="content"
            )


def history() -> None:
    """The events as a list, and the way to their picture."""
    st.page_link("app.py", label="Show the timeline", query_params={"see": TIMELINE})
    for event in contents.TIMELINE:
        year = f"**{event.year}**" + ("" if event.printed else " (looked up)")
        st.markdown(f"{year} {event.label}: {event.text} → {contents.page(event.page).title}")
    st.caption(
        "The Stony Brook deck’s timeline; attention in translation is cited by Washington’s."
    )


def notation() -> None:
    """Every symbol of the course, and what is wrong or imprecise about all decks."""
    lines = ["| quantity | symbol | meaning |", "|---|---|---|"]
    lines += [f"| {s.word} | ${s.latex}$ | {s.meaning} |" for s in NOTATION]
    st.markdown("\n".join(lines))
    ui.errata(contents.HOME_ERRATA)


TIMELINE = "Timeline"
FOLDED = {TIMELINE: history, "Goals": draw_goals, "Notation": notation}

with ui.home(home_state.LESSON, FOLDED) as presented:
    if ui.folded_view_named(FOLDED) == TIMELINE:
        history_stage(presented)
    else:
        stage()
    if not presented and not ui.folded_view_named(FOLDED):
        with st.container(key="cards"):
            for key, card in (
                ("card-teach", teach),
                ("card-learn", learn),
                ("card-pages", every_page),
            ):
                with st.container(key=key, gap=None):
                    card()
