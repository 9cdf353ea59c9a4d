"""The mask and its weights side by side: numbers and payload of the picture, figures and rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias, TypedDict

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go
import torch
from jaxtyping import Bool, Float
from torch import Tensor
from typing_extensions import TypedDict as EventDict

from drawing import theme
from drawing.events import Place, Typed
from drawing.payload import NumberName, Script
from drawing.theme import Mode
from lmcore.masking import mask_pairs
from lmcore.masking.mask_choice import MaskChoice
from lmcore.masking.mask_pairs import MaskedHead, MaskPair, SoftmaxSteps
from lmcore.masking.under_mask import PAD
from lmcore.models.masks import format_mask
from lmcore.numbers import format_number, latex
from lmcore.vocabulary import START

FloatArray = npt.NDArray[np.float64]
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
    "bidirectional": "No mask",
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
    "painted": "Your own: press or drag over the cells on the left to hide or show them.",
}


SLIDERS: Mapping[str, tuple[str, str, str, str]] = {
    "prefix": ("masking_prefix", "prefix", "Prefix, places", "From 0, causal, to all: no mask"),
    "sliding": ("masking_window", "window", "Window, places", "How many places each word sees"),
}
"""The slider of a kind of mask: its setting, label, spoken label, and what to look for."""
VARIANTS = ("blind", "ahead", "cut", "whole")
"""The cases of a row: it sees nothing, a watched key, not all keys, or all of them."""


Share: TypeAlias = Literal["ahead", "given", "kept"]
"""The weight on watched keys; on keys that only the chosen mask hides; or only the other one."""


class MaskPanel(TypedDict):
    """One grid of the picture: words × words."""

    title: str
    keys: Sequence[str]
    number: Literal["s", "w", "o"]
    """The first letter of its numbers: s scores, w weights, o weights under the other mask."""
    mask: Literal["m", "x"]
    """The first letter of its mask: m the chosen one, x the other."""
    paints: bool


class MaskingPayload(TypedDict):
    """The data of `lessons/masking/masking.js`, without the numbers."""

    queries: Sequence[str]
    at: int
    """The chosen query, from 0."""
    name: str
    """The kind of the chosen mask."""
    text: str
    """The mask in the form of the address; it identifies the painted mask that was answered."""
    panels: list[MaskPanel]
    watched: list[list[int]]
    """1 where a query would look at a watched key: a later word, or [PAD]."""
    share: Share
    """The number at the end of each row, by its first letters."""
    shareTitle: str
    marks: list[NumberName]
    """The number that the sentence of each query names."""
    compares: bool
    own: bool
    """Whether the keys are the same text as the queries."""


class PressedQuery(EventDict):
    """A query that was pressed."""

    name: Literal["query"]
    value: Place


class PaintedMask(EventDict):
    """A mask that was painted."""

    name: Literal["painted"]
    value: Typed


CELLS = tuple(f"{letter}#.#" for letter in "skwmox")
ROWS = tuple(f"{name}#" for name in ("sees", "cut", "ahead", "past", "given", "kept", "own"))
MASKING = Script(
    "masking",
    MaskingPayload,
    (*CELLS, *ROWS, *(name for name, *_ in SLIDERS.values())),
    PressedQuery | PaintedMask,
)
"""`numbers` explains the letters."""


def watched_keys(pair: MaskPair) -> Bool[Tensor, "query key"]:
    """The keys whose weight the picture adds up: [PAD], or what comes later in the text."""
    chosen = pair.chosen
    if chosen.name == "padding":
        pads = torch.tensor([key == PAD for key in chosen.keys])
        return pads.expand(len(pair.queries), -1)
    if chosen.name == "cross":
        return torch.zeros(len(pair.queries), len(chosen.keys), dtype=torch.bool)
    return mask_pairs.later_keys(len(pair.queries))


def share_of(pair: MaskPair, *, compares: bool) -> Share:
    """The number at the end of each row: weight on watched keys, or on keys of one mask alone."""
    if not compares or pair.chosen.name == "cross":
        return "ahead"
    hides = bool((pair.other.now.mask & ~pair.chosen.now.mask).any())
    return "given" if hides else "kept"


def numbers(pair: MaskPair) -> tuple[tuple[str, ...], FloatArray]:
    """Every number of the picture: the names, and one row per value of the mask's slider.

    s2.3 is the score of query 2 with key 3, k2.3 the same after the mask, w2.3 the weight, m2.3
    whether it is visible; o and x are weight and mask under the other mask. sees2, cut2, ahead2
    and past2 are of row 2: keys seen, keys hidden, weight on the watched keys and on the others.
    """
    trace, other = pair.chosen.trace, pair.other.now
    many = len(trace.mask)
    grids = {"s": trace.scaled, "k": trace.masked, "w": trace.weights, "m": trace.mask}
    grids |= {"o": other.weights.expand(many, -1, -1), "x": other.mask.expand(many, -1, -1)}
    rows = dict(
        zip(
            ("sees", "cut", "ahead", "past"),
            mask_pairs.row_shares(trace, watched_keys(pair)),
            strict=True,
        )
    )
    if pair.chosen.name != "cross":
        rows |= mask_pairs.exchange(pair)._asdict()
    else:
        shares = mask_pairs.row_shares(other, torch.zeros_like(other.mask[0]))
        rows["own"] = shares.sees.expand(many, -1)
    names, parts = list[str](), list[Tensor]()
    for letter, grid in grids.items():
        queries, keys = grid.shape[-2:]
        names += [f"{letter}{i + 1}.{j + 1}" for i in range(queries) for j in range(keys)]
        parts.append(grid.double().reshape(many, -1))
    for name, row in rows.items():
        names += [f"{name}{i + 1}" for i in range(row.shape[-1])]
        parts.append(row.double())
    return tuple(names), torch.cat(parts, dim=-1).numpy()


def picture(pair: MaskPair, query: int, *, paints: bool, compares: bool) -> MaskingPayload:
    """The data of `lessons/masking/masking.js`; `query` counts from 0."""
    chosen, other = pair.chosen, pair.other
    share = share_of(pair, compares=compares)
    left: MaskPanel = (
        _panel(f"{NAMES[other.name]}: weights", other, "o", "x")
        if compares
        else _panel("Scores q·k/√d_k, under the mask", chosen, "s", "m", paints=paints)
    )
    title = f"{NAMES[chosen.name]}: weights" if compares else "Weights α: each row sums to 1"
    titles = {
        "ahead": "on [PAD]" if chosen.name == "padding" else "on later words",
        "given": "moved by the cut",
        "kept": "on cut words",
    }
    cross = chosen.name == "cross"
    return {
        "queries": pair.queries,
        "at": query,
        "name": chosen.name,
        "text": format_mask(chosen.now.mask[0]),
        "panels": [left, _panel(title, chosen, "w", "m")],
        "watched": watched_keys(pair).int().tolist(),
        "share": share,
        "shareTitle": "the row’s sum" if cross else titles[share],
        "marks": [
            _largest(pair, i) if cross else f"{share}{i + 1}" for i in range(len(pair.queries))
        ],
        "compares": compares,
        "own": not cross,
    }


def _panel(
    title: str,
    shown: MaskedHead,
    number: Literal["s", "w", "o"],
    mask: Literal["m", "x"],
    *,
    paints: bool = False,
) -> MaskPanel:
    return {"title": title, "keys": shown.keys, "number": number, "mask": mask, "paints": paints}


def _largest(pair: MaskPair, query: int) -> str:
    """The name of a query's largest weight."""
    return f"w{query + 1}.{int(pair.chosen.now.weights[0, query].argmax()) + 1}"


def slider(choice: MaskChoice | None, shown: MaskedHead) -> tuple[str, str, str, str] | None:
    """The slider of the chosen mask, if it has a number that can be moved."""
    return SLIDERS.get(choice.kind) if choice is not None and len(shown.values) > 1 else None


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
