"""The figure of the gradient's norm in each block of a Transformer."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import plotly.graph_objects as go

from drawing import theme
from drawing.theme import Mode
from lmcore.numbers import format_number

LINE = 0.075
"""The height of a line of a label, as a share of the axis."""
SHORT = 2.5
"""An axis of at most this many decades has ticks between the powers of ten."""


@dataclass(frozen=True, slots=True)
class BlockNorms:
    """‖∂L/∂θ_l‖ of the blocks l = 1 … N of one network; the log axis omits None and 0."""

    label: str
    norms: tuple[float | None, ...]
    dash: str
    role: str


@lru_cache(maxsize=16)
def norms_figure(shown: tuple[BlockNorms, ...], mode: Mode) -> go.Figure:
    """Norms against blocks, on a logarithmic scale, each line with its name at its end."""
    low, high = _powers([norm for each in shown for norm in each.norms if norm])
    lines = [_wrapped(each.label).count("<br>") + 1 for each in shown]
    heights = [LINE * (high - low) * count for count in lines]
    places = _apart([_last(each.norms) for each in shown], heights)
    blocks = max(len(each.norms) for each in shown)
    return theme.figure(
        mode,
        [_line(each, mode) for each in shown],
        height=360,
        showlegend=False,
        annotations=[
            _name(each, blocks, place, mode)
            for each, place in zip(shown, places, strict=True)
            if place is not None
        ],
        margin={"l": 76, "r": 8, "t": 12, "b": 48},
        xaxis={
            "title": "block l",
            "tickvals": list(range(1, blocks + 1)),
            # Room for the names of the lines, to the right of the last block.
            "range": [0.7, 1.5 * blocks + 0.5],
        },
        yaxis={
            "title": "‖∂L/∂θ<sub>l</sub>‖, log scale",
            "type": "log",
            "range": [low, high],
            **_ticks(low, high),
        },
    )


def describe_norms(shown: Sequence[BlockNorms], moment: str) -> str:
    """The alt text of `norms_figure`."""
    parts = [
        f"{each.label}: " + ", ".join("0" if not norm else f"{norm:.2g}" for norm in each.norms)
        for each in shown
    ]
    return f"The gradient's norm by block, {moment}. {'. '.join(parts)}."


def _line(each: BlockNorms, mode: Mode) -> dict[str, object]:
    colour = theme.ROLES[each.role][mode]
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "name": each.label,
        "x": list(range(1, len(each.norms) + 1)),
        "y": [norm or None for norm in each.norms],
        "line": {"color": colour, "dash": each.dash, "width": 3},
        "marker": {"size": 8, "color": colour},
        "hovertemplate": f"{each.label}, block %{{x}}: %{{y:.3g}}<extra></extra>",
    }


def _name(each: BlockNorms, blocks: int, place: float, mode: Mode) -> dict[str, object]:
    return {
        "x": blocks,
        "y": place,
        "text": f"<b>{_wrapped(each.label)}</b>",
        "align": "left",
        "xanchor": "left",
        "xshift": 10,
        "showarrow": False,
        "font": {"size": 14, "color": theme.ROLES[each.role][mode]},
    }


def _wrapped(label: str) -> str:
    return label.replace(", ", ",<br>")


def _powers(norms: Sequence[float]) -> tuple[float, float]:
    """The ends of the axis, as powers of ten: at least a decade, with room around all norms."""
    powers = [math.log10(norm) for norm in norms] or [0.0]
    room = max(0.07 * (max(powers) - min(powers)), (1 - max(powers) + min(powers)) / 2)
    return min(powers) - room, max(powers) + room


def _ticks(low: float, high: float) -> dict[str, list[float] | list[str]]:
    """Ticks at powers of ten; on a short axis also at 2 and 5 times these."""
    between = range(math.floor(low), math.ceil(high) + 1)
    if high - low > SHORT:
        apart = max(1, round((high - low) / 5))
        powers = [power for power in between if power % apart == 0]
        texts = [f"10<sup>{power}</sup>".replace("-", "−") for power in powers]
        return {"tickvals": [10.0**power for power in powers], "ticktext": texts}
    values = [float(f"{k}e{power}") for power in between for k in (1, 2, 5)]
    return {"tickvals": values, "ticktext": [format_number(value) for value in values]}


def _last(norms: Sequence[float | None]) -> float | None:
    known = [norm for norm in norms if norm]
    return math.log10(known[-1]) if known else None


def _apart(ends: Sequence[float | None], heights: Sequence[float]) -> list[float | None]:
    """The centres of labels of these heights, at the ends or moved up so that none overlap."""
    known = sorted((end, i) for i, end in enumerate(ends) if end is not None)
    found: list[float | None] = [None] * len(ends)
    top = -math.inf
    for end, i in known:
        middle = max(end, top + heights[i] / 2)
        found[i], top = middle, middle + heights[i] / 2
    return found
