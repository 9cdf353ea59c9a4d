"""The picture of one unit, and the controls beside it."""

from __future__ import annotations

import ui
from lessons.neuron import neuron_picture, neuron_questions, neuron_state, neuron_text
from lessons.neuron.neuron_state import LESSON, SETTINGS
from lmcore.neuron.neuron import Neuron, NeuronTrace


def show(
    rows: ui.Rows, unit: Neuron, trace: NeuronTrace, live: ui.LiveNumbers, half_axis: float
) -> None:
    """Draw the unit on the stage, and its controls beside it."""
    gate, fold = SETTINGS.choice("gate"), SETTINGS.switch("fold")
    with rows.rail:
        hidden = ui.predict_first(neuron_questions.questions(unit, trace))
        SETTINGS.draw("g")
        ui.sliders(live, on_settled=neuron_state.store_slider)
        with ui.more(rows):
            neuron_state.more_controls(unit)
    with rows.picture:
        how = neuron_picture.unit_picture(unit, half_axis, gate=gate, fold_bias=fold)
        texts = ui.stage_texts(
            LESSON,
            sentences=neuron_text.unit_sentences(unit, gate),
            moved=neuron_text.MOVED,
            formula=[neuron_text.unit_formula_parts(unit, fold_bias=fold)],
            alt=neuron_text.describe_unit(unit, gate),
            hidden=hidden,
        )
        ui.main_picture(neuron_picture.NEURON, live, how, texts)
