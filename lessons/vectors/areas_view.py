"""The view “2003 and 2013”: the products of one training example as areas."""

from __future__ import annotations

import streamlit as st

import ui
from drawing.events import Moved
from lessons.vectors import areas_picture, areas_text
from lessons.vectors.areas_picture import LEAST_TYPES, MOST_TYPES
from lessons.vectors.vectors_questions import area_questions
from lessons.vectors.vectors_state import LESSON, SETTINGS, VectorsState, counted_text
from lmcore import parsing
from lmcore.embeddings.static import costs
from ui.widgets import set_controls

OWN = "own"
READING = (
    "Counted, not timed: measured, the gain is smaller (view Cost). With the gradients both take "
    "three times as many. For each token skip-gram learns from every pair of its window: {pairs} "
    "of them in this text, {token} products. Biases, tanh and softmax have no products of this "
    "size."
)


def show(rows: ui.Rows, now: VectorsState) -> None:
    """Draw both networks on the stage, and the size of the vocabulary in the rail."""
    config = now.config
    counted = counted_text(now.text, now.own, config.window)
    own = len(counted.counts.words)
    pairs = costs.contexts_per_token(counted.counts.pairs)
    with rows.errors:
        types = ui.validated_or_previous("types", lambda: read_types(own), lambda: own)
    live = areas_picture.numbers(config, pairs, own, types)
    with rows.rail:
        hidden = ui.predict_first(area_questions(config, live, own))
        ui.sliders(live, on_settled=store_types)
        SETTINGS.draw("wv_text")
        with ui.more(rows):
            SETTINGS.draw("wv_window", "wv_dim", "wv_k")
            st.caption(live.fill(READING))
    with rows.picture:
        context = areas_picture.network_of(config).context
        example = areas_picture.example_of(counted.sentences, now.word, context)
        texts = ui.stage_texts(
            LESSON,
            sentences=areas_text.sentences(config),
            moved=areas_text.MOVED,
            formula=[areas_text.formula(config)],
            alt=areas_text.describe(config),
            kind="computed",
            hidden=hidden,
        )
        how = areas_picture.picture(config, example, own)
        ui.main_picture(areas_picture.AREAS, live, how, texts)


def read_types(own: int) -> int:
    """The size of the vocabulary: the text's own, or another.

    Raises:
        ValueError: if it is out of bounds.
    """
    typed = st.session_state["wv_types"]
    return own if typed == OWN else _check(parsing.parse_integer(typed, "|V|"))


def _check(types: int) -> int:
    if not LEAST_TYPES <= types <= MOST_TYPES:
        raise ValueError(f"|V| must be from {LEAST_TYPES} to {MOST_TYPES:,}; got {types:,}")
    return types


def store_types(moved: Moved) -> None:
    """Store the released size of the vocabulary, or the one typed beside the slider."""
    try:
        types = _check(parsing.parse_integer(moved["typed"], "|V|"))
    except ValueError as error:
        ui.show_error_later(error)
        return
    set_controls({"wv_types": str(types)})
