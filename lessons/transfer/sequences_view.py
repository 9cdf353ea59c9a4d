"""The view *As one sequence*: structured input, as the first GPT and BERT read it."""

from __future__ import annotations

from typing_extensions import TypedDict

import ui
from drawing.events import Name
from lessons.transfer import inputs_view, sequences_picture, sequences_text
from lessons.transfer.sequences_picture import SEQUENCES
from lessons.transfer.transfer_questions import sequences_questions
from lessons.transfer.transfer_state import INPUT_KINDS, LESSON, SETTINGS
from lmcore.checks import check_one_of

NAME = "As one sequence"


def show(rows: ui.Rows) -> None:
    """Draw the sequences on the stage, and the kind of input and the texts beside them."""
    kind = SETTINGS.choice("in_kind")
    with rows.errors:
        texts = ui.validated_or_previous(
            f"in texts {kind}", inputs_view.read_texts, inputs_view.default_texts
        )
    live = sequences_picture.numbers(kind, texts)
    with rows.rail:
        hidden = ui.predict_first(sequences_questions())
        SETTINGS.draw("in_kind")
        with ui.more(rows):
            inputs_view.draw_texts(kind)
    with rows.picture:
        texts_of_stage = ui.stage_texts(
            LESSON,
            sentences=[sequences_text.sentence(kind, texts)],
            formula=[] if hidden else [sequences_text.formula(kind)],
            alt=sequences_text.describe(kind, texts, hidden=bool(hidden)),
            kind="computed",
            hidden=hidden,
        )
        how = sequences_picture.picture(kind, texts)
        ui.main_picture(SEQUENCES, live, how, texts_of_stage, on_event=open_kind)


class Kind(TypedDict):
    """A kind of input that was pressed."""

    kind: Name


def open_kind(event: Kind) -> None:
    """Show the kind of input that was pressed.

    Raises:
        ValueError: if there is no such kind.
    """
    check_one_of("the kind of input", event["kind"], INPUT_KINDS)
    ui.set_controls({"in_kind": event["kind"]})
