"""Figures of the page on transfer: accuracy by frozen parts, by λ, and along a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import plotly.graph_objects as go

from drawing import theme
from drawing.theme import Mode
from lmcore.transfer.curves import Score

SYMBOLS = ("circle", "square", "diamond", "triangle-up", "x")


def scores_figure(
    rows: Mapping[str, Mapping[float, Score]],
    mode: Mode,
    *,
    across: Mapping[str, Any],
    low: float = 0.0,
) -> go.Figure:
    """Accuracy with its interval against a setting, one curve per name."""
    return theme.figure(
        mode,
        [_curve(k, name, points, mode) for k, (name, points) in enumerate(rows.items())],
        height=420,
        margin={"l": 60, "r": 16, "t": 24, "b": 52},
        xaxis=dict(across),
        yaxis={"title": "share of right answers", "range": [low, 1.03]},
    )


def _curve(k: int, name: str, points: Mapping[float, Score], mode: Mode) -> dict[str, Any]:
    colour, scores = theme.SERIES[mode][k], list(points.values())
    middle, low, high = ([score[i] for score in scores] for i in range(3))
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "name": name,
        "x": list(points),
        "y": middle,
        "error_y": theme.whiskers(middle, low, high, mode) | {"color": colour},
        "line": {"color": colour, "width": 3, "dash": theme.DASHES[k]},
        "marker": {"symbol": SYMBOLS[k], "size": 10, "color": colour},
        "hovertemplate": f"{name}, %{{x}}: %{{y:.3f}}<extra></extra>",
    }


def run_figure(
    losses: Sequence[float], tests: Mapping[int, float], best: float, mode: Mode
) -> go.Figure:
    """The loss of each step, the accuracy at the tested steps, and the best possible accuracy."""
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
