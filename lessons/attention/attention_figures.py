"""Figures beside the step table: four similarities as weights, and how a softmax saturates."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import plotly.graph_objects as go
from jaxtyping import Float64
from torch import Tensor

from drawing import theme
from drawing.theme import Mode
from lmcore.attention.saturation import WIDTHS, Saturation
from lmcore.attention.similarity import SimilarityAttention
from lmcore.attention.step_table import StepTable
from lmcore.numbers import format_number


def similarity_bars(
    attentions: Sequence[SimilarityAttention], tokens: Sequence[str], mode: Mode
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
        for i, each in enumerate(attentions)
    ]
    return theme.figure(
        mode,
        bars,
        height=380,
        barmode="group",
        xaxis={"title": "key", "type": "category"},
        yaxis={"title": "weight of the key’s value"},
    )


def describe_similarity_bars(
    attentions: Sequence[SimilarityAttention], tokens: Sequence[str]
) -> str:
    """Alt text for `similarity_bars`."""
    each = "; ".join(
        f"{one.name}: {', '.join(map(format_number, one.weights.tolist()))}, sum "
        f"{format_number(one.total)}"
        for one in attentions
    )
    return f"Weights of {len(tokens)} keys. {each}."


def similarity_rows(
    attentions: Sequence[SimilarityAttention],
) -> list[tuple[str, *tuple[float, ...]]]:
    """One row per similarity: its value for each key, the sum of its weights, and z."""
    return [
        (one.name, *one.similarities.tolist(), one.total, *one.context.tolist())
        for one in attentions
    ]


def similarity_columns(keys: int, wide: int) -> list[str]:
    """The column titles of `similarity_rows`."""
    return [
        "similarity",
        *(f"key {j}" for j in range(1, keys + 1)),
        "Σ weights",
        *(f"z[{c}]" for c in range(1, wide + 1)),
    ]


def average_words(
    attentions: Sequence[SimilarityAttention], value: Float64[Tensor, "key d_v"]
) -> str:
    """Whether each z lies between the smallest and the largest value, as an average must."""
    low, high = value.amin(dim=0), value.amax(dim=0)
    slack = 1e-9 * (1 + value.abs().max())
    outside = [
        one.name
        for one in attentions
        if bool(((one.context < low - slack) | (one.context > high + slack)).any())
    ]
    sums = ", ".join(f"{one.name} {format_number(one.total)}" for one in attentions)
    first = f"The weights sum to: {sums}. "
    if not outside:
        return first + "Every z lies between the values, as an average does."
    return first + f"Outside the values, and so not an average: z by {', '.join(outside)}."


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


def saturation_words(curves: Saturation) -> str:
    """The values of the curves at the largest d_k."""
    plain, scaled = curves.plain, curves.scaled
    ends = (curves.variance, curves.scaled_variance, plain.largest, scaled.largest)
    variance, scaled_variance, largest, scaled_largest, gradient, scaled_gradient = (
        format_number(float(values[-1])) for values in (*ends, plain.gradient, scaled.gradient)
    )
    return (
        f"At d_k = {WIDTHS[-1]} the variance of q·k is **{variance}**, and of q·k/√d_k "
        f"**{scaled_variance}**. The largest weight is on average {largest} against "
        f"{scaled_largest}, and the gradient that the scores get {gradient} against "
        f"{scaled_gradient}: near-certain weights get almost no gradient."
    )


def slope_rows(
    tokens: Sequence[str], table: StepTable, plain: StepTable, at: int
) -> list[tuple[str, float, float, float, float]]:
    """One row per key: weight and slope of this query, with the page's scale and without any."""
    columns = (table.weights, table.slopes, plain.weights, plain.slopes)
    numbers = zip(*(column[at].tolist() for column in columns), strict=True)
    return [
        (f"{j} {token}", *row)
        for j, (token, row) in enumerate(zip(tokens, numbers, strict=True), start=1)
    ]


READINGS = {
    "variance": "The variance of q·k grows with d_k; divided, it stays at 1.",
    "largest": "Mean over the queries of the largest of 16 weights.",
    "gradient": "Mean size of ∂α/∂s, which scales the gradient that reaches the scores.",
}
SIMILARITY_WORDS = (
    "A Transformer uses the scaled dot product. Cosine lies between −1 and 1, so its softmax is "
    "nearly uniform. Additive similarity is an MLP, wᵀ tanh(W₁q + W₂k): its weights have to be "
    "learned, and are drawn at random here (seed 0)."
)


def saturation_pairs(curves: Saturation) -> list[tuple[str, str, tuple[Tensor, Tensor], bool]]:
    """Curves against d_k: name, axis title, values without and with the scale, whether log."""
    return [
        ("variance", "variance of a score", (curves.variance, curves.scaled_variance), True),
        ("largest", "largest weight", (curves.plain.largest, curves.scaled.largest), False),
        ("gradient", "‖∂α/∂s‖", (curves.plain.gradient, curves.scaled.gradient), False),
    ]


FAULTS = ("The slide has", "It must be", "The effect of this fault alone")


def compared_words(difference: float) -> str:
    """How close the corrected class is to PyTorch's own function."""
    return (
        "The slide’s class, corrected, differs from `F.scaled_dot_product_attention` by at "
        f"most **{format_number(difference)}** on a random batch. Each fault "
        "was then put back on its own and run:"
    )


def deviation_words(difference: float) -> str:
    """How close this page's numbers are to PyTorch's own function."""
    return (
        "On these numbers `F.scaled_dot_product_attention` gives the same Z: the largest "
        f"difference is **{format_number(difference)}**."
    )
