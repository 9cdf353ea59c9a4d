"""Questions about the picture: predict first, then see.

A question hides the numbers that it asks for until it is answered or revealed. A wrong answer is
diagnosed and may be tried again. In presenter mode an open question is above the picture.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import nullcontext
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Literal

import streamlit as st

from lmcore.numbers import format_number
from ui.widgets import address_value, set_controls

NEAR = 0.02
"""How far an answer may be off, relative to the right one."""

_place: ContextVar[Any] = ContextVar("place of an open question", default=None)


@dataclass(frozen=True, slots=True)
class Question:
    """A question about what is on the stage; `answer` is computed from it.

    A number is typed; where `options` are given, one of them is chosen.
    """

    key: str
    ask: str
    answer: float | str
    because: str
    hint: str = ""
    options: tuple[str, ...] = ()
    hides: tuple[str, ...] = ()
    """The numbers of the picture that would give the answer away."""

    def is_answered_by(self, text: str) -> bool:
        """Whether a text has the answer in it, as a word or as a number."""
        answer = self.answer if isinstance(self.answer, str) else format_number(self.answer)
        return re.search(rf"(?<![\w.]){re.escape(answer)}(?![\w.]*\d)(?!\w)", text) is not None


def open_question_in(place: Any) -> None:
    """Clear the questions for a new run; an open question is drawn in `place`.

    If `place` is None, it is drawn among the controls.
    """
    st.session_state["questions"] = ()
    _place.set(place)


def predict_first(questions: Sequence[Question]) -> tuple[str, ...]:
    """Draw the question that is open, or a button that opens the first one; without any, nothing.

    Returns the numbers that the picture must hide. The address keeps which question is open. The
    session keeps the questions for a hand-out (`ui.lectures.handouts`).
    """
    st.session_state["questions"] = tuple(questions)
    if not questions:
        return ()
    by_key = {question.key: question for question in questions}
    asked = by_key.get(address_value("ask", ""))
    place = _place.get() if asked else None
    row = place is not None
    with place or nullcontext(), st.container(key="asked", gap="small", horizontal=row):
        if asked is None:
            st.button(
                "Predict first",
                icon=":material/psychology_alt:",
                key="predict",
                on_click=set_controls,
                args=({"ask": questions[0].key},),
                width="stretch",
                help="A question about this picture; what it asks for is hidden until you answer",
            )
            return ()
        verdict = _verdict_and_reason(asked)
        st.markdown(f"**{asked.ask}**")
        if verdict is None:
            _ask(asked)
            return asked.hides
        st.markdown(verdict)
        _go_on(asked, questions)
    return ()


def open_question() -> Question | None:
    """The question in the address, as long as it is neither answered nor revealed."""
    asked = st.session_state.get("ask", "")
    found = (each for each in st.session_state.get("questions", ()) if each.key == asked)
    question = next(found, None)
    return question if question and _verdict_and_reason(question) is None else None


def _state(question: Question) -> dict[str, object]:
    """The answer given to this question; reset when its right answer changes."""
    book: dict[str, dict[str, object]] = st.session_state.setdefault("answers", {})
    entry = book.get(question.key)
    if entry is None or entry["answer"] != question.answer:
        entry = book[question.key] = {"answer": question.answer, "said": None, "shown": False}
    return entry


def verdict(key: str) -> Literal["", "right", "wrong"]:
    """The verdict on the question with that key; a revealed answer counts as wrong."""
    entry = st.session_state.get("answers", {}).get(key)
    if entry is None or not (entry["said"] is not None or entry["shown"]):
        return ""
    return "right" if entry.get("right") else "wrong"


def _answer(question: Question, said: object) -> None:
    _state(question).update(said=said, right=said is not None and is_right(question, said))


def _verdict_and_reason(question: Question) -> str | None:
    """The verdict and the reason, once the answer is right or revealed."""
    entry = _state(question)
    answer = question.answer
    right = answer if isinstance(answer, str) else format_number(answer)
    said = entry["said"]
    if said is not None and is_right(question, said):
        return f":material/check: **{right}** is right. {question.because}"
    if entry["shown"]:
        return f"It is **{right}**. {question.because}"
    return None


def _ask(question: Question) -> None:
    entry = _state(question)
    key = f"guess-{question.key}-{question.answer}"
    if question.options:
        st.pills(
            "Your prediction",
            question.options,
            key=key,
            label_visibility="collapsed",
            on_change=lambda: _answer(question, st.session_state[key]),
        )
    else:
        st.number_input(
            "Your prediction",
            value=None,
            format="%g",
            key=key,
            placeholder="three digits",
            label_visibility="collapsed",
            on_change=lambda: _answer(question, st.session_state[key]),
        )
    if entry["said"] is not None:
        st.markdown(f":material/close: {diagnosis(question, entry['said'])} {question.hint}")
    st.button(
        "Reveal",
        key=f"reveal-{question.key}",
        on_click=lambda: entry.update(shown=True),
        width="stretch",
    )


def _go_on(question: Question, questions: Sequence[Question]) -> None:
    keys = [each.key for each in questions]
    after = [*keys, ""][keys.index(question.key) + 1]
    st.button(
        "Next question" if after else "Done",
        key="predict-next",
        on_click=set_controls,
        args=({"ask": after},),
        width="stretch",
    )


def is_right(question: Question, said: object) -> bool:
    """Whether an answer is right: the option, or a number within `NEAR`."""
    answer = question.answer
    if isinstance(answer, str) or not isinstance(said, int | float):
        return said == answer
    return abs(said - answer) <= NEAR * abs(answer) + 1e-9


def diagnosis(question: Question, said: object) -> str:
    """What may have gone wrong with an answer that is not right."""
    answer = question.answer
    if isinstance(answer, str) or not isinstance(said, int | float):
        return "Not that one."
    for changed, why in (
        (-said, "The size is right; check the sign."),
        (said / 100, "That is per cent; the answer is a share of 1."),
        (100 * said, "That is a share; the answer is in per cent."),
        (10 * said, "Ten times too small; check the decimal point."),
        (said / 10, "Ten times too large; check the decimal point."),
    ):
        if is_right(question, changed):
            return why
    if abs(said - answer) <= 0.15 * abs(answer):
        return "Close; round only at the end."
    return f"{format_number(float(said))} is too {'small' if said < answer else 'large'}."
