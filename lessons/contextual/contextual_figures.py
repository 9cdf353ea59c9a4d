"""Figures of the page on contextual vectors: probes, shares, combinations, taggers, vectors."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import plotly.graph_objects as go

from drawing import theme
from drawing.theme import Mode
from lessons.contextual.recorded_text import expected_layers, scores_of, tagger_means
from lmcore.contextual.bilm import BiLMTrace
from lmcore.contextual.mixing import TABLE_7
from lmcore.contextual.persons import WORDS, PersonVectors
from lmcore.contextual.record import MODELS, Recorded
from lmcore.contextual.tasks import TASKS

SYMBOLS = ("circle", "square", "diamond", "triangle-up", "x")
KEPT = 16
"""Figures of each kind that are kept for all visitors."""
ORDER = {model: i for i, model in enumerate(MODELS)}


@lru_cache(maxsize=KEPT)
def probes_figure(record: Recorded, task: str, mode: Mode) -> go.Figure:
    """Accuracy of a task by layer, one curve per model; thin: its control task."""
    by_word = record.baselines[task][1]
    note = {
        "x": 6,
        "y": by_word,
        "text": "the word alone",
        "showarrow": False,
        "yshift": -10,
        "xanchor": "right",
        "font": {"color": theme.QUIET[mode]},
    }
    rule = {"type": "line", "x0": 0, "x1": 6, "y0": by_word, "y1": by_word}
    return theme.figure(
        mode,
        [trace for model in MODELS for trace in _probe_curves(record, model, task, mode)],
        height=420,
        annotations=[note],
        shapes=[rule | {"line": {"color": theme.QUIET[mode], "width": 2, "dash": "longdash"}}],
        xaxis={"title": "layer", "dtick": 1},
        yaxis={"title": f"accuracy, {task}", "range": [0, 1.05]},
    )


def _probe_curves(record: Recorded, model: str, task: str, mode: Mode) -> list[dict[str, Any]]:
    """The curve of a model's probes over the layers, and that of their control task."""
    scores, k, name = scores_of(record, model, task), ORDER[model], MODELS[model]
    colour = theme.SERIES[mode][k]
    line = {"type": "scatter", "x": [score.layer for score in scores]}
    return [
        line
        | {
            "mode": "lines+markers",
            "name": name,
            "y": [score.accuracy for score in scores],
            "line": {"color": colour, "width": 3, "dash": theme.DASHES[k]},
            "marker": {"symbol": SYMBOLS[k], "size": 10, "color": colour},
            "hovertemplate": f"{name}, layer %{{x}}: %{{y:.3f}}<extra></extra>",
        },
        line
        | {
            "mode": "lines",
            "name": f"{name}, control",
            "showlegend": False,
            "y": [score.control for score in scores],
            "line": {"color": colour, "width": 1.5, "dash": "dot"},
            "hovertemplate": f"{name}, control, layer %{{x}}: %{{y:.3f}}<extra></extra>",
        },
    ]


@lru_cache(maxsize=KEPT)
def order_figure(record: Recorded, mode: Mode) -> go.Figure:
    """The expected layer of each task, as a share of the model's depth."""
    traces = []
    for model, k in ORDER.items():
        depth = max(score.layer for score in record.probes if score.model == model)
        found = {
            task: layer
            for task, layer in expected_layers(record, model).items()
            if not math.isnan(layer)
        }
        traces.append(
            {
                "type": "scatter",
                "mode": "markers",
                "name": MODELS[model],
                "x": [layer / depth for layer in found.values()],
                "y": list(found),
                "marker": {"symbol": SYMBOLS[k], "size": 15, "color": theme.SERIES[mode][k]},
                "hovertemplate": f"{MODELS[model]}, %{{y}}: %{{x:.2f}} of the depth<extra></extra>",
            }
        )
    return theme.figure(
        mode,
        traces,
        height=360,
        xaxis={"title": "expected layer / number of layers", "range": [0, 1.05]},
        yaxis={
            "title": "task",
            "categoryorder": "array",
            "categoryarray": list(TASKS)[::-1],
            "automargin": True,
        },
    )


@lru_cache(maxsize=KEPT)
def shares_figure(record: Recorded, mode: Mode) -> go.Figure:
    """The shares s_j that each model learned for each task, as stacked bars."""
    names = [
        f"{MODELS[model]}, {task}" for model, of_task in record.mixtures.items() for task in of_task
    ]
    mixtures = [each for of_task in record.mixtures.values() for each in of_task.values()]
    most = max(len(each.weights) for each in mixtures)
    colours = (*theme.SERIES[mode], theme.ROLES["score"][mode])
    bars = []
    for layer in range(most):
        values = [
            float(each.shares[layer]) if layer < len(each.weights) else 0.0 for each in mixtures
        ]
        bars.append(
            {
                "type": "bar",
                "orientation": "h",
                "name": f"layer {layer}",
                "x": values,
                "y": names,
                "text": [str(layer) if value > 0.08 else "" for value in values],
                "textposition": "inside",
                "insidetextanchor": "middle",
                "textangle": 0,
                "textfont": {"size": 14, "color": theme.BACKGROUND[mode]},
                "marker": {"color": colours[layer]},
                "hovertemplate": f"%{{y}}: s of layer {layer} = %{{x:.3f}}<extra></extra>",
            }
        )
    return theme.figure(
        mode,
        bars,
        height=80 + 27 * len(names),
        barmode="stack",
        legend_traceorder="normal",
        xaxis={"title": "sⱼ, the share of layer j", "range": [0, 1]},
        yaxis={"title": "", "autorange": "reversed", "automargin": True},
    )


@lru_cache(maxsize=KEPT)
def combination_figure(record: Recorded, task: str, mode: Mode) -> go.Figure:
    """The paper's F1 and our accuracy for each way to make a vector of the layers."""
    names = list(TABLE_7)
    parts = (
        ("BERT base, CoNLL-2003, F1 / 100 (quoted)", [TABLE_7[name] / 100 for name in names]),
        (f"MiniLM, {task}, accuracy (measured)", [record.combinations[task][n] for n in names]),
    )
    bars = [
        {
            "type": "bar",
            "orientation": "h",
            "name": label,
            "y": names,
            "x": values,
            "text": [f"{value:.3f}" for value in values],
            "textposition": "inside",
            "textfont": {"size": 14},
            "marker": {"color": theme.SERIES[mode][1 - k]},
            "hovertemplate": "%{y}: %{x:.3f}<extra></extra>",
        }
        for k, (label, values) in enumerate(parts)
    ]
    return theme.figure(
        mode,
        bars,
        height=440,
        barmode="group",
        xaxis={"title": "F1 / 100, or accuracy", "range": [0, 1]},
        yaxis={"title": "", "autorange": "reversed", "automargin": True},
    )


@lru_cache(maxsize=KEPT)
def tagger_figure(record: Recorded, tasks: tuple[str, ...], mode: Mode) -> go.Figure:
    """Accuracy of the taggers by the place of ELMo in them, mean and range over the seeds."""
    places = ("none", "input", "output", "both")
    bars = []
    for k, task in enumerate(tasks):
        means = tagger_means(record.taggers, task)
        middle, low, high = zip(*(means[(place, 0.0)] for place in places), strict=True)
        bars.append(
            {
                "type": "bar",
                "name": task,
                "x": ["no ELMo", "at the input", "at the output", "at both"],
                "y": middle,
                "text": [f"{each:.2f}" for each in middle],
                "textposition": "inside",
                "insidetextanchor": "start",
                "textfont": {"size": 15},
                "marker": {"color": theme.SERIES[mode][k]},
                "error_y": theme.whiskers(middle, low, high, mode),
                "hovertemplate": f"{task}, %{{x}}: %{{y:.3f}}<extra></extra>",
            }
        )
    return theme.figure(
        mode,
        bars,
        height=400,
        barmode="group",
        xaxis={"title": "where the tagger has ELMoₖ"},
        yaxis={"title": "accuracy on held-out words", "range": [0, 1.08]},
    )


@lru_cache(maxsize=KEPT)
def persons_figure(found: PersonVectors, layer: int, mode: Mode) -> go.Figure:
    """The eight words by Person A and by Person B on the layer's plane, joined by lines."""
    points = found.points[layer].tolist()
    lines = [
        {
            "type": "scatter",
            "mode": "lines",
            "x": [points[0][i][0], points[1][i][0]],
            "y": [points[0][i][1], points[1][i][1]],
            "line": {"color": theme.QUIET[mode], "width": 2},
            "hoverinfo": "skip",
            "showlegend": False,
        }
        for i in range(len(WORDS))
    ]
    marks = [
        {
            "type": "scatter",
            "mode": "markers+text",
            "name": f"Person {name}",
            "x": [x for x, _ in points[person]],
            "y": [y for _, y in points[person]],
            "text": list(WORDS) if person == 0 or layer else [""] * len(WORDS),
            "textposition": "top center" if person == 0 else "bottom center",
            "textfont": {"size": 14, "color": theme.SERIES[mode][person]},
            "marker": {"symbol": SYMBOLS[person], "size": 13, "color": theme.SERIES[mode][person]},
            "hovertext": [f"{word}, Person {name}" for word in WORDS],
            "hoverinfo": "text",
        }
        for person, name in enumerate("AB")
    ]
    return theme.figure(
        mode,
        [*lines, *marks],
        height=420,
        xaxis={"title": "first axis of the plane"},
        yaxis={"title": "second axis"},
    )


@lru_cache(maxsize=KEPT)
def vectors_figure(trace: BiLMTrace, k: int, mode: Mode) -> go.Figure:
    """R_k: the 2L + 1 vectors of word k as rows of coloured cells."""
    vectors = trace.representations(k)
    names = ["xₖ", *(f"{way}hₖ,{'₁₂₃₄'[j]}" for j in range(len(vectors) // 2) for way in "→←")]
    rows = [vector.tolist() for vector in vectors]
    most = max(abs(value) for row in rows for value in row)
    cells = {
        "type": "heatmap",
        "z": rows[::-1],
        "y": names[::-1],
        "zmin": -most,
        "zmax": most,
        "colorscale": theme.DIVERGING,
        "ygap": 6,
        "hovertemplate": "%{y}, number %{x}: %{z:.3f}<extra></extra>",
    }
    return theme.figure(
        mode,
        [cells],
        height=290,
        xaxis={"title": "number of the vector"},
        yaxis={"title": "", "automargin": True, "tickfont": {"size": 15}},
    )
