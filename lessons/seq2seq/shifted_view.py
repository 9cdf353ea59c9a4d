"""The view *Shifted by one*: what the decoder reads in training, and what it reads alone."""

from __future__ import annotations

import ui
from drawing.events import Moved
from lessons.seq2seq import shifted_picture
from lessons.seq2seq.measured_text import ATTENTION, LABELS, VECTOR
from lessons.seq2seq.measured_view import target_probabilities
from lessons.seq2seq.seq2seq_questions import shifted_questions
from lessons.seq2seq.seq2seq_state import LESSON, SETTINGS, Seq2SeqState
from lessons.seq2seq.shifted_picture import Shifted, ShiftedMoves
from lessons.seq2seq.translated import Translated
from lmcore import parsing
from ui.widgets import set_controls

MOST_STEPS = 14
"""The most words of a target that have room."""


def lacks(shown: Translated) -> str:
    """Why the picture cannot be drawn now; empty if it can."""
    if max(len(shown.target_words), len(shown.vector.written)) > MOST_STEPS:
        return f"only for translations of up to {MOST_STEPS - 1} words"
    return ""


def show(rows: ui.Rows, now: Seq2SeqState, shown: Translated) -> None:
    """Draw both ways to read on the stage, and the step, the model and the source in the rail."""
    name = VECTOR if SETTINGS.choice("s2_model") == "vector" else ATTENTION
    its = _shifted(shown, name, now.step)
    live = shifted_picture.numbers(its)
    with rows.rail:
        hidden = ui.predict_first(shifted_questions(its))
        ui.sliders(live, on_settled=store_slider)
        SETTINGS.draw("s2_model", "s2_source")
    with rows.picture:
        texts = ui.stage_texts(
            LESSON,
            sentences=shifted_picture.sentences(its),
            formula=shifted_picture.formulas(its),
            alt=shifted_picture.describe(its, LABELS[name]),
            hidden=hidden,
        )
        how = shifted_picture.picture(its, LABELS[name])
        ui.main_picture(shifted_picture.SHIFTED, live, how, texts, on_event=store_step)


def _shifted(shown: Translated, name: str, step: int) -> Shifted:
    steps = shown.vector if name == VECTOR else shown.free
    target = shown.target_words
    chances = target_probabilities(shown.pair.source)[name]
    return Shifted(target, shown.decode(steps.written), chances, min(step, len(target)))


def store_slider(moved: Moved) -> None:
    """Store the released step, or the one typed beside it."""
    try:
        step = parsing.parse_integer(moved["typed"], "the step")
        if not 1 <= step <= MOST_STEPS:
            raise ValueError(f"the step must be from 1 to {MOST_STEPS}; got {step}")
    except ValueError as error:
        ui.show_error_later(error)
        return
    store_step({"step": step})


def store_step(event: ShiftedMoves) -> None:
    """Frame another step."""
    set_controls({"s2_step": str(min(max(event["step"], 1), MOST_STEPS))})
