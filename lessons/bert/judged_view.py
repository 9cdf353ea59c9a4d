"""The picture of what one vector of two texts is used for: four judgements, each with its share."""

from __future__ import annotations

import streamlit as st

import ui
from drawing.events import Name
from lessons.bert import judged_text, pairs_view
from lessons.bert.bert_questions import judged_questions
from lessons.bert.bert_state import LESSON, SETTINGS
from lessons.bert.fill_in_view import Parts
from lessons.bert.pairs_state import pair_state, read_state
from lmcore.checks import check_one_of

ENCODER = "encoder"
SOURCES = (
    "Measured here: half of the pairs have another document’s second half. Quoted: Devlin et al. "
    "2019, table 5, development sets; MRPC and QNLI have two answers, MNLI three. A and B are "
    "made up."
)


def show(rows: ui.Rows) -> Parts:
    """Draw the judgements on the stage, and the choice beside it."""
    measured = pairs_view.measure_pairs(ENCODER, ENCODER)
    found = judged_text.scores(measured)
    chosen = SETTINGS.choice("pairs_judged")
    with rows.rail:
        hidden = ui.predict_first(judged_questions(found))
        if not ui.presenting():
            SETTINGS.draw("pairs_judged")
        with ui.more(rows):
            if ui.presenting():
                SETTINGS.draw("pairs_judged")
            st.caption(SOURCES)
    with rows.picture:
        texts = ui.stage_texts(
            LESSON,
            sentences=[judged_text.sentence(chosen, measured)],
            formula=[judged_text.formulas(chosen)],
            alt=judged_text.describe(),
            kind="quoted" if judged_text.JUDGEMENTS[chosen].measure else "measured here",
            hidden=hidden,
        )
        live = ui.live_numbers("judged", judged_text.numbers(found, chosen), [], {})
        shown = judged_text.picture(measured)
        ui.main_picture(judged_text.JUDGED, live, shown, texts, on_event=store_judgement)
    return {"Many pairs": many_pairs, "What for": pairs_view.applications}


def many_pairs() -> None:
    """The accuracy of the chosen model on pairs that no model was trained on."""
    first = [str(LESSON.defaults[f"pairs_{name}"]) for name in ("model", "first", "second")]
    pairs_view.many_pairs(ui.validated_or_previous("pairs", read_state, lambda: pair_state(*first)))


def store_judgement(pressed: Name) -> None:
    """Store the judgement that was pressed.

    Raises:
        ValueError: if there is none of that name.
    """
    check_one_of("the judgement", pressed, judged_text.JUDGEMENTS)
    ui.set_controls({"pairs_judged": pressed})
