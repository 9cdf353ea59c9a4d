"""Page “Transformer block and full model”: one text followed through a whole model."""

from __future__ import annotations

import streamlit as st

import ui
from lessons.transformer import picture, sections, state, tiny_section, walk
from lessons.transformer.shown import Shown
from ui.widgets import address_value


@st.fragment
def lab() -> None:
    """Everything that changes while a text is followed."""
    rows = ui.rows(state.LESSON)
    with rows.errors:
        state.SETTINGS.restore()
        now = ui.validated_or_previous("transformer", state.read_state, state.default_state)
    shown = state.followed(now)
    place = state.place_of(now, shown)
    see = address_value("see", "Picture")
    block = walk.block_of(shown, now.zoom) if see == sections.STEPS else ""
    live = state.live_numbers(shown, place, block)
    if see == tiny_section.ONE_SCREEN:
        tiny_section.show(rows)
    else:
        follow(rows, now, shown, live, place)
    ui.look_closer(rows, sections.views(now, shown, live))
    ui.examples(rows)


def follow(
    rows: ui.Rows, now: state.TransformerState, shown: Shown, live: ui.LiveNumbers, place: int
) -> None:
    """Draw the way of a text through a model, with its controls."""
    with rows.rail:
        hidden = ui.predict_first(sections.questions(shown, place))
        state.SETTINGS.draw("tf_model", "tf_text")
        if shown.kind == "translation":
            state.SETTINGS.draw("tf_reads")
        ui.sliders(live, on_settled=state.store_slider)
        with ui.more(rows):
            state.SETTINGS.draw("tf_at", "tf_zoom")
    with rows.picture:
        number = state.open_number(now, shown)
        covered = "words" in (*hidden, *sections.hidden_by_beat())
        texts = ui.stage_texts(
            state.LESSON,
            sentences=picture.sentences(shown, number, covered=covered),
            formula=picture.formulas(shown, number, covered=covered),
            alt=picture.describe(shown),
            kind="computed",
            hidden=hidden,
            presses=True,
        )
        how = picture.flow_picture(shown, now.zoom, number, state.doors(now), ui.theme_mode())
        ui.main_picture(picture.TRANSFORMER, live, how, texts, on_event=state.store_event)


with ui.page("transformer"):
    lab()
