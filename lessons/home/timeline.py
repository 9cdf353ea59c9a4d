"""A timeline on a logarithmic axis, which gives recent years more room."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import plotly.graph_objects as go

from drawing import theme
from drawing.theme import Mode

YEARS = (1910, 1950, 1980, 2000, 2010, 2015, 2018, 2020, 2023)
LETTER = 0.0095
"""Width of a letter of a label, as a share of the axis."""
SYMBOLS = ("circle", "diamond", "square")


class TimelineMark(NamedTuple):
    """One event: its year and label, its kind, and the note shown on hover."""

    year: int
    label: str
    kind: str
    note: str


def timeline(marks: Sequence[TimelineMark], today: int, mode: Mode) -> go.Figure:
    """One mark per event; colour and shape give its kind, height only separates labels."""
    figure = theme.figure(mode, height=300)
    heights = _stagger(marks, today)
    kinds = sorted({mark.kind for mark in marks})
    for i, kind in enumerate(kinds):
        chosen = [(m, height) for m, height in zip(marks, heights, strict=True) if m.kind == kind]
        look = {"color": theme.SERIES[mode][i], "symbol": SYMBOLS[i]}
        figure.add_trace(_marks_of_kind(kind, chosen, today, look, theme.QUIET[mode]))
    ticks = [_ago(year, today) for year in YEARS]
    figure.update_xaxes(
        title="year, on a logarithmic scale of years ago",
        tickvals=ticks,
        ticktext=[str(year) for year in YEARS],
        range=[_ago(YEARS[0] - 4, today), _ago(today, today) + 0.14],
        zeroline=False,
    )
    figure.update_yaxes(visible=False, range=[0, max(heights) + 0.7])
    return figure


def _marks_of_kind(
    kind: str,
    chosen: list[tuple[TimelineMark, int]],
    today: int,
    look: dict[str, str],
    stem: str,
) -> go.Scatter:
    """Events with their heights, each on a stem of a colour."""
    return go.Scatter(
        x=[_ago(m.year, today) for m, _ in chosen],
        y=[height for _, height in chosen],
        text=[f"{m.label} {m.year}" for m, _ in chosen],
        customdata=[[m.note] for m, _ in chosen],
        mode="markers+text",
        textposition="middle right",
        name=kind,
        marker={"size": 12, **look},
        hovertemplate="%{text}: %{customdata[0]}<extra></extra>",
        error_y={
            "array": [0 for _ in chosen],
            "arrayminus": [height for _, height in chosen],
            "width": 0,
            "thickness": 1,
            "color": stem,
        },
    )


def _ago(year: int, today: int) -> float:
    return -math.log10(today + 2 - year)


def _stagger(marks: Sequence[TimelineMark], today: int) -> list[int]:
    """A height for each mark: the lowest at which no labels overlap."""
    span = _ago(today, today) - _ago(YEARS[0], today)
    taken: list[tuple[int, float, float]] = []
    heights = []
    for mark in marks:
        left = _ago(mark.year, today) / span
        right = left + LETTER * (len(mark.label) + 8)
        height = next(
            h
            for h in range(1, len(marks) + 2)
            if all(h != row or right < start or left > end for row, start, end in taken)
        )
        taken.append((height, left, right))
        heights.append(height)
    return heights
