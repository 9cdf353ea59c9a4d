"""Figures of the page on results: gains and errors removed, ablations, scores by month, CO₂."""

from __future__ import annotations

from functools import lru_cache
from math import log10
from typing import Any

import plotly.graph_objects as go

from drawing import theme
from drawing.theme import Mode

SYMBOLS = ("circle", "diamond", "square", "triangle-up", "cross", "star")
KEPT = 16
"""Figures of each kind that are kept for all visitors."""
Scores = tuple[tuple[str, tuple[float, ...]], ...]
"""Names, each with a number for every task or row."""


@lru_cache(maxsize=KEPT)
def gains_figure(
    tasks: tuple[str, ...], points: tuple[float, ...], removed: tuple[float, ...], mode: Mode
) -> go.Figure:
    """Two bars for each task: the points gained, and the share of errors removed."""
    parts = (
        ("points gained", points, "activation", ""),
        ("% of errors removed", removed, "loss", "/"),
    )
    traces = [
        {
            "type": "bar",
            "name": name,
            "x": list(tasks),
            "y": list(values),
            "text": [f"{value:.3g}" for value in values],
            "textposition": "outside",
            "marker": {"color": theme.ROLES[role][mode], "pattern": {"shape": pattern}},
            "hovertemplate": f"%{{x}}, {name}: %{{y:.4g}}<extra></extra>",
        }
        for name, values, role, pattern in parts
    ]
    most = max([*points, *removed])
    return theme.figure(
        mode,
        traces,
        height=360,
        barmode="group",
        xaxis={"title": "task"},
        yaxis={"title": "points, or % of the errors", "range": [0, 1.15 * most]},
    )


@lru_cache(maxsize=KEPT)
def sizes_figure(
    perplexities: tuple[float, ...], scores: Scores, labels: tuple[str, ...], mode: Mode
) -> go.Figure:
    """The accuracy on each task against the perplexity, falling to the right."""
    traces = [
        {
            "type": "scatter",
            "mode": "lines+markers",
            "name": name,
            "x": list(perplexities),
            "y": list(values),
            "text": list(labels),
            "line": {"color": theme.SERIES[mode][i], "dash": theme.DASHES[i], "width": 2.5},
            "marker": {"symbol": SYMBOLS[i], "size": 10},
            "hovertemplate": f"%{{text}}: perplexity %{{x}}, {name} %{{y}} %<extra></extra>",
        }
        for i, (name, values) in enumerate(scores)
    ]
    return theme.figure(
        mode,
        traces,
        height=360,
        xaxis={"title": "perplexity of masked words (lower is better →)", "autorange": "reversed"},
        yaxis={"title": "accuracy, %"},
    )


@lru_cache(maxsize=KEPT)
def losses_figure(tasks: tuple[str, ...], steps: Scores, mode: Mode) -> go.Figure:
    """How many points each change costs on each task, against BERT base."""
    traces = [
        {
            "type": "bar",
            "name": name,
            "x": list(tasks),
            "y": list(values),
            "text": [f"{value:.3g}".replace("-", "−") for value in values],
            "textposition": "outside",
            "marker": {"color": theme.SERIES[mode][i], "pattern": {"shape": ("", "/", "x")[i]}},
            "hovertemplate": f"%{{x}}, {name}: %{{y:.3g}} points<extra></extra>",
        }
        for i, (name, values) in enumerate(steps)
    ]
    least = min(min(values) for _, values in steps)
    return theme.figure(
        mode,
        traces,
        height=360,
        barmode="group",
        xaxis={"title": "task"},
        yaxis={"title": "points against BERT base", "range": [1.18 * least, 0.5]},
    )


@lru_cache(maxsize=KEPT)
def timeline_figure(
    marks: tuple[tuple[str, str, float, str], ...], score: str, mode: Mode
) -> go.Figure:
    """Scores by month; each mark is a month such as 2018-10, a label, a score, and its table.

    The line is the best score so far.
    """
    points = {
        "type": "scatter",
        "mode": "markers",
        "name": score,
        "x": [f"{month}-15" for month, *_ in marks],
        "y": [value for _, _, value, _ in marks],
        "text": [label for _, label, _, _ in marks],
        "marker": {"size": 12, "color": theme.ROLES["activation"][mode]},
        "hovertemplate": "%{text}, %{x|%B %Y}: %{y}<extra></extra>",
    }
    values, months = [mark[2] for mark in marks], [_months(mark[0]) for mark in marks]
    room = 0.16 * (max(values) - min(values))
    early = min(months) - 0.3 * (max(months) - min(months)) - 0.5
    return theme.figure(
        mode,
        [_best_so_far(marks, mode), points],
        height=420,
        annotations=[_mark_note(mark, mode) for mark in marks],
        xaxis={
            "title": "month in which it was first public",
            "tickformat": "%b %Y",
            "range": [_date(early), _date(max(months) + 0.5)],
        },
        yaxis={"title": score, "range": [min(values) - room, max(values) + room]},
    )


def _best_so_far(marks: tuple[tuple[str, str, float, str], ...], mode: Mode) -> dict[str, Any]:
    """The line of the marks that are above all before them."""
    best, colour = list[tuple[str, float]](), theme.ROLES["activation"][mode]
    for month, _, value, _ in sorted(marks, key=lambda mark: (mark[0], mark[2])):
        if not best or value > best[-1][1]:
            best.append((month, value))
    return {
        "type": "scatter",
        "mode": "lines",
        "name": "best so far",
        "x": [f"{month}-15" for month, _ in best],
        "y": [value for _, value in best],
        "line": {"color": colour, "shape": "hv", "width": 2, "dash": "dot"},
        "hoverinfo": "skip",
    }


def _months(month: str) -> float:
    """The middle of a month such as 2018-10, in months since the year 0."""
    year, number = month.split("-")
    return 12 * int(year) + int(number) - 0.5


def _date(months: float) -> str:
    year, rest = divmod(months, 12)
    return f"{int(year)}-{int(rest) + 1:02}-{1 + int(28 * (rest % 1)):02}"


def _mark_note(mark: tuple[str, str, float, str], mode: Mode) -> dict[str, Any]:
    month, label, value, _ = mark
    return {
        "x": f"{month}-15",
        "y": value,
        "text": label,
        "showarrow": False,
        "xshift": -10,
        "xanchor": "right",
        "font": {"size": 14, "color": theme.INK[mode]},
        "bgcolor": theme.BACKGROUND[mode],
    }


@lru_cache(maxsize=KEPT)
def co2_figure(rows: tuple[tuple[str, float], ...], own: float, mode: Mode) -> go.Figure:
    """A mark per row on a logarithmic axis, in ascending order, the visitor's among them."""
    named = sorted([*rows, ("yours", own)], key=lambda row: row[1])
    mine = [name == "yours" for name, _ in named]
    colours = [theme.ROLES["loss" if own else "input"][mode] for own in mine]
    trace = {
        "type": "scatter",
        "mode": "markers+text",
        "x": [value for _, value in named],
        "y": [name for name, _ in named],
        "text": [
            f"{value:,.4g}" if own else f"{value:,.0f}"
            for (_, value), own in zip(named, mine, strict=True)
        ],
        "textposition": "middle right",
        "marker": {
            "size": 13,
            "color": colours,
            "symbol": ["diamond" if own else "circle" for own in mine],
        },
        "hovertemplate": "%{y}: %{x:,.4g} lbs<extra></extra>",
    }
    low, high = named[0][1], named[-1][1]
    return theme.figure(
        mode,
        [trace],
        height=400,
        showlegend=False,
        margin={"l": 230, "r": 24, "t": 16, "b": 56},
        xaxis={
            "title": "CO₂e, lbs, log scale",
            "type": "log",
            "range": [log10(low) - 0.3, log10(high) + 0.9],
        },
        yaxis={"title": "", "type": "category"},
    )
