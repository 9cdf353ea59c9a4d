"""The picture of four scores of one query, each on a ruler of its own, and what a softmax gives.

The scores are counted from 0: dot, scaled dot, cosine, additive. s1 0 is the second score of the
first key, w1 0 its share, g1 the gap of the two keys with the largest dot products, r1 the ratio
of their shares, sum1 the sum of all scores.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypedDict

import numpy as np
import torch
from torch import Tensor

from drawing.live import LiveNumbers, Slider
from drawing.payload import NumberName, Script
from lmcore.attention import four_scores, step_sweep
from lmcore.attention.four_scores import ADDITIVE, COSINE, DOT, SCALED, FourScores, KeyPair
from lmcore.attention.step_table import AttentionConfig, AttentionInputs

LEAST_STRETCH, MOST_STRETCH = 0.1, 10.0
NAMES = {
    DOT: ("dot", "q · k"),
    SCALED: ("scaled dot", "q · k ÷ √"),
    COSINE: ("cosine", "q · k ÷ (‖q‖ ‖k‖)"),
    ADDITIVE: ("MLP, untrained", "wᵀ tanh(W₁q + W₂k)"),
}
"""A score → its name and how it is computed; of the scaled one, d_k is added."""
ROUND = (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10)


class Ruler(TypedDict):
    """A score: its name, its formula, and the ends of its ruler."""

    name: str
    formula: str
    low: float
    high: float


class RulersPayload(TypedDict):
    """What `lessons/attention/rulers.js` draws other than the numbers."""

    tokens: Sequence[str]
    pair: tuple[int, int]
    """The keys with the largest dot products, from 0; twice the same where there is only one."""
    rulers: list[Ruler]
    """The second one is the first, divided by √d_k."""
    soft: bool
    """Whether the scores go through a softmax, or are the weights as they are."""
    marked: NumberName
    """The number that the sentence names."""
    disagreed: NumberName
    """The number that it names where dot product and cosine prefer different keys."""


RULERS = Script(
    "rulers",
    RulersPayload,
    ("d_k", "stretch", "s# #", "w# #", "g#", "r#", "sum#", "@say"),
)


def live_numbers(
    inputs: AttentionInputs, config: AttentionConfig, query: int, stretch: float
) -> LiveNumbers:
    """The numbers now, and at every position of d_k and of the length of the second key."""
    pair = four_scores.best_pair(inputs.query[query - 1], inputs.key)
    d_ks, _ = step_sweep.slider_positions(config)
    stretches = torch.from_numpy(_stretches(stretch))
    d_k = torch.tensor([config.d_k], dtype=torch.float64)
    factor = torch.tensor([stretch], dtype=torch.float64)
    places = [(d_k, factor), (d_ks, factor.expand(len(d_ks)))]
    if pair[0] != pair[1]:
        places.append((d_k.expand(len(stretches)), stretches))
    now, *swept = (_named(inputs, query, pair, *place) for place in places)
    tables = [torch.stack(list(each.values()), dim=-1).numpy() for each in swept]
    first = np.array([float(number[0]) for number in now.values()])
    sliders = _sliders(config, pair, stretch, d_ks.numpy())
    return LiveNumbers("rulers", tuple(now), first, sliders, tables)


def _named(
    inputs: AttentionInputs, query: int, pair: KeyPair, d_k: Tensor, stretch: Tensor
) -> dict[str, Tensor]:
    found = four_scores.score_keys(inputs.query[query - 1], inputs.key, pair, d_k, stretch)
    cells = list(np.ndindex(*found.scores.shape[1:]))
    gaps = found.gaps
    return {
        "d_k": d_k,
        "stretch": stretch,
        **{f"s{m} {k}": found.scores[:, m, k] for m, k in cells},
        **{f"w{m} {k}": found.shares[:, m, k] for m, k in cells},
        **{f"g{m}": gaps[:, m] for m in NAMES},
        **{f"r{m}": gaps[:, m].exp() for m in NAMES},
        **{f"sum{m}": found.sums[:, m] for m in NAMES},
        "@say": disagree(found).double(),
    }


def disagree(found: FourScores) -> Tensor:
    """Whether dot product and cosine prefer different keys of the pair."""
    gaps = found.gaps
    return gaps[..., DOT] * gaps[..., COSINE] < 0


def _stretches(now: float) -> np.ndarray:
    """The lengths from a half to one and a quarter; the one of now replaces the nearest."""
    places = np.round(np.linspace(0.5, 1.25, 31), 3)
    places[np.abs(places - now).argmin()] = now
    return np.sort(places)


def _sliders(
    config: AttentionConfig, pair: KeyPair, stretch: float, d_ks: np.ndarray
) -> tuple[Slider, ...]:
    wide = "Drag right: the same dot products are divided by more"
    d_k = Slider("d_k", "d_k", "width d_k", config.d_k, d_ks, help=wide, role="score")
    if pair[0] == pair[1]:
        return (d_k,)
    longer = (
        "The key keeps its direction and gets longer: the dot product grows, the cosine does not"
    )
    at = _subscript(pair[1] + 1)
    key = Slider(
        "stretch", f"k{at} ×", "length of the key", stretch, _stretches(stretch), help=longer,
        role="weight",
    )  # fmt: skip
    return (d_k, key)


def _subscript(number: int) -> str:
    return str(number).translate(str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉"))


def picture(
    inputs: AttentionInputs, live: LiveNumbers, pair: KeyPair, *, soft: bool
) -> RulersPayload:
    """The data of the picture other than the numbers."""
    first, _ = pair
    marked = (
        (f"w{SCALED} {first}" if soft else f"g{DOT}") if pair[0] != pair[1] else _alone(soft=soft)
    )
    return {
        "tokens": list(inputs.tokens),
        "pair": pair,
        "rulers": [_ruler(live, len(inputs.tokens), m) for m in NAMES],
        "soft": soft,
        "marked": marked,
        "disagreed": f"w{COSINE} {first}" if soft else marked,
    }


def _alone(*, soft: bool) -> str:
    """The number of the only key that the sentence names."""
    return f"w{DOT} 0" if soft else f"s{DOT} 0"


def _ruler(live: LiveNumbers, keys: int, m: int) -> Ruler:
    """A ruler on which every position of the second key's length has room."""
    name, formula = NAMES[m]
    m = DOT if m == SCALED else m
    columns = [live.names.index(f"s{m} {k}") for k in range(keys)]
    found = np.concatenate([live.now[columns], *(each[:, columns].ravel() for each in live.table)])
    if m == COSINE:
        low, high = (-1.0 if found.min() < 0 else 0.0), 1.0
    else:
        low, high = -round_up(-float(found.min())), round_up(float(found.max()))
    return {"name": name, "formula": formula, "low": low, "high": high if low or high else 1.0}


def round_up(number: float) -> float:
    """The next round number that is no smaller; 0 for what is not above 0."""
    if number <= 0:
        return 0.0
    power = 10.0 ** math.floor(math.log10(number))
    return next((each * power for each in ROUND if each * power >= number * (1 - 1e-9)), 10 * power)
