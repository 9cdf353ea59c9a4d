"""Payloads of the page on heads for the browser, with their alt texts and sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import NamedTuple, NotRequired, TypedDict

import numpy as np
import torch
from typing_extensions import TypedDict as EventDict

from drawing import theme
from drawing.events import Name, Place, PlaceOrNone
from drawing.payload import NumberArray, Script
from lessons.heads.heads_row import QueryRow
from lmcore.attention import weight_packing
from lmcore.attention.heads import TITLES, Head, HeadStatistics, HeadsTrace, QueryScores, rank_heads
from lmcore.numbers import format_number

GROUP = "heads"
MEASURED: Mapping[str, str] = {
    "entropy": "how widely the weight is spread: 0 is one token",
    "distance": "mean distance to the tokens attended to",
    "previous": "share of the weight on the token just before",
    "following": "share on the token just after",
    "itself": "share on the query’s own token",
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
    "previous": "attend to the token before",
    "following": "attend to the token after",
    "itself": "attend to their own token",
    "first": "attend to the first token",
    "separator": "attend to [SEP]",
    "special": "attend to special tokens",
    "same": "attend to the same token elsewhere",
    "entropy": "attend to everything",
    "distance": "attend far away",
}
STANDING_NOTE = "**Attention is not explanation**: see *Surgery*."


def head_name(head: Head) -> str:
    """A head in words."""
    return f"layer {head.layer}, head {head.head}"


class HeadsSelection(NamedTuple):
    """The open head, the query and the key that are followed (None: none), and the filters."""

    head: Head
    query: int | None = None
    key: int | None = None
    special: bool = False
    threshold: float = 0.0
    between: str = "all"
    faint: bool = False


class WeightsPayload(TypedDict):
    """Every attention weight of a model over a text; it stays the same while heads are opened."""

    group: str
    of: str
    """Identifies the weights."""
    count: int
    codes: bytes
    """The weights, packed by lmcore.attention.weight_packing."""


class HeadsPayload(TypedDict):
    """The grid of all heads, the open head, and one query's row; `numbers` has every head's row."""

    of: str
    tokens: list[str]
    special: list[bool]
    segments: list[int]
    layers: int
    heads: int
    d_k: int
    query: int
    key: int
    """−1: each head marks the key with the largest weight."""
    numbers: NumberArray
    """One row per head, one column per name: the numbers of the picture with that head open."""
    exact: bytes
    """The open head's weights, one row per query, as 32-bit floats."""
    other: str
    """What the outlines of the row show; empty if there is no other text to compare with."""
    hides: bool
    """Whether special tokens are left out."""
    between: str
    faint: bool
    scale: list[str]
    inks: list[str]
    model: str


class QueryKeysPayload(TypedDict):
    """One query and all keys of a head, with q, k and their elementwise products."""

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
    """The largest absolute value of q, of k and of their products."""
    scale: list[str]


class RankingPayload(TypedDict):
    """A table of numbers, one row per head, sorted by a column; −1: by the heads."""

    columns: list[str]
    helps: list[str]
    labels: list[str]
    heads: list[str]
    """The address of the head of each row."""
    numbers: NumberArray
    here: str
    """The address of the open head."""
    by: int
    down: bool
    name: str
    caption: str


class HeadOrPair(EventDict):
    """What was pressed in the picture of the weights `of`: a head, or tokens to follow."""

    of: Name
    layer: NotRequired[Place]
    head: NotRequired[Place]
    at: NotRequired[tuple[Place, Place]]
    """The head that was open when tokens were pressed."""
    query: NotRequired[PlaceOrNone]
    key: NotRequired[PlaceOrNone]


class FollowedKey(EventDict):
    """A key that was pressed in the table of all keys."""

    key: Place


OF_HEAD = ("@layer", "@head", "@say", "@formula", "threshold", "left", "dot")
OF_KEY = ("w#", "s#", "o#")
"""The module `heads_row` explains these numbers."""
HEADS = Script("heads", HeadsPayload, (*OF_HEAD, *OF_KEY, "weights", "other"), HeadOrPair)
"""`weights` and `other` are not numbers: by these names, questions hide a whole row."""
WEIGHTS = Script("weights", WeightsPayload)
QUERY_KEYS = Script("qk", QueryKeysPayload, event=FollowedKey)
RANKING = Script("ranking", RankingPayload, event=Name)
"""It reports the address of a head that is to be opened."""


def packed_weights(trace: HeadsTrace) -> WeightsPayload:
    """The data of `lessons/heads/weights.js`: every weight, whichever head is open."""
    codes = weight_packing.pack(trace.weights)
    of = sha256(codes).hexdigest()[:16]
    return {"group": GROUP, "of": of, "count": trace.weights.numel(), "codes": codes}


def picture(
    trace: HeadsTrace,
    selection: HeadsSelection,
    row: QueryRow,
    *,
    of: str,
    model: str,
    other: str,
) -> HeadsPayload:
    """The data of `lessons/heads/heads.js`; `other` names what the outlines of the row show."""
    layers, heads = trace.shape
    segments = trace.text.segments.tolist()
    scale = [theme.probability_colours(step / (theme.STEPS - 1)) for step in range(theme.STEPS)]
    return {
        "of": of,
        "tokens": list(trace.text.tokens),
        "special": trace.text.special.tolist(),
        "segments": segments,
        "layers": layers,
        "heads": heads,
        "d_k": trace.query.shape[-1],
        "query": row.place,
        "key": -1 if row.key is None else row.key,
        "numbers": row.table.reshape(-1),
        "exact": trace.weights[selection.head].float().numpy().tobytes(),
        "other": other,
        "hides": selection.special,
        "between": selection.between if len(set(segments)) > 1 else "all",
        "faint": selection.faint,
        "scale": [colour for colour, _ in scale],
        "inks": [ink for _, ink in scale],
        "model": model,
    }


def token_in_sentence(tokens: Sequence[str], place: int) -> str:
    """A token in quotation marks; a right-to-left token does not reverse the text around it."""
    return f"“\u2068{tokens[place]}\u2069”"


def statistic_rows(statistics: HeadStatistics) -> tuple[list[Head], np.ndarray]:
    """One row per head, in their order: its statistics in the order of `COLUMNS`."""
    layers, heads = statistics.entropy.shape
    found = [Head(*divmod(at, heads)) for at in range(layers * heads)]
    columns = [getattr(statistics, name).reshape(-1) for name in COLUMNS]
    return found, torch.stack(columns, dim=1).double().numpy()


def pattern_words(statistics: HeadStatistics, name: str) -> str:
    """The three heads that show a pattern most, with their numbers."""
    unit = {"entropy": " nats", "distance": " places"}.get(name, " of the weight")
    best = rank_heads(getattr(statistics, name))[:3]
    named = "; ".join(
        f"**{head_name(head)}**, {format_number(value)}{unit}" for head, value in best
    )
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
