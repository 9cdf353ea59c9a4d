"""The view *Leads*: how far the Transformer was ahead, into two languages."""

from __future__ import annotations

import streamlit as st

import ui
from lessons.results import leads_picture, leads_text
from lessons.results.leads_picture import ChosenVersion
from lessons.results.results_questions import lead_questions
from lessons.results.results_state import LESSON, SETTINGS
from lmcore.results.tables import load_results


def show(rows: ui.Rows) -> None:
    """Draw the rulers on the stage, and the version in the rail."""
    found = leads_picture.scores()
    with rows.errors:
        version = ui.validated_or_previous(
            "leads", lambda: SETTINGS.choice("re_version"), lambda: "arxiv"
        )
    with rows.rail:
        hidden = ui.predict_first(lead_questions(found, version))
        SETTINGS.draw("re_version")
        with ui.more(rows):
            for note in load_results("wmt_short").notes:
                st.caption(note)
    with rows.picture:
        texts = ui.stage_texts(
            LESSON,
            sentences=[leads_text.sentence(found, version)],
            formula=[leads_text.formula(found, version)],
            alt=leads_text.describe(found, version),
            kind="quoted",
            hidden=hidden,
        )
        ui.main_picture(
            leads_picture.LEADS,
            leads_picture.numbers(found, version),
            leads_picture.picture(found, version),
            texts,
            on_event=store_version,
        )


def store_version(event: ChosenVersion) -> None:
    """Show the other version."""
    if event["other"]:
        ui.set_controls({"re_version": leads_picture.other_version(SETTINGS.choice("re_version"))})
