"""Figures for one unit: all activations side by side, and a decision surface."""

from __future__ import annotations

import plotly.graph_objects as go

from drawing import theme
from drawing.theme import Mode
from lmcore.neuron.activations import Activation, Curve
from lmcore.neuron.neuron import CORNERS, GATES, Surface
from lmcore.notation import DERIVATIVE, INPUT, OUTPUT, PRE_ACTIVATION
from lmcore.numbers import format_number

BOUNDARY = ((theme.INK["light"], 6), (theme.BACKGROUND["light"], 3))
"""A white line with a dark edge stands out on every colour of both scales."""


def activation_comparison(
    curves: dict[str, Curve], here: Activation, z: float, mode: Mode
) -> go.Figure:
    """The functions (left) and their derivatives (right) over one z axis; a line marks z."""
    traces: list[dict[str, object]] = []
    for i, (name, along) in enumerate(curves.items()):
        line = theme.series_line(mode, i) | {"width": 4 if name == here.name else 1.8}
        common = {"type": "scatter", "x": along.z.numpy(), "name": name, "line": line}
        common["legendgroup"] = name
        right = {"xaxis": "x2", "yaxis": "y2", "showlegend": False}
        traces += [
            common | {"y": along.output.numpy()},
            common | {"y": along.derivative.numpy()} | right,
        ]
    mark = {"type": "line", "x0": z, "x1": z, "y0": 0, "y1": 1, "line": _thin(mode)}
    return theme.figure(
        mode,
        traces,
        height=420,
        xaxis={"domain": [0, 0.46], "title": PRE_ACTIVATION.title},
        xaxis2={"domain": [0.54, 1], "anchor": "y2", "title": PRE_ACTIVATION.title},
        yaxis={"title": f"{OUTPUT.word} g(z)", "range": [-1.6, 3.2]},
        yaxis2={
            "title": f"{DERIVATIVE.word} dg/dz",
            "anchor": "x2",
            "range": [-0.25, 1.3],
            "side": "right",
            "automargin": True,
        },
        shapes=[mark | {"xref": axis, "yref": f"y{axis[1:]} domain"} for axis in ("x", "x2")],
    )


def decision_surface(
    over: Surface, at: tuple[float, float], gate: str | None, mode: Mode
) -> go.Figure:
    """Colour: output y over two inputs. Line: z = 0, where the decision flips."""
    axis = over.axis.numpy()
    surface = {
        "type": "heatmap",
        "x": axis,
        "y": axis,
        "z": over.output.numpy(),
        "colorbar": {"title": OUTPUT.title, "thickness": 14},
        "hovertemplate": "x₁ %{x:.3f}<br>x₂ %{y:.3f}<br>y %{z:.4f}<extra></extra>",
    }
    here = {
        "type": "scatter",
        "x": [at[0]],
        "y": [at[1]],
        "mode": "markers",
        "name": "current input",
        "marker": {
            "symbol": "x",
            "size": 13,
            "color": theme.BACKGROUND["light"],
            "line": {"width": 2},
        },
    }
    lines = [_boundary(over, *line) for line in BOUNDARY]
    return theme.figure(
        mode,
        [surface | _scale(over), *lines, *([_corners(gate, mode)] if gate else []), here],
        height=440,
        xaxis={"title": f"{INPUT.title}₁", "constrain": "domain"},
        yaxis={"title": f"{INPUT.title}₂", "scaleanchor": "x", "constrain": "domain"},
    )


def _scale(over: Surface) -> dict[str, object]:
    """The colour scale: 0 to 1 if all outputs are in that range, else symmetric about 0."""
    largest = float(over.output.abs().max())
    if largest <= 1 and float(over.output.min()) >= 0:
        return {"colorscale": theme.SEQUENTIAL, "zmin": 0, "zmax": 1}
    return {"colorscale": theme.DIVERGING, "zmin": -largest, "zmax": largest}


def _boundary(over: Surface, colour: str, width: int) -> dict[str, object]:
    axis = over.axis.numpy()
    return {
        "type": "contour",
        "x": axis,
        "y": axis,
        "z": over.pre_activation.numpy(),
        "contours": {"start": 0, "end": 0, "size": 1, "coloring": "none"},
        "line": {"color": colour, "width": width},
        "showscale": False,
        "showlegend": False,
        "hoverinfo": "skip",
    }


def _corners(gate: str, mode: Mode) -> dict[str, object]:
    wanted = GATES[gate]
    return {
        "type": "scatter",
        "x": [x for x, _ in CORNERS],
        "y": [y for _, y in CORNERS],
        "mode": "markers+text",
        "name": f"{gate} target",
        "text": [str(value) for value in wanted],
        "textfont": {"color": theme.INK["light"], "size": 15},
        "marker": {
            "size": 26,
            "color": theme.BACKGROUND["light"],
            "symbol": ["square" if value else "circle" for value in wanted],
            "line": {"width": 2, "color": theme.INK["light"]},
        },
    }


def describe_surface(over: Surface, gate: str | None, score: int | None) -> str:
    """Alt text for `decision_surface`, from its data."""
    low, high = float(over.output.min()), float(over.output.max())
    text = (
        f"Output y over inputs x₁ and x₂, from {format_number(low)} to {format_number(high)}; "
        f"{'a white line' if _crosses(over) else 'no line'} marks z = 0."
    )
    return f"{text} {gate}: {score} of 4 corners classified correctly." if gate else text


def describe_comparison(curves: dict[str, Curve], here: Activation, z: float) -> str:
    """Alt text for `activation_comparison`."""
    return (
        f"Left: {', '.join(curves)} over z. Right: their derivatives. "
        f"{here.name} is drawn thick; a vertical line marks z = {format_number(z)}."
    )


def _crosses(over: Surface) -> bool:
    return bool((over.pre_activation > 0).any() and (over.pre_activation <= 0).any())


def _thin(mode: Mode) -> dict[str, object]:
    return {"color": theme.ROLES["score"][mode], "width": 2, "dash": "dot"}
