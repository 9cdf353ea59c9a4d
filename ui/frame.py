"""The frame of every page: tab title, sidebar, heading, links to the previous and next page."""

from __future__ import annotations

from itertools import groupby

import streamlit as st

from ui import components, contents, login
from ui.assets import ICON, apply_style
from ui.lessons import lesson
from ui.present import is_presenting, show_beat, start_button
from ui.widgets import theme_mode

APP = "Language Models, Live"


def open_page(slug: str) -> None:
    """Open a page: draw everything above its picture or, in presenter mode, its beats."""
    here, script = contents.page(slug), lesson(slug).beats
    open_shell(f"{here.title} · {APP}")
    apply_style("page.css")
    if is_presenting():
        st.title(here.title, anchor=False)
        show_beat(slug, script)
        return
    _sidebar()
    with st.container(horizontal=True, vertical_alignment="center"):
        st.title(here.title, anchor=False)
        start_button(script)
    st.markdown(here.promise)
    st.caption(" · ".join([", ".join(here.objectives), *_sources(here), *_needs(here)]))


def neighbour_links(slug: str) -> None:
    """Links to the built pages before and after this one."""
    before, after = contents.neighbours(slug)
    keep = {"present": "1"} if is_presenting() else None
    with st.container(horizontal=True, horizontal_alignment="distribute", key="neighbours"):
        if before:
            st.page_link(
                before.script, label=before.title, icon=":material/arrow_back:", query_params=keep
            )
        if after:
            st.page_link(
                after.script,
                label=after.title,
                icon=":material/arrow_forward:",
                icon_position="right",
                query_params=keep,
            )


def device_badge() -> None:
    """Show the device of the models, or the error of an invalid `LMCORE_DEVICE`."""
    from lmcore.device import device, device_name  # torch: only once the page stands

    try:
        where = device()
    except ValueError as error:
        st.error(str(error))
        return
    st.badge(f"Models on: {device_name(where)}", icon=":material/memory:", color="gray")


def open_shell(tab_title: str) -> None:
    """Title, style, login and scripts: what every page begins with."""
    st.set_page_config(page_title=tab_title, page_icon=ICON, layout="wide")
    login.require_login()
    components.send_scripts(theme_mode())


def _sidebar() -> None:
    with st.sidebar:
        st.page_link("app.py", label=APP, icon=":material/home:")
        for part, pages in groupby(contents.PAGES, key=lambda page: page.part):
            st.markdown(f"**{contents.PARTS[part]}**")
            coming = []
            for page in pages:
                if page.built:
                    st.page_link(page.script, label=page.title, icon=page.icon)
                else:
                    coming.append(page.title)
            if coming:
                st.caption(f"Coming: {', '.join(coming)}")
        device_badge()
        login.log_out_button()


def _sources(here: contents.Page) -> list[str]:
    return [
        f"{contents.DECKS[slides.deck].short}: “{slides.headings[0]}”"
        + (f" and {len(slides.headings) - 1} more" if len(slides.headings) > 1 else "")
        for slides in here.slides
    ]


def _needs(here: contents.Page) -> list[str]:
    titles = [contents.page(slug).title for slug in here.needs]
    return [f"builds on {', '.join(titles)}"] if titles else []
