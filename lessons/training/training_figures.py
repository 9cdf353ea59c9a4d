"""The figure of the gradient norms of training runs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from drawing import theme
from lmcore.numbers import format_number
from lmcore.shipped.recordings import Recording, widening_means
from lmcore.training.events import History

Points = Sequence[tuple[int, float | None]]


@dataclass(frozen=True, slots=True)
class Norms:
    """The gradient norms of a run before clipping: (step, norm) of the whole, and by part.

    `parts` has a norm for each of `part_steps`. `clip` is the limit of a step's norm; 0: none.
    """

    label: str
    whole: Points
    part_steps: Sequence[int]
    parts: Mapping[str, Sequence[float]]
    clip: float


def run_norms(label: str, history: History, clip: float) -> Norms:
    """The norms of a run on this server."""
    judged = [each for each in history.evaluations if each.norms]
    names = [name for name, _ in judged[-1].norms] if judged else []
    parts = {name: [dict(each.norms)[name] for each in judged] for name in names}
    steps = [each.step for each in judged]
    return Norms(label, widening_means(history.norms), steps, parts, clip)


def recorded_norms(label: str, recording: Recording) -> Norms:
    """The norms of a recorded run."""
    rows = [row for row in recording.evaluations if len(row) > 2]
    columns = [
        [_number(row[place]) for row in rows] for place in range(2, 2 + len(recording.layers))
    ]
    parts = dict(zip(recording.layers, columns, strict=True))
    steps = [int(row[0] or 0) for row in rows]
    return Norms(f"{label}, recorded", recording.norms, steps, parts, recording.spec.clip)


def _number(value: float | None) -> float:
    return math.nan if value is None else value


def norm_curves(shown: Sequence[Norms], mode: theme.Mode) -> go.Figure:
    """Norms against steps, both on log scales; for a single run also by part."""
    colours = theme.SERIES[mode]
    traces = [
        _trace(each.label, each.whole, colours[i], 2.5, theme.DASHES[i])
        for i, each in enumerate(shown)
    ]
    if len(shown) == 1:
        (only,) = shown
        traces += [
            _trace(
                f"‖∇ {part}‖",
                list(zip(only.part_steps, norms, strict=True)),
                colours[i],
                1.5,
                theme.DASHES[i],
            )
            for i, (part, norms) in enumerate(only.parts.items(), start=1)
        ]
    clip = shown[0].clip
    figure = theme.figure(
        mode,
        traces,
        xaxis={"title": "training step", "type": "log"},
        yaxis={"title": "norm of the gradient", "type": "log"},
    )
    if clip:
        figure.add_hline(
            clip, line_dash="dot", line_color=theme.QUIET[mode], annotation_text=f"clip {clip:g}"
        )
    return figure


def _trace(label: str, points: Points, colour: str, width: float, dash: str) -> dict[str, object]:
    return {
        "type": "scatter",
        "mode": "lines",
        "name": label,
        "x": [step for step, _ in points],
        "y": [norm for _, norm in points],
        "line": {"color": colour, "width": width, "dash": dash},
    }


def describe_norms(shown: Sequence[Norms]) -> str:
    """The alt text of `norm_curves`."""
    ends = [
        f"{each.label}: {format_number(_number(each.whole[0][1]))} at the first step, "
        f"{format_number(_number(each.whole[-1][1]))} at the last"
        for each in shown
    ]
    return f"The norm of the gradient along the steps, before clipping. {'. '.join(ends)}."
