"""How much context is worth: the floor under every model that sees k words, and models above it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from lessons.shared import theme
from lessons.shared.probability_grid import TableRow
from lessons.shared.theme import Mode
from lmcore.numbers import format_number

FLOORS = ("context", "best possible perplexity", "times the grammar's")
MARKS = ("model", "sees, words", "perplexity", "the floor there")
ALL = 8
"""Where a model that sees everything stands beside those that see 0 to 7 words."""


def context_figure(
    floors: Sequence[float], found: Mapping[str, tuple[float, float]], best: float, mode: Mode
) -> go.Figure:
    """The lowest perplexity that k words allow, and models (words seen, perplexity) above it.

    Heights are log(log(perplexity / the grammar's)): near the grammar, where models differ by
    little, the axis is stretched, and it never gets there. Its ticks are perplexities.
    """
    figure = theme.figure(mode, height=440)
    ks = list(range(len(floors)))
    line = {"color": theme.INK[mode], "width": 2.5}
    heights = [_above(floor, best) for floor in floors]
    told = [f"{k} words: {format_number(floor)}" for k, floor in enumerate(floors)]
    how = {"mode": "lines+markers", "hoverinfo": "text", "line": line, "name": "best possible"}
    figure.add_scatter(x=ks, y=heights, text=told, **how)
    for i, (label, (sees, perplexity)) in enumerate(found.items()):
        marker = {"size": 11, "symbol": SYMBOLS[i % len(SYMBOLS)], "color": _series(i, mode)}
        at, height = [min(sees, ALL)], [_above(perplexity, best)]
        hover = {"text": [f"{label}: {format_number(perplexity)}"], "hoverinfo": "text"}
        figure.add_scatter(x=at, y=height, mode="markers", marker=marker, name=label, **hover)
    ticks = {"tickvals": [*ks, ALL], "ticktext": [*map(str, ks), "all"]}
    figure.update_xaxes(title="words of context seen", range=[-0.3, ALL + 0.4], **ticks)
    figure.update_yaxes(
        title=f"perplexity, stretched above {format_number(best)}",
        type="log",
        tickvals=[_above(best * rise, best) for rise in PERPLEXITY_TICKS],
        ticktext=[f"{best * rise:.3g}" for rise in PERPLEXITY_TICKS],
    )
    return figure


PERPLEXITY_TICKS = (1.005, 1.01, 1.02, 1.05, 1.1, 1.2, 1.5, 3, 10, 40)
"""Ticks, as multiples of the grammar's perplexity."""
LEAST = 1e-3


def _above(perplexity: float, best: float) -> float:
    """Nats a token above the grammar; a model that has caught up stands at the bottom."""
    return max(math.log(perplexity / best), LEAST)


def floor_rows(floors: Sequence[float], best: float) -> list[TableRow]:
    """What `FLOORS` names, a row a length of context."""
    return [(f"{k} word{'s' * (k != 1)}", floor, floor / best) for k, floor in enumerate(floors)]


def mark_rows(
    floors: Sequence[float], found: Mapping[str, tuple[float, float]], best: float
) -> list[TableRow]:
    """What `MARKS` names, a row a model."""
    return [
        (label, sees, perplexity, best if math.isinf(sees) else floors[int(sees)])
        for label, (sees, perplexity) in found.items()
    ]


SYMBOLS = ("circle", "square", "diamond", "triangle-up", "triangle-down", "cross", "star", "x")


def _series(i: int, mode: Mode) -> str:
    return theme.SERIES[mode][i % len(theme.SERIES[mode])]


def describe_context_figure(
    floors: Sequence[float], found: Mapping[str, tuple[float, float]], best: float
) -> str:
    """The figure in words."""
    steps = ", ".join(f"{k} words {format_number(value)}" for k, value in enumerate(floors))
    models = ", ".join(
        f"{label} {format_number(perplexity)} with {'all' if math.isinf(sees) else int(sees)}"
        for label, (sees, perplexity) in found.items()
    )
    return (
        f"Lowest perplexity that any model can have, by the words it sees: {steps}; the grammar, "
        f"which sees all: {format_number(best)}. Measured: {models}."
    )


def below_floor_words(floors: Sequence[float], found: Mapping[str, tuple[float, float]]) -> str:
    """Which models came out below their floor, as no model is in the long run; else nothing."""
    below = [
        label
        for label, (sees, perplexity) in found.items()
        if sees < len(floors) and perplexity < floors[int(sees)]
    ]
    if not below:
        return ""
    return f"On this sample {', '.join(below)} came out below the floor, by chance: more would not."
