"""Figures of trained LSTMs: heat strips over a text, the gradient back, single units."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, TypedDict

import numpy as np
import plotly.graph_objects as go
from jaxtyping import Float
from numpy.typing import NDArray

from drawing import theme
from drawing.payload import NumberArray, Script
from drawing.theme import Mode
from lmcore.numbers import format_number
from lmcore.recurrence.gate_clamping import ClampedTrace
from lmcore.recurrence.unit_probes import ProbedUnit
from lmcore.vocabulary import Vocabulary

QUANTITIES = {
    "forget": "forget gate f",
    "input": "input gate i",
    "candidate": "candidate c̃",
    "cell": "memory c",
    "output": "output gate o",
    "hidden": "hidden h",
}
GATES = ("forget", "input", "output")
"""Quantities from 0 to 1; the other quantities have a sign."""
READERS = {"lstm": "Word by word", "character_lstm": "Letter by letter"}
"""The LSTMs that ship, by their tokens; `TEXTS` has their default texts."""
TEXTS = {
    "lstm": "the trophy didn't fit in the box because it was too big",
    "character_lstm": "“Ada sings.” (Tom waits.) Nell",
}
CLAMPABLE = {
    "none": "Nothing",
    "forget": "Forget gate f",
    "input": "Input gate i",
    "candidate": "Candidate c̃",
    "output": "Output gate o",
}
COLOURED = 420
"""Characters of the default text that are coloured."""
USUAL = 0.95
"""The share of the values that the gauges of the letters span; others are drawn at the edge."""
SHOWN = 32
"""The number of units that are drawn, from the first on."""
GRADIENT_READING = (
    "How far back the gradient of the last token's loss J reaches: its norm at each hₖ. Measured "
    "on this model and text."
)
MARKS = {"\n": "⏎", " ": "␣"}


def heat(reading: ClampedTrace, quantity: str, tokens: Sequence[str], mode: Mode) -> go.Figure:
    """One quantity of the first `SHOWN` units (rows) at each token (columns)."""
    values = _of(reading, quantity)[:, :SHOWN].T
    figure = theme.figure(mode, height=460)
    scale = _scale(quantity, values)
    figure.add_trace(_strip(values, list(range(len(values))), QUANTITIES[quantity], scale))
    figure.update_layout(margin={"t": 12})
    figure.update_yaxes(title="unit", autorange="reversed", zeroline=False)
    figure.update_xaxes(**_token_axis(tokens))
    return figure


def unit_strips(reading: ClampedTrace, unit: int, tokens: Sequence[str], mode: Mode) -> go.Figure:
    """All six quantities of one unit: its gates above, its signed numbers below."""
    signed = tuple(name for name in QUANTITIES if name not in GATES)
    figure = theme.figure(mode, height=320)
    for names, axis in ((GATES, "y2"), (signed, "y")):
        values = np.stack([_of(reading, name)[:, unit] for name in names])
        labels = [QUANTITIES[name].rsplit(" ", 1)[1] for name in names]
        scale = _scale(names[0], values) | {"colorbar": _bar(axis)}
        figure.add_trace(_strip(values, labels, f"unit {unit}", scale).update(yaxis=axis))
    figure.update_layout(
        yaxis={"domain": [0, 0.46], "autorange": "reversed", "title": "signed"},
        yaxis2={"domain": [0.54, 1], "autorange": "reversed", "title": "gates"},
        margin={"t": 12},
    )
    figure.update_xaxes(**_token_axis(tokens))
    return figure


def gradient_back(
    readings: Mapping[str, ClampedTrace], tokens: Sequence[str], mode: Mode
) -> go.Figure:
    """‖∂J/∂h_k‖ at every token, for the free cell and the one with a clamped gate; log scale."""
    figure = theme.figure(mode, height=340)
    for i, (name, reading) in enumerate(readings.items()):
        norms = [float(x) or None for x in reading.gradient]
        line = {"color": theme.SERIES[mode][i], "dash": theme.DASHES[i], "width": 2.5}
        figure.add_trace(go.Scatter(y=norms, name=name, line=line, mode="lines+markers"))
    figure.update_xaxes(**_token_axis(tokens))
    figure.update_yaxes(title="‖∂J/∂hₖ‖, log scale", type="log", dtick=1, exponentformat="power")
    return figure


class LettersPayload(TypedDict):
    """A text, with the value and the label of each character."""

    text: str
    values: NumberArray
    said: list[str]
    reach: float
    name: str
    alt: str


LETTERS = Script("letters", LettersPayload)


def coloured_letters(
    text: str, values: Float[np.ndarray, " place"], labels: NDArray[Any], name: str, label: str
) -> LettersPayload:
    """The data of `lessons/lstm/letters.js`: the value and the label of each character."""
    return {
        "text": text,
        "values": values.astype(np.float64),
        "said": [_said(each, label) for each in labels.tolist()],
        "reach": float(np.quantile(np.abs(values), USUAL)) or 1.0,
        "name": name,
        "alt": f"{len(text)} characters, each with the value of {name}: from "
        f"{format_number(float(values.min()))} to {format_number(float(values.max()))}.",
    }


def unit_rows(found: Sequence[ProbedUnit]) -> list[tuple[str, float, float, float]]:
    """One row per label and kind: unit, score on the selecting text, score on another text."""
    return [
        (f"{each.label} · {each.kind}", float(each.unit), each.picked, each.scored)
        for each in found
    ]


def next_rows(
    readings: Mapping[str, ClampedTrace], vocabulary: Vocabulary, *, most: int = 6
) -> list[tuple[str, *tuple[float, ...]]]:
    """The most probable next tokens of the first reading, with their probability in each."""
    first = next(iter(readings.values())).next
    ids = first.topk(min(most, len(vocabulary))).indices.tolist()
    return [
        (visible_token(vocabulary.tokens[i]), *(float(each.next[i]) for each in readings.values()))
        for i in ids
    ]


def visible_token(token: str) -> str:
    """The display form of a token on an axis, with visible blanks and line breaks."""
    return MARKS.get(token, token)


def heat_reading(reading: ClampedTrace, quantity: str) -> str:
    """How to read `heat`, and how many of the units it shows."""
    there = reading.layer.hidden.shape[-1]
    return (
        f"{QUANTITIES[quantity]}: one row per unit, {min(SHOWN, there)} of {there} shown; one "
        "column per token."
    )


def losses_words(readings: Mapping[str, ClampedTrace]) -> str:
    """The loss of each reading, printed above the table of next tokens."""
    losses = ", ".join(f"{name} {format_number(each.loss)}" for name, each in readings.items())
    return f"Loss J of the last token, in nats: {losses}. What comes after the text:"


def units_words(unreadable: int, there: int) -> str:
    """Explains the table of units, and how many cells track none of the properties."""
    return (
        "AUC: 1 or 0 is perfect, ½ is no better than chance; for the position, Pearson’s r. "
        f"Picked on one text and scored on another, both new to the model. {unreadable} of {there} "
        "cells track none of the three properties. Which cell learns what depends on the seed: "
        "the seed of the LSTM that comes with the app was chosen because it has a cell for each "
        "property; with other seeds “inside quotes” is spread over several cells."
    )


def describe_heat(reading: ClampedTrace, quantity: str, tokens: Sequence[str]) -> str:
    """Alt text for `heat`."""
    values = _of(reading, quantity)[:, :SHOWN]
    return (
        f"{QUANTITIES[quantity]} of {values.shape[1]} units over {len(tokens)} tokens, from "
        f"{format_number(float(values.min()))} to {format_number(float(values.max()))}."
    )


def describe_unit(reading: ClampedTrace, unit: int) -> str:
    """Alt text for `unit_strips`."""
    means = (
        f"{QUANTITIES[name]} {format_number(float(_of(reading, name)[:, unit].mean()))}"
        for name in QUANTITIES
    )
    return f"Unit {unit} over the text; on average {', '.join(means)}."


def describe_gradient(readings: Mapping[str, ClampedTrace]) -> str:
    """Alt text for `gradient_back`."""
    ends = (
        f"{name}: {format_number(float(each.gradient[0]))} at the first token, "
        f"{format_number(float(each.gradient[-1]))} at the last"
        for name, each in readings.items()
    )
    return f"Gradient of the last loss at each token. {'; '.join(ends)}."


def _said(value: bool | int, label: str) -> str:
    if isinstance(value, bool):
        return f"; {label}" if value else f"; not {label}"
    return f"; {label} {value}"


def _of(reading: ClampedTrace, quantity: str) -> Float[np.ndarray, "time unit"]:
    values: Float[np.ndarray, "time unit"] = getattr(reading.layer, quantity)[0].double().numpy()
    return values


def _scale(quantity: str, values: Float[np.ndarray, "row time"]) -> dict[str, Any]:
    if quantity in GATES:
        return {"colorscale": theme.SEQUENTIAL, "zmin": 0, "zmax": 1}
    largest = float(np.abs(values).max()) or 1.0
    return {"colorscale": theme.DIVERGING, "zmin": -largest, "zmax": largest}


def _bar(axis: str) -> dict[str, Any]:
    """A colour bar beside the upper strips (y2), or beside the lower ones."""
    return {"thickness": 12, "len": 0.5, "y": 0.77 if axis == "y2" else 0.23}


def _strip(
    values: Float[np.ndarray, "row time"], rows: Sequence[object], name: str, scale: dict[str, Any]
) -> go.Heatmap:
    hover = "token %{x}, %{y}<br>" + name + " %{z:.4f}<extra></extra>"
    bar: dict[str, Any] = {"colorbar": {"thickness": 12}}
    return go.Heatmap(z=values.tolist(), y=list(rows), hovertemplate=hover, **(bar | scale))


def _token_axis(tokens: Sequence[str]) -> dict[str, Any]:
    letters = all(len(token) == 1 for token in tokens)
    return {
        "tickvals": list(range(len(tokens))),
        "ticktext": [escape(visible_token(token)) for token in tokens],
        "tickangle": 0 if letters else -60,
        "tickfont": {"size": 11 if letters else 13},
        "title": "character" if letters else "word",
        "zeroline": False,
        "showgrid": False,
    }
