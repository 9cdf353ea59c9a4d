"""The picture of documents packed into inputs of one length, as RoBERTa does, and by themselves."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st

import ui
from drawing.events import Name
from lessons.masking import corruption_state, packed_text
from lessons.masking.corruption_state import PackedDocuments
from lessons.masking.masking_questions import packed_questions
from lessons.masking.masking_state import LESSON, SETTINGS
from lessons.masking.packed_text import Packings
from lmcore.checks import check_one_of


def show(rows: ui.Rows) -> Mapping[str, Callable[[], None] | None]:
    """Draw the inputs on the stage, and the length beside them."""
    with rows.errors:
        read = ui.validated_or_previous(
            "corrupt_pack", corruption_state.read_packing, corruption_state.default_packing
        )
    packed = both_ways(read)
    live = packed_text.numbers(packed, read.length, across=read.across)
    with rows.rail:
        hidden = ui.predict_first(packed_questions(live))
        ui.sliders(live, on_settled=corruption_state.store_length)
        if not ui.presenting():
            SETTINGS.draw("corrupt_pack")
        SETTINGS.draw("corrupt_pack_across")
        with ui.more(rows):
            if ui.presenting():
                SETTINGS.draw("corrupt_pack")
            st.caption(packed_text.NOTE)
    with rows.picture:
        texts = ui.stage_texts(
            LESSON,
            sentences=[packed_text.sentence(across=read.across)],
            formula=[packed_text.formulas(across=read.across)],
            alt=packed_text.describe(len(read.documents)),
            hidden=hidden,
        )
        shown = packed_text.picture(packed)
        ui.main_picture(packed_text.PACKED, live, shown, texts, on_event=store_way)
    return {}


def both_ways(read: PackedDocuments) -> Packings:
    """The inputs at every length, past the end of a document and by themselves."""
    ways = (read.every, read.other) if read.across else (read.other, read.every)
    return Packings(read.documents, read.lengths, *ways)


def store_way(pressed: Name) -> None:
    """Store the way that was pressed.

    Raises:
        ValueError: if there is none of that name.
    """
    check_one_of("the way", pressed, packed_text.WAYS)
    ui.set_controls({"corrupt_pack_across": "true" if pressed == "across" else "false"})
