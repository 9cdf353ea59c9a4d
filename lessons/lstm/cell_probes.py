"""Interpretable single cells, of the LSTM that ships or of a run of this session."""

from __future__ import annotations

from functools import partial
from typing import cast

import numpy as np
import streamlit as st

import ui
from lessons.lstm import lstm_figures
from lessons.lstm.lstm_state import SETTINGS, letter_models
from lmcore.corpora import quoted_text
from lmcore.models.lstm import LSTM
from lmcore.models.registry import NeuralModel
from lmcore.recurrence import unit_probes
from lmcore.vocabulary import Vocabulary
from ui import compute, models


def controls(rows: ui.Rows) -> None:
    """Draw the controls of `show` beside the stage."""
    known = letter_models()
    if len(known) > 1:
        SETTINGS.draw("cell_model", options=models.labels(known))
    SETTINGS.draw("meaning", "cell_kind", "cell_unit", "cell_text")
    with ui.more(rows):
        st.caption(
            "Train the preset “Letter by letter” on the page Live training to see its cells."
        )


def show() -> None:
    """Draw a text coloured by one unit, and the units that best track each property."""
    known = letter_models()
    model = cast(NeuralModel, known[SETTINGS.choice("cell_model", known)].model)
    search = partial(unit_search, model)
    best, unreadable = compute.shared_result("units", search, most=8, says="Looking at every unit")
    coloured_text(cast(LSTM, model.network), model.vocabulary, best)
    columns = ["property", "unit", "score where picked", "score on other text"]
    rows = lstm_figures.unit_rows(best)
    ui.table(columns, rows, name="units", caption="The best single unit for each property")
    st.caption(lstm_figures.units_words(unreadable, model.network.config.hidden))


def unit_search(model: NeuralModel) -> tuple[tuple[unit_probes.ProbedUnit, ...], int]:
    """The best units for each property, and the number of cells that track none of them."""
    return unit_probes.search(cast(LSTM, model.network), model.vocabulary)


def coloured_text(
    network: LSTM, vocabulary: Vocabulary, best: tuple[unit_probes.ProbedUnit, ...]
) -> None:
    """A text coloured by the unit that the controls name."""
    state = st.session_state
    meaning, kind = SETTINGS.choice("meaning"), SETTINGS.choice("cell_kind")
    unit = next(each.unit for each in best if (each.label, each.kind) == (meaning, kind))
    try:
        if state["cell_unit"].strip():
            unit = unit_probes.parse_unit(state["cell_unit"], network.config.hidden)
        text = state["cell_text"] or quoted_text.text(
            unit_probes.TEST_SEED - 1, lstm_figures.COLOURED
        )
        read = unit_probes.record_units(network, vocabulary, [text])
    except ValueError as error:
        ui.show_error(error)
        return
    labels = read.labels[unit_probes.LABELS.index(meaning)]
    how = lstm_figures.coloured_letters(
        text, read.values[kind][:, unit], labels, f"{kind}, unit {unit}", meaning
    )
    ui.picture(lstm_figures.LETTERS, ui.LiveNumbers("letters", (), np.empty(0)), how)
