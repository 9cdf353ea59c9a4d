"""The view *Another order*: a text’s words shuffled, and each reader’s answer before and after."""

from __future__ import annotations

from functools import partial

import streamlit as st

import ui
from drawing.events import Moved
from lessons.bert import readers_view
from lessons.bert.bert_questions import order_questions
from lessons.bert.bert_state import LESSON, SETTINGS
from lessons.bert.fill_in_view import Parts
from lessons.bert.limits import reordered_picture, reordered_text
from lessons.bert.limits.reordered_picture import REORDERED, SEEDS, Orders
from lessons.bert.readers_state import ReadersState, read_state, readers_state, vocabulary
from lmcore.masked_lm.filling_in import GapQuestion
from ui import compute

OTHERS = (
    "The other limits of such a network: a window has a fixed number of places (see Five readers, "
    "Too long for the window), and each place has weights of its own (see Weights per place)."
)


def show(rows: ui.Rows) -> Parts:
    """Draw both orders and the readers' answers on the stage, and beside it the text."""
    first = [str(LESSON.defaults[f"readers_{name}"]) for name in ("text", "gap", "seed")]
    with rows.errors:
        scene = ui.validated_or_previous("readers", read_state, lambda: readers_state(*first))
        ui.offer_similar_words(st.session_state["readers_text"], readers_view.store_text)
    orders = orders_of(scene)
    live = reordered_picture.numbers(orders, scene.seed)
    with rows.rail:
        hidden = ui.predict_first(order_questions(list(orders.answers), live))
        ui.sliders(live, on_settled=store_seed)
        SETTINGS.draw("readers_text", "readers_gap")
        with ui.more(rows):
            st.caption(OTHERS)
    with rows.picture:
        text = " ".join(scene.words)
        texts = ui.stage_texts(
            LESSON,
            sentences=reordered_text.sentences(list(orders.answers)),
            formula=[reordered_text.formula()],
            alt=reordered_text.describe(f"“{text}”.", list(orders.answers)),
            kind="measured here",
            hidden=hidden,
        )
        how = reordered_picture.picture(orders, scene.words, vocabulary())
        ui.main_picture(REORDERED, live, how, texts)
    return {"Shuffle the words": lambda: readers_view.shuffle(scene)}


def orders_of(scene: ReadersState) -> Orders:
    """Every reader's answers in every order, computed once for each text and gap."""
    return compute.shared_result(
        "orders of a text",
        partial(read_all, scene.question, (*SEEDS, scene.seed)),
        most=16,
        says="Reading the text in other orders",
    )


def read_all(question: GapQuestion, seeds: tuple[int, ...]) -> Orders:
    """All readers on a text in the order of each seed."""
    readers = {name: ask for name, (ask, _) in readers_view.readers_by_label().items()}
    return reordered_picture.read_orders(readers, question, seeds)


def store_seed(moved: Moved) -> None:
    """Store the released order."""
    before = st.session_state["readers_seed"]
    ui.set_controls({"readers_seed": str(moved["typed"]).strip()})
    try:
        read_state()
    except ValueError as error:
        ui.set_controls({"readers_seed": before})
        ui.show_error_later(error)
