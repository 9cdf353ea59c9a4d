"""Figures beside the step table: four similarities as weights, and how a softmax saturates."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import plotly.graph_objects as go
from jaxtyping import Float64
from torch import Tensor

from lessons.shared import theme
from lessons.shared.theme import Mode
from lmcore.attention.saturation import WIDTHS, Saturation
from lmcore.attention.similarity import SimilarityAttention
from lmcore.attention.step_table import StepTable
from lmcore.numbers import format_number


def similarity_bars(
    found: Sequence[SimilarityAttention], tokens: Sequence[str], mode: Mode
) -> go.Figure:
    """The weight of each key by each similarity, side by side."""
    labels = [f"{i} {escape(token)}" for i, token in enumerate(tokens, start=1)]
    bars = [
        {
            "type": "bar",
            "x": labels,
            "y": each.weights.tolist(),
            "name": each.name,
            "marker": {
                "color": theme.SERIES[mode][i],
                "pattern": {"shape": ("", "/", ".", "x")[i]},
            },
            "hovertemplate": f"{each.name}, %{{x}}: %{{y:.4g}}<extra></extra>",
        }
        for i, each in enumerate(found)
    ]
    return theme.figure(
        mode,
        bars,
        height=380,
        barmode="group",
        xaxis={"title": "key", "type": "category"},
        yaxis={"title": "weight of the key’s value"},
    )


def describe_similarity_bars(found: Sequence[SimilarityAttention], tokens: Sequence[str]) -> str:
    """Alt text for `similarity_bars`."""
    each = "; ".join(
        f"{one.name}: {', '.join(map(format_number, one.weights.tolist()))}, sum "
        f"{format_number(one.total)}"
        for one in found
    )
    return f"Weights of {len(tokens)} keys. {each}."


def similarity_rows(found: Sequence[SimilarityAttention]) -> list[tuple[str, *tuple[float, ...]]]:
    """A row a similarity: its value for each key, what its weights sum to, and z."""
    return [
        (one.name, *one.similarities.tolist(), one.total, *one.context.tolist()) for one in found
    ]


def similarity_columns(keys: int, wide: int) -> list[str]:
    """The heads of `similarity_rows`."""
    return [
        "similarity",
        *(f"key {j}" for j in range(1, keys + 1)),
        "Σ weights",
        *(f"z[{c}]" for c in range(1, wide + 1)),
    ]


def average_words(found: Sequence[SimilarityAttention], value: Float64[Tensor, "key d_v"]) -> str:
    """Whether each z lies between the smallest and the largest value, as an average must."""
    low, high = value.amin(dim=0), value.amax(dim=0)
    slack = 1e-9 * (1 + value.abs().max())
    outside = [
        one.name
        for one in found
        if bool(((one.context < low - slack) | (one.context > high + slack)).any())
    ]
    sums = ", ".join(f"{one.name} {format_number(one.total)}" for one in found)
    first = f"The weights sum to: {sums}. "
    if not outside:
        return first + "Every z lies among the values, as an average does."
    return first + f"Outside the values, and so no average: z by {', '.join(outside)}."


CURVES = (("q·k as it is", "loss", "dash"), ("q·k / √d_k", "activation", "solid"))


def saturation_curves(
    pair: tuple[Tensor, Tensor], title: str, mode: Mode, *, log: bool = False
) -> go.Figure:
    """One quantity against d_k, with the scale and without."""
    curves = [
        {
            "type": "scatter",
            "x": list(WIDTHS),
            "y": values.tolist(),
            "name": name,
            "mode": "lines+markers",
            "line": {"color": theme.ROLES[role][mode], "dash": dash, "width": 2.5},
            "hovertemplate": "d_k = %{x}: %{y:.4g}<extra></extra>",
        }
        for (name, role, dash), values in zip(CURVES, pair, strict=True)
    ]
    up = _logarithmic(1, 10, 100) if log else {"rangemode": "tozero"}
    return theme.figure(
        mode,
        curves,
        height=300,
        xaxis={"title": "d_k"} | _logarithmic(1, 4, 16, 64, 256),
        yaxis={"title": title} | up,
    )


def _logarithmic(*ticks: int) -> dict[str, object]:
    return {"type": "log", "tickvals": ticks, "ticktext": [str(tick) for tick in ticks]}


def describe_curves(pair: tuple[Tensor, Tensor], title: str) -> str:
    """Alt text for `saturation_curves`."""
    ends = (
        f"{name}: {format_number(float(values[0]))} at d_k = {WIDTHS[0]}, "
        f"{format_number(float(values[-1]))} at {WIDTHS[-1]}"
        for (name, *_), values in zip(CURVES, pair, strict=True)
    )
    return f"{title}. {'; '.join(ends)}."


def saturation_words(found: Saturation) -> str:
    """What the curves come to at their right end."""
    return (
        f"At d_k = {WIDTHS[-1]} the variance of q·k is **{format_number(float(found.variance[-1]))}**"
        f", and of q·k/√d_k **{format_number(float(found.scaled_variance[-1]))}**. The largest "
        f"weight is on average {format_number(float(found.plain.largest[-1]))} against "
        f"{format_number(float(found.scaled.largest[-1]))}, and the gradient that the scores get "
        f"{format_number(float(found.plain.gradient[-1]))} against "
        f"{format_number(float(found.scaled.gradient[-1]))}: what is nearly decided hardly learns."
    )


def slope_rows(
    tokens: Sequence[str], table: StepTable, plain: StepTable, at: int
) -> list[tuple[str, float, float, float, float]]:
    """A row a key: weight and slope of this query, with the page's scale and without any."""
    columns = (table.weights, table.slopes, plain.weights, plain.slopes)
    numbers = zip(*(column[at].tolist() for column in columns), strict=True)
    return [
        (f"{j} {token}", *row)
        for j, (token, row) in enumerate(zip(tokens, numbers, strict=True), start=1)
    ]


READINGS = {
    "variance": "q·k alone spreads as far as d_k is wide; divided, it stays at 1.",
    "largest": "Mean over the queries of the largest of 16 weights.",
    "gradient": "Mean size of ∂α/∂s: what the scores can still learn from.",
}
SIMILARITY_WORDS = (
    "Scaled dot is what a Transformer takes. Cosine lies from −1 to 1, so its softmax is nearly "
    "even. The additive one is an MLP, wᵀ tanh(W₁q + W₂k): its weights have to be learned, and "
    "are drawn at random here (seed 0)."
)


def saturation_pairs(found: Saturation) -> list[tuple[str, str, tuple[Tensor, Tensor], bool]]:
    """What is drawn against d_k: name, axis title, without and with the scale, and if it is log."""
    return [
        ("variance", "variance of a score", (found.variance, found.scaled_variance), True),
        ("largest", "largest weight", (found.plain.largest, found.scaled.largest), False),
        ("gradient", "‖∂α/∂s‖", (found.plain.gradient, found.scaled.gradient), False),
    ]


FAULTS = ("The slide has", "It must be", "The fault, put back alone")


def compared_words(difference: float) -> str:
    """How near the corrected class is to PyTorch's own function."""
    return (
        "The slide’s class, put right, differs from `F.scaled_dot_product_attention` by at most "
        f"**{format_number(difference)}** on a random batch. Each fault was put back alone and run:"
    )


def deviation_words(difference: float) -> str:
    """How near this page's numbers are to PyTorch's own function."""
    return (
        "On these numbers `F.scaled_dot_product_attention` gives the same Z: the largest "
        f"difference is **{format_number(difference)}**."
    )
