"""The view *10,000 words*: many words that are corrupted, and sorted by what becomes of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import cast

import streamlit as st

import ui
from lessons.masking import corruption_state, corruption_text, fates_picture, fates_text
from lessons.masking.fates_picture import FatesOrder, Order
from lessons.masking.masking_questions import fates_questions
from lessons.masking.masking_state import LESSON, ORDERS, SETTINGS
from lmcore.checks import check_one_of
from lmcore.corruption.draws import CorruptionConfig, draw_for_text
from lmcore.corruption.story_words import story_words
from ui import compute

ON_DEMAND = ("Many draws", "Masked or causal")
"""The tables of the same shares, which lie over the picture of one text."""


def show(rows: ui.Rows) -> Mapping[str, Callable[[], None] | None]:
    """Draw the words on the stage and the shares beside it; return the views of the same shares."""
    with rows.errors:
        config = ui.validated_or_previous("fates", read_config, CorruptionConfig)
    draws = draw_for_text(story_words(), config).draws
    counted = compute.shared_result("fates", partial(_counted, config), most=16, says="Drawing")
    order = cast(Order, SETTINGS.choice("corrupt_order"))
    live = fates_picture.numbers(config, counted, order)
    with rows.rail:
        hidden = ui.predict_first(fates_questions(config))
        controls(rows, config, live)
    with rows.picture:
        texts = ui.stage_texts(
            LESSON,
            sentences=fates_text.sentences(),
            moved=fates_text.MOVED if order == "fate" else "",
            formula=fates_text.formulas(),
            alt=fates_text.describe(),
            hidden=hidden,
        )
        drawing = fates_picture.picture(config, draws)
        ui.main_picture(fates_picture.FATES, live, drawing, texts, on_event=store_order)
    return dict.fromkeys(ON_DEMAND)


def _counted(config: CorruptionConfig) -> fates_picture.Counted:
    return fates_picture.counts(config, draw_for_text(story_words(), config).draws)


def read_config() -> CorruptionConfig:
    """The shares, the seed and the source of random words; every word is drawn by itself."""
    return corruption_state.read_lot()._replace(unit="token", at_least_one=False)


def controls(rows: ui.Rows, config: CorruptionConfig, live: ui.LiveNumbers) -> None:
    """Draw the shares, the order of the words, and under More the source of random words."""
    ui.sliders(live, on_settled=corruption_state.store_share)
    st.button(
        "Draw again",
        on_click=corruption_state.draw_again,
        icon=":material/casino:",
        width="stretch",
        help="New numbers for every word. Dragging a share moves a threshold and draws nothing",
    )
    SETTINGS.draw("corrupt_order")
    with ui.more(rows):
        SETTINGS.draw("corrupt_from")
        source = corruption_text.SOURCE_WORDS[config.source]
        st.caption(
            ui.escape_markdown(f"{fates_text.NOTE}Of random words, {source}. Seed {config.seed}.")
        )


def store_order(pressed: FatesOrder) -> None:
    """Sort the words, or put them back as in the text."""
    check_one_of("the order", pressed["order"], ORDERS)
    ui.set_controls({"corrupt_order": pressed["order"]})
