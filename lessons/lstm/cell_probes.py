"""Interpretable single cells, of the LSTM that ships or of a run of this session."""

from __future__ import annotations

from functools import partial
from typing import cast

import numpy as np
import streamlit as st

import ui
from lessons.lstm import figures
from lmcore.corpora import quoted_text
from lmcore.models.lstm import LSTM
from lmcore.models.registry import NeuralModel
from lmcore.recurrence import unit_probes
from lmcore.vocabulary import Vocabulary
from ui import models, settings
from ui.compute import shared_results
from ui.models import ModelEntry

SHIPPED = "character_lstm"


def show() -> None:
    """Draw the units that best track each property, and a text coloured by one of them."""
    known = available_models()
    labels = {name: entry.label for name, entry in known.items()}
    if len(known) > 1:
        settings.pills("cell_model", "Cells of", labels)
    else:
        st.caption(
            "Train the preset “Letter by letter” on the page Live training to see its cells."
        )
    name = settings.allowed_value("cell_model", known)
    model = cast(NeuralModel, known[name].model)
    says = "Looking at every unit"
    best, unreadable = shared_results.shared_result(
        "units",
        (name, labels[name]),
        partial(unit_search, model),
        most=8,
        says=says,
    )
    columns = ["meaning", "unit", "score where picked", "score on other text"]
    rows = figures.unit_rows(best)
    ui.table(columns, rows, name="units", caption="The best single unit for each meaning")
    st.caption(figures.units_words(unreadable, model.network.config.hidden))
    settings.pills("meaning", "Colour by", {name: name for name in unit_probes.LABELS})
    settings.pills("cell_kind", "Value", {name: name for name in unit_probes.KINDS})
    with st.container(horizontal=True):
        settings.text_field("cell_unit", "Unit", "Empty: the best one of the table")
        settings.text_field(
            "cell_text", "Text", "Empty: a text of the kind the model was trained on"
        )
    coloured_text(cast(LSTM, model.network), model.vocabulary, best)


def check_the_address() -> None:
    """Report every address value that its control does not have."""
    ui.check_address_value("cell_model", (SHIPPED, *session_models()))
    ui.check_address_value("meaning", unit_probes.LABELS)
    ui.check_address_value("cell_kind", unit_probes.KINDS)


def available_models() -> dict[str, ModelEntry]:
    """The LSTM that ships, and this session's own."""
    ships = models.shipped_network(SHIPPED)._replace(label="The LSTM that comes with the app")
    return {SHIPPED: ships} | session_models()


def session_models() -> dict[str, ModelEntry]:
    """The LSTMs that this session trained on the quoted text."""
    return {
        name: entry
        for name, entry in models.session_models("quoted").items()
        if isinstance(cast(NeuralModel, entry.model).network, LSTM)
    }


# A leading underscore keeps the cache from reading the whole model: the key names it.
def unit_search(model: NeuralModel) -> tuple[tuple[unit_probes.ProbedUnit, ...], int]:
    """The table of units."""
    return unit_probes.search(cast(LSTM, model.network), model.vocabulary)


def coloured_text(
    network: LSTM, vocabulary: Vocabulary, best: tuple[unit_probes.ProbedUnit, ...]
) -> None:
    """A text coloured by the unit that the controls name."""
    state = st.session_state
    meaning = settings.allowed_value("meaning", unit_probes.LABELS)
    kind = settings.allowed_value("cell_kind", unit_probes.KINDS)
    unit = next(each.unit for each in best if (each.label, each.kind) == (meaning, kind))
    try:
        if state["cell_unit"].strip():
            unit = unit_probes.parse_unit(state["cell_unit"], network.config.hidden)
        text = state["cell_text"] or quoted_text.text(unit_probes.TEST_SEED - 1, figures.COLOURED)
        read = unit_probes.record_units(network, vocabulary, [text])
    except ValueError as error:
        ui.show_error(error)
        return
    labels = read.labels[unit_probes.LABELS.index(meaning)]
    how = figures.coloured_letters(
        text, read.values[kind][:, unit], labels, f"{kind}, unit {unit}", meaning
    )
    ui.picture(figures.LETTERS, ui.LiveNumbers("letters", (), np.empty(0)), how)
