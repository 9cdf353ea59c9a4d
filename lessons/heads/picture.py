"""Payloads of the page on heads for the browser, with their alt texts and sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import NamedTuple, TypedDict

import numpy as np
import torch

from lessons.shared import theme
from lessons.shared.payload import NumberArray, Script
from lmcore.attention import weight_packing
from lmcore.attention.heads import TITLES, Head, HeadStatistics, HeadsTrace, QueryScores, rank_heads
from lmcore.numbers import format_number

MEASURED: Mapping[str, str] = {
    "entropy": "how widely the weight is spread: 0 is one token",
    "distance": "mean distance to the tokens looked at",
    "previous": "share of the weight on the token just before",
    "following": "share on the token just after",
    "itself": "share on the looking token itself",
    "first": "share on the first token: [CLS] in an encoder",
    "separator": "share on [SEP]",
    "special": "share on tokens that stand for no word",
    "same": "share on other places with the same token",
}
COLUMNS: Mapping[str, tuple[str, str]] = {
    name: (title, MEASURED[name]) for name, title in TITLES.items()
}
"""Statistic → the title of its column, and what it measures."""
PATTERNS = {
    "previous": "look at the token before",
    "following": "look at the token after",
    "itself": "look at their own token",
    "first": "look at the first token",
    "separator": "look at [SEP]",
    "special": "look at special tokens",
    "same": "look at the same token elsewhere",
    "entropy": "look everywhere",
    "distance": "look far",
}
STANDING_NOTE = (
    "**Attention is not explanation.** A large weight shows where a head takes its values from, "
    "not that the model's answer depends on it. To see what the answer depends on, change heads "
    "under *Surgery*."
)


class HeadsSelection(NamedTuple):
    """The open head, the tokens that are followed (None: none), and the filters."""

    head: Head
    query: int | None = None
    key: int | None = None
    special: bool = False
    threshold: float = 0.0
    between: str = "all"
    faint: bool = False


class HeadsPayload(TypedDict):
    """Every attention weight of a model over a text."""

    of: str
    """Identifies the weights."""
    tokens: list[str]
    special: list[bool]
    segments: list[int]
    pair: bool
    layers: int
    heads: int
    codes: bytes
    """The weights, packed by lmcore.attention.weight_packing."""
    scale: list[str]
    inks: list[str]
    model: str
    alt: str


class OpenPlace(TypedDict):
    """The open head, the tokens that are followed (−1: none), and the filters."""

    layer: int
    head: int
    query: int
    key: int
    special: bool
    threshold: float
    between: str
    faint: bool


class OpenedPayload(TypedDict):
    """The open head of the weights `of`, unrounded."""

    of: str
    at: OpenPlace
    weights: NumberArray


class QueryKeysPayload(TypedDict):
    """One query and all keys of a head; q, k and their products number by number."""

    tokens: list[str]
    head: str
    place: int
    key: int
    q: NumberArray
    k: NumberArray
    products: NumberArray
    scores: NumberArray
    scaled: NumberArray
    hidden: list[bool]
    weights: NumberArray
    reach: list[float]
    """Of q, of k and of their products."""
    scale: list[str]


class RankingPayload(TypedDict):
    """A table of numbers, one row per head, sorted by a column; −1: by the heads."""

    columns: list[str]
    helps: list[str]
    labels: list[str]
    numbers: NumberArray
    here: str
    by: int
    down: bool
    name: str
    caption: str


HEADS = Script("heads", HeadsPayload)
OPENED = Script("opened", OpenedPayload)
QUERY_KEYS = Script("qk", QueryKeysPayload)
RANKING = Script("ranking", RankingPayload)


def picture(trace: HeadsTrace, model: str) -> HeadsPayload:
    """The data of `lessons/heads/heads.js`: every weight, whatever is open."""
    layers, heads = trace.shape
    codes = weight_packing.pack(trace.weights)
    segments = trace.text.segments.tolist()
    scale = [theme.probability_colours(step / (theme.STEPS - 1)) for step in range(theme.STEPS)]
    return {
        "of": weights_digest(codes),
        "tokens": list(trace.text.tokens),
        "special": trace.text.special.tolist(),
        "segments": segments,
        "pair": len(set(segments)) > 1,
        "layers": layers,
        "heads": heads,
        "codes": codes,
        "scale": [colour for colour, _ in scale],
        "inks": [ink for _, ink in scale],
        "model": model,
        "alt": describe(trace, model),
    }


def weights_digest(codes: bytes) -> str:
    """A digest that identifies the weights of one text and model."""
    return sha256(codes).hexdigest()[:16]


def open_head_payload(
    trace: HeadsTrace, selection: HeadsSelection, weights_id: str
) -> OpenedPayload:
    """The data of `lessons/heads/opened.js`: the open head and its weights, unrounded."""
    selected: OpenPlace = {
        "layer": selection.head.layer,
        "head": selection.head.head,
        "query": -1 if selection.query is None else selection.query,
        "key": -1 if selection.key is None else selection.key,
        "special": selection.special,
        "threshold": selection.threshold,
        "between": selection.between,
        "faint": selection.faint,
    }
    return {
        "of": weights_id,
        "at": selected,
        "weights": trace.weights[selection.head].double().numpy(),
    }


def describe(trace: HeadsTrace, model: str) -> str:
    """Alt text: what is drawn, and the largest weight between two words."""
    layers, heads = trace.shape
    words = ~trace.text.special
    between = trace.weights * (words[:, None] & words).to(trace.weights)
    layer, head, i, j = (int(n) for n in np.unravel_index(int(between.argmax()), between.shape))
    tokens = trace.text.tokens
    return (
        f"The attention weights of {model} over {len(tokens)} tokens, {layers} layers of {heads} "
        f"heads. The largest between words: layer {layer}, head {head}, {tokens[i]} to "
        f"{tokens[j]}, {format_number(float(trace.weights[layer, head, i, j]))}."
    )


def token_in_sentence(tokens: Sequence[str], place: int) -> str:
    """A token in quotation marks; a right-to-left one does not turn the sentence around it."""
    return f"“\u2068{tokens[place]}\u2069”"


def notice(
    trace: HeadsTrace,
    selection: HeadsSelection,
    plain: Mapping[str, str],
    elsewhere: float | None = None,
) -> list[str]:
    """The weights of the open head from the followed token.

    `plain` maps each token to its escaped Markdown; `elsewhere` is the weight between the same two
    tokens in the other text, if it has both.
    """
    tokens = [plain[token] for token in trace.text.tokens]
    head, key = selection.head, selection.key
    weights = trace.weights[head]
    place = selection.query if selection.query is not None else int(weights.max(-1).values.argmax())
    best = int(weights[place].argmax())
    query_token, best_token = (token_in_sentence(tokens, each) for each in (place, best))
    sentences = [
        f"In layer {head.layer}, head {head.head}, {query_token} looks most at {best_token}: "
        f"**{format_number(float(weights[place, best]))}** of its weight."
    ]
    if key is None:
        return sentences
    key_token = token_in_sentence(tokens, key)
    if key != best:
        sentences.append(f"{key_token} gets **{format_number(float(weights[place, key]))}**.")
    if elsewhere is not None:
        sentences.append(f"In the other text it gives {key_token} **{format_number(elsewhere)}**.")
    top, most = rank_heads(trace.weights[..., place, key])[0]
    where = "this one" if top == head else f"layer {top.layer}, head {top.head}"
    number = "." if top == head else f": **{format_number(most)}**."
    count = trace.shape[0] * trace.shape[1]
    sentences.append(f"Of all {count} heads, {where} gives {key_token} the most{number}")
    return sentences


def statistic_rows(statistics: HeadStatistics) -> tuple[list[str], np.ndarray]:
    """One row per head: its address, and its statistics in the order of `COLUMNS`."""
    layers, heads = statistics.entropy.shape
    labels = [str(Head(*divmod(at, heads))) for at in range(layers * heads)]
    columns = [getattr(statistics, name).reshape(-1) for name in COLUMNS]
    return labels, torch.stack(columns, dim=1).double().numpy()


def pattern_words(statistics: HeadStatistics, name: str) -> str:
    """The three heads that show a pattern most, with their numbers."""
    unit = {"entropy": " nats", "distance": " places"}.get(name, "")
    best = rank_heads(getattr(statistics, name))[:3]
    named = ", ".join(f"**{head}** ({format_number(value)}{unit})" for head, value in best)
    return f"The heads that most {PATTERNS[name]}: {named}."


def meeting_data(
    scores: QueryScores, trace: HeadsTrace, head: Head, place: int, key: int
) -> QueryKeysPayload:
    """The data that `lessons/heads/qk.js` draws of one query and all keys of a head."""
    hidden = torch.isinf(scores.scaled)
    scaled = scores.scaled.masked_fill(hidden, 0)
    numbers = (scores.query, scores.keys, scores.products)
    return {
        "tokens": list(trace.text.tokens),
        "head": str(head),
        "place": place,
        "key": key,
        "q": scores.query.numpy(),
        "k": scores.keys.reshape(-1).numpy(),
        "products": scores.products.reshape(-1).numpy(),
        "scores": scores.scores.numpy(),
        "scaled": scaled.numpy(),
        "hidden": hidden.tolist(),
        "weights": trace.weights[head][place].double().numpy(),
        "reach": [float(each.abs().max()) or 1.0 for each in numbers],
        "scale": theme.diverging_colours(),
    }
