"""The Microworld on a page: its introduction, its words, and words like one that it lacks."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from drawing import microworld
from ui.widgets import changed_value, escape_markdown, fresh_key

OFFERED = 4
"""Unknown words for which similar ones are offered."""


def microworld_popover(on_word: Callable[[str], None] | None = None, *, doing: str = "") -> None:
    """Draw a popover that introduces the Microworld and lists its words.

    With `on_word` the words can be pressed; `doing` then says what a press does. What is inside is
    drawn only while it is open.
    """
    opened = st.popover(
        "The Microworld",
        icon=":material/public:",
        key="microworld",
        on_change="rerun",
        width="stretch",
        help="The tiny world of words that the small models learn from",
    )
    if not opened.open:
        return
    with opened:
        st.markdown(microworld.introduction())
        st.markdown("\n".join(f"- {escape_markdown(each)}" for each in microworld.SENTENCES))
        words = microworld.known_words()
        if on_word is None:
            st.markdown(escape_markdown(" ".join(words)))
            return
        key = fresh_key("microworld-word", None)

        def pressed() -> None:
            if word := changed_value("microworld-word", key):
                on_word(word)

        st.pills(doing or "Its words", words, key=key, on_change=pressed, wrap=True)


def offer_similar_words(
    text: str,
    on_text: Callable[[str], None],
    english: tuple[str, Callable[[], None]] | None = None,
) -> None:
    """Draw a button for each word spelt like one of `text` that the Microworld does not have.

    A press calls `on_text` with the text in which the unknown word is replaced. `english` is the
    label of a button that has a model of English read the text, and what a press on it does.
    """
    unknown_words = microworld.unknown_words(text)
    offers = [
        (unknown, word)
        for unknown in unknown_words[:OFFERED]
        for word in microworld.similar_words(unknown)
    ]
    if not offers and not (english and unknown_words):
        return
    with st.container(key="offered", horizontal=True, gap="small"):
        for unknown, word in offers:
            st.button(
                f"{escape_markdown(unknown[:20])} → {escape_markdown(word)}",
                key=f"offer-{unknown[:20]}-{word}",
                on_click=on_text,
                args=(microworld.replace_word(text, unknown, word),),
            )
        if english and unknown_words:
            label, read = english
            st.button(label, key="offer-english", icon=":material/translate:", on_click=read)
