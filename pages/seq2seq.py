"""Page “Encoder–decoder and attention”: a translation word by word, with one vector and with α."""

from __future__ import annotations

import streamlit as st

import ui
from lessons.seq2seq import picture, sections, state, train_section, translated


@st.fragment
def lab() -> None:
    """Everything that changes while a sentence is translated."""
    rows = ui.rows(state.LESSON)
    with rows.errors:
        state.SETTINGS.restore()
    if not translated.has_models():
        with rows.picture:
            st.markdown(translated.MISSING)
        ui.look_closer(rows, {sections.TRAIN: train_section.train_view})
        return
    with rows.errors:
        now = ui.validated_or_previous("seq2seq", state.read_state, state.default_state)
    shown = state.translated(now)
    live = state.live_numbers(shown, now.step)
    with rows.rail:
        hidden = ui.predict_first(sections.questions(shown, now.step))
        ui.sliders(live, on_settled=state.store_slider)
        state.SETTINGS.draw("s2_source")
        st.button(
            "Another sentence",
            icon=":material/shuffle:",
            key="s2-another",
            on_click=state.draw_another,
            width="stretch",
            help="As long as this one; neither model was trained on it",
        )
        if now.forced and not ui.presenting():  # the map has such a button, too
            st.button(
                "Release α",
                icon=":material/lock_open:",
                key="s2-release",
                on_click=ui.set_controls,
                args=({"s2_forced": ""},),
                width="stretch",
            )
        with ui.more(rows):
            sections.more_controls(now, shown)
    with rows.picture:
        asked = (*hidden, *sections.hidden_by_beat())
        covered = "a1" in asked
        texts = ui.stage_texts(
            state.LESSON,
            sentences=picture.step_sentences(shown, now.forced, hidden=covered),
            formula=picture.step_formulas(
                shown, now.forced, hidden=covered, word_hidden="word" in asked
            ),
            alt=picture.describe(shown),
            kind="computed",
            hidden=hidden,
            presses=True,
        )
        how = picture.translation_picture(shown, now.forced)
        ui.main_picture(picture.SEQ2SEQ, live, how, texts, on_event=state.store_event)
    ui.look_closer(rows, sections.views(now, shown, live))
    ui.examples(rows)


with ui.page("seq2seq"):
    lab()
