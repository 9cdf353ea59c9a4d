"""Figures of the page on word vectors: an analogy, an axis, precisions, two-sense words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go
import torch
import torch.nn.functional as F
from jaxtyping import Float64
from torch import Tensor

from drawing import theme
from drawing.theme import Mode
from lmcore.embeddings.static.neighbours import AxisProjection, RankedWords
from lmcore.embeddings.static.vectors import WordVectors, word_index

TARGET = "a − b + c"
"""The name of the point that an analogy leads to; no word has blanks."""


def plane_of(rows: Float64[Tensor, "point dimension"]) -> Float64[Tensor, "point 2"]:
    """Points on their plane of largest variance."""
    centred = rows - rows.mean(dim=0)
    axes: Tensor = torch.linalg.svd(centred, full_matrices=False).Vh[:2]
    return centred @ axes.T


def analogy_figure(
    vectors: WordVectors, words: tuple[str, str, str], answers: RankedWords, mode: Mode
) -> go.Figure:
    """a − b + c as arrows between unit vectors, and the nearest answers, on one plane."""
    a, b, c = words
    at = _analogy_plane(vectors, words, list(dict.fromkeys([*words, *answers.words])))
    labelled = {*words, answers.words[0], TARGET}
    others = [name for name in at if name not in (*words, TARGET)]
    parts = (
        ([name for name in at if name in words], "a, b, c", "circle", "input"),
        (others, "nearest words", "diamond", "activation"),
        ([TARGET], TARGET, "x", "gradient"),
    )
    traces = [
        {
            "type": "scatter",
            "mode": "markers+text",
            "x": [at[each][0] for each in names],
            "y": [at[each][1] for each in names],
            "text": [each if each in labelled else "" for each in names],
            "textposition": "bottom center" if role == "gradient" else "top center",
            "textfont": {"size": 15, "color": theme.ROLES[role][mode]},
            "name": part,
            "marker": {"symbol": symbol, "size": 13, "color": theme.ROLES[role][mode]},
            "hovertext": names,
            "hoverinfo": "text",
        }
        for names, part, symbol, role in parts
        if names
    ]
    arrows = [
        _arrow(at[b], at[a], theme.ROLES["input"][mode]),
        _arrow(at[c], at[TARGET], theme.ROLES["gradient"][mode]),
    ]
    return theme.figure(
        mode,
        traces,
        height=400,
        xaxis={"title": "first axis of these points"},
        yaxis={"title": "second axis", "scaleanchor": "x"},
        annotations=arrows,
    )


def _analogy_plane(
    vectors: WordVectors, words: tuple[str, str, str], names: Sequence[str]
) -> dict[str, list[float]]:
    """Where the unit vectors of `names` and then `TARGET` are on the plane of all of them."""
    rows = F.normalize(vectors.vectors[[word_index(vectors.words, each) for each in names]], dim=-1)
    a, b, c = (rows[names.index(word)] for word in words)
    spots = plane_of(torch.cat([rows, (a - b + c)[None]])).tolist()
    return dict(zip([*names, TARGET], spots, strict=True))


def _arrow(start: Sequence[float], end: Sequence[float], colour: str) -> dict[str, object]:
    return {
        "x": end[0],
        "y": end[1],
        "ax": start[0],
        "ay": start[1],
        "xref": "x",
        "yref": "y",
        "axref": "x",
        "ayref": "y",
        "showarrow": True,
        "arrowhead": 3,
        "arrowwidth": 3,
        "arrowcolor": colour,
        "text": "",
    }


def axis_figure(projection: AxisProjection, low: str, high: str, mode: Mode) -> go.Figure:
    """Words along the line between two poles, lowest first."""
    order = projection.positions.argsort(descending=True).tolist()
    names = [projection.words[i] for i in order]
    bars = {
        "type": "bar",
        "orientation": "h",
        "x": [float(projection.positions[i]) for i in order],
        "y": names,
        "marker": {"color": theme.ROLES["score"][mode]},
        "text": [f"{float(projection.positions[i]):.2f}" for i in order],
        "textfont": {"size": 14},
        "hovertemplate": "%{y}: t = %{x:.3f}<extra></extra>",
    }
    return theme.figure(
        mode,
        [bars],
        height=max(260, 60 + 26 * len(names)),
        xaxis={"title": f"t: 0 is {low}, 1 is {high}"},
        yaxis={"title": "word", "autorange": "reversed", "automargin": True},
    )


def precision_figure(
    methods: Sequence[str],
    measured: Mapping[str, Sequence[tuple[float, float, float]]],
    mode: Mode,
) -> go.Figure:
    """Mean precision@5 of each method, with the lowest and the highest over the seeds."""
    bars = []
    for k, (name, values) in enumerate(measured.items()):
        mean, low, high = zip(*values, strict=True)
        bars.append(
            {
                "type": "bar",
                "name": name,
                "x": list(methods),
                "y": mean,
                "text": [f"{each:.2f}" for each in mean],
                "textposition": "inside",
                "insidetextanchor": "start",
                "textfont": {"size": 15},
                "marker": {"color": theme.SERIES[mode][k]},
                "error_y": theme.whiskers(mean, low, high, mode),
                "hovertemplate": "%{x}: %{y:.3f}<extra></extra>",
            }
        )
    return theme.figure(
        mode,
        bars,
        height=420,
        barmode="group",
        xaxis={"title": "method"},
        yaxis={"title": "precision@5", "range": [0, 1.08]},
    )


def senses_figure(vectors: WordVectors, words: Sequence[str], mode: Mode) -> go.Figure:
    """Words with two senses on a plane, one point for each word."""
    rows = vectors.vectors[[word_index(vectors.words, word) for word in words]]
    points = plane_of(F.normalize(rows, dim=-1))
    trace = {
        "type": "scatter",
        "mode": "markers+text",
        "x": points[:, 0].tolist(),
        "y": points[:, 1].tolist(),
        "text": list(words),
        "textposition": "top center",
        "textfont": {"size": 15, "color": theme.INK[mode]},
        "marker": {"size": 14, "color": theme.ROLES["input"][mode]},
        "hoverinfo": "text",
        "showlegend": False,
    }
    return theme.figure(
        mode,
        [trace],
        height=360,
        xaxis={"title": "first axis of these words"},
        yaxis={"title": "second axis"},
    )
