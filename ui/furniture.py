"""What every page is furnished with: presets, notice, check yourself, code, the slide says."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from typing import Any, Literal, TypeVar

import streamlit as st

from lmcore.figures.theme import Mode
from lmcore.numbers import significant
from ui import components, contents
from ui.lessons import Lesson, Settings

T = TypeVar("T")
Kind = Literal["computed", "measured here", "quoted"]
MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+\-.!|<>$:~&])")


def presets(here: Lesson) -> None:
    """One button a preset; the one that is on screen now is marked."""
    now = {name: st.session_state.get(name, value) for name, value in here.defaults.items()}
    with st.container(horizontal=True, gap="small", key="presets"):
        for preset in here.presets:
            st.button(
                preset.label,
                key=f"preset {preset.label}",
                type="primary" if preset.settings == now else "secondary",
                help=preset.help,
                on_click=put,
                args=(preset.settings,),
            )


def put(settings: Settings) -> None:
    """Set controls by name; for callbacks, which run before the controls are drawn."""
    for name, value in settings.items():
        st.session_state[name] = value


def last_good(name: str, make: Callable[[], T], fallback: Callable[[], T]) -> T:
    """What the controls ask for; if that is refused, say why and keep the last good state."""
    try:
        made = make()
    except ValueError as error:
        refuse(error)
        return st.session_state.get(f"{name}-good") or fallback()
    st.session_state[f"{name}-good"] = made
    return made


def refuse(error: ValueError) -> None:
    """Show what was wrong and what is allowed; what was typed is shown as text, never run."""
    st.error(plain(str(error)), icon=":material/error:")


def plain(text: str) -> str:
    """`text` such that Markdown shows it letter by letter: no link, no image, no formula."""
    return MARKDOWN.sub(r"\\\1", text).replace("\n", " ")


def mode() -> Mode:
    """The theme the person sees."""
    return "dark" if st.context.theme.type == "dark" else "light"


def notice(*sentences: str, kind: Kind = "computed") -> None:
    """Two or three sentences that point at what just happened, with where the numbers are from."""
    with st.container(border=True, key="notice"):
        st.markdown(f"**Notice** · {' '.join(sentences)} :gray-badge[{kind}]")


def show(figure: Any, *, name: str, reading: str, alt: str) -> None:
    """A Plotly figure with one line on how to read it and buttons to save it."""
    with st.container(key=f"figure-{name}"):
        st.plotly_chart(figure, key=f"chart-{name}", alt=alt, config={"displayModeBar": False})
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(reading)
        components.save(f"figure-{name}", name=name)


def sections(parts: Mapping[str, Callable[[], None]], *, key: str) -> None:
    """Tabs, one of them open and only that one computed; which one is part of the address."""
    for tab, draw in zip(
        st.tabs(list(parts), key=key, bind="query-params"), parts.values(), strict=True
    ):
        if tab.open:
            with tab:
                draw()


def check(question: str, *, answer: float, because: str, key: str, near: float = 0.02) -> None:
    """Predict, then reveal: the answer is computed from the present state.

    `near` is how far off, relative to the answer (or absolute below 1), still counts as right.
    """
    st.markdown(f"**{question}**")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        guess = st.number_input(
            "Your prediction", value=None, format="%.4f", key=f"guess-{key}", width=220
        )
        if not st.toggle("Reveal", key=f"reveal-{key}"):
            return
    if guess is None:
        st.markdown(f"It is **{significant(answer)}**. {because}")
        return
    right = abs(guess - answer) <= near * max(1.0, abs(answer))
    verdict = ":material/check: You were right" if right else ":material/close: Not quite"
    st.markdown(
        f"{verdict}: you said {significant(guess)}, it is **{significant(answer)}**. {because}"
    )


def code(*functions: Callable[..., object], snippet: str, name: str) -> None:
    """A snippet that reproduces this view, and the exact source of the functions that ran."""
    st.caption("Run this beside the project's folder: it prints the numbers on this screen.")
    st.code(snippet, language="python")
    st.download_button(
        "Save as .py", snippet, file_name=f"{name}.py", on_click="ignore", key=f"snippet-{name}"
    )
    st.caption("The code that just ran, read from the module:")
    for function in functions:
        st.code(inspect.getsource(function), language="python")


def slide_says(slug: str) -> None:
    """What the slides of this page have, where that is not right, and the right form."""
    for erratum in (contents.ERRATA[name] for name in contents.page(slug).errata):
        deck = " and ".join(contents.DECKS[name].short for name in erratum.decks)
        with st.expander(f"{deck}, “{erratum.heading}”"):
            st.markdown(f"**The slide says** {erratum.says}")
            st.markdown(f"**Right is** {erratum.correct}")
            if erratum.note:
                st.caption(erratum.note)
