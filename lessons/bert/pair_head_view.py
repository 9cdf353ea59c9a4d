"""The picture of the head for pairs: from the vector of [CLS] to two shares."""

from __future__ import annotations

import ui
from drawing.events import Name
from lessons.bert import bert_state, pair_head_text, pairs_view
from lessons.bert.bert_questions import pair_head_questions
from lessons.bert.bert_state import LESSON, SETTINGS
from lessons.bert.fill_in_view import Parts
from lessons.bert.pairs_state import (
    PairState,
    continuation,
    in_microworld,
    pair_state,
    read_state,
)
from lmcore.models.bert import BERT


def show(rows: ui.Rows) -> Parts:
    """Draw the head on the stage, and beside it the texts."""
    first = [str(LESSON.defaults[f"pairs_{name}"]) for name in ("model", "first", "second")]
    with rows.errors:
        scene = ui.validated_or_previous("pairs", read_state, lambda: pair_state(*first))
    with rows.rail:
        hidden = ui.predict_first(pair_head_questions(scene))
        pairs_view.draw_button(asked=False)
        if not ui.presenting():
            SETTINGS.draw("pairs_first", "pairs_second")
        if len(bert_state.pair_models()) > 1:
            SETTINGS.draw("pairs_model")
        with ui.more(rows):
            if ui.presenting():
                SETTINGS.draw("pairs_first", "pairs_second")
            SETTINGS.draw("pairs_seed")
    with rows.picture:
        draw(scene, hidden)
    return {
        "Pair step by step": lambda: pairs_view.step_by_step(scene),
        "Head code": pairs_view.source,
    }


def draw(scene: PairState, hidden: tuple[str, ...]) -> None:
    """The vector of [CLS], the two sums and the two shares."""
    network, found, world = scene.reader.network, scene.trace, in_microworld(scene.model)
    assert isinstance(network, BERT)
    continues, drawn = continuation(scene.first)
    right = pair_head_text.right_label(
        scene.second, continues, scene.label, in_microworld=world and bool(continues)
    )
    width = len(found.pooled)
    texts = ui.stage_texts(
        LESSON,
        sentences=[pair_head_text.sentence(width, found, right)],
        formula=[pair_head_text.formulas(right)],
        alt=pair_head_text.describe(scene.first, scene.second, width),
        kind="measured here",
        hidden=hidden,
    )
    live = ui.live_numbers("pair_head", pair_head_text.head_numbers(network, found), [], {})
    own = [each for each in (continues, drawn) if each]
    choices = pair_head_text.second_texts(own, scene.second, in_microworld=world)
    shown = pair_head_text.picture(network, (scene.first, scene.second), choices, right)
    ui.main_picture(pair_head_text.PAIR_HEAD, live, shown, texts, on_event=store_second)


def store_second(pressed: Name) -> None:
    """Put the text that was pressed in the place of B."""
    scene = read_state()
    own = [each for each in continuation(scene.first) if each]
    world = in_microworld(scene.model)
    choices = pair_head_text.second_texts(own, scene.second, in_microworld=world)
    ui.set_controls({"pairs_second": choices[int(pressed)], "ask": ""})
