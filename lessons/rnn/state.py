"""The model and the place in its text, as the controls describe them."""

from __future__ import annotations

from typing import Any

import streamlit as st

import ui
from lessons.rnn import picture
from lmcore import parsing
from lmcore.recurrence import unrolled
from lmcore.recurrence.unrolled import RNNMatrices, Unrolled, UnrolledPosition
from ui import contents, models
from ui.models import ModelEntry
from ui.settings import Bound, Choice, SettingsTable, Switch, Text

LESSON = ui.lesson("rnn")
SHIPPED = "The app's RNN"


def available_models() -> dict[str, ModelEntry]:
    """The RNN that comes with the app, and this session's own that `unroll` can read."""
    every = {
        "shipped": ModelEntry(SHIPPED, models.shipped_network("rnn").model)
    } | models.session_models()
    return {name: entry for name, entry in every.items() if unrolled.can_unroll(entry.model)}


SETTINGS = SettingsTable(
    LESSON,
    {
        "rnn_text": Text("Text, in the microworld's words", "Watch where the loss is high"),
        "rnn_model": Choice(lambda: models.labels(available_models()), "Model"),
        "rnn_unit": Text("Hidden unit to open", "Its row is framed; a press on h opens it too"),
        "rnn_all": Switch("Show all units, up to 256"),
        "rnn_layers": Choice(("1", "2", "3", "4"), "Layers"),
        "rnn_both": Switch("Read both ways"),
        "rnn_see": Bound(),
    },
)


def controls(entries: dict[str, ModelEntry]) -> None:
    """The text, the unit that is opened, and how much is shown."""
    SETTINGS.restore()
    ui.validated_or_previous("rnn_cut", read_reach, lambda: 1)
    SETTINGS.draw("rnn_text", *(("rnn_model",) if len(entries) > 1 else ()), "rnn_unit", "rnn_all")
    st.caption("Step with the buttons, the slider, or ← and →; press a column to go there.")
    training = contents.page("training").script
    icon = ":material/model_training:"
    st.page_link(training, label="Train one yourself", icon=icon, query_params={"models": "rnn"})


def read_walk(entries: dict[str, ModelEntry]) -> tuple[ModelEntry, UnrolledPosition]:
    """The model, and the walk through its text, that the controls describe."""
    state = st.session_state
    entry = entries.get(state["rnn_model"], entries["shipped"])
    tokens = tuple(entry.model.vocabulary.read(state["rnn_text"]))
    step = parsing.parse_integer(state["rnn_step"], "the step")
    unit = parsing.parse_integer(state["rnn_unit"], "the hidden unit")
    most = unrolled.rnn_network(entry.model).config.hidden
    if unit > most:
        raise ValueError(f"the hidden unit must be from 1 to {most}; got {unit}")
    # A place beyond the end comes from an earlier, longer text.
    return entry, UnrolledPosition(tokens, min(step, max(len(tokens), 1)), state["rnn_phase"], unit)


def default_walk(entries: dict[str, ModelEntry]) -> tuple[ModelEntry, UnrolledPosition]:
    """The page's default state."""
    entry = entries["shipped"]
    return entry, UnrolledPosition(tuple(entry.model.vocabulary.read(LESSON.defaults["rnn_text"])))


def store_event(to: dict[str, Any]) -> None:
    """Store the step where the picture stopped, or the unit that was pressed."""
    ui.set_controls(
        {
            "rnn_step": str(to["step"]),
            "rnn_phase": str(to["phase"]),
            "rnn_unit": str(to["unit"]),
        }
    )


def slider_numbers(
    entry: ModelEntry, weights: RNNMatrices, walk: UnrolledPosition, seen: Unrolled
) -> tuple[ui.LiveNumbers, picture.UnrolledPayload]:
    """The numbers of the chosen unit now and at every step, and what the picture draws."""
    table = picture.numbers(walk, seen, unrolled.unit_trace(weights, seen, walk.unit))
    whole = SETTINGS.switch("rnn_all")
    how = picture.picture(walk, seen, entry.model.vocabulary, table=table, whole=whole)
    now = {name: values[walk.step - 1] for name, values in table.items()}
    return ui.live_numbers("rnn", now, [], {}), how


def read_reach() -> int:
    """The reach that the address asks for; `reach` cuts it to the text."""
    asked = parsing.parse_integer(st.session_state["rnn_cut"], "the reach")
    if asked < 1:
        raise ValueError(f"the reach must be 1 or more; got {asked}")
    return asked
