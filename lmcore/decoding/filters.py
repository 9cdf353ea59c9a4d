"""Filters on the scores of the next token, applied before one is chosen.

    repetition   s ← s/ρ if s > 0, else s·ρ, for every token that occurs in the text
    no repeat    s ← −∞ for a token that would complete an n-gram that the text already has
    temperature  s ← s/τ
    top-k        only the k largest
    top-p        only the fewest whose probabilities sum to p or more
    min-p        only those with at least min-p times the largest probability
    typical      only the fewest tokens nearest in −log p to the entropy that sum to the mass

They are applied in this order, each to the result of the one before. Only `no repeat` can remove
every token; every other filter leaves at least one.

Source: Keskar et al. 2019 (repetition; sign taken into account, as is usual now),
Paulus et al. 2018 (n-grams), Fan et al. 2018 (top-k), Holtzman et al. 2020 (top-p), Nguyen et al.
2024 (min-p), Meister et al. 2023 (typical). The decks have none of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Float64, Int
from torch import Tensor

Scores = Float[Tensor, "batch vocabulary"]
Value = int | float | Float[Tensor, "batch 1"]
"""A number, or one for each row."""
NO_TEXT = torch.empty(1, 0, dtype=torch.long)
ScoreChange = Callable[[Scores, Int[Tensor, "batch time"], Value], Scores]
LIMITS: dict[str, tuple[float, float]] = {
    "repetition": (0.01, 100),
    "no_repeat": (0, 16),
    "temperature": (0, 1e9),
    "top_k": (0, 1_000_000),
    "top_p": (0, 1),
    "min_p": (0, 1),
    "typical": (0, 1),
}
DESCRIPTIONS = {
    "repetition": "the repetition penalty ρ",
    "no_repeat": "n of “no n-gram twice”",
    "temperature": "the temperature τ",
    "top_k": "k of top-k",
    "top_p": "p of top-p",
    "min_p": "the share of min-p",
    "typical": "the mass of typical",
}
"""The name of each filter in error messages."""
WHOLE = ("no_repeat", "top_k")
COLDEST = 1e-6
"""Below this temperature only the most probable token is left, as in the limit."""
TIE = 1e-12
"""A sum this close to a threshold reaches it: 0.5 + 0.4 counts as 0.9 despite rounding."""


@dataclass(frozen=True, slots=True)
class Filters:
    """The settings of all filters; by default none has an effect.

    `no_repeat` is the length n of the n-grams that may not occur twice, 0 for no limit; `top_k` 0
    or above |V| keeps all. A temperature of 0 is the limit: the most probable token, or those that
    tie. `top_p` and `typical` 0 leave one token, 1 all.
    """

    repetition: float = 1.0
    no_repeat: int = 0
    temperature: float = 1.0
    top_k: int = 0
    top_p: float = 1.0
    min_p: float = 0.0
    typical: float = 1.0

    def __post_init__(self) -> None:
        """Raises ValueError naming what is out of bounds."""
        for name, (low, high) in LIMITS.items():
            value = getattr(self, name)
            if not (math.isfinite(value) and low <= value <= high):
                limits = f"from {low:,.10g} to {high:,.10g}"
                raise ValueError(f"{DESCRIPTIONS[name]} must be {limits}; got {value:g}")
            if name in WHOLE and not isinstance(value, int):
                raise ValueError(f"{DESCRIPTIONS[name]} must be a whole number; got {value:g}")


NO_FILTERS = Filters()


class Stage(NamedTuple):
    """The scores after one filter; `name` is its field in `Filters`."""

    name: str
    scores: Scores


def apply_penalties(scores: Scores, texts: Int[Tensor, "batch time"], how: Filters) -> list[Stage]:
    """Apply the filters that depend on the text so far; greedy and beam search use them too."""
    return _done(PENALTIES, scores, texts, how)


def apply_narrowing(scores: Scores, how: Filters) -> list[Stage]:
    """Apply the filters that narrow the distribution; only sampling uses them."""
    return _done(NARROWING, scores, NO_TEXT.expand(len(scores), 0), how)


def sweep_filter(
    scores: Float[Tensor, "one vocabulary"],
    text: Int[Tensor, "one time"],
    how: Filters,
    name: str,
    values: Float64[Tensor, " position"],
    *,
    drawing: bool,
) -> Float[Tensor, "position vocabulary"]:
    """The filtered scores at each value of the filter `name`, with the others unchanged."""
    rows, texts = scores.expand(len(values), -1), text.expand(len(values), -1)
    for each, change in (PENALTIES | (NARROWING if drawing else {})).items():
        neutral = getattr(NO_FILTERS, each)
        if each == name:
            column = values[:, None]
            rows = torch.where(column == neutral, rows, change(rows, texts, column))
        elif getattr(how, each) != neutral:
            rows = change(rows, texts, getattr(how, each))
    return rows


def _done(
    changes: dict[str, ScoreChange], scores: Scores, texts: Int[Tensor, "batch time"], how: Filters
) -> list[Stage]:
    stages: list[Stage] = []
    for name, change in changes.items():
        if (value := getattr(how, name)) != getattr(NO_FILTERS, name):
            scores = change(scores, texts, value)
            stages.append(Stage(name, scores))
    return stages


def penalise_repetition(
    scores: Scores, texts: Int[Tensor, "batch time"], penalty: Value
) -> Float[Tensor, "batch vocabulary"]:
    """Penalise every token that occurs in its row's text, however often."""
    there, penalty = scores.gather(1, texts), _like(scores, penalty)
    changed = torch.where(there < 0, there * penalty, there / penalty)
    return scores.scatter(1, texts, changed)


def completes_repeated_ngram(
    texts: Int[Tensor, "batch time"], n: int, types: int
) -> Bool[Tensor, "batch vocabulary"]:
    """The tokens that would complete an n-gram that occurred in the text before."""
    banned = torch.zeros(len(texts), types, dtype=torch.bool, device=texts.device)
    time = texts.shape[1]
    if time < n:
        return banned
    windows = texts.unfold(1, n, 1)
    last = texts[:, time - n + 1 :]
    again = (windows[:, :, :-1] == last[:, None]).all(dim=-1)
    row, place = again.nonzero(as_tuple=True)
    banned[row, windows[row, place, -1]] = True
    return banned


def apply_temperature(scores: Scores, temperature: Value) -> Float[Tensor, "batch vocabulary"]:
    """s/τ; at τ = 0 the largest scores become 0 and the others −∞; −∞ stays −∞."""
    if isinstance(temperature, Tensor):
        mild = _like(scores, temperature.clamp(min=COLDEST))
        return torch.where(temperature < COLDEST, keep_most_probable(scores), scores / mild)
    return keep_most_probable(scores) if temperature < COLDEST else scores / temperature


def keep_most_probable(scores: Scores) -> Float[Tensor, "batch vocabulary"]:
    """0 for the most probable, or those that tie; −∞ for the others."""
    largest = (scores == scores.amax(dim=-1, keepdim=True)) & (scores > -math.inf)
    return torch.zeros_like(scores).masked_fill(~largest, -math.inf)


def beyond_top_k(scores: Scores, k: Value) -> Bool[Tensor, "batch vocabulary"]:
    """Tokens less probable than the k-th; ties with it are kept."""
    if isinstance(k, Tensor):
        place = (k.long() - 1).clamp(0, scores.shape[1] - 1)
        return scores < scores.sort(dim=-1, descending=True).values.gather(1, place)
    least = scores.topk(min(int(k), scores.shape[1])).values[:, -1:]
    return scores < least


def beyond_top_p(scores: Scores, p: Value) -> Bool[Tensor, "batch vocabulary"]:
    """The least probable tokens whose probabilities sum to at most 1 − p."""
    ordered, order = scores.sort(dim=-1)
    out = ordered.softmax(dim=-1).cumsum(dim=-1) <= _like(scores, 1 - p + TIE)
    out[:, -1] = False
    return out.scatter(1, order, out)


def below_min_p(scores: Scores, share: Value) -> Bool[Tensor, "batch vocabulary"]:
    """Tokens less probable than `share` times the most probable."""
    chances = scores.softmax(dim=-1)
    return chances < _like(scores, share) * chances.amax(dim=-1, keepdim=True) - TIE


def untypical(scores: Scores, mass: Value) -> Bool[Tensor, "batch vocabulary"]:
    """All but the fewest tokens nearest in −log p to the entropy that sum to `mass`."""
    log_p = scores.log_softmax(dim=-1)
    entropy = -(log_p * log_p.exp()).nansum(dim=-1, keepdim=True)
    ordered, order = (-log_p - entropy).abs().sort(dim=-1)
    total = scores.gather(1, order).softmax(dim=-1).cumsum(dim=-1)
    last = (
        (total < _like(scores, mass - TIE)).sum(dim=-1, keepdim=True).clamp(max=scores.shape[1] - 1)
    )
    out = ordered > ordered.gather(1, last)
    out[:, 0] = False
    return out.scatter(1, order, out)


def _like(scores: Scores, value: Value) -> Value:
    """A column in the precision that a number beside the scores has."""
    return value.to(scores.dtype) if isinstance(value, Tensor) else value


def _without(scores: Scores, out: Bool[Tensor, "batch vocabulary"]) -> Scores:
    return scores.masked_fill(out, -math.inf)


PENALTIES: dict[str, ScoreChange] = {
    "repetition": penalise_repetition,
    "no_repeat": lambda scores, texts, n: _without(
        scores, completes_repeated_ngram(texts, int(n), scores.shape[1])
    ),
}
NARROWING: dict[str, ScoreChange] = {
    "temperature": lambda scores, _, temperature: apply_temperature(scores, temperature),
    "top_k": lambda scores, _, k: _without(scores, beyond_top_k(scores, k)),
    "top_p": lambda scores, _, p: _without(scores, beyond_top_p(scores, p)),
    "min_p": lambda scores, _, share: _without(scores, below_min_p(scores, share)),
    "typical": lambda scores, _, mass: _without(scores, untypical(scores, mass)),
}
"""Field of `Filters` → the function that applies it, in order of application."""
