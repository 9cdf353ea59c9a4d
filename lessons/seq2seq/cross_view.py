"""The picture of cross-attention in the encoder–decoder Transformer that comes with the page."""

from __future__ import annotations

from functools import lru_cache, partial

import streamlit as st

import ui
from drawing.events import Moved
from lessons.seq2seq import cross_picture, cross_text
from lessons.seq2seq.cross_picture import MOST_PLACES, CrossMoves
from lessons.seq2seq.seq2seq_questions import cross_questions
from lessons.seq2seq.seq2seq_state import LESSON, SETTINGS, Seq2SeqState
from lessons.seq2seq.seq2seq_views import hidden_by_beat
from lmcore import parsing
from lmcore.attention.cross_steps import CrossSteps, trace_cross_attention
from lmcore.corpora.translation import Words
from lmcore.models.encoder_decoder import Transformer
from lmcore.shipped import models as shipped
from lmcore.vocabulary import END, Vocabulary
from ui import compute
from ui.widgets import set_controls

MODEL = "encoder_decoder"


def lacks(now: Seq2SeqState) -> str:
    """Why the picture cannot be drawn now; empty if it can."""
    if not shipped.has_weights(MODEL):
        return "the file of the encoder–decoder is missing on this server"
    if len(now.source) >= MOST_PLACES or len(steps_of(now.source).written) > MOST_PLACES:
        return f"only for up to {MOST_PLACES - 1} words"
    return ""


def show(rows: ui.Rows, now: Seq2SeqState) -> None:
    """Draw the steps of the decoder on the stage, and the step, the head and the source."""
    found = steps_of(now.source)
    block, head = cross_picture.head_of(SETTINGS.choice("s2_head"))
    weights = found.of_head(block, head)
    step = min(now.step, len(found.written))
    source = (*now.source, END)
    live = cross_picture.live_numbers(found, weights, step)
    with rows.rail:
        hidden = ui.predict_first(cross_questions(found, source, weights, step))
        ui.sliders(live, on_settled=store_slider)
        SETTINGS.draw("s2_head", "s2_source")
        with ui.more(rows):
            st.caption(WORDS)
    with rows.picture:
        texts = ui.stage_texts(
            LESSON,
            sentences=cross_text.sentences(found, source, weights, ui.quoted),
            formula=cross_text.formulas(
                found, source, weights, ui.quoted, covered="top" in (*hidden, *hidden_by_beat())
            ),
            alt=cross_text.describe(found, source, weights, step),
            hidden=hidden,
        )
        how = cross_picture.picture(found, source, weights, step)
        ui.main_picture(cross_picture.CROSS, live, how, texts, on_event=store_step)


WORDS = (
    "The language that is written is invented: nouns come before adjectives, and the verb comes "
    "last. A small Transformer of 2 blocks a side, with 4 heads each, was trained on it."
)


def steps_of(source: Words) -> CrossSteps:
    """The translation of a source, computed once for all visitors."""
    make = partial(_trace, source)
    return compute.shared_result("cross-attention", make, most=64, says="Translating")


def _trace(source: Words) -> CrossSteps:
    return trace_cross_attention(*_translator(), source)


@lru_cache(maxsize=1)
def _translator() -> tuple[Transformer, Vocabulary]:
    network, vocabulary, *_ = shipped.encoder_decoder()
    return network, vocabulary


def store_slider(moved: Moved) -> None:
    """Store the released step, or the one typed beside it."""
    try:
        step = parsing.parse_integer(moved["typed"], "the step")
        if not 1 <= step <= MOST_PLACES:
            raise ValueError(f"the step must be from 1 to {MOST_PLACES}; got {step}")
    except ValueError as error:
        ui.show_error_later(error)
        return
    store_step({"step": step})


def store_step(event: CrossMoves) -> None:
    """Frame another step."""
    if not 1 <= event["step"] <= MOST_PLACES:
        raise ValueError(f"the step must be from 1 to {MOST_PLACES}; got {event['step']}")
    set_controls({"s2_step": str(event["step"])})
