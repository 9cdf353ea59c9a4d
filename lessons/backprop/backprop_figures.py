"""The loss along the steps of gradient descent."""

from __future__ import annotations

import plotly.graph_objects as go

from drawing import theme
from drawing.theme import Mode
from lmcore.graph import Descent
from lmcore.notation import LOSS
from lmcore.numbers import format_number


def descent_curve(descent: Descent, loss: str, mode: Mode) -> go.Figure:
    """L before the first step and after each one."""
    losses = descent.losses.tolist()
    curve = {
        "type": "scatter",
        "x": list(range(len(losses))),
        "y": losses,
        "mode": "lines+markers",
        "line": {"color": theme.ROLES["loss"][mode], "width": 2.5},
        "marker": {"size": 6},
        "hovertemplate": "step %{x}: %{y:.6g}<extra></extra>",
    }
    return theme.figure(
        mode,
        [curve],
        height=320,
        xaxis={"title": "step", "rangemode": "tozero"},
        yaxis={"title": f"{LOSS.word} {loss}"},
    )


def describe_descent(descent: Descent, loss: str) -> str:
    """Alt text, from the losses."""
    losses = descent.losses.tolist()
    return (
        f"{loss} goes from {format_number(losses[0])} to {format_number(losses[-1])} "
        f"in {len(losses) - 1} steps of gradient descent."
    )
