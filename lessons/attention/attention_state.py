"""The settings of the step table, read and validated, and the numbers that its sliders move."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import streamlit as st

import ui
from drawing.events import Moved
from lessons.attention import (
    attention_picture,
    attention_text,
    flow_picture,
    matrices_picture,
)
from lessons.attention.attention_picture import TableView
from lmcore import parsing
from lmcore.attention import one_head, step_sweep, step_table
from lmcore.attention.matrices import MOST_ROWS, count_phrase, parse_matrix, resize_rows
from lmcore.attention.one_head import ExtractedHead
from lmcore.attention.slide_attention import PLACES
from lmcore.attention.step_table import MASKS, AttentionConfig, AttentionInputs, StepTable
from ui import compute, pretrained
from ui.settings import Between, Bound, Choice, SettingsTable, Switch, Text
from ui.widgets import address_value

LESSON = ui.lesson("attention")
SOURCES = {"x": "X and W", "qkv": "Q, K, V", "model": "A model"}
KNOWN_TEXT = {"attention_text": "The animal didn't cross the street because it was too tired"}
"""A text that every model can read."""
MOST_CODE_TEXT = 2000
"""Characters of a text that the snippet repeats: more than the table has room for."""
MATRIX_SETTINGS = {"x": ("X", "WQ", "WK", "WV"), "qkv": ("Q", "K", "V"), "model": ()}


def fit_rows() -> None:
    """Give each matrix of the typed words as many rows as there are words."""
    state = st.session_state
    source = state["attention_from"]
    if source == "model":
        return
    try:
        count = len(step_table.split_words(state["attention_words"]).words)
        names = [name for name in MATRIX_SETTINGS[source] if name[0] != "W"]
        fitted = {
            f"attention_{name}": resize_rows(state[f"attention_{name}"], name, count)
            for name in names
        }
    except ValueError:
        return  # the error is shown when the page is drawn
    before = len(parse_matrix(state[f"attention_{names[0]}"], names[0]))
    ui.set_controls(fitted)
    state["attention-fitted"] = fitted, before, count


def why_no_matrices() -> str:
    """Why there are no matrices to type; empty if there are."""
    own = MATRIX_SETTINGS[SETTINGS.choice("attention_from")]
    return "" if own else "Q, K and V are a model’s; choose X and W or Q, K, V to type your own"


def fit_text() -> None:
    """If the model cannot read the text, put in one that it can. For callbacks."""
    pretrained.fit_texts(SETTINGS.choice("attention_model"), KNOWN_TEXT)


SETTINGS = SettingsTable(
    LESSON,
    {
        "attention_from": Choice(SOURCES, "Q, K and V from", then=fit_rows),
        "attention_mode": Choice(attention_picture.MODES, "Show"),
        "attention_mask": Choice(
            MASKS, "Mask", help="Which keys a query may not look at: their rows are closed"
        ),
        "attention_scale": Switch("Divide by √d_k"),
        "attention_words": Text(
            "Words, separated by spaces",
            "Each word asks, answers and gives a value: one row of each matrix",
            then=fit_rows,
        ),
        "attention_hidden": Text("Padding: keys hidden at the end", "From 0 to all"),
        "attention_columns": Text(
            "Columns shown of a wide matrix",
            "Step by step shows a matrix of up to 8 columns whole",
        ),
        "attention_text": Text("Text", "The tokens are the rows of the table"),
        "attention_layer": Text("Layer, from 0", "Later layers look less at neighbours"),
        "attention_head": Text("Head, from 0", "Each head looks at different tokens"),
        "attention_model": Choice(
            pretrained.known_models,
            "Model",
            may_be_empty=True,
            then=fit_text,
        ),
        "attention_soft": Switch("Softmax over the keys"),
        "attention_stage": Choice(matrices_picture.STAGES, "Show"),
        "attention_fault": Between(0, len(PLACES), whole=True),
        "see": Bound(),
    },
)
D_K_HELP = "Drag right: the same scores are divided by more, and the weights even out"
TAU_HELP = "One more divisor: below 1 the largest weight grows, above 1 the weights even out"


def seen() -> str:
    """The view that is open, before its bar has been drawn."""
    return address_value("see", "Picture")


class AttentionState(NamedTuple):
    """The state of the page: Q, K and V, the configuration of attention, and the view."""

    inputs: AttentionInputs
    config: AttentionConfig
    view: TableView
    code: str
    """The lines of a script that make Q, K and V."""
    notes: tuple[str, ...] = ()
    """Sentences on what was cut off, and on the model, layer and head."""


def read_state(state: Any) -> AttentionState:
    """Read and validate the state of the controls.

    Raises:
        ValueError: naming what is wrong.
    """
    models = pretrained.known_models(report=True) if state["attention_from"] == "model" else {}
    inputs, code, notes = read_model_head(state, models) if models else read_matrices(state)
    own, key = len(inputs.query[0]), "attention_model_d_k" if models else "attention_d_k"
    config = AttentionConfig(
        own if state[key] == "own" else parsing.parse_integer(state[key], "d_k"),
        state["attention_scale"] != "false",
        parsing.parse_number(state["attention_temperature"], "the temperature"),
        state["attention_mask"],
        parsing.parse_integer(state["attention_hidden"], "hidden keys"),
    )
    names = ("mode", "query", "cell", "columns")
    mode, query, cell, columns = (state[f"attention_{name}"] for name in names)
    return AttentionState(
        inputs,
        config,
        attention_picture.table_view(mode, query, cell, columns, inputs),
        code,
        notes,
    )


def read_matrices(state: Any) -> tuple[AttentionInputs, str, tuple[str, ...]]:
    """Q, K and V from typed matrices, with their lines of a script, and notes."""
    text = step_table.split_words(state["attention_words"])
    source = "qkv" if state["attention_from"] == "qkv" else "x"
    make_inputs = step_table.inputs_from_qkv if source == "qkv" else step_table.from_inputs
    notes = [attention_text.CUT] if text.cut else []
    if state["attention_from"] == "model":
        notes.append("No model is installed here, so the typed matrices are shown.")
    inputs = make_inputs(
        text.words, *(state[f"attention_{name}"] for name in MATRIX_SETTINGS[source])
    )
    return inputs, attention_text.typed_source(inputs), tuple(notes)


def read_model_head(
    state: Any, models: dict[str, str]
) -> tuple[AttentionInputs, str, tuple[str, ...]]:
    """Q, K and V of one head over a text, with their lines of a script, and notes."""
    name = state["attention_model"] if state["attention_model"] in models else next(iter(models))
    reader = pretrained.load(name)
    text = reader.read(state["attention_text"], most=MOST_ROWS)
    requested = [
        parsing.parse_integer(state[f"attention_{part}"], f"the {part}")
        for part in ("layer", "head")
    ]
    layer, head = one_head.nearest_head(reader.network, *requested)
    take = partial(_extract_head, name, state["attention_text"], layer, head)
    extracted = compute.shared_result("one head", take, most=32, says="Reading the text")
    place = attention_text.head_words(models[name], extracted, (layer, head), tuple(requested))
    code = attention_text.model_source(
        name, state["attention_text"][:MOST_CODE_TEXT], (layer, head)
    )
    return extracted.given, code, (place, attention_text.CUT) if text.cut else (place,)


def _extract_head(model: str, text: str, layer: int, head: int) -> ExtractedHead:
    reader = pretrained.load(model)
    read = reader.read(text, most=MOST_ROWS)
    return one_head.extract_head(reader.network, read, layer=layer, head=head)


def slider_numbers(
    current: AttentionState, table: StepTable, favoured: flow_picture.Pair, *, whole: bool
) -> ui.LiveNumbers:
    """The numbers now and at every position of d_k and of the temperature, in one batched call.

    These are the picture's numbers, and with `whole` also those of the table of every number.
    """
    inputs, config, view, *_ = current
    scalings = step_sweep.slider_scalings(config)
    swept = step_sweep.sweep_step_table(inputs, config, scalings)
    still = step_sweep.score_scaling(config)
    now, every = (
        _merged(
            flow_picture.numbers(inputs, config, each, view, setting, favoured),
            *([attention_picture.numbers(inputs, each, view, setting)] if whole else []),
        )
        for each, setting in ((table, still), (swept, scalings))
    )
    return ui.LiveNumbers("attention", tuple(now), np.array(list(now.values())), sliders(config),
                          np.stack(list(every.values()), axis=-1))  # fmt: skip


def _merged(*parts: attention_picture.NamedNumbers) -> dict[str, npt.NDArray[np.float64]]:
    """All of the numbers by name; a name that occurs twice has the same number in both parts."""
    return {
        name: part.values[..., i].numpy() for part in parts for i, name in enumerate(part.names)
    }


def sliders(config: AttentionConfig) -> tuple[ui.Slider, ...]:
    """The slider of d_k, if scores are scaled, and that of the temperature."""
    d_ks, taus = (each.numpy() for each in step_sweep.slider_positions(config))
    d_k = ui.Slider("d_k", "d_k", "width d_k", config.d_k, d_ks, help=D_K_HELP, role="query")
    tau = ui.Slider(
        "temperature",
        "τ",
        "temperature",
        config.temperature,
        taus,
        help=TAU_HELP,
        role="activation",
    )
    return (d_k, tau) if config.scaled else (tau,)


def store_slider(event: Moved) -> None:
    """Store the value of a slider that was released, or the number typed beside it."""
    current: AttentionState = st.session_state["attention-good"]
    name, typed = event["name"], event["typed"]
    try:
        if name == "d_k":
            changed = replace(current.config, d_k=parsing.parse_integer(typed, "d_k"))
            own = st.session_state["attention_from"] == "model"
            ui.set_controls({"attention_model_d_k" if own else "attention_d_k": str(changed.d_k)})
        else:
            changed = replace(
                current.config, temperature=parsing.parse_number(typed, "the temperature")
            )
            ui.set_controls({"attention_temperature": f"{changed.temperature:.12g}"})
    except ValueError as error:
        ui.show_error_later(error)


def more_controls(models: dict[str, str]) -> None:
    """Draw the controls under More: the model's text and head, what is padding, the table."""
    if SETTINGS.choice("attention_from") == "model":
        SETTINGS.draw("attention_text", "attention_layer", "attention_head")
        if len(models) > 1:
            SETTINGS.draw("attention_model")
    if SETTINGS.choice("attention_mask") == "padding":
        SETTINGS.draw("attention_hidden")
    SETTINGS.draw("attention_columns")


def fitted_words() -> str:
    """What `fit_rows` did, as long as its rows are there."""
    fitted, before, count = st.session_state.get("attention-fitted", ({}, 0, 0))
    there = all(st.session_state[name] == text for name, text in fitted.items())
    if not fitted or before == count or not there:
        return ""
    which = " and ".join(
        ", ".join(name.removeprefix("attention_") for name in fitted).rsplit(", ", 1)
    )
    if count < before:
        return f"{which}: the rows after {count} are gone."
    more = count_phrase(count - before, "new row")
    return f"{which}: {more}, each the row above it with its numbers moved one place to the right."


def open_cell(event: attention_picture.AskedOrOpened) -> None:
    """Store the opened cell, or the chosen query."""
    if "query" in event:
        ui.set_controls({"attention_query": str(event["query"])})
        return
    cell = event["cell"]
    match cell.split():
        case [stage, row, _]:
            pass
        case _:
            wrong = f"a cell must be a stage, a row and a column; got {cell[:24]!r}"
            raise ValueError(wrong)
    ui.set_controls({"attention_cell": cell})
    if stage not in attention_picture.OF_A_TOKEN:
        ui.set_controls({"attention_query": row})
