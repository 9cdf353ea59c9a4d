"""Figures of the page on gradient descent: the loss in 3-D, schedules, noise of batches, −log p."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import plotly.graph_objects as go
import torch
from jaxtyping import Float64
from torch import Tensor

from drawing import theme
from drawing.theme import Mode
from lessons.descent.descent_picture import run_label
from lessons.descent.numbers import Descent, place_of_rate
from lmcore.optimization.batches import BatchNoise
from lmcore.optimization.loss_grid import LossGrid
from lmcore.optimization.slide_code import SlideComparison

LIFT = 0.02
"""How far paths are above the surface, in units of its height, so that they are visible."""
SYMBOLS = ("circle", "square", "diamond", "cross")


def bowl_figure(
    run: Descent, grid: LossGrid, eta: float, step: int, best: Sequence[float] | None, mode: Mode
) -> go.Figure:
    """The loss over both parameters as a surface, with each run as far as `step`."""
    surface = run.surface
    inside = _square(grid, surface.center, surface.half)
    high = float(inside[2].max() - inside[2].min())
    traces = [_bowl(inside, high, mode), *_paths(run, inside, eta, step, LIFT * high, mode)]
    if best is not None:
        traces.append(
            {
                "type": "scatter3d", "mode": "markers+text", "name": "closed form β*",
                "x": [best[0]], "y": [best[1]], "z": [best[2] + LIFT * high], "text": ["β*"],
                "textposition": "top center",
                "marker": {"size": 7, "symbol": "diamond", "color": theme.INK[mode]},
            }
        )  # fmt: skip
    return theme.figure(
        mode,
        traces,
        height=480,
        margin={"l": 0, "r": 0, "t": 8, "b": 0},
        dragmode="orbit",
        scene=_scene(surface.objective.names, mode),
    )


def _bowl(inside: tuple[Tensor, Tensor, Tensor], high: float, mode: Mode) -> dict[str, object]:
    """The surface of the loss, `high` from its lowest to its highest, with contour lines."""
    first, second, loss = (each.numpy() for each in inside)
    return {
        "type": "surface", "x": first, "y": second, "z": loss, "showscale": False,
        "opacity": 0.85,
        "colorscale": [[0, theme.BACKGROUND[mode]], [1, theme.ROLES["loss"][mode]]],
        "contours": {"z": {"show": True, "color": theme.QUIET[mode], "width": 1,
                           "start": float(loss.min()), "end": float(loss.max()),
                           "size": max(high / 12, 1e-9)}},
        "name": "L", "hovertemplate": "%{x:.3f}, %{y:.3f}<br>L %{z:.4f}<extra></extra>",
    }  # fmt: skip


def _paths(
    run: Descent,
    inside: tuple[Tensor, Tensor, Tensor],
    eta: float,
    step: int,
    lift: float,
    mode: Mode,
) -> Iterator[dict[str, object]]:
    """Each run with this η as far as `step`, where it is inside, `lift` above the surface."""
    sweep = run.sweep
    at = place_of_rate(sweep.rates, eta)
    ends = [(float(axis.min()), float(axis.max())) for axis in inside[:2]]
    for i, config in enumerate(sweep.configs):
        path, height = sweep.parameters[: step + 1, at, i], sweep.loss[: step + 1, at, i]
        kept = torch.stack(
            [(path[:, k] >= a) & (path[:, k] <= b) for k, (a, b) in enumerate(ends)]
        ).all(dim=0)
        yield {
            "type": "scatter3d", "mode": "lines+markers", "name": run_label(config),
            "x": path[kept, 0].tolist(), "y": path[kept, 1].tolist(),
            "z": (height[kept] + lift).tolist(),
            "line": {"width": 6, "color": theme.SERIES[mode][i]},
            "marker": {"size": 4, "symbol": SYMBOLS[i], "color": theme.SERIES[mode][i]},
        }  # fmt: skip


def _scene(names: Sequence[str], mode: Mode) -> dict[str, object]:
    """The axes of both parameters and of the loss, and where they are looked at from."""
    low = theme.BACKGROUND[mode]
    axis = {"color": theme.INK[mode], "gridcolor": theme.SHADE[mode], "backgroundcolor": low}
    one, two = names
    return {
        "xaxis": axis | {"title": one},
        "yaxis": axis | {"title": two},
        "zaxis": axis | {"title": "loss L"},
        "aspectmode": "manual",
        "aspectratio": {"x": 1.3, "y": 1.3, "z": 0.8},
        "camera": {
            "eye": {"x": 1.2, "y": -1.5, "z": 1.0},
            "center": {"x": 0, "y": 0, "z": -0.2},
        },
    }


def _square(
    grid: LossGrid, center: tuple[float, float], half: float
) -> tuple[Tensor, Tensor, Float64[Tensor, "row column"]]:
    """The part of the map that the picture shows."""
    columns = (grid.first - center[0]).abs() <= half
    rows = (grid.second - center[1]).abs() <= half
    return grid.first[columns], grid.second[rows], grid.loss[rows][:, columns]


def schedule_figure(
    curves: Mapping[str, Float64[Tensor, " step"]], chosen: str, mode: Mode
) -> go.Figure:
    """η of every step under each schedule; the chosen one is thick."""
    traces = [
        {
            "type": "scatter",
            "x": list(range(1, len(rates) + 1)),
            "y": rates.numpy(),
            "name": name,
            "line": {
                "color": theme.SERIES[mode][i],
                "dash": theme.DASHES[i],
                "shape": "hv",
                "width": 5 if name == chosen else 2,
            },
        }
        for i, (name, rates) in enumerate(curves.items())
    ]
    return theme.figure(
        mode,
        traces,
        height=440,
        xaxis={"title": "step t"},
        yaxis={"title": "learning rate η of the step", "rangemode": "tozero"},
    )


def noise_figure(noise: BatchNoise, mode: Mode) -> go.Figure:
    """How far the gradient of a batch is from that of all points, by the size of the batch."""
    curve = {
        "type": "scatter",
        "mode": "lines+markers",
        "x": noise.sizes.numpy(),
        "y": noise.error.numpy(),
        "name": "error of the gradient of a batch",
        "line": {"color": theme.ROLES["gradient"][mode], "width": 3},
        "marker": {"size": 9},
        "hovertemplate": "B = %{x}: %{y:.4f}<extra></extra>",
    }
    return theme.figure(
        mode,
        [curve],
        height=340,
        xaxis={"title": "points per step B", "dtick": max(1, round(len(noise.sizes) / 10))},
        yaxis={"title": "root mean square of ‖g(B) − g‖", "rangemode": "tozero"},
    )


def code_figure(compared: SlideComparison, least: float, mode: Mode) -> go.Figure:
    """L over the epochs of both corrected codes, on a logarithmic axis."""
    traces: list[dict[str, object]] = [
        {
            "type": "scatter",
            "y": line.loss.numpy(),
            "name": line.name,
            "line": {
                "color": theme.SERIES[mode][i],
                "dash": theme.DASHES[2 * i],
                "width": 6 - 3 * i,
            },
        }
        for i, line in enumerate(compared.corrected)
    ]
    count = len(compared.corrected[0].loss)
    traces.append(
        {
            "type": "scatter",
            "mode": "lines",
            "x": [0, count - 1],
            "y": [least] * 2,
            "name": "L(β*), the closed form",
            "line": {"color": theme.INK[mode], "dash": "dash", "width": 2},
        }
    )
    return theme.figure(
        mode,
        traces,
        height=340,
        xaxis={"title": "epoch"},
        yaxis={"title": "mean squared error L", "type": "log"},
    )


def cross_entropy_figure(p: float, mode: Mode) -> go.Figure:
    """−log p over p, with the probability of the correct word marked."""
    along = torch.linspace(0.005, 1, 200, dtype=torch.float64)
    loss = -torch.tensor(p, dtype=torch.float64).log()
    curve = {
        "type": "scatter",
        "x": along.numpy(),
        "y": (-along.log()).numpy(),
        "name": "−log p",
        "line": {"color": theme.ROLES["loss"][mode], "width": 3},
        "hovertemplate": "p = %{x:.3f}: %{y:.4f} nats<extra></extra>",
    }
    here = {
        "type": "scatter",
        "mode": "markers",
        "x": [p],
        "y": [float(loss)],
        "name": f"the correct word, p = {p:.3f}",
        "marker": {"size": 14, "color": theme.INK[mode], "symbol": "diamond"},
    }
    return theme.figure(
        mode,
        [curve, here],
        height=340,
        xaxis={"title": "probability p of the correct word", "range": [0, 1.02]},
        yaxis={"title": "loss −log p, nats", "rangemode": "tozero"},
    )
