"""Page “Masks”: which positions a mask hides, what leaks through layers, and corruption."""

from __future__ import annotations

from functools import partial

import streamlit as st

import ui
from lessons.masking import (
    corruption_views,
    fates_view,
    leakage_view,
    live_leakage_view,
    masking_state,
    masking_views,
    noises_view,
    packed_view,
)
from lessons.masking.masking_state import LESSON, SETTINGS


@st.fragment
def lab() -> None:
    """A mask and its weights, what leaks through layers, or a text that is corrupted."""
    rows = ui.rows(LESSON)
    with rows.errors:
        SETTINGS.restore()
    see = masking_state.seen()
    if see == masking_state.FATES:
        views = fates_view.show(rows)
    elif see in masking_state.NOISE_VIEWS:
        views = noises_view.show(rows)
    elif see == masking_state.PACKED:
        views = packed_view.show(rows)
    elif see in masking_state.CORRUPTION_VIEWS:
        views = corruption_views.show(rows)
    elif see in masking_state.TRAIN_VIEWS:
        views = live_leakage_view.show(rows)
    else:
        models = masking_state.available_models()
        with rows.errors:
            first = partial(masking_state.default_state, models, LESSON.defaults["masking_text"])
            current = ui.validated_or_previous(
                "masking", lambda: masking_state.read_state(models), first
            )
            masking_state.offer_similar_words(models)
        draw = leakage_view.show if see in masking_state.LEAKAGE_VIEWS else masking_views.show
        views = draw(rows, current, see)
    pictures = dict.fromkeys(
        (
            masking_state.COMPARE,
            masking_state.LEAKAGE,
            masking_state.TRAIN,
            masking_state.CORRUPTION,
            masking_state.FATES,
            masking_state.NOISES,
            masking_state.PACKED,
        )
    )
    ui.look_closer(rows, {**pictures, **views})
    ui.examples(rows)


with ui.page("masking"):
    lab()
