"""Figures of the page on transfer: accuracy by frozen parts, by λ, and along a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import plotly.graph_objects as go

from lessons.shared import theme
from lessons.shared.theme import Mode
from lmcore.transfer.curves import Score

SYMBOLS = ("circle", "square", "diamond", "triangle-up", "x")


def scores_figure(
    rows: Mapping[str, Mapping[float, Score]],
    mode: Mode,
    *,
    across: Mapping[str, Any],
    low: float = 0.0,
) -> go.Figure:
    """Accuracy with its interval against a setting, one curve a name, named at its right end."""
    traces, notes = list[dict[str, Any]](), list[dict[str, Any]]()
    ends = _apart([list(points.values())[-1].mean for points in rows.values()], 0.055 * (1 - low))
    for k, (name, points) in enumerate(rows.items()):
        colour, dash = theme.SERIES[mode][k], theme.DASHES[k]
        places, scores = list(points), list(points.values())
        traces.append(
            {
                "type": "scatter",
                "mode": "lines+markers",
                "name": name,
                "x": places,
                "y": [score.mean for score in scores],
                "error_y": {
                    "type": "data",
                    "symmetric": False,
                    "array": [score.high - score.mean for score in scores],
                    "arrayminus": [score.mean - score.low for score in scores],
                    "thickness": 1.5,
                    "width": 5,
                },
                "line": {"color": colour, "width": 3, "dash": dash},
                "marker": {"symbol": SYMBOLS[k], "size": 10, "color": colour},
                "hovertemplate": f"{name}, %{{x}}: %{{y:.3f}}<extra></extra>",
            }
        )
        notes.append(_name(name, places[-1], ends[k], colour))
    return theme.figure(
        mode,
        traces,
        height=400,
        showlegend=False,
        annotations=notes,
        margin={"l": 60, "r": 150, "t": 16, "b": 52},
        xaxis=dict(across),
        yaxis={"title": "share of right answers", "range": [low, 1.03]},
    )


def run_figure(
    losses: Sequence[float], tests: Mapping[int, float], best: float, mode: Mode
) -> go.Figure:
    """The loss of each step and the accuracy at the tested ones, with the best possible one."""
    steps = list(range(1, len(losses) + 1))
    return theme.figure(
        mode,
        [
            {
                "type": "scatter",
                "mode": "lines",
                "name": "loss of the batch, nats",
                "x": steps,
                "y": list(losses),
                "line": {"color": theme.ROLES["loss"][mode], "width": 2, "dash": "dot"},
            },
            {
                "type": "scatter",
                "mode": "lines+markers",
                "name": "right answers",
                "x": list(tests),
                "y": list(tests.values()),
                "line": {"color": theme.ROLES["activation"][mode], "width": 3},
                "marker": {"size": 9, "color": theme.ROLES["activation"][mode]},
            },
        ],
        height=360,
        shapes=[
            {
                "type": "line",
                "xref": "paper",
                "x0": 0,
                "x1": 1,
                "y0": best,
                "y1": best,
                "line": {"color": theme.INK[mode], "width": 1.5, "dash": "dash"},
            }
        ],
        xaxis={"title": "step"},
        yaxis={"title": "loss; share right", "rangemode": "tozero"},
    )


def _name(name: str, x: float, y: float, colour: str) -> dict[str, Any]:
    return {
        "x": 1,
        "xref": "paper",
        "y": y,
        "text": f"<b>{name}</b>",
        "xanchor": "left",
        "xshift": 6,
        "showarrow": False,
        "font": {"size": 14, "color": colour},
    }


def _apart(ends: Sequence[float], gap: float) -> list[float]:
    """Places for labels, from the lowest up, at least a gap apart."""
    order = sorted(range(len(ends)), key=ends.__getitem__)
    found = list(ends)
    for before, after in pairwise(order):
        found[after] = max(found[after], found[before] + gap)
    return found
