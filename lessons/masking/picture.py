"""Two masks side by side: the payload of the picture, its alt texts, formulas and rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple, TypeAlias, TypedDict

import plotly.graph_objects as go
import torch
from jaxtyping import Float
from torch import Tensor

from lessons.shared import theme
from lessons.shared.payload import NumberArray, Script
from lessons.shared.theme import Mode
from lmcore.masking.mask_pairs import MaskedHead, MaskPair, SoftmaxSteps
from lmcore.models.masks import format_mask
from lmcore.numbers import format_number, latex
from lmcore.vocabulary import START

KINDS = {
    "causal": "Causal",
    "bidirectional": "Bidirectional",
    "padding": "Padding",
    "cross": "Cross",
    "prefix": "Prefix",
    "sliding": "Sliding window",
    "permutation": "Permutation",
    "painted": "By hand",
}
NAMES = {
    "causal": "Causal mask",
    "bidirectional": "No mask: both ways",
    "padding": "Padding mask",
    "cross": "Cross-attention",
    "prefix": "Prefix mask",
    "sliding": "Sliding window",
    "permutation": "Permutation mask",
    "painted": "Mask by hand",
}
MASK_WORDS = {
    "causal": "Each place sees itself and what came before: all that a language model may see.",
    "bidirectional": "Every place sees all places: an encoder, which reads the whole text at once.",
    "padding": "A batch is a rectangle; [PAD] fills the short texts and is hidden from all.",
    "cross": "Queries from the decoder, keys from the source: every source word, at every step.",
    "prefix": "The first places see one another both ways; from there on the mask is causal.",
    "sliding": "Each place sees only its neighbours: the cost grows with the length, not with its "
    "square.",
    "permutation": "XLNet reads the places in another order; each sees those read before it.",
    "painted": "Your own: press or drag over the scores of this mask to hide or show them.",
}


class MaskNumber(TypedDict):
    """The slider of a mask: its label, and the setting that it moves."""

    label: str
    name: str


NUMBERS: Mapping[str, MaskNumber] = {
    "prefix": {"label": "Prefix, places", "name": "known"},
    "sliding": {"label": "Window, places", "name": "window"},
}
NOTHING: MaskNumber = {"label": "", "name": ""}
HINT = "Point at a cell for its numbers; press a row to select its query."
PAINT = " Press or drag over the scores of the second mask to paint your own."


class MaskPictureOptions(NamedTuple):
    """The options of the picture, besides the pair of masks."""

    query: int
    """The chosen query, counted from 0"""
    paintable: bool
    """Whether the chosen mask can be painted by hand"""


Quantity: TypeAlias = Literal["scaled", "weights"]


class MaskSide(TypedDict):
    """A mask, and what it makes of the scores; each at every value of its slider."""

    short: str
    titles: dict[Quantity, str]
    alts: dict[Quantity, str]
    columns: Sequence[str]
    hand: MaskNumber
    values: Sequence[int]
    at: int
    paints: bool
    text: str
    """The mask as the address has it, if it can be painted."""
    mask: NumberArray
    scaled: NumberArray
    weights: NumberArray


class Scale(TypedDict):
    """Colours, and the inks that read on them."""

    fills: list[str]
    inks: list[str]


class MaskingPayload(TypedDict):
    """Two masks side by side, and the selected query."""

    name: str
    rows: Sequence[str]
    at: int
    hint: str
    sides: list[MaskSide]
    reach: float
    signed: Scale
    shares: Scale


MASKING = Script("masking", MaskingPayload)


def picture(pair: MaskPair, options: MaskPictureOptions) -> MaskingPayload:
    """The data of `lessons/masking/masking.js`."""
    traces = (pair.other.trace, pair.chosen.trace)
    reach = max(float(trace.scaled.abs().max()) for trace in traces)
    (fills, inks), (shares, on_shares) = theme.diverging_scale(), theme.sequential_scale()
    return {
        "name": f"mask-{pair.chosen.name}",
        "rows": pair.queries,
        "at": options.query,
        "hint": HINT + (PAINT if options.paintable else ""),
        "sides": [
            _side(pair.other, pair.queries, paints=False),
            _side(pair.chosen, pair.queries, paints=options.paintable),
        ],
        "reach": reach or 1.0,
        "signed": {"fills": fills, "inks": inks},
        "shares": {"fills": shares, "inks": on_shares},
    }


def _side(shown: MaskedHead, queries: Sequence[str], *, paints: bool) -> MaskSide:
    name = NAMES[shown.name]
    trace = shown.trace
    return {
        "short": name,
        "titles": {"scaled": f"{name} · scores q·k/√d_k", "weights": f"{name} · weights α"},
        "alts": {
            "scaled": describe_mask(shown, queries),
            "weights": describe_weights(shown, queries),
        },
        "columns": shown.keys,
        "hand": NUMBERS.get(shown.name, NOTHING),
        "values": shown.values,
        "at": shown.at,
        "paints": paints,
        "text": format_mask(shown.now.mask[0]) if paints else "",
        "mask": trace.mask.numpy(),
        "scaled": trace.scaled.numpy(),
        "weights": trace.weights.numpy(),
    }


def describe_mask(shown: MaskedHead, queries: Sequence[str]) -> str:
    """Alt text for the scores: which keys each query may look at."""
    rows = []
    for query, row in zip(queries, shown.now.mask[0].tolist(), strict=True):
        open_keys = [key for key, is_open in zip(shown.keys, row, strict=True) if is_open]
        rows.append(f"{query} sees {' '.join(open_keys) if open_keys else 'nothing'}")
    return (
        f"{NAMES[shown.name]}, one row per query, minus infinity where hidden: {'; '.join(rows)}."
    )


def describe_weights(shown: MaskedHead, queries: Sequence[str]) -> str:
    """Alt text for the weights: the key that each query looks at most."""
    rows = []
    for query, row in zip(queries, shown.now.weights[0], strict=True):
        best = int(row.argmax())
        share = float(row[best])
        rows.append(f"{query} most at {shown.keys[best]}, {format_number(share)}" if share else
                    f"{query} at nothing")  # fmt: skip
    return f"Attention weights under {NAMES[shown.name]}: {'; '.join(rows)}."


def step_rows(
    keys: Sequence[str], chosen: SoftmaxSteps, other: Float[Tensor, " key"] | None
) -> list[tuple[str, *tuple[float, ...]]]:
    """One row per key: score, masked score, its exponential, weight, and weight under the other."""
    columns = [chosen.scaled, chosen.masked, chosen.powers, chosen.weights]
    columns += [] if other is None else [other.double()]
    rows = torch.stack(columns, dim=1).tolist()
    return [(f"{n}: {key}", *row) for n, (key, row) in enumerate(zip(keys, rows, strict=True), 1)]


def softmax_formula(chosen: SoftmaxSteps, query: int) -> str:
    """The largest weight of a row with its numbers; 0 where every key is hidden."""
    best = int(chosen.weights.argmax())
    if not float(chosen.weights[best]):
        return r"\alpha_{" + str(query + 1) + r",j} = 0 \quad\text{for every } j"
    powers = [(j, p) for j, p in enumerate(chosen.powers.tolist()) if chosen.masked[j] > -torch.inf]
    terms = [latex(p) for _, p in powers[:6]] + ([r"\cdots"] if len(powers) > 6 else [])
    above = rf"e^{{{latex(float(chosen.masked[best])).strip('()')}}}"
    return (
        rf"\alpha_{{{query + 1},{best + 1}}} = \frac{{{above}}}{{\sum_{{j \text{{ seen}}}} "
        rf"e^{{s_j}}}} = \frac{{{latex(float(chosen.powers[best]))}}}{{{' + '.join(terms)}}} = "
        rf"{format_number(float(chosen.weights[best]))}"
    )


def difference_bars(moved: Float[Tensor, " query"], tokens: Sequence[str], mode: Mode) -> go.Figure:
    """How far each place's output is from its output under the other mask."""
    bars = {
        "type": "bar",
        "x": [f"{n}: {_safe(token)}" for n, token in enumerate(tokens, start=1)],
        "y": moved.tolist(),
        "marker": {"color": theme.ROLES["activation"][mode]},
    }
    return theme.figure(
        mode,
        [bars],
        height=300,
        xaxis={"title": "place", "type": "category"},
        yaxis={"title": "‖h − h′‖ / ‖h′‖", "rangemode": "tozero"},
    )


def _safe(token: str) -> str:
    """A token escaped for Plotly, where `<` would begin a tag."""
    return token[:12].replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def describe_differences(moved: Float[Tensor, " query"], tokens: Sequence[str]) -> str:
    """Alt text for `difference_bars`."""
    each = ", ".join(
        f"{token} {format_number(far)}" for token, far in zip(tokens, moved.tolist(), strict=True)
    )
    return f"How far the output of each place differs between the two masks: {each}."


def readers_formula(tokens: Sequence[str], at: int) -> str:
    """Each model's conditional probability at one place, as LaTeX with the words of the text."""
    words = [_in_formula(token) for token in tokens]
    left, right = words[:at], words[at + 1 :]
    both = r"\ ".join([*left, r"\square", *right])
    before = r"\ ".join(left)
    return (
        rf"\text{{causal: }} p(w_{{{at + 1}}} \mid {before}) \qquad "
        rf"\text{{both ways: }} p(w_{{{at + 1}}} \mid {both})"
    )


def _in_formula(token: str) -> str:
    if token == START:
        return r"\langle\text{s}\rangle"
    kept = "".join(c if c.isalnum() or c in "'’.,-" else " " for c in token)
    return rf"\text{{{kept}}}"


def readers_words(columns: Mapping[str, Tensor]) -> str:
    """The average −log p of a word for each reader."""
    costs = (
        f"{name} **{format_number(float(-p.double().log().mean()))}**"
        for name, p in columns.items()
    )
    return (
        f"Mean −log p of a word, in nats: {', '.join(costs)}. An auto-regressive model can "
        f"generate text, since it needs only the earlier words; an auto-encoder needs the later "
        f"words too, and was trained on whole texts only."
    )


def readers_rows(
    words: Sequence[str], columns: Mapping[str, Tensor]
) -> list[tuple[str, *tuple[float, ...]]]:
    """One row per word: its probability for each reader."""
    rows = torch.stack([*columns.values()], dim=1).tolist()
    return [(word, *row) for word, row in zip(words, rows, strict=True)]
