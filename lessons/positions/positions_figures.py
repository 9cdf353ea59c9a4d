"""Figures and sentences on word order: shuffled texts, similarity of places, input vectors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

import plotly.graph_objects as go
import torch
from plotly.subplots import make_subplots

from drawing import theme
from drawing.theme import Mode
from lmcore.attention.learned_positions import Likeness
from lmcore.attention.permutation import OrderSpec, ShuffleResult
from lmcore.attention.two_orders import TwoOrders
from lmcore.models.positions import evenly_spaced_pairs, sinusoids
from lmcore.numbers import format_number

MAPPED = 128
"""Positions of the heat map."""
MOST_PAIRS = 32
"""If PE has more pairs, the heat map shows this many, evenly spaced."""
BESIDE = ("in order", "shuffled", "each word moved back")


def columns(words: Sequence[str]) -> list[str]:
    """A label for each place; the number keeps equal words apart, and tags are escaped."""
    return [f"{place} {escape(word)}" for place, word in enumerate(words)]


def outputs(spec: OrderSpec, result: ShuffleResult, mode: Mode) -> go.Figure:
    """Three heat maps, one row per word: before, after, and after with each word moved back."""
    maps = (result.before, result.after, result.back)
    names = (columns(spec.words), columns(spec.shuffled), columns(spec.words))
    reach = max(float(each.abs().max()) for each in maps)
    tall = 150 + 3 * max(24 * len(spec.words), 90)
    figure = make_subplots(
        3,
        1,
        subplot_titles=BESIDE,
        shared_xaxes=True,
        vertical_spacing=0.09,
        figure=theme.figure(mode, height=tall),
    )
    for row, (values, labels) in enumerate(zip(maps, names, strict=True), start=1):
        heat = go.Heatmap(
            z=values.numpy(),
            x=list(range(1, values.shape[1] + 1)),
            y=labels,
            zmin=-reach,
            zmax=reach,
            colorscale=theme.DIVERGING,
            showscale=row == 1,
            colorbar={"title": "value", "thickness": 14},
            xgap=1,
            ygap=1,
            hovertemplate="%{y}, number %{x}: %{z:.4g}<extra></extra>",
        )
        figure.add_trace(heat, row=row, col=1)
    figure.update_yaxes(autorange="reversed", type="category", showgrid=False)
    figure.update_xaxes(showgrid=False, zeroline=False)
    figure.update_xaxes(title="component of the output vector", row=3)
    return figure


def describe_outputs(spec: OrderSpec, result: ShuffleResult) -> str:
    """Alt text for `outputs`."""
    return (
        f"The encoder's outputs for “{' '.join(spec.words)}” and for “{' '.join(spec.shuffled)}”, "
        f"one row per word. Moved back, the rows differ by at most {format_number(result.largest)}."
    )


def move_rows(
    spec: OrderSpec, result: ShuffleResult
) -> list[tuple[str, float, float, float, float, float]]:
    """One row per word: its place and first number before and after, and its largest difference."""
    after = {old: new for new, old in enumerate(spec.order)}
    return [
        (
            word,
            float(place),
            float(after[place]),
            float(result.before[place, 0]),
            float(result.back[place, 0]),
            float(result.differences[place]),
        )
        for place, word in enumerate(spec.words)
    ]


def waves(spec: TwoOrders, mode: Mode) -> tuple[go.Figure, str]:
    """PE as a heat map, a column per position: the sines, then the cosines; and its alt text."""
    pairs = evenly_spaced_pairs(spec.width, MOST_PAIRS)
    rows = [2 * i for i in pairs] + [2 * i + 1 for i in pairs]
    table = sinusoids(torch.arange(MAPPED), spec.width, spec.base)[:, rows]
    names = [f"{'sin' if row % 2 == 0 else 'cos'} {row}" for row in rows]
    figure = theme.figure(mode, height=460)
    heat = go.Heatmap(
        z=table.T.numpy(),
        y=names,
        zmin=-1,
        zmax=1,
        colorscale=theme.DIVERGING,
        colorbar={"title": "PE", "thickness": 14},
        hovertemplate="PE(%{x}), dimension %{y}: %{z:.4f}<extra></extra>",
    )
    figure.add_trace(heat)
    for place, dash in ((spec.position, "solid"), (spec.position + spec.offset, "dash")):
        figure.add_vline(x=place, line={"color": theme.INK[mode], "width": 2, "dash": dash})
    figure.update_xaxes(title="position")
    figure.update_yaxes(
        title="dimension", autorange="reversed", type="category", showgrid=False, nticks=16
    )
    shown = (
        "every dimension" if len(rows) == spec.width else f"{len(rows)} of {spec.width} dimensions"
    )
    return figure, f"PE of {MAPPED} positions, {shown}, as a heat map: the sines, then the cosines."


def similarity(places: Likeness, mode: Mode) -> go.Figure:
    """A heat map of the cosine between the vectors of any two places."""
    figure = theme.figure(mode, height=360)
    heat = go.Heatmap(
        z=places.cosines.numpy(),
        zmin=-1,
        zmax=1,
        colorscale=theme.DIVERGING,
        colorbar={"title": "cosine", "thickness": 14},
        hovertemplate="places %{y} and %{x}: %{z:.4f}<extra></extra>",
    )
    figure.add_trace(heat)
    figure.update_xaxes(title="place")
    figure.update_yaxes(title="place", autorange="reversed")
    return figure


def describe_similarity(likenesses: Mapping[str, Likeness]) -> str:
    """Alt text for `similarity` of one, and for `offset_curves` of both."""
    each = "; ".join(
        f"{name}: neighbours {format_number(float(likeness.mean[1]))} on average, pairs equally "
        f"far apart differ by up to {format_number(likeness.spread)}"
        for name, likeness in likenesses.items()
    )
    return f"Cosines of the vectors of any two places. {each}."


def offset_curves(likenesses: Mapping[str, Likeness], mode: Mode) -> go.Figure:
    """The mean cosine by offset as a line, with a band from minimum to maximum."""
    figure = theme.figure(mode, height=360)
    for i, (name, likeness) in enumerate(likenesses.items()):
        colour = theme.SERIES[mode][i]
        offsets = list(range(len(likeness.mean)))
        edge = {"x": offsets, "mode": "lines", "line": {"width": 0}, "hoverinfo": "skip"}
        figure.add_trace(go.Scatter(**edge, y=likeness.low.tolist(), showlegend=False))
        figure.add_trace(
            go.Scatter(
                **edge,
                y=likeness.high.tolist(),
                fill="tonexty",
                fillcolor=_faint(colour),
                showlegend=False,
            )
        )
        figure.add_trace(
            go.Scatter(
                x=offsets,
                y=likeness.mean.tolist(),
                name=name,
                mode="lines",
                line={"color": colour, "dash": theme.DASHES[i], "width": 2.5},
                hovertemplate="offset %{x}: %{y:.4f}<extra>" + escape(name) + "</extra>",
            )
        )
    figure.update_xaxes(title="offset between two places")
    figure.update_yaxes(title="cosine of their vectors")
    return figure


def _faint(colour: str) -> str:
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return f"rgba({red}, {green}, {blue}, 0.22)"
