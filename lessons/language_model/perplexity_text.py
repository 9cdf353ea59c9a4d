"""Loss and perplexity in words, and the curve of −log p with models on it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from lessons.shared import theme
from lessons.shared.steps import StepRow
from lessons.shared.theme import Mode
from lmcore.evaluation.sentence import SentenceAnswer
from lmcore.numbers import format_number

LEAST = 2e-3
"""The smallest probability that the curve reaches."""
SYMBOLS = ("circle", "square", "diamond", "triangle-up", "triangle-down", "cross", "star", "x")
SLIDERS = (
    ("loss", "J", "loss in nats", "One nat more is a perplexity 2.718 times as high", "loss"),
    ("perplexity", "exp J", "perplexity", "1 is certainty; the scale is logarithmic", "loss"),
)
"""Name, label, spoken label, what to look for, role."""
STEPS = tuple(
    StepRow(name, formula, value, symbol, role)
    for name, formula, value, symbol, role in (
        ("loss", "mean of −log p, nats", "{loss}", "J", "loss"),
        ("perplexity", "exp({loss})", "{perplexity}", "exp J", "loss"),
        ("probability", "1 / {perplexity} = exp(−{loss})", "{probability}", "p", "activation"),
        ("and back", "−log {probability}", "{loss}", "J", "loss"),
    )
)


class ModelLoss(NamedTuple):
    """A model and its mean loss, in nats a token."""

    label: str
    loss: float


def losses(answers: Mapping[str, SentenceAnswer]) -> list[ModelLoss]:
    """The models that do not call the sentence impossible, with the mean loss, best first."""
    found = [
        ModelLoss(label, math.log(each.score.perplexity))
        for label, each in answers.items()
        if math.isfinite(each.score.perplexity)
    ]
    return sorted(found, key=lambda each: each.loss)


def loss_words(found: list[ModelLoss], types: int) -> str:
    """What loss and perplexity are for this sentence, and for who knows nothing."""
    ends = (
        f"Who is always sure and right has 0, who holds all {types} words equally likely "
        f"ln {types} = {format_number(math.log(types))}."
    )
    if not found:
        return f"Every model calls the sentence impossible: J is infinite. {ends}"
    best = found[0]
    return (
        f"On this sentence {best.label} has the lowest loss, {format_number(best.loss)} nats a "
        f"token: as hard as choosing among {format_number(math.exp(best.loss))} equally likely "
        f"words. {ends}"
    )


def curve(found: list[ModelLoss], here: float, mode: Mode) -> go.Figure:
    """−log p over p; each model stands at the p that is its words' geometric mean, and a ring
    where the sliders came to rest."""
    chart = theme.figure(mode, height=380)
    p = np.geomspace(LEAST, 1.0, 200)
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


def describe(found: list[ModelLoss], here: float) -> str:
    """Alt text for `curve`."""
    models = ", ".join(
        f"{label} at p = {format_number(math.exp(-loss))}, {format_number(loss)} nats"
        for label, loss in found
    )
    return (
        "The curve −log p falls from above 6 nats near p = 0 to 0 at p = 1. "
        f"{models or 'No model'}. The sliders: {format_number(here)} nats."
    )
