"""Recall at a distance: its curves, and what they show and what they do not."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from lessons.shared import theme
from lessons.shared.theme import Mode
from lmcore.recurrence.recall import CHANCE, RecallPoint, RecallResults

READING = (
    "Lines: the mean. Points: one trained network each. Upright line: the longest distance "
    "trained on."
)
LINES = {"gru": "GRU", "lstm": "LSTM", "rnn": "RNN"}


def curves(found: RecallResults, mode: Mode) -> go.Figure:
    """Share recalled right over the distance: the mean of the seeds, and each seed as a point."""
    figure = theme.figure(mode, height=380)
    for i, (cell, label) in enumerate(LINES.items()):
        points = [point for point in found.points if point.cell == cell]
        far = [point.distance for point in points]
        mean = [float(np.mean(point.accuracies)) for point in points]
        colour = theme.SERIES[mode][i]
        line = {"color": colour, "dash": theme.DASHES[i], "width": 3}
        figure.add_trace(go.Scatter(x=far, y=mean, name=label, line=line, mode="lines"))
        each = [(n, share) for n, point in zip(far, points, strict=True) for share in point[2]]
        marker = {"color": colour, "symbol": ("circle", "square", "x")[i], "size": 6}
        x, y = zip(*each, strict=True)
        figure.add_trace(go.Scatter(x=x, y=y, marker=marker, mode="markers", showlegend=False))
    edge = {"color": theme.QUIET[mode], "dash": "dot", "width": 1.5}
    figure.add_hline(y=CHANCE, line=edge, annotation_text="chance, 1/8")
    figure.add_vline(x=found.how["trained_to"], line=edge)
    ticks = sorted({point.distance for point in found.points})
    figure.update_xaxes(title="distance, symbols between", type="log", tickvals=ticks)
    figure.update_yaxes(title="share recalled right", range=[0, 1.04])
    return figure


def recall_words(found: RecallResults) -> str:
    """What the plain network's curve says of memory, and what it cannot say."""
    points = [point for point in found.points if point.cell == "rnn"]
    trained_to = float(found.how["trained_to"])
    edge = max((point for point in points if point.distance <= trained_to), key=_far)
    last = max(points, key=_far)
    at_edge, at_last = (float(np.mean(point.accuracies)) for point in (edge, last))
    low, high = min(last.accuracies), max(last.accuracies)
    levels = (
        f"The plain RNN: {at_edge:.0%} at distance {edge.distance}, the longest trained on, and "
        f"{at_last:.0%} at {last.distance}; its seeds at {last.distance}: {low:.0%} to {high:.0%}."
    )
    if abs(at_edge - at_last) < high - low:
        return (
            f"{levels} The seed matters more than the distance: what a network learnt to carry, it "
            "carries on. So this shows how much training found, and not that a plain RNN forgets "
            "step by step; how little gradient arrives is shown under Vanishing gradients."
        )
    return f"{levels} Distance matters more than the seed: what it learnt to carry fades."


def _far(point: RecallPoint) -> int:
    return point.distance


def how_measured(found: RecallResults) -> str:
    """What the networks recall at the greatest distance, and how it was measured."""
    how = found.how
    far = [point for point in found.points if point.distance == found.points[-1].distance]
    ends = ", ".join(f"{LINES[point.cell]} {np.mean(point.accuracies):.0%}" for point in far)
    return (
        f"At distance {far[0].distance}: {ends}. "
        f"Measured on {how['date']}, {how['device']}, torch {how['torch']}, in {how['seconds']} s: "
        f"{how['seeds']} networks of {how['hidden']} units a cell, {how['steps']:,} steps of "
        f"{how['batch']} sequences, η = {how['learning_rate']}, {how['tested']:,} test sequences a "
        "point. The task: eight symbols; when asked, recall the first one, after others of the "
        "same eight. `python -m lmcore.recurrence.recall` measures anew."
    )


def describe(found: RecallResults) -> str:
    """Alt text for `curves`."""
    said = []
    for cell, label in LINES.items():
        first, *_, last = (point for point in found.points if point.cell == cell)
        said.append(
            f"{label} {np.mean(first.accuracies):.0%} at distance {first.distance} and "
            f"{np.mean(last.accuracies):.0%} at {last.distance}"
        )
    return f"Share recalled right: {'; '.join(said)}."
