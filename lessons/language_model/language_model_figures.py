"""The curve of −log p with models on it, the value of context, and their alt texts."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from drawing import theme
from drawing.steps import StepRow
from drawing.theme import Mode
from lessons.language_model.language_model_picture import TableRow
from lmcore.evaluation.sentence import SentenceAnswer
from lmcore.numbers import format_number

LEAST_PROBABILITY = 2e-3
"""The smallest probability that the curve reaches."""
SYMBOLS = ("circle", "square", "diamond", "triangle-up", "triangle-down", "cross", "star", "x")
PERPLEXITY_SLIDERS = (
    ("loss", "J", "loss in nats", "One nat more is a perplexity 2.718 times as high", "loss"),
    ("perplexity", "exp J", "perplexity", "1 is certainty; the scale is logarithmic", "loss"),
)
"""Name, label, spoken label, help text, role."""
PERPLEXITY_STEPS = tuple(
    StepRow(name, formula, value, symbol, role)
    for name, formula, value, symbol, role in (
        ("loss", "mean of −log p, nats", "{loss}", "J", "loss"),
        ("perplexity", "exp({loss})", "{perplexity}", "exp J", "loss"),
        ("probability", "1 / {perplexity} = exp(−{loss})", "{probability}", "p", "activation"),
        ("and back", "−log {probability}", "{loss}", "J", "loss"),
    )
)


class ModelLoss(NamedTuple):
    """A model and its mean loss, in nats per token."""

    label: str
    loss: float


def model_losses(answers: Mapping[str, SentenceAnswer]) -> list[ModelLoss]:
    """The models with a finite mean loss on the sentence, best first."""
    found = [
        ModelLoss(label, math.log(each.score.perplexity))
        for label, each in answers.items()
        if math.isfinite(each.score.perplexity)
    ]
    return sorted(found, key=lambda each: each.loss)


def loss_words(found: list[ModelLoss], types: int) -> str:
    """Loss and perplexity of the best model on this sentence, and of uniform guessing."""
    ends = (
        f"A model that is always certain and right scores 0; one that guesses uniformly, "
        f"ln {types} = {format_number(math.log(types))}."
    )
    if not found:
        return f"Every model gives the sentence probability 0: J is infinite. {ends}"
    best = found[0]
    return (
        f"On this sentence {best.label} has the lowest loss, {format_number(best.loss)} nats "
        f"per token: as hard as choosing among {format_number(math.exp(best.loss))} equally likely "
        f"words. {ends}"
    )


def perplexity_curve(found: list[ModelLoss], here: float, mode: Mode) -> go.Figure:
    """−log p over p, each model at the geometric mean of its words' p; a ring marks the sliders."""
    chart = theme.figure(mode, height=380)
    p = np.geomspace(LEAST_PROBABILITY, 1.0, 200)
    line = {"color": theme.ROLES["loss"][mode], "width": 2.5}
    chart.add_scatter(x=p.tolist(), y=(-np.log(p)).tolist(), mode="lines", name="−log p", line=line)
    series = theme.SERIES[mode]
    for i, (label, loss) in enumerate(found):
        marker = {"size": 10, "symbol": SYMBOLS[i % len(SYMBOLS)], "color": series[i % len(series)]}
        at = {"x": [math.exp(-loss)], "y": [loss]}
        chart.add_scatter(**at, mode="markers", name=label, marker=marker)
    ring = {"size": 18, "symbol": "circle-open", "color": theme.INK[mode], "line": {"width": 2.5}}
    chart.add_scatter(
        x=[math.exp(-here)], y=[here], mode="markers", name="the sliders", marker=ring
    )
    chart.update_xaxes(title="p, the probability of a word", range=[-0.02, 1.03])
    chart.update_yaxes(title="−log p, nats", rangemode="tozero")
    return chart


def describe_perplexity_curve(found: list[ModelLoss], here: float) -> str:
    """Alt text for `perplexity_curve`."""
    models = ", ".join(
        f"{label} at p = {format_number(math.exp(-loss))}, {format_number(loss)} nats"
        for label, loss in found
    )
    return (
        "The curve −log p falls from above 6 nats near p = 0 to 0 at p = 1. "
        f"{models or 'No model'}. The sliders: {format_number(here)} nats."
    )


FLOOR_COLUMNS = ("context", "best possible perplexity", "times the grammar's")
MARK_COLUMNS = ("model", "sees, words", "perplexity", "lowest possible")
ALL_WORDS = 8
"""The x position of a model that sees everything, beside those that see 0 to 7 words."""


def context_figure(
    floors: Sequence[float], found: Mapping[str, tuple[float, float]], best: float, mode: Mode
) -> go.Figure:
    """The lowest perplexity that k words allow, and models (words seen, perplexity) above it.

    Heights are log(log(perplexity / the grammar's)), which stretches the axis near the grammar.
    """
    figure = theme.figure(mode, height=440)
    ks = list(range(len(floors)))
    line = {"color": theme.INK[mode], "width": 2.5}
    heights = [_above(floor, best) for floor in floors]
    labels = [f"{k} words: {format_number(floor)}" for k, floor in enumerate(floors)]
    how = {"mode": "lines+markers", "hoverinfo": "text", "line": line, "name": "best possible"}
    figure.add_scatter(x=ks, y=heights, text=labels, **how)
    for i, (label, (sees, perplexity)) in enumerate(found.items()):
        marker = {"size": 11, "symbol": SYMBOLS[i % len(SYMBOLS)], "color": _series(i, mode)}
        at, height = [min(sees, ALL_WORDS)], [_above(perplexity, best)]
        hover = {"text": [f"{label}: {format_number(perplexity)}"], "hoverinfo": "text"}
        figure.add_scatter(x=at, y=height, mode="markers", marker=marker, name=label, **hover)
    ticks = {"tickvals": [*ks, ALL_WORDS], "ticktext": [*map(str, ks), "all"]}
    figure.update_xaxes(title="words of context seen", range=[-0.3, ALL_WORDS + 0.4], **ticks)
    figure.update_yaxes(
        title=f"perplexity, stretched above {format_number(best)}",
        type="log",
        tickvals=[_above(best * rise, best) for rise in PERPLEXITY_TICKS],
        ticktext=[f"{best * rise:.3g}" for rise in PERPLEXITY_TICKS],
    )
    return figure


PERPLEXITY_TICKS = (1.005, 1.01, 1.02, 1.05, 1.1, 1.2, 1.5, 3, 10, 40)
"""Ticks, as multiples of the grammar's perplexity."""
LEAST_RISE = 1e-3


def _above(perplexity: float, best: float) -> float:
    """Nats per token above the grammar; a model that equals it is at the bottom."""
    return max(math.log(perplexity / best), LEAST_RISE)


def floor_rows(floors: Sequence[float], best: float) -> list[TableRow]:
    """One row per length of context; the columns are `FLOOR_COLUMNS`."""
    return [(f"{k} word{'s' * (k != 1)}", floor, floor / best) for k, floor in enumerate(floors)]


def mark_rows(
    floors: Sequence[float], found: Mapping[str, tuple[float, float]], best: float
) -> list[TableRow]:
    """One row per model; the columns are `MARK_COLUMNS`."""
    return [
        (label, sees, perplexity, best if math.isinf(sees) else floors[int(sees)])
        for label, (sees, perplexity) in found.items()
    ]


def _series(i: int, mode: Mode) -> str:
    return theme.SERIES[mode][i % len(theme.SERIES[mode])]


def describe_context_figure(
    floors: Sequence[float], found: Mapping[str, tuple[float, float]], best: float
) -> str:
    """Alt text for `context_figure`."""
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
    """Which models are below their floor on this sample by chance; empty if none is."""
    below = [
        label
        for label, (sees, perplexity) in found.items()
        if sees < len(floors) and perplexity < floors[int(sees)]
    ]
    if not below:
        return ""
    return (
        f"Below the floor by chance: {', '.join(below)}. On a larger sample they would be above it."
    )
