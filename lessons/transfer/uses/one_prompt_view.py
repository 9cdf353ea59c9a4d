"""The view *One prompt*: a task as a text with a gap, with k solved examples in front of it."""

from __future__ import annotations

from functools import partial

import streamlit as st
from typing_extensions import TypedDict

import ui
from lessons.transfer.transfer_questions import prompt_questions
from lessons.transfer.transfer_state import LESSON, SETTINGS
from lessons.transfer.uses import one_prompt_picture, one_prompt_text, prompts_view
from lessons.transfer.uses.one_prompt_picture import ONE_PROMPT, PromptState
from lmcore.checks import check_one_of
from lmcore.shipped import english
from lmcore.transfer import prompts

NAME = "One prompt"
HOW = (
    "p of each candidate at the gap, among all words, is computed now; no weight has changed. A "
    "GPT reads what is left of the gap. The shares of right answers were recorded on up to "
    f"{prompts.TESTED} different prompts each; bars are 95 % intervals."
)


def show(rows: ui.Rows) -> None:
    """Draw the prompt on the stage, and its task and examples beside it."""
    with rows.errors:
        state = read_state()
    live = one_prompt_picture.numbers(state)
    with rows.rail:
        hidden = ui.predict_first(prompt_questions(state))
        SETTINGS.draw("pm_shots", "pm_task")
        with ui.more(rows):
            if state.task == "feeling":
                SETTINGS.draw("pm_own")
            st.caption(HOW)
            if not state.scores:
                st.caption(prompts_view.WITHOUT_MINILM)
    with rows.picture:
        texts = ui.stage_texts(
            LESSON,
            sentences=[one_prompt_text.sentence(state)],
            formula=[one_prompt_text.formula(state)],
            alt=one_prompt_text.describe(state),
            kind="measured here",
            hidden=hidden,
        )
        how = one_prompt_picture.picture(state)
        ui.main_picture(ONE_PROMPT, live, how, texts, on_event=store_shots)


def read_state() -> PromptState:
    """The prompt of the controls, and p of its candidates where the models can be asked."""
    task, shots = SETTINGS.choice("pm_task"), int(SETTINGS.choice("pm_shots"))
    if task == "feeling" and not english.is_available():
        return PromptState(task, shots, prompts.draw_prompts(task, shots, 1, 0)[0], {})
    prompt, scores = ui.validated_or_previous(
        f"prompt {task}",
        partial(prompts_view.read_scored, task, shots),
        partial(prompts_view.score, task, prompts.draw_prompts(task, shots, 1, 0)[0]),
    )
    return PromptState(task, shots, prompt, scores)


class Shots(TypedDict):
    """A number of solved examples that was pressed."""

    shots: int


def store_shots(event: Shots) -> None:
    """Show the prompt with the number of solved examples that was pressed.

    Raises:
        ValueError: if no prompt has so many.
    """
    check_one_of("the examples", str(event["shots"]), [str(n) for n in prompts.SHOTS])
    ui.set_controls({"pm_shots": str(event["shots"])})
