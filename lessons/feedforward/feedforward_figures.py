"""The figures of the feedforward page, and the words beside what was measured."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import plotly.graph_objects as go

from drawing.theme import DASHES, QUIET, ROLES, SERIES, Mode, figure
from lmcore.embeddings.drift import Drift
from lmcore.evaluation.contexts import ContextResult
from lmcore.numbers import format_number


class Grouped(NamedTuple):
    """How many words have their nearest neighbour in their own group, by snapshot; of how many."""

    learned: Sequence[int]
    frozen: Sequence[int]
    words: int


def freezing(
    learned: Drift, frozen: Drift, grouped: Grouped, bounds: Mapping[str, float], mode: Mode
) -> go.Figure:
    """Over the steps of two runs: the validation loss, and what the rows of E say about words."""
    chart = _freezing_panels(int(learned.steps[-1]), grouped.words, list(bounds.values()), mode)
    runs = (("E learned", learned, grouped.learned), ("E frozen", frozen, grouped.frozen))
    after = "after step %{customdata}: "
    for i, (name, drift, own) in enumerate(runs):
        line = _run_line(i, name, drift, mode)
        chart.add_scatter(
            y=drift.losses.tolist(),
            hovertemplate=f"{after}%{{y:.4f}} nats<extra>{name}</extra>",
            **line,
        )
        chart.add_scatter(
            y=list(own),
            hovertemplate=f"{after}%{{y}} of {grouped.words}<extra>{name}</extra>",
            xaxis="x2",
            yaxis="y2",
            showlegend=False,
            **line,
        )
    spots = (("end", "bottom"), ("start", "bottom"), ("start", "top"))
    for (label, level), spot in zip(bounds.items(), spots, strict=True):
        chart.add_shape(**_level_line(label, level, spot, mode))
    return chart


def _freezing_panels(last: int, words: int, bounds: Sequence[float], mode: Mode) -> go.Figure:
    """The axes of two panels over the steps up to `last`: a loss near `bounds`, and words."""
    marks = [1, *(10**k for k in range(1, 6) if 10**k < last), last]
    axis = {"type": "log", "title": "training step + 1 (log scale)", "tickvals": marks}
    axis["ticktext"] = [*map(str, marks)]
    levels = [round(level, 2) for level in bounds]
    return figure(
        mode,
        height=400,
        xaxis=axis | {"domain": [0, 0.47]},
        xaxis2=axis | {"domain": [0.57, 1], "anchor": "y2"},
        yaxis={
            "type": "log",
            "title": "validation loss, nats per token (log scale)",
            "range": [math.log10(0.82 * min(levels)), math.log10(1.45 * max(levels))],
            "tickvals": [0.7, 1, 1.5, 2, 3, 5],
        },
        yaxis2={
            "title": "words nearest to one of their group",
            "range": [0, 1.1 * words],
            "anchor": "x2",
        },
    )


def _run_line(i: int, name: str, drift: Drift, mode: Mode) -> dict[str, Any]:
    """The steps and the look of run `i`, the same in both panels."""
    return {
        "x": (drift.steps + 1).tolist(),
        "name": name,
        "legendgroup": name,
        "mode": "lines+markers",
        "line": {"color": SERIES[mode][(0, 3)[i]], "dash": DASHES[i], "width": 2.5},
        "marker": {"symbol": ("circle", "diamond")[i], "size": 7},
        "customdata": drift.steps.tolist(),
    }


def _level_line(label: str, level: float, spot: tuple[str, str], mode: Mode) -> dict[str, Any]:
    """A level of the loss, and its name at `spot`: an end of the line, and a side of it."""
    return {
        "type": "line",
        "xref": "x domain",
        "x0": 0,
        "x1": 1,
        "y0": level,
        "y1": level,
        "line": {"color": QUIET[mode], "dash": "dash", "width": 1.5},
        "label": {
            "text": f"{label}: {format_number(level)}",
            "font": {"color": QUIET[mode]},
            "textposition": spot[0],
            "yanchor": spot[1],
        },
    }


def describe_freezing(
    learned: Drift, frozen: Drift, grouped: Grouped, bounds: Mapping[str, float]
) -> str:
    """Alt text for `freezing`."""
    ends = [f"{format_number(float(d.losses[-1]))}" for d in (learned, frozen)]
    levels = ", ".join(f"{label} {format_number(level)}" for label, level in bounds.items())
    return (
        f"Left, validation loss over {int(learned.steps[-1])} steps. Both begin near "
        f"{format_number(float(learned.losses[0]))} nats; E learned ends at {ends[0]}, E frozen at "
        f"{ends[1]}. Levels: {levels}. Right, of {grouped.words} words those with a nearest "
        f"neighbour of their own group: learned, from {grouped.learned[0]} to "
        f"{grouped.learned[-1]}; frozen, {grouped.frozen[-1]} throughout."
    )


def floor_comparison(
    models: Sequence[tuple[str, int, float]], floors: Mapping[int, float], mode: Mode
) -> go.Figure:
    """Each model over the words it sees, as a multiple of the grammar's perplexity.

    A model is (name, words seen, ratio); a floor is the best ratio with that many words.
    """
    chart = figure(mode, height=400)
    for seen, floor in floors.items():
        chart.add_scatter(
            x=[seen - 0.36, seen + 0.36],
            y=[floor, floor],
            mode="lines",
            name="floor: the best any model can do with that many words",
            showlegend=seen == min(floors),
            line={"color": QUIET[mode], "width": 4},
            hovertemplate=f"floor for {seen}: %{{y:.4f}}<extra></extra>",
        )
    shapes = (("circle", "weight"), ("diamond", "activation"))
    for name, (symbol, role), rows in zip(
        ("n-gram, Kneser–Ney", "feedforward"), shapes, (models[:-1], models[-1:]), strict=True
    ):
        shift = 0.13 if name == "feedforward" else -0.13
        chart.add_scatter(
            x=[seen + shift for _, seen, _ in rows],
            y=[ratio for *_, ratio in rows],
            text=[format_number(ratio) for *_, ratio in rows],
            mode="markers+text",
            textposition="top center",
            name=name,
            marker={"size": 13, "symbol": symbol, "color": ROLES[role][mode]},
            hovertemplate="%{y:.4f}<extra>" + name + "</extra>",
        )
    chart.update_xaxes(title="words of context", tickvals=list(floors), zeroline=False)
    chart.update_yaxes(title="perplexity / the grammar's", zeroline=False)
    return chart


def describe_floors(models: Sequence[tuple[str, int, float]], floors: Mapping[int, float]) -> str:
    """Alt text for `floor_comparison`."""
    parts = [
        f"{name}: {format_number(ratio)}, floor {format_number(floors[seen])}"
        for name, seen, ratio in models
    ]
    return "Perplexity over the grammar's own. " + "; ".join(parts) + "."


def recorded_in_words(record: Drift) -> str:
    """The settings of the recorded run."""
    spec = record.spec
    return (
        f"Recorded here on one CPU core (`python -m lmcore.embeddings.drift`): a feedforward "
        f"model on the microworld, context {spec.model.context}, E {len(record.words)} × "
        f"{spec.model.embedding}, hidden {spec.model.hidden}, Adam, η = {spec.learning_rate:g} "
        f"falling to 0, {spec.steps:,} steps of {spec.batch} documents, seed {spec.seed}. "
        "E is narrower and η larger than for the model above, so that E moves far."
    )


def freezing_notice(
    learned: Drift, frozen: Drift, grouped: Grouped, bounds: Mapping[str, float]
) -> list[str]:
    """The cost of freezing E: little in the loss, all in what the rows say."""
    free, still = float(learned.losses[-1]), float(frozen.losses[-1])
    uniform, floor, _ = bounds.values()
    share = (uniform - still) / (uniform - free)
    return [
        f"**Freezing E hardly raises the loss here**: learned, E ends at {format_number(free)} "
        f"nats; frozen, at {format_number(still)}: {format_number(still - free)} nats more, which "
        f"multiplies the perplexity by {format_number(math.exp(still - free))}. With random rows "
        f"the network still achieves {share:.1%} of the drop: W, b and U learn to read them. "
        "In the first hundreds of steps it is slower.",
        f"**What it costs is the embeddings**: learned, {grouped.learned[-1]} of {grouped.words} "
        f"words have a nearest neighbour of their own group; frozen, {grouped.frozen[-1]}, as at "
        "the start.",
        f"The floor for these words of context is {format_number(floor)} nats on average over all "
        "texts; the validation texts are a sample.",
    ]


def fed_notice(chances: Sequence[tuple[str, float, float]], near: float) -> list[str]:
    """p(fed) after “cat gets” and after “dog gets”: by counting, by the network, and in truth."""
    (rival, _, rivals), (_, cat, dog), (_, _, truth) = chances[-3:]
    return [
        f"No training text contains “dog gets”. There the {rival} gives “fed” "
        f"{format_number(rivals)}, the network {format_number(dog)} "
        f"(after “cat gets”: {format_number(cat)}); the completed grammar gives "
        f"{format_number(truth)}.",
        f"cos(E[cat], E[dog]) is {format_number(near)}.",
    ]


def floor_notice(found: Sequence[ContextResult]) -> list[str]:
    """How far each model is above the floor of its context, and which of the last two is nearer."""
    rival, network = found[-2], found[-1]
    nearer = min((rival, network), key=lambda each: each.ratio)
    lowest, highest = found[0], max(found, key=lambda each: each.ratio - each.floor)
    return [
        f"From {lowest.seen} word of context to {network.seen} the floor falls from "
        f"{format_number(lowest.floor)} to {format_number(network.floor)}, and no model is "
        f"more than {format_number(highest.ratio - highest.floor)} above its own.",
        f"With the same {network.seen} words to see, the {rival.name} is "
        f"{format_number(rival.ratio - rival.floor)} above the floor and the network "
        f"{format_number(network.ratio - network.floor)}: on these texts {nearer.name} is nearer.",
    ]


def snippet(text: str, at: int, *, ships: bool) -> str:
    """A script that prints the numbers on screen: of the model that ships, or of a saved run."""
    saved = 'checkpoint.load_model(Path("saved.safetensors").read_bytes())'
    return f"""from pathlib import Path

import torch
from lmcore.embeddings import pipeline
from lmcore.shipped.models import load_shipped
from lmcore.training import checkpoint

model, _, _ = {'load_shipped("feedforward")' if ships else saved}
trace = pipeline.trace_pipeline(model, torch.tensor(model.vocabulary.read({text!r})))
at = {at}
print("window    ", model.vocabulary.decode(trace.window[at].tolist()))
print("e         ", trace.concatenated[at, :3].tolist())
print("z         ", trace.pre_activation[at, :3].tolist())
print("h         ", trace.hidden[at, :3].tolist())
print("best      ", model.vocabulary.decode(trace.best[at].tolist()))
print("ŷ         ", trace.probabilities[at, trace.best[at]].tolist())
print("difference", trace.difference[at].item())
"""


def measured_in_words(found: Sequence[ContextResult], counted: int, tested: int) -> str:
    """The training and test texts, and whether the paper's finding is reproduced."""
    best, network = min(found[:-1], key=lambda each: each.ratio), found[-1]
    better = "better here too" if network.ratio < best.ratio else "not better here"
    return (
        f"Measured here on {tested:,} test documents of the microworld, the same for all. "
        f"The n-grams are counted on {counted:,} documents; the network read about five times as "
        "many. Quoted (UW slides, Bengio et al. 2003): the neural model had a “significantly "
        "better” test-set perplexity than the best n-grams, on Brown (about 1M tokens) and AP news "
        f"(about 14M). It is {better}: divided by the grammar's, its perplexity is "
        f"{format_number(network.ratio)}, that of the best of these n-grams ({best.name}) "
        f"{format_number(best.ratio)}."
    )
