"""The figures of the feedforward page, and the words beside what was measured."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from lessons.shared.theme import DASHES, QUIET, ROLES, SERIES, Mode, figure
from lmcore.embeddings.drift import Drift
from lmcore.evaluation.contexts import ContextResult
from lmcore.numbers import format_number


def freezing(learned: Drift, frozen: Drift, bounds: Mapping[str, float], mode: Mode) -> go.Figure:
    """Two validation curves over the steps, with fixed reference levels."""
    chart = figure(mode, height=420)
    for i, (name, drift) in enumerate((("E learned", learned), ("E frozen", frozen))):
        chart.add_scatter(
            x=(drift.steps + 1).tolist(),
            y=drift.losses.tolist(),
            name=name,
            mode="lines+markers",
            line={"color": SERIES[mode][(0, 3)[i]], "dash": DASHES[i], "width": 2.5},
            marker={"symbol": ("circle", "diamond")[i], "size": 7},
            hovertemplate="after step %{customdata}: %{y:.4f} nats<extra>" + name + "</extra>",
            customdata=drift.steps.tolist(),
        )
    spots = ("top right", "top left", "bottom left")
    for (label, level), spot in zip(bounds.items(), spots, strict=True):
        chart.add_hline(
            level,
            line={"color": QUIET[mode], "dash": "dash", "width": 1.5},
            annotation={"text": f"{label}: {format_number(level)}", "font": {"color": QUIET[mode]}},
            annotation_position=spot,
        )
    last = int(learned.steps[-1])
    marks = [1, *(10**k for k in range(1, 6) if 10**k < last), last]
    chart.update_xaxes(
        type="log",
        title="training step + 1 (log scale)",
        tickvals=marks,
        ticktext=[*map(str, marks)],
    )
    chart.update_yaxes(
        title="validation loss, nats per token", range=[0, 1.13 * max(bounds.values())]
    )
    return chart


def describe_freezing(learned: Drift, frozen: Drift, bounds: Mapping[str, float]) -> str:
    """Alt text for `freezing`."""
    ends = [f"{format_number(float(d.losses[-1]))}" for d in (learned, frozen)]
    levels = ", ".join(f"{label} {format_number(level)}" for label, level in bounds.items())
    return (
        f"Validation loss over {int(learned.steps[-1])} steps. Both begin near "
        f"{format_number(float(learned.losses[0]))} nats; E learned ends at {ends[0]}, E frozen at "
        f"{ends[1]}. Levels: {levels}."
    )


def floor_comparison(
    models: Sequence[tuple[str, int, float]], floors: Mapping[int, float], mode: Mode
) -> go.Figure:
    """Each model over the words it sees, as a multiple of the grammar's perplexity.

    A model is (name, words seen, ratio); a floor is the best ratio with so many words.
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


def freezing_notice(learned: Drift, frozen: Drift, bounds: Mapping[str, float]) -> list[str]:
    """The cost of freezing E, in nats and in perplexity."""
    free, still = float(learned.losses[-1]), float(frozen.losses[-1])
    uniform, floor, _ = bounds.values()
    share = (uniform - still) / (uniform - free)
    return [
        f"Learned, E ends at {format_number(free)} nats; frozen, at {format_number(still)}: "
        f"{format_number(still - free)} nats more, which multiplies the perplexity by "
        f"{format_number(math.exp(still - free))}.",
        f"With random rows for its words the network still achieves {share:.1%} of the drop in "
        "loss: W, b and U learn to read them.",
        f"The floor for these words of context is {format_number(floor)} nats on average over all "
        "texts; the validation texts are a sample.",
    ]


def fed_notice(
    found: Sequence[ContextResult], chances: Sequence[tuple[str, float, float]], near: float
) -> list[str]:
    """Which model is nearer the floor for the same context, and p(fed) after “dog gets”."""
    rival, network = found[-2], found[-1]
    nearer = min((rival, network), key=lambda each: each.ratio)
    (_, _, rivals), (_, cat, dog), (_, _, truth) = chances[-3:]
    lowest, highest = found[0], max(found, key=lambda each: each.ratio - each.floor)
    return [
        f"From {lowest.seen} word of context to {network.seen} the floor falls from "
        f"{format_number(lowest.floor)} to {format_number(network.floor)}, and no model is "
        f"more than {format_number(highest.ratio - highest.floor)} above its own.",
        f"With the same {network.seen} words to see, the {rival.name} is "
        f"{format_number(rival.ratio - rival.floor)} above the floor and the network "
        f"{format_number(network.ratio - network.floor)}: on these texts {nearer.name} is nearer.",
        f"But no training text contains “dog gets”: there the {rival.name} gives “fed” "
        f"{format_number(rivals)}, the network {format_number(dog)} "
        f"(after “cat gets”: {format_number(cat)}); the completed grammar gives "
        f"{format_number(truth)}.",
        f"cos(E[cat], E[dog]) is {format_number(near)}.",
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
