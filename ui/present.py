"""Presenter mode (`?present=1`): large type, no sidebar, one sentence at a time.

A beat is a sentence and the settings that go with it; the arrow keys move through a page's beats.
"""

from __future__ import annotations

import streamlit as st

from lessons.shared import theme
from ui import components
from ui.assets import apply_style
from ui.lessons import Beat
from ui.widgets import theme_mode


def is_presenting() -> bool:
    """Whether the address asks for presenter mode (`?present=1`)."""
    return st.query_params.get("present") == "1"


def start_button(script: tuple[Beat, ...]) -> None:
    """A button that starts presenter mode."""
    st.button(
        "Present",
        icon=":material/slideshow:",
        key="present-start",
        type="tertiary",
        on_click=_go,
        args=(script, 0),
        help="Large type, no sidebar; ← and → move through the page",
    )


def show_beat(slug: str, script: tuple[Beat, ...]) -> None:
    """Show the sentence of the beat in the address, set its controls, and listen for keys."""
    apply_style("present.css")
    st.html(f"<style>:root {{ --background: {theme.BACKGROUND[theme_mode()]}; }}</style>")
    at = _current(len(script))
    if st.session_state.get("beat-shown") != slug:
        _set(script[at], keep=set(st.query_params))
    st.session_state["beat-shown"] = slug
    with st.container(key="beat"):
        st.markdown(script[at].say)
    with st.container(horizontal=True, vertical_alignment="center", key="beat-keys"):
        st.markdown(f"{at + 1} / {len(script)} · ← →", width="content")
        st.button("Leave presenter mode", key="present-stop", type="tertiary", on_click=_stop)
    last = len(script) - 1
    components.beat_listener(at, last, script[at].below, on_moved=lambda to: _go(script, to))


def _current(count: int) -> int:
    asked = st.query_params.get("beat", "1")
    return min(max(int(asked), 1), count) - 1 if asked.isdecimal() and len(asked) < 4 else 0


def _go(script: tuple[Beat, ...], to: int) -> None:
    st.query_params["present"] = "1"
    st.query_params["beat"] = str(to + 1)
    _set(script[to], keep=set())


def _set(beat: Beat, *, keep: set[str]) -> None:
    for name, value in beat.settings.items():
        if name not in keep:
            st.session_state[name] = value


def _stop() -> None:
    for name in ("present", "beat"):
        st.query_params.pop(name, None)
    st.session_state.pop("beat-shown", None)
