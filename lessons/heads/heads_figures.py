"""Figures of the page on heads: two maps side by side, heads by layer, the effect of each head."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import plotly.graph_objects as go
import torch
from jaxtyping import Float
from torch import Tensor

from drawing import theme
from drawing.theme import Mode
from lessons.heads.heads_picture import COLUMNS, head_name
from lmcore.attention.ablation import AblationEffect
from lmcore.attention.heads import Head, rank_heads
from lmcore.numbers import format_number

MEASURES = {
    "turned": "1 − cosine",
    "moved": "‖difference‖ / ‖vector‖",
    "gained": "Δ log p, nats",
}


GAP = 0.14
"""Between two maps, as a share of the figure's width."""
ABOVE = {
    "y": 1.0,
    "xref": "paper",
    "yref": "paper",
    "xanchor": "center",
    "yanchor": "bottom",
    "showarrow": False,
    "font": {"size": 16},
}
"""A title over its map."""


def labels(tokens: Sequence[str]) -> list[str]:
    """A label for each place; the number keeps equal tokens apart, and tags are escaped."""
    return [f"{place} {escape(token)}" for place, token in enumerate(tokens)]


def side_by_side(
    maps: Sequence[tuple[str, Sequence[str], Float[Tensor, "_ _"]]], mode: Mode
) -> go.Figure:
    """One head's weights in two texts or two models, each under its title."""
    wide = (1 - GAP * (len(maps) - 1)) / len(maps)
    traces, axes, titles = [], {}, []
    for column, (title, tokens, weights) in enumerate(maps):
        number = "" if column == 0 else str(column + 1)
        names, left = labels(tokens), column * (wide + GAP)
        traces.append(
            {
                "type": "heatmap",
                "z": weights.double().numpy(),
                "x": names,
                "y": names,
                "xaxis": f"x{number}",
                "yaxis": f"y{number}",
                "zmin": 0,
                "zmax": 1,
                "colorscale": theme.SEQUENTIAL,
                "showscale": column + 1 == len(maps),
                "colorbar": {"title": "α"},
                "hovertemplate": "%{y} → %{x}: %{z:.4g}<extra></extra>",
            }
        )
        ticks = {"nticks": 20 if len(tokens) > 40 else len(tokens)}
        axes[f"xaxis{number}"] = ticks | {
            "domain": [left, min(left + wide, 1.0)],
            "anchor": f"y{number}",
            "tickangle": -90,
            "title": "key (attended to)",
        }
        axes[f"yaxis{number}"] = ticks | {"anchor": f"x{number}", "autorange": "reversed"}
        titles.append({"text": escape(title), "x": left + wide / 2} | ABOVE)
    axes["yaxis"]["title"] = "query (attends)"
    return theme.figure(mode, traces, height=470, annotations=titles, **axes)


def layer_scatter(
    numbers: Float[Tensor, "layer head"], name: str, here: Head, mode: Mode
) -> go.Figure:
    """One point per head over its layer; the open head is ringed, a line joins the means."""
    layers, heads = numbers.shape
    at = [(layer, head) for layer in range(layers) for head in range(heads)]
    all_heads = {
        "type": "scatter",
        "x": [layer for layer, _ in at],
        "y": numbers.reshape(-1).tolist(),
        "text": [head_name(Head(*each)) for each in at],
        "mode": "markers",
        "name": "a head",
        "marker": {"color": theme.ROLES["activation"][mode], "size": 9, "opacity": 0.75},
        "hovertemplate": "%{text}: %{y:.4g}<extra></extra>",
    }
    mean = {
        "type": "scatter",
        "x": list(range(layers)),
        "y": numbers.mean(-1).tolist(),
        "mode": "lines",
        "name": "mean of the layer",
        "line": {"color": theme.INK[mode], "dash": "dash", "width": 2},
    }
    ring = {"symbol": "circle-open", "size": 16, "color": theme.INK[mode], "line": {"width": 3}}
    opened = {
        "type": "scatter",
        "x": [here.layer],
        "y": [float(numbers[here])],
        "mode": "markers",
        "name": f"the open head, {head_name(here)}",
        "marker": ring,
    }
    return theme.figure(
        mode,
        [all_heads, mean, opened],
        height=340,
        xaxis={"title": "layer, from 0", "dtick": 1},
        yaxis={"title": COLUMNS[name][0], "rangemode": "tozero"},
    )


def describe_layer_scatter(numbers: Float[Tensor, "layer head"], name: str) -> str:
    """Alt text for `layer_scatter`."""
    head, most = rank_heads(numbers)[0]
    means = ", ".join(format_number(mean) for mean in numbers.mean(-1).tolist())
    return (
        f"{COLUMNS[name][0]} of every head over its layer; most in {head_name(head)}: "
        f"{format_number(most)}. Means of the layers: {means}."
    )


def effect_map(
    effects: Sequence[AblationEffect], measure: str, here: Head, mode: Mode
) -> go.Figure:
    """The effect of changing each head, one row per layer; heads not yet measured stay at 0."""
    layers = 1 + max(each.head.layer for each in effects)
    heads = 1 + max(each.head.head for each in effects)
    grid = torch.zeros(layers, heads, dtype=torch.double)
    for each in effects:
        grid[each.head] = getattr(each, measure)
    reach = float(grid.abs().max()) or 1.0
    signed = measure == "gained"
    heat = {
        "type": "heatmap",
        "z": grid.numpy(),
        "zmin": -reach if signed else 0,
        "zmax": reach,
        "colorscale": theme.DIVERGING if signed else _from_background(mode),
        "colorbar": {"title": MEASURES[measure]},
        "xgap": 2,
        "ygap": 2,
        "hovertemplate": "layer %{y}, head %{x}: %{z:.4g}<extra></extra>",
    }
    ring = {"symbol": "square-open", "size": 20, "line": {"width": 3}}
    # Near 0 the diverging scale is white in both themes.
    ring |= {"color": theme.INK["light" if signed else mode]}
    opened = {
        "type": "scatter",
        "x": [here.head],
        "y": [here.layer],
        "mode": "markers",
        "marker": ring,
        "hoverinfo": "skip",
    }
    return theme.figure(
        mode,
        [heat, opened],
        height=120 + 34 * layers,
        xaxis={"title": "head, from 0", "dtick": 1},
        yaxis={"title": "layer, from 0", "dtick": 1, "autorange": "reversed"},
    )


def _from_background(mode: Mode) -> list[list[object]]:
    """A scale from the background to the loss's colour, as effects are not probabilities."""
    return [[0.0, theme.BACKGROUND[mode]], [1.0, theme.ROLES["loss"][mode]]]


def describe_effect_map(effects: Sequence[AblationEffect], measure: str) -> str:
    """Alt text for `effect_map`."""
    best = sorted(effects, key=lambda each: -abs(getattr(each, measure)))[:3]
    named = "; ".join(
        f"{head_name(each.head)}, {format_number(getattr(each, measure))}" for each in best
    )
    return f"{MEASURES[measure]} without each of {len(effects)} heads; largest: {named}."
