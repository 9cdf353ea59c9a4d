"""The picture of the heads of one block: four answers to the same word, joined and mixed by W^O."""

from __future__ import annotations

import streamlit as st

import ui
from drawing.events import Moved
from lessons.heads import joined_picture, joined_text
from lessons.heads.heads_picture import HeadsSelection
from lessons.heads.heads_questions import joined_questions
from lessons.heads.heads_state import LESSON, SETTINGS, HeadsRequest
from lessons.heads.joined_picture import JoinedMoves
from lmcore import parsing
from lmcore.attention.heads import HeadsTrace
from lmcore.attention.joined_heads import JoinedHeads, join_heads
from ui import pretrained
from ui.widgets import set_controls

NAME = "Heads joined"


def show(
    rows: ui.Rows, request: HeadsRequest, trace: HeadsTrace, selection: HeadsSelection, place: int
) -> None:
    """Draw the heads of the open head's layer on the stage, and their controls."""
    layer, cut = selection.head.layer, cut_heads(trace)
    network = pretrained.load(request.model).network
    whole = join_heads(network, trace, layer, place)
    with rows.errors:
        number = ui.validated_or_previous(
            "heads_number", lambda: read_number(whole), lambda: largest(whole)
        )
    number = min(number, len(whole.bias))
    live = joined_picture.live_numbers(whole, number, cut)
    tokens, joined = trace.text.tokens, whole.without(cut)
    with rows.rail:
        hidden = ui.predict_first(joined_questions(joined, tokens, place, number))
        ui.sliders(live, on_settled=store_number)
        SETTINGS.draw("heads_text")
        if cut:
            st.button(
                "All heads", key="heads-all", on_click=set_controls, args=({"heads_off": ""},)
            )
        with ui.more(rows):
            st.caption(words(trace, layer, whole))
    with rows.picture:
        texts = ui.stage_texts(
            LESSON,
            sentences=[joined_text.sentence(whole, tokens, place, cut, ui.quoted)],
            moved=joined_text.moved(whole),
            formula=[joined_text.formula(whole)],
            alt=joined_text.describe(whole, trace, place),
            kind="measured here",
            hidden=hidden,
        )
        how = joined_picture.picture(whole, trace, place, cut)
        ui.main_picture(joined_picture.JOINED, live, how, texts, on_event=store_press)


def words(trace: HeadsTrace, layer: int, whole: JoinedHeads) -> str:
    """Which block of which size this is, and how its strips are coloured."""
    heads, wide = whole.answers.shape
    return (
        f"Block {layer + 1} of {trace.shape[0]}, with {heads} heads of {wide} numbers. Blue is "
        "below 0, red above; z and the output have a scale of their own. Every entry of the matrix "
        "is drawn, darkest from its 98th percentile on. Press a head to cut it: its z is 0."
    )


def cut_heads(trace: HeadsTrace) -> frozenset[int]:
    """The heads that are cut, from 0; those that this model does not have are left out."""
    typed = str(st.session_state["heads_off"]).split()
    return frozenset(
        int(each) - 1 for each in typed if each.isdecimal() and 1 <= int(each) <= trace.shape[1]
    )


def read_number(whole: JoinedHeads) -> int:
    """The number of the output that is framed, from 1; if none is chosen, the largest.

    Raises:
        ValueError: if the output has no such number.
    """
    typed = str(st.session_state["heads_number"]).strip()
    if not typed:
        return largest(whole)
    number = parsing.parse_integer(typed, "the number of the output")
    if not 1 <= number <= len(whole.bias):
        raise ValueError(
            f"the number of the output must be from 1 to {len(whole.bias)}; got {number}"
        )
    return number


def largest(whole: JoinedHeads) -> int:
    """The number of the output that is furthest from 0, from 1."""
    return int(whole.output.abs().argmax()) + 1


def store_number(moved: Moved) -> None:
    """Store the released number of the output, or the one typed beside it."""
    try:
        number = parsing.parse_integer(moved["typed"], "the number of the output")
    except ValueError as error:
        ui.show_error_later(error)
        return
    set_controls({"heads_number": str(number)})


def store_press(event: JoinedMoves) -> None:
    """Store the token that asks, or cut a head or restore it."""
    if "query" in event:
        set_controls({"heads_query": str(event["query"])})
    if "head" in event:
        name = str(event["head"] + 1)
        now = set(str(st.session_state["heads_off"]).split()) ^ {name}
        set_controls({"heads_off": " ".join(sorted(now))})
