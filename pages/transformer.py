"""Page “Transformer block and full model”: one text followed through a whole model."""

from __future__ import annotations

import streamlit as st

import ui
from lessons.transformer import (
    transformer_picture,
    transformer_questions,
    transformer_state,
    transformer_text,
    transformer_views,
    transformer_walk,
)
from lessons.transformer.transformer_shown import Shown
from ui.widgets import address_value


@st.fragment
def lab() -> None:
    """Everything that changes while a text is followed."""
    rows = ui.rows(transformer_state.LESSON)
    with rows.errors:
        transformer_state.SETTINGS.restore()
        now = ui.validated_or_previous(
            "transformer", transformer_state.read_state, transformer_state.default_state
        )
    shown = transformer_state.followed(now)
    place = transformer_state.place_of(now, shown)
    see = address_value("see", "Picture")
    block = transformer_walk.block_of(shown, now.zoom) if see == transformer_views.STEPS else ""
    live = transformer_state.live_numbers(shown, place, block)
    if see in transformer_views.PICTURES:
        transformer_views.PICTURES[see](rows)
    else:
        follow(rows, now, shown, live, place)
    ui.look_closer(rows, transformer_views.views(now, shown, live))
    ui.examples(rows)


def follow(
    rows: ui.Rows,
    now: transformer_state.TransformerState,
    shown: Shown,
    live: ui.LiveNumbers,
    place: int,
) -> None:
    """Draw the way of a text through a model, with its controls."""
    with rows.rail:
        hidden = ui.predict_first(transformer_questions.questions(shown, place))
        transformer_state.SETTINGS.draw("tf_model", "tf_text")
        if shown.kind == "translation":
            transformer_state.SETTINGS.draw("tf_reads")
        ui.sliders(live, on_settled=transformer_state.store_slider)
        with ui.more(rows):
            transformer_state.SETTINGS.draw("tf_at", "tf_zoom")
    with rows.picture:
        number = transformer_state.open_number(now, shown)
        covered = "words" in (*hidden, *transformer_views.hidden_by_beat())
        texts = ui.stage_texts(
            transformer_state.LESSON,
            sentences=transformer_text.sentences(shown, number, covered=covered),
            formula=transformer_text.formulas(shown, number, covered=covered),
            alt=transformer_text.describe(shown),
            kind="computed",
            hidden=hidden,
        )
        how = transformer_picture.flow_picture(
            shown, now.zoom, number, transformer_state.doors(now), ui.theme_mode()
        )
        ui.main_picture(
            transformer_picture.TRANSFORMER,
            live,
            how,
            texts,
            on_event=transformer_state.store_event,
        )


with ui.page("transformer"):
    lab()
