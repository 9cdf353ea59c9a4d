"""The main picture of the page, and beside it the controls: all heads, and the open one."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

import ui
from lessons.heads import heads_picture, heads_questions, heads_row, heads_state, heads_text
from lessons.heads.heads_picture import HeadsSelection
from lessons.heads.heads_row import OtherText, QueryRow
from lessons.heads.heads_state import HeadsRequest, HeadsResult


def show(
    rows: ui.Rows,
    request: HeadsRequest,
    result: HeadsResult,
    selection: HeadsSelection,
    row: tuple[QueryRow, OtherText | None],
    live: ui.LiveNumbers,
    models: dict[str, str],
) -> None:
    """Draw every head on the stage; `row` is that of the query, here and in the other text."""
    shown, other = row
    trace = result.trace
    with rows.rail:
        hidden = ui.predict_first(heads_questions.questions(trace, selection, shown, other))
        heads_state.controls(request, trace)
        ui.sliders(live, on_settled=heads_state.store_threshold)
        with st.container(key="notes"):
            for sentence in heads_state.notes(request, result, models):
                st.caption(sentence)
        with ui.more(rows):
            heads_state.more_controls(models)
    with rows.picture:
        draw_picture(result, selection, shown, other, live, hidden)


def draw_picture(
    result: HeadsResult,
    selection: HeadsSelection,
    shown: QueryRow,
    other: OtherText | None,
    live: ui.LiveNumbers,
    hidden: Sequence[str],
) -> None:
    """The main picture: all heads, the open one, and one query's row."""
    trace = result.trace
    stage_texts = ui.stage_texts(
        heads_state.LESSON,
        sentences=heads_text.sentences(trace, shown, other, ui.quoted),
        formula=heads_text.formulas(trace, shown, hidden, ui.quoted),
        alt=heads_text.describe(trace, shown, result.name),
        moved=heads_text.moved(trace),
        kind="measured here",
        hidden=hidden,
    )
    stage_texts["hidden"] = heads_row.expand_hidden(stage_texts["hidden"], shown)
    named = "" if other is None else heads_row.other_name(trace.text.tokens, other.tokens)
    how = heads_picture.picture(
        trace, selection, shown, of=result.weights["of"], model=result.name, other=named
    )
    press = heads_state.on_press(how["of"], selection, shown)
    ui.main_picture(heads_picture.HEADS, live, how, stage_texts, on_event=press)
