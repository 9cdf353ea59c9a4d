"""Figures of a recurrent model: losses, reach of gradients, size, receptive field."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import plotly.graph_objects as go
import torch
from jaxtyping import Bool, Float, Float64
from torch import Tensor

from drawing import theme
from drawing.theme import Mode
from lmcore.models.rnn import RNNConfig
from lmcore.numbers import format_number
from lmcore.recurrence.receptive_field import ParameterCounts, RecurrentStack
from lmcore.recurrence.truncated_bptt import Truncation
from lmcore.recurrence.unrolled import LossSummary

DEEPEST = -8
"""log₁₀ below which a gradient has the darkest colour."""


def places(words: Sequence[str]) -> list[str]:
    """A label for each place of a text, escaped: Plotly would read `<s>` as a tag."""
    return [f"{t}: {escape(word)}" for t, word in enumerate(words, start=1)]


def loss_bars(
    found: LossSummary, truth: Float64[Tensor, " loss"], words: Sequence[str], mode: Mode
) -> go.Figure:
    """J(t) as bars, the running mean as a line, and a mark for the grammar's own loss.

    Line and marks are outlined in the background colour, to be visible on a bar.
    """
    figure = theme.figure(mode, height=380)
    labels = places(words[1:])
    colour, edge = theme.ROLES["loss"][mode], theme.BACKGROUND[mode]
    figure.add_trace(go.Bar(x=labels, y=found.each.tolist(), name="J(t)", marker={"color": colour}))
    mean = {"x": labels, "y": found.running.tolist()}
    casing = {"color": edge, "width": 7}
    figure.add_trace(
        go.Scatter(**mean, mode="lines", line=casing, showlegend=False, hoverinfo="skip")
    )
    figure.add_trace(
        go.Scatter(
            **mean,
            name="mean of J(1) … J(t)",
            mode="lines+markers",
            line={"color": theme.INK[mode], "dash": "dash", "width": 2},
            marker={"line": {"width": 1.5, "color": edge}},
        )
    )
    finite = [value if value < float("inf") else None for value in truth.tolist()]
    marker = {"symbol": "diamond", "size": 11, "color": edge}
    marker |= {"line": {"width": 2, "color": theme.INK[mode]}}
    figure.add_trace(
        go.Scatter(x=labels, y=finite, name="the grammar itself", mode="markers", marker=marker)
    )
    figure.update_xaxes(title="step t, and the word that came next")
    figure.update_yaxes(title="loss J(t), nats", rangemode="tozero")
    return figure


def describe_losses(found: LossSummary, words: Sequence[str]) -> str:
    """Alt text for `loss_bars`."""
    each = ", ".join(
        f"{word} {format_number(loss)}"
        for word, loss in zip(words[1:], found.each.tolist(), strict=True)
    )
    return f"Loss at each word, in nats: {each}. Mean {format_number(found.mean)}."


def loss_formula(found: LossSummary) -> str:
    """The loss of the text in LaTeX, with its perplexity."""
    return (
        r"J = \frac{1}{T}\sum_{t=1}^{T} -\log \hat y^{(t)}_{x_{t+1}} = "
        rf"{format_number(found.mean)}\ \text{{nats}}, "
        rf"\qquad e^J = {format_number(found.perplexity)}"
    )


def loss_without_log_words(found: LossSummary) -> str:
    """The value of the slide's last line, which lacks the logarithm, on the same text."""
    return (
        "Without the logarithm, as the slide's last line has it, the same text would have "
        f"**{format_number(found.as_printed)}**: it could never exceed 0, however unlikely the "
        f"words."
    )


def gradient_map(
    norms: Float[Tensor, "loss time"], cut: Truncation, words: Sequence[str], mode: Mode
) -> go.Figure:
    """‖∂J(t)/∂h(k)‖ on a logarithmic colour scale; × marks what truncation does not compute."""
    figure = theme.figure(mode, height=460)
    labels = places(words[:-1])
    logs = norms.double().clamp_min(10.0**DEEPEST).log10()
    below = torch.ones_like(norms).tril().bool()
    figure.add_trace(
        go.Heatmap(
            x=labels,
            y=labels,
            z=_where(logs, below),
            customdata=norms.tolist(),
            colorscale=theme.SEQUENTIAL,
            zmin=DEEPEST,
            zmax=0,
            colorbar={"title": "norm", "tickvals": [-8, -6, -4, -2, 0],
                      "ticktext": ["≤10⁻⁸", "10⁻⁶", "10⁻⁴", "0.01", "≥1"]},
            hovertemplate="J at %{y}, h at %{x}: %{customdata:.3g}<extra></extra>",
            hoverongaps=False,
        )
    )  # fmt: skip
    figure.add_trace(_crosses((below & ~cut.inside).nonzero().tolist(), labels))
    figure.update_xaxes(title="time k of the hidden state h(k)", type="category")
    figure.update_yaxes(title="time t of the loss J(t)", type="category", autorange="reversed")
    return figure


def _crosses(cells: list[list[int]], labels: Sequence[str]) -> go.Scatter:
    """A cross in each cell, given by the places of its loss and of its hidden state."""
    return go.Scatter(
        x=[labels[k] for _, k in cells],
        y=[labels[t] for t, _ in cells],
        mode="markers",
        marker={
            "symbol": "x",
            "size": 9,
            "color": theme.BACKGROUND["light"],
            "line": {"width": 1.5, "color": theme.INK["light"]},
        },
        hoverinfo="skip",
    )


def _where(values: Tensor, shown: Tensor) -> list[list[float | None]]:
    return [
        [value if keep else None for value, keep in zip(row, keeps, strict=True)]
        for row, keeps in zip(values.tolist(), shown.tolist(), strict=True)
    ]


def describe_gradients(norms: Float[Tensor, "loss time"], cut: Truncation) -> str:
    """Alt text for `gradient_map`."""
    return (
        f"Gradient norms of {len(norms)} losses: the last loss with respect to the last state "
        f"{format_number(float(norms[-1, -1]))}, to the first "
        f"{format_number(float(norms[-1, 0]))}. Truncating after {cut.steps} steps keeps "
        f"{cut.pairs} of {cut.all_pairs} pairs."
    )


def reach_words(cut: Truncation, factor: float, radius: float) -> str:
    """What truncation keeps, and why gradients shrink further back."""
    return (
        f"Truncating after {cut.steps} steps computes {cut.pairs} of {cut.all_pairs} gradients and "
        f"keeps **{cut.share:.1%}** of the sum of their norms. Each step back multiplies the norm "
        f"by **{format_number(factor)}** (geometric mean). The spectral radius of $W_h$ is "
        rf"**{format_number(radius)}**; a step's factor is $\mathrm{{diag}}(1 - h_t^2)\,W_h$, and "
        "$1 - h_t^2$ is near 0 for each unit that is near −1 or 1."
    )


def size_curves(found: ParameterCounts, mode: Mode) -> go.Figure:
    """Parameters against the number of words of context."""
    figure = theme.figure(mode, height=360)
    counts = (("feedforward", found.feedforward), ("RNN", (found.rnn,) * len(found.contexts)))
    for i, (name, values) in enumerate(counts):
        figure.add_trace(
            go.Scatter(
                x=list(found.contexts),
                y=list(values),
                name=name,
                mode="lines+markers",
                line={"color": theme.SERIES[mode][i], "dash": theme.DASHES[i], "width": 2.5},
            )
        )
    figure.update_xaxes(title="context length N, words")
    figure.update_yaxes(title="parameters", rangemode="tozero")
    return figure


def describe_sizes(found: ParameterCounts) -> str:
    """Alt text for `size_curves`."""
    return (
        f"The feedforward model grows from {found.feedforward[0]:,} to {found.feedforward[-1]:,} "
        f"parameters as N goes from 1 to {found.contexts[-1]}; the RNN keeps {found.rnn:,}."
    )


def size_words(found: ParameterCounts) -> str:
    """The parameters that a longer context costs either model."""
    each = found.feedforward[1] - found.feedforward[0]
    return (
        f"One more word of context costs the feedforward model **{each:,}** parameters, and the "
        f"RNN none: it has {found.rnn:,} for a text of any length. The cost: $h_t$ needs "
        "$h_{t-1}$, so the steps of one text cannot be computed side by side."
    )


def stack_words(stack: RecurrentStack, config: RNNConfig) -> str:
    """The parameters of a stack, and whether it can be a language model."""
    cost = (
        f"**{stack.parameters(config):,}** parameters with the sizes of this model, against "
        f"{config.parameters:,} of one layer that reads forwards. "
    )
    if stack.bidirectional:
        return cost + (
            "It sees the words to come: it can fill a gap or tag a word, but it cannot predict "
            "the next word, since it has already seen it."
        )
    return cost + "No place sees a later word: this is what a language model needs."


def receptive_field_map(
    seen: Bool[Tensor, "place word"], words: Sequence[str], mode: Mode
) -> go.Figure:
    """A map with a mark where the output at a place depends on a word."""
    figure = theme.figure(mode, height=420)
    labels = places(words)
    pairs = seen.nonzero().tolist()
    figure.add_trace(
        go.Scatter(
            x=[labels[k] for _, k in pairs],
            y=[labels[t] for t, _ in pairs],
            mode="markers",
            marker={"symbol": "square", "size": 15, "color": theme.ROLES["input"][mode]},
            hovertemplate="h at %{y} sees %{x}<extra></extra>",
        )
    )
    order = {"type": "category", "categoryorder": "array", "categoryarray": labels}
    figure.update_xaxes(title="word read", **order)
    figure.update_yaxes(title="place", autorange="reversed", **order)
    return figure


def describe_receptive_field_map(seen: Bool[Tensor, "place word"]) -> str:
    """Alt text for `receptive_field_map`."""
    return (
        f"Of {seen.numel()} pairs of place and word, {int(seen.sum())} are seen; the first place "
        f"sees {int(seen[0].sum())} of {len(seen)} words, the last {int(seen[-1].sum())}."
    )
