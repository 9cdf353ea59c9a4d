"""The model and the place in its text, as the controls describe them."""

from __future__ import annotations

import numpy as np
import streamlit as st
from jaxtyping import Float64
from torch import Tensor

import ui
from drawing.events import Moved
from lessons.rnn import rnn_picture
from lmcore import parsing
from lmcore.recurrence import unrolled
from lmcore.recurrence.unrolled import RNNMatrices, Unrolled, UnrolledPosition
from ui import contents, models
from ui.models import ModelEntry
from ui.settings import Between, Bound, Choice, SettingsTable, Switch, Text
from ui.widgets import address_value

LESSON = ui.lesson("rnn")
SHIPPED = "The app's RNN"
KNOWN = "Known words"
LONGEST = 1000
"""The last word whose state can be framed."""
DEEP = "Deep and both ways"


def available_models() -> dict[str, ModelEntry]:
    """The RNN that comes with the app, and this session's models that `unroll` can run."""
    every = {
        "shipped": ModelEntry(SHIPPED, models.shipped_network("rnn").model)
    } | models.session_models()
    return {name: entry for name, entry in every.items() if unrolled.can_unroll(entry.model)}


SETTINGS = SettingsTable(
    LESSON,
    {
        "rnn_text": Text("Text to read", "Watch where the loss is high"),
        "rnn_model": Choice(lambda: models.labels(available_models()), "Model"),
        "rnn_unit": Text("Hidden unit to open", "Its row is framed; a press on h opens it too"),
        "rnn_all": Switch("Show all units, up to 256"),
        "rnn_layers": Choice(("1", "2", "3", "4"), "Layers"),
        "rnn_deep": Choice(("1", "2"), "Layers"),
        "rnn_both": Switch("Read both ways"),
        "rnn_word": Between(1, LONGEST, whole=True),
        "see": Bound(),
    },
)


def seen() -> str:
    """The view that is open, or nothing."""
    return address_value("see", "Picture")


def controls(entry: ModelEntry, entries: dict[str, ModelEntry]) -> None:
    """Draw the text, the words it may contain, and the choice of the model if there are several."""
    SETTINGS.draw("rnn_text", *(("rnn_model",) if len(entries) > 1 else ()))
    vocabulary = entry.model.vocabulary
    with st.popover(f"{KNOWN} ({len(vocabulary.words)})", icon=":material/list:", key="known"):
        st.markdown(", ".join(ui.escape_markdown(word) for word in sorted(vocabulary.words)))


def more_controls(entry: ModelEntry) -> None:
    """Draw the controls under More: all units, what the model is, and where to train one."""
    SETTINGS.draw("rnn_all")
    st.caption(f"{entry.label}: a small model, trained on the microworld, one layer, g = tanh.")
    training = contents.page("training").script
    icon = ":material/model_training:"
    st.page_link(training, label="Train one yourself", icon=icon, query_params={"models": "rnn"})


def read_walk(entries: dict[str, ModelEntry]) -> tuple[ModelEntry, UnrolledPosition]:
    """The model and the position in its text that the controls describe."""
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


def store_event(to: rnn_picture.Stopped) -> None:
    """Store the step and phase at which the picture stopped, and the chosen unit."""
    ui.set_controls(
        {
            "rnn_step": str(to["step"]),
            "rnn_phase": to["phase"],
            "rnn_unit": str(to["unit"]),
        }
    )


def store_slider(moved: Moved) -> None:
    """Store the step to which the slider was moved, or the number typed beside it."""
    _, walk = st.session_state["rnn-good"]
    try:
        step = parsing.parse_integer(moved["typed"], "the step")
        if not 1 <= step <= len(walk.tokens):
            raise ValueError(f"the step must be from 1 to {len(walk.tokens)}; got {step}")
        ui.set_controls({"rnn_step": str(step)})
    except ValueError as error:
        ui.show_error_later(error)


def live_numbers(
    entry: ModelEntry,
    weights: RNNMatrices,
    walk: UnrolledPosition,
    seen: Unrolled,
    truth: Float64[Tensor, " loss"],
) -> tuple[ui.LiveNumbers, rnn_picture.UnrolledPayload]:
    """The numbers of the chosen unit now and at every step, and what the picture draws."""
    trace = unrolled.unit_trace(weights, seen, walk.unit)
    table = rnn_picture.numbers(walk, seen, trace, truth)
    whole = SETTINGS.switch("rnn_all")
    how = rnn_picture.picture(walk, seen, weights, entry.model.vocabulary, table=table, whole=whole)
    now = {name: values[walk.step - 1] for name, values in table.items()}
    steps = np.arange(1.0, len(walk.tokens) + 1)
    look_for = "The numbers of this step; the chain rolls along"
    slider = ui.Slider("t", "t", "Time t", float(walk.step), steps, help=look_for)
    swept = {name: values[None] for name, values in table.items()}
    return ui.live_numbers("rnn", now, [slider], swept), how


def read_reach() -> int:
    """The reach in the address; `rnn_views.reach` limits it to the length of the text."""
    asked = parsing.parse_integer(st.session_state["rnn_cut"], "the reach")
    if asked < 1:
        raise ValueError(f"the reach must be 1 or more; got {asked}")
    return asked
