"""The view *Pairs*: each next word of a text with the words before it, all or the last N − 1."""

from __future__ import annotations

import ui
from drawing.events import Moved
from lessons.language_model import language_model_questions, language_model_state, text_pairs
from lessons.language_model.language_model_state import LESSON, SETTINGS
from lessons.language_model.text_pairs import ChosenPair, TextPairs
from lmcore import parsing
from lmcore.evaluation.sentence import SentenceQuestion

SEE = "Pairs"


def show(rows: ui.Rows, question: SentenceQuestion) -> None:
    """Draw the pairs on the stage, and the order N in the rail."""
    with rows.errors:
        shown = ui.validated_or_previous(
            "pairs",
            lambda: text_pairs.text_pairs(question, int(SETTINGS.number("lm_window"))),
            lambda: text_pairs.text_pairs(language_model_state.default_question(), 3),
        )
    live = text_pairs.numbers(shown)
    with rows.rail:
        hidden = ui.predict_first(language_model_questions.pair_questions(shown))
        SETTINGS.draw("lm_text")
        ui.sliders(live, on_settled=store_order)
        with ui.more(rows):
            SETTINGS.draw("lm_end")
    with rows.picture:
        draw(shown, hidden)


def draw(shown: TextPairs, hidden: tuple[str, ...]) -> None:
    """Draw the picture; a press chooses a row."""
    texts = ui.stage_texts(
        LESSON,
        sentences=text_pairs.sentences(shown),
        formula=text_pairs.formulas(shown),
        alt=text_pairs.describe(shown),
        kind="measured here",
        hidden=hidden,
    )
    live, how = text_pairs.numbers(shown), text_pairs.picture(shown)
    ui.main_picture(text_pairs.TEXTPAIRS, live, how, texts, on_event=choose)


def choose(event: ChosenPair) -> None:
    """Choose the pressed row. For callbacks."""
    ui.set_controls({"lm_word": str(event["row"])})


def store_order(moved: Moved) -> None:
    """Store the released slider's order, or the one typed beside it."""
    try:
        order = parsing.parse_integer(moved["typed"], "the order N")
        if not 1 <= order <= text_pairs.LONGEST + 1:
            raise ValueError(f"the order N must be from 1 to {text_pairs.LONGEST + 1}; got {order}")
    except ValueError as error:
        ui.show_error_later(error)
        return
    ui.set_controls({"lm_window": str(order)})
