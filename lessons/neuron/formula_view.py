"""The picture of a unit's formula: each number below its symbol, and the terms end to end."""

from __future__ import annotations

from typing import Literal, cast

import ui
from drawing.payload import Script
from lessons.neuron import formula_text, neuron_picture, neuron_state
from lessons.neuron.formula_text import To
from lessons.neuron.neuron_picture import NeuronPayload
from lessons.neuron.neuron_questions import formula_questions
from lessons.neuron.neuron_state import LESSON, SETTINGS
from lmcore.neuron.neuron import Neuron, NeuronTrace


class FormulaPayload(NeuronPayload):
    """The terms and the curve of a unit, and how far its formula is computed."""

    to: Literal["symbols", "sum", "bend"]


FORMULA = Script("formula", FormulaPayload, (*neuron_picture.TRACED, "@say"))


def show(rows: ui.Rows, unit: Neuron, trace: NeuronTrace, half_axis: float) -> None:
    """Draw the formula on the stage, and the unit's controls beside it."""
    to = cast("To", SETTINGS.choice("formula_to"))
    live = slider_numbers(unit, trace, to)
    how = formula_picture(unit, half_axis, to)
    with rows.rail:
        hidden = ui.predict_first(formula_questions(unit, trace, how["terms"]))
        SETTINGS.draw("formula_to", "g")
        ui.sliders(live, on_settled=neuron_state.store_slider)
        with ui.more(rows):
            neuron_state.more_controls(unit)
    with rows.picture:
        texts = ui.stage_texts(
            LESSON,
            sentences=formula_text.sentences(unit, to, how["terms"]),
            formula=[formula_text.formulas(unit, to)],
            alt=formula_text.describe(unit, to),
            hidden=hidden,
        )
        ui.main_picture(FORMULA, live, how, texts)


def slider_numbers(unit: Neuron, trace: NeuronTrace, to: To) -> ui.LiveNumbers:
    """The unit's numbers now and at every position of every slider."""
    sliders, swept = neuron_state.swept_unit(unit)
    now, then = (
        each.by_name()
        | {"@say": formula_text.longest(each) if to == "sum" else 0 * each.pre_activation}
        for each in (trace, swept)
    )
    return ui.live_numbers("formula", now, sliders, then)


def formula_picture(unit: Neuron, half_axis: float, to: To) -> FormulaPayload:
    """The data of `lessons/neuron/formula.js` without the numbers."""
    fold = SETTINGS.switch("fold")
    drawn = neuron_picture.unit_picture(unit, half_axis, gate="none", fold_bias=fold)
    return {**drawn, "to": to}
