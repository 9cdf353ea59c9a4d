"""Figures of the page on networks: the best line, and the share of starts that solve a task."""

from __future__ import annotations

from collections.abc import Mapping

import plotly.graph_objects as go
import torch

from drawing import theme
from drawing.theme import Mode
from lmcore.networks.lines import BestLine
from lmcore.networks.points import LabelledPoints, Window

SYMBOLS = ("circle", "square", "triangle-up")


def best_line_figure(
    points: LabelledPoints, line: BestLine, window: Window, mode: Mode
) -> go.Figure:
    """The points, the best line, and a ring around each point on the wrong side."""
    seen = ~points.held_out
    x, labels = points.x[seen], points.labels[seen]
    traces: list[dict[str, object]] = [*_half_plane(line, window, mode)]
    for label in sorted(set(labels.tolist())):
        of_class = labels == label
        traces.append(_marks(x[of_class], label, mode))
    wrong = x[~line.right]
    ring = {"symbol": "circle-open", "size": 34, "color": theme.ROLES["gradient"][mode]}
    traces.append(
        {
            "type": "scatter",
            "x": wrong[:, 0].tolist(),
            "y": wrong[:, 1].tolist(),
            "mode": "markers",
            "name": "on the wrong side",
            "marker": ring | {"line": {"width": 4}},
            "hoverinfo": "skip",
        }
    )
    ends = [window.low, window.high]
    return theme.figure(
        mode,
        traces,
        height=440,
        xaxis={"title": "input x₁", "range": ends, "constrain": "domain"},
        yaxis={"title": "input x₂", "range": ends, "scaleanchor": "x", "constrain": "domain"},
    )


def _half_plane(line: BestLine, window: Window, mode: Mode) -> list[dict[str, object]]:
    """The half-plane where w·x + b > 0, and its boundary, drawn far beyond the window."""
    w, b = line.weights, float(line.bias)
    if float(w.norm()) == 0:
        return []
    foot = -b * w / w.square().sum()
    along = torch.stack([-w[1], w[0]]) / w.norm() * 10 * (window.high - window.low)
    ends = torch.stack([foot - along, foot + along])
    above = torch.cat([ends, ends.flip(0) + 10 * (window.high - window.low) * w / w.norm()])
    return [
        {
            "type": "scatter",
            "x": above[:, 0].tolist(),
            "y": above[:, 1].tolist(),
            "mode": "lines",
            "fill": "toself",
            "fillcolor": theme.SHADE[mode],
            "line": {"color": theme.INK[mode], "width": 3},
            "name": "w·x + b above 0",
            "hoverinfo": "skip",
        }
    ]


def _marks(x: torch.Tensor, label: int, mode: Mode) -> dict[str, object]:
    few = len(x) <= 12
    return {
        "type": "scatter",
        "x": x[:, 0].tolist(),
        "y": x[:, 1].tolist(),
        "mode": "markers+text" if few else "markers",
        "text": [str(label)] * len(x) if few else None,
        "textfont": {"color": theme.INK[mode], "size": 15},
        "name": f"class {label}",
        "marker": {
            "symbol": SYMBOLS[label],
            "size": 26 if few else 9,
            "color": theme.BACKGROUND[mode] if few else theme.SERIES[mode][label],
            "line": {"width": 2, "color": theme.INK[mode]},
        },
    }


def seed_shares(shares: Mapping[int, tuple[float, float, float]], mode: Mode) -> go.Figure:
    """The share of starts that solve the task, with its interval, by the number of units."""
    share, low, high = zip(*shares.values(), strict=True)
    bars = {
        "type": "bar",
        "x": [str(units) for units in shares],
        "y": share,
        "marker": {"color": theme.ROLES["activation"][mode]},
        "error_y": theme.whiskers(share, low, high, mode),
        "hovertemplate": "%{x} hidden units: %{y:.3f}<extra></extra>",
    }
    return theme.figure(
        mode,
        [bars],
        height=400,
        xaxis={"title": "units of the hidden layer", "type": "category"},
        yaxis={"title": "share of starts that solve it", "range": [0, 1.05]},
    )
