"""Figures of the views on parameters and cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import log10
from statistics import median
from typing import Any

import plotly.graph_objects as go

from drawing import theme
from drawing.theme import Mode
from lmcore.dataframes import Table
from lmcore.transformer.flops import FLOP_PARTS, forward_flops, forward_memory
from lmcore.transformer.measured_cost import MeasuredCost
from lmcore.transformer.parameters import PARTS, Sizes, count_by_part

PATTERNS = {"self-attention": "", "cross-attention": "/", "head": "x", "LayerNorm": "."}
COLOURS = (1, 4, 2, 2, 0, 3, 5)
"""The index in `theme.SERIES` of each part; cross-attention has attention’s colour, hatched."""
READABLE = 0.06
"""Smaller shares of a bar have no label inside."""
SMALL = 1e-3
"""Smaller shares of all operations have no line."""
APART = 3.0
"""The minimum ratio of the positions of two labels on a logarithmic axis."""
MANY = 8
"""From this number of lengths on, the axis has a tick at every third length only."""
LENGTHS = tuple(2**n for n in range(4, 15))
KEPT = 16
"""Figures of each kind that are kept for all visitors."""


def share_figure(models: Mapping[str, Sizes], mode: Mode) -> go.Figure:
    """The share of each part in models, a bar each; the first one is on top."""
    counts = {label: count_by_part(sizes) for label, sizes in models.items()}
    totals = {label: sum(each.values()) for label, each in counts.items()}
    names = [f"{label}<br>{_short(totals[label])}" for label in models]
    traces = list[dict[str, Any]]()
    for part, colour in zip(PARTS, COLOURS, strict=True):
        of_part = [each.get(part, 0) for each in counts.values()]
        shares = [count / total for count, total in zip(of_part, totals.values(), strict=True)]
        if any(shares):
            bars = _share_bars(part, shares, colour, mode)
            traces.append(bars | {"y": names, "customdata": of_part})
    return theme.figure(
        mode,
        traces,
        height=100 + 52 * len(names),
        barmode="stack",
        margin={"l": 130, "r": 16, "t": 70, "b": 48},
        xaxis={"title": "share of the parameters, %", "range": [0, 100]},
        yaxis={"autorange": "reversed"},
        legend={
            "orientation": "h",
            "x": -0.2,
            "y": 1.02,
            "yanchor": "bottom",
            "traceorder": "normal",
        },
    )


def _share_bars(part: str, shares: Sequence[float], colour: int, mode: Mode) -> dict[str, Any]:
    """One part's bars, with their shares inside where there is room."""
    background = theme.BACKGROUND[mode]
    return {
        "type": "bar",
        "orientation": "h",
        "name": part,
        "x": [100 * share for share in shares],
        "text": [f"{100 * share:.0f} %" if share >= READABLE else "" for share in shares],
        "textposition": "inside",
        "insidetextanchor": "middle",
        "textangle": 0,
        "marker": {
            "color": theme.SERIES[mode][colour],
            "line": {"width": 1, "color": background},
            "pattern": {
                "shape": PATTERNS.get(part, ""),
                "fillmode": "overlay",
                "fgcolor": background,
                "size": 6,
                "solidity": 0.15,
            },
        },
        "textfont": {"color": background, "size": 14},
        "hovertemplate": f"{part}: %{{customdata:,}}<extra>%{{y}}</extra>",
    }


def _short(count: int) -> str:
    return f"{count / 1e9:.2f} B" if count >= 1e9 else f"{count / 1e6:.3g} M"


@lru_cache(maxsize=KEPT)
def flops_figure(sizes: Sizes, marked: int, mode: Mode) -> go.Figure:
    """Operations of each part against T, both axes logarithmic."""
    flops = [forward_flops(sizes, time) for time in LENGTHS]
    at = forward_flops(sizes, marked)
    lines: dict[str, list[float]] = {
        part: [float(each[part]) for each in flops]
        for part in FLOP_PARTS
        if at[part] > SMALL * sum(at.values())
    }
    return _lines(lines, marked, "operations of a forward pass", mode)


@lru_cache(maxsize=KEPT)
def memory_figure(sizes: Sizes, marked: int, mode: Mode) -> go.Figure:
    """Memory against T, both axes logarithmic."""
    found = [forward_memory(sizes, time) for time in LENGTHS]
    lines = {
        "weights": [each.weights / 1e6 for each in found],
        "scores and α": [each.squared / 1e6 for each in found],
        "all else": [each.linear / 1e6 for each in found],
    }
    return _lines(lines, marked, "memory, MB", mode)


def _lines(lines: Mapping[str, Sequence[float]], marked: int, title: str, mode: Mode) -> go.Figure:
    """Lines over T, with their names at their ends, and one length marked."""
    colours = theme.SERIES[mode]
    traces = [
        _line(name, LENGTHS, values, colours[i], theme.DASHES[i])
        for i, (name, values) in enumerate(lines.items())
    ]
    ends = {name: (lines[name][-1], colours[i]) for i, name in enumerate(lines)}
    rule = {"type": "line", "x0": marked, "x1": marked, "y0": 0, "y1": 1, "yref": "paper"}
    return theme.figure(
        mode,
        traces,
        height=400,
        showlegend=False,
        annotations=_labels(ends, LENGTHS[-1]),
        shapes=[rule | {"line": {"color": theme.QUIET[mode], "width": 2, "dash": "dot"}}],
        xaxis=_logarithmic("tokens T", LENGTHS),
        yaxis={"title": title, "type": "log", "exponentformat": "power", "dtick": 1},
    )


def _labels(ends: Mapping[str, tuple[float, str]], x: int) -> list[dict[str, Any]]:
    """The names of lines at their last points, from name → (value, colour); both axes are log.

    The name of the lowest line is below it; the others are above their lines, `APART` apart.
    """
    first, *others = sorted(ends, key=lambda name: ends[name][0])
    heights, above = {first: ends[first][0]}, 0.0
    for name in others:
        above = heights[name] = max(ends[name][0], above * APART)
    return [
        {
            "x": log10(x),
            "y": log10(height),
            "text": f"<b>{name}</b>",
            "xanchor": "right",
            "yshift": -16 if name == first else 14,
            "showarrow": False,
            "font": {"size": 14, "color": ends[name][1]},
        }
        for name, height in heights.items()
    ]


def _line(
    name: str, x: Sequence[int], y: Sequence[float], colour: str, dash: str
) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "lines",
        "name": name,
        "x": list(x),
        "y": list(y),
        "line": {"color": colour, "dash": dash, "width": 3},
        "hovertemplate": f"{name}, T = %{{x:,}}: %{{y:.3s}}<extra></extra>",
    }


def _logarithmic(title: str, times: Sequence[int]) -> dict[str, Any]:
    """The axis of T, with a tick at every second or third length and room for the last point."""
    ticks = times[::2] if len(times) < MANY else times[::3]
    marks = {"tickvals": list(ticks), "ticktext": [f"{tick:,}" for tick in ticks]}
    return {"title": title, "type": "log", "range": _around(times), **marks}


def _around(times: Sequence[int]) -> list[float]:
    return [log10(times[0]) - 0.06, log10(times[-1]) + 0.06]


@lru_cache(maxsize=KEPT)
def measured_figure(costs: Table[MeasuredCost], width: int, mode: Mode) -> go.Figure:
    """Measured milliseconds of attention and MLP, and the predicted operations as lines.

    The lines are scaled: operations over the median rate measured for that part.
    """
    block = Sizes("gpt2", 1, width, 1, 1, 4 * width, 1)
    flops = [forward_flops(block, each.time) for each in costs]
    attention = [each["Q, K, V, O"] + each["scores and αV"] for each in flops]
    parts = {
        "attention": (attention, [each.attention for each in costs]),
        "MLP": ([each["MLP"] for each in flops], [each.mlp for each in costs]),
    }
    times = [each.time for each in costs]
    series = {
        name: (_scaled(predicted, seconds), [1000 * each for each in seconds])
        for name, (predicted, seconds) in parts.items()
    }
    return _points(times, series, "milliseconds", mode)


def _scaled(flops: Sequence[int], seconds: Sequence[float]) -> list[float]:
    rate = median(one / taken for one, taken in zip(flops, seconds, strict=True))
    return [1000 * one / rate for one in flops]


@lru_cache(maxsize=KEPT)
def measured_memory_figure(costs: Table[MeasuredCost], mode: Mode) -> go.Figure:
    """Measured megabytes of attention and MLP, and T² and T as lines through the last points."""
    times, last = [each.time for each in costs], costs[-1]
    series = {
        "attention": (
            [last.attention_memory * (time / last.time) ** 2 / 1e6 for time in times],
            [each.attention_memory / 1e6 for each in costs],
        ),
        "MLP": (
            [last.mlp_memory * time / last.time / 1e6 for time in times],
            [each.mlp_memory / 1e6 for each in costs],
        ),
    }
    return _points(times, series, "megabytes", mode)


@lru_cache(maxsize=KEPT)
def parallel_figure(costs: Table[MeasuredCost], mode: Mode) -> go.Figure:
    """Measured milliseconds of a block and of an RNN with as many weights."""
    times = [each.time for each in costs]
    lines = {
        "block": [1000 * (each.attention + each.mlp) for each in costs],
        "RNN": [1000 * each.rnn for each in costs],
    }
    return _points(times, {name: (y, y) for name, y in lines.items()}, "milliseconds", mode)


def _points(
    times: Sequence[int],
    series: Mapping[str, tuple[Sequence[float], Sequence[float]]],
    title: str,
    mode: Mode,
) -> go.Figure:
    """A line and points for each series, with its name at the end of the line."""
    traces, ends = list[dict[str, Any]](), dict[str, tuple[float, str]]()
    for i, (name, (line, points)) in enumerate(series.items()):
        colour = theme.SERIES[mode][2 * i]
        traces.append(_line(name, times, line, colour, theme.DASHES[i]))
        traces.append(
            {
                "type": "scatter",
                "mode": "markers",
                "name": f"{name}, measured",
                "x": list(times),
                "y": list(points),
                "marker": {"size": 11, "color": colour, "symbol": ("circle", "diamond")[i]},
                "hovertemplate": f"{name}, T = %{{x:,}}: %{{y:.3g}}<extra></extra>",
            }
        )
        ends[name] = points[-1], colour
    return theme.figure(
        mode,
        traces,
        height=360,
        showlegend=False,
        annotations=_labels(ends, times[-1]),
        xaxis=_logarithmic("tokens T", times),
        yaxis={"title": title, "type": "log", "dtick": 1},
    )


def bars_figure(
    shares: Mapping[str, Mapping[str, float]], mode: Mode, *, title: str, chance: float
) -> go.Figure:
    """Shares from 0 to 1 as bars, a colour for each group; a dotted line at chance."""
    traces = [
        {
            "type": "bar",
            "name": name,
            "x": list(bars),
            "y": list(bars.values()),
            "text": [f"{share:.2f}" for share in bars.values()] if len(shares) == 1 else None,
            "textposition": "outside",
            "marker": {"color": theme.SERIES[mode][2 * i], "pattern": {"shape": ("", "/")[i]}},
            "hovertemplate": f"{name} %{{x}}: %{{y:.3f}}<extra></extra>",
        }
        for i, (name, bars) in enumerate(shares.items())
    ]
    rule = {"type": "line", "x0": 0, "x1": 1, "xref": "paper", "y0": chance, "y1": chance}
    return theme.figure(
        mode,
        traces,
        height=230,
        showlegend=len(shares) > 1,
        barmode="group",
        shapes=[rule | {"line": {"color": theme.QUIET[mode], "width": 2, "dash": "dot"}}],
        xaxis={"type": "category"},
        yaxis={"title": title, "range": [0, 1.2], "tickvals": [0, 0.5, 1]},
    )
