"""The first token after a prompt, under every strategy, and at every position of every slider.

What a position shows is what the engine makes of the scores with that number; the u that a draw
uses is the seed's first, so it is also seen on which token the same luck falls.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import torch
from jaxtyping import Float, Float64, Int, Int64
from numpy.typing import NDArray
from torch import Tensor

from lmcore.decoding.filters import sweep_filter
from lmcore.decoding.next_token import NextTokenModel
from lmcore.decoding.strategies import STRATEGIES, Strategy, StrategySettings
from lmcore.decoding.writing import filter_stages, most_probable, sample_tokens, uniform_draws

ROWS = 7
"""Tokens that are shown of the first one."""
LARGE = 5_000
"""Types: of a larger vocabulary, a sweep takes too long to be made at every change."""
NOT_SHOWN = -1.0
"""The row of a token that is not among those shown."""
SLIDER_RANGES: dict[str, tuple[float, float]] = {
    "temperature": (0, 2),
    "top_k": (0, 30),
    "top_p": (0, 1),
    "min_p": (0, 1),
    "typical": (0, 1),
    "repetition": (0.5, 2.5),
}
"""Setting with a slider → its least and its largest position."""
POSITIONS = 31
"""Of each slider."""
DIGITS = 6
"""A position is a short number."""


Keep = Callable[[Hashable, Callable[[], Any]], Any]


class FirstTokenOdds(NamedTuple):
    """The first token under one strategy."""

    probabilities: Float64[Tensor, "*position row"]
    chosen: Float64[Tensor, "*position"]
    """The row that is chosen, or `NOT_SHOWN`."""


@dataclass(frozen=True, slots=True)
class FirstTokenSweep:
    """What may come first."""

    tokens: Int64[Tensor, " row"]
    """The most probable to the model."""
    model: Float64[Tensor, " row"]
    """What it gives them."""
    now: dict[str, FirstTokenOdds]
    """Strategy → what it makes of them."""
    swept: dict[str, dict[str, FirstTokenOdds]]
    """Setting → strategy that it changes → the same at every position of its slider."""


def slider_positions(name: str, value: float) -> NDArray[np.float64]:
    """The places of a slider; the nearest one to `value` is put exactly there."""
    places = np.round(np.linspace(*SLIDER_RANGES[name], POSITIONS), DIGITS)
    places[np.abs(places - value).argmin()] = value
    return places


def sweep_first_token(
    model: NextTokenModel,
    prompt: Int[Tensor, " time"],
    settings: StrategySettings,
    seed: int,
    names: Sequence[str],
    keep: Keep = lambda key, make: make(),
) -> FirstTokenSweep:
    """The first token under each of the strategies.

    `keep` may give back what it was given under the same key before, for the same model and prompt.

    Raises:
        ValueError: if a strategy has no such name.
    """
    if unknown := [name for name in names if name not in STRATEGIES]:
        raise ValueError(f"a strategy must be one of {', '.join(STRATEGIES)}; got {unknown[0]!r}")
    scores = keep(("scores",), lambda: model.start(prompt[None])[0].cpu())
    rows = scores[0].argsort(descending=True, stable=True)[:ROWS]
    asked = _Asked(scores, prompt[None], rows, float(uniform_draws((seed,), 1)[0, 0]))
    chosen = {name: STRATEGIES[name] for name in names}

    def kept(what: str, name: str, make: Callable[[], Any]) -> Any:
        each = chosen[name]
        taken = tuple(getattr(settings, taken) for taken in each.takes)
        return keep((what, name, taken, asked.luck if each.draws else None), make)

    now = {
        name: kept("now", name, partial(asked.now, each, settings)) for name, each in chosen.items()
    }
    swept: dict[str, dict[str, FirstTokenOdds]] = {}
    for name in SLIDER_RANGES:
        moved = {key: each for key, each in chosen.items() if name in each.takes}
        if moved and scores.shape[1] <= LARGE:
            swept[name] = {
                key: kept(name, key, partial(asked.swept, each, settings, name))
                for key, each in moved.items()
            }
    return FirstTokenSweep(rows, asked.p(scores)[0], now, swept)


class _Asked(NamedTuple):
    scores: Float[Tensor, "one vocabulary"]
    text: Int[Tensor, "one time"]
    rows: Int64[Tensor, " row"]
    luck: float

    def p(self, scores: Float[Tensor, "position vocabulary"]) -> Float64[Tensor, "position row"]:
        """Of the rows; 0 where every score is −∞."""
        return scores.double().softmax(dim=-1).nan_to_num(0.0)[:, self.rows]

    def now(self, strategy: Strategy, settings: StrategySettings) -> FirstTokenOdds:
        """What is seen after all that the strategy does; a beam search does nothing to it."""
        drawing = strategy.kind == "walk"
        stages = filter_stages(self.scores, self.text, strategy.filters(settings), drawing=drawing)
        shown = self.shown(strategy, stages[-1].scores)
        return FirstTokenOdds(shown.probabilities[0], shown.chosen[0])

    def swept(self, strategy: Strategy, settings: StrategySettings, name: str) -> FirstTokenOdds:
        """The same at every position of one slider."""
        places = torch.tensor(slider_positions(name, float(getattr(settings, name))))
        if isinstance(getattr(settings, name), int):
            places = places.trunc()
        how, drawing = strategy.filters(settings), strategy.kind == "walk"
        moved = sweep_filter(self.scores, self.text, how, name, places, drawing=drawing)
        return self.shown(strategy, moved)

    def shown(
        self, strategy: Strategy, last: Float[Tensor, "position vocabulary"]
    ) -> FirstTokenOdds:
        """What is seen of such scores; a beam search makes no choice yet."""
        p = self.p(last)
        places = torch.full((len(last),), NOT_SHOWN, dtype=torch.float64)
        if strategy.kind in ("beam", "drawn beam"):
            return FirstTokenOdds(p, places)
        luck = torch.full((len(last),), self.luck, dtype=torch.float64)
        tokens = sample_tokens(last, luck) if strategy.draws else most_probable(last)
        hits = (tokens[:, None] == self.rows) & last.isfinite().any(dim=-1, keepdim=True)
        at = hits.int().argmax(dim=-1).double()
        return FirstTokenOdds(p, torch.where(hits.any(dim=-1), at, places))
