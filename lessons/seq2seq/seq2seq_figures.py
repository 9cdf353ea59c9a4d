"""Figures of the page on encoder–decoder models: exact match by length, and loss by place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import plotly.graph_objects as go

from drawing import theme
from drawing.theme import Mode
from lessons.seq2seq.measured_text import ATTENTION, HALF, LABELS, VECTOR, Curves, first_length
from lmcore.evaluation.exact_match import ExposureBias, LengthScore

ROLES = {ATTENTION: "weight", VECTOR: "loss"}
"""Model → its colour, as in the picture."""
DASHES = {ATTENTION: "solid", VECTOR: "dash"}
SYMBOLS = {ATTENTION: "circle", VECTOR: "diamond"}
FAINT = 0.22


def length_figure(
    curves: Curves, measured: Mapping[str, LengthScore], trained: int, mode: Mode
) -> go.Figure:
    """Exact match by length with Wilson bands, and the two shares measured now.

    `trained` is the longest source that the models were trained on.
    """
    traces, notes = list[dict[str, Any]](), [_trained_note(trained, mode)]
    for name, role in ROLES.items():
        lengths = [score.length for score in curves[name].scores]
        intervals = [score.interval for score in curves[name].scores]
        colour = theme.ROLES[role][mode]
        traces += [*_band(lengths, intervals, colour), _curve(name, lengths, intervals, colour)]
        notes += _label(name, curves, colour)
    for name, score in measured.items():
        traces.append(_point(name, score, theme.ROLES[ROLES[name]][mode], mode))
    rule = {"type": "line", "x0": trained, "x1": trained, "y0": 0, "y1": 1, "yref": "paper"}
    return theme.figure(
        mode,
        traces,
        height=420,
        showlegend=False,
        annotations=notes,
        shapes=[rule | {"line": {"color": theme.QUIET[mode], "width": 2, "dash": "dot"}}],
        xaxis={"title": "words of the source", "range": [1, 41]},
        yaxis={"title": "share right in every word", "range": [-0.02, 1.12]},
    )


def _band(
    lengths: Sequence[int], intervals: Sequence[tuple[float, float, float]], colour: str
) -> list[dict[str, Any]]:
    """Wilson's intervals, as the area between two lines without a stroke."""
    edge = {"type": "scatter", "mode": "lines", "x": lengths, "line": {"width": 0}}
    edge |= {"hoverinfo": "skip"}
    _, low, high = zip(*intervals, strict=True)
    return [edge | {"y": low}, edge | {"y": high, "fill": "tonexty", "fillcolor": _faint(colour)}]


def _curve(
    name: str,
    lengths: Sequence[int],
    intervals: Sequence[tuple[float, float, float]],
    colour: str,
) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "lines",
        "name": LABELS[name],
        "x": lengths,
        "y": [share for share, _, _ in intervals],
        "line": {"color": colour, "dash": DASHES[name], "width": 3},
        "hovertemplate": f"{LABELS[name]}, %{{x}} words: %{{y:.3f}}<extra></extra>",
    }


def _label(name: str, curves: Curves, colour: str) -> list[dict[str, Any]]:
    """The name of a curve beside the place where it falls below one half."""
    below = first_length(curves[name], HALF)
    if below is None:
        return []
    last = max((first_length(each, HALF) for each in curves.values()), key=_length)
    right = below is last
    return [
        {
            "x": below.length,
            "y": below.interval[0],
            "text": f"<b>{LABELS[name]}</b>",
            "xanchor": "left" if right else "right",
            "xshift": 10 if right else -14,
            "yshift": 14 if right else -6,
            "showarrow": False,
            "font": {"size": 16, "color": colour},
        }
    ]


def _length(score: LengthScore | None) -> int:
    return 0 if score is None else score.length


def _trained_note(trained: int, mode: Mode) -> dict[str, Any]:
    return {
        "x": trained,
        "y": 1.08,
        "text": f"trained up to {trained} words",
        "xanchor": "right",
        "xshift": -6,
        "showarrow": False,
        "font": {"size": 14, "color": theme.QUIET[mode]},
    }


def _point(name: str, score: LengthScore, colour: str, mode: Mode) -> dict[str, Any]:
    share, low, high = score.interval
    return {
        "type": "scatter",
        "mode": "markers",
        "name": f"{LABELS[name]}, measured here",
        "x": [score.length],
        "y": [share],
        "error_y": theme.whiskers([share], [low], [high], mode),
        "marker": {
            "symbol": SYMBOLS[name],
            "size": 13,
            "color": colour,
            "line": {"width": 2, "color": theme.INK[mode]},
        },
        "hovertemplate": f"{LABELS[name]}, measured here: %{{y:.3f}}<extra></extra>",
    }


def _faint(colour: str) -> str:
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return f"rgba({red}, {green}, {blue}, {FAINT})"


def exposure_figure(biases: Mapping[str, ExposureBias], mode: Mode) -> go.Figure:
    """The loss per place of the target: thin after the true words, thick after the model's own."""
    traces = [
        {
            "type": "scatter",
            "mode": "lines+markers" if own else "lines",
            "name": f"{LABELS[name]}, {'own' if own else 'true'} words",
            "x": list(range(1, len(losses) + 1)),
            "y": losses.tolist(),
            "customdata": bias.tokens.tolist(),
            "line": {
                "color": theme.ROLES[ROLES[name]][mode],
                "dash": theme.DASHES[2 * place + own],
                "width": 3 if own else 2,
            },
            "marker": {"symbol": SYMBOLS[name], "size": 8},
            "hovertemplate": "place %{x}: %{y:.4f} nats, %{customdata} tokens",
        }
        for place, (name, bias) in enumerate(biases.items())
        for own, losses in ((False, bias.teacher_forced), (True, bias.free_running))
    ]
    return theme.figure(
        mode,
        traces,
        height=420,
        xaxis={"title": "place i of the target"},
        yaxis={"title": "loss, nats per token", "rangemode": "tozero"},
    )
