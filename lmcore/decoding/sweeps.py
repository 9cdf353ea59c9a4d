"""The first token after a prompt, under every strategy and at every position of every slider.

Each position is computed with the functions that generate text. A draw uses the seed's first u, so
the sweep also shows which token that u selects.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import torch
from jaxtyping import Float, Float64, Int, Int64
from numpy.typing import NDArray
from torch import Tensor

from lmcore import frames
from lmcore.decoding.filters import sweep_filter
from lmcore.decoding.next_token import NextTokenModel
from lmcore.decoding.strategies import STRATEGIES, Strategy, StrategySettings
from lmcore.decoding.writing import filter_stages, most_probable, sample_tokens, uniform_draws

if TYPE_CHECKING:
    from pandas import DataFrame

    from lmcore.vocabulary import Vocabulary

ROWS = 7
"""How many candidates for the first token are shown."""
LARGE = 5_000
"""The largest vocabulary, in types, for which a sweep is fast enough to run at every change."""
NOT_SHOWN = -1.0
"""In place of the row, for a token that is not shown."""
SLIDER_RANGES: dict[str, tuple[float, float]] = {
    "temperature": (0, 2),
    "top_k": (0, 30),
    "top_p": (0, 1),
    "min_p": (0, 1),
    "typical": (0, 1),
    "repetition": (0.5, 2.5),
}
"""Setting with a slider → its smallest and largest value."""
POSITIONS = 31
"""Positions of each slider."""
DIGITS = 6
"""Significant digits of a slider value."""


Keep = Callable[[Hashable, Callable[[], Any]], Any]


class FirstTokenOdds(NamedTuple):
    """The distribution of the first token under one strategy."""

    probabilities: Float64[Tensor, "*position row"]
    chosen: Float64[Tensor, "*position"]
    """The row that is chosen, or `NOT_SHOWN`."""
    kept: Float64[Tensor, "*position"]
    """How many tokens of the whole vocabulary may be chosen."""
    mass: Float64[Tensor, "*position"]
    """p of these together, under the model."""
    rest: Float64[Tensor, "*position"]
    """p of all tokens that are not shown."""


@dataclass(frozen=True, slots=True)
class FirstTokenSweep:
    """The first token under the model and under each strategy."""

    tokens: Int64[Tensor, " row"]
    """The model's most probable tokens."""
    model: Float64[Tensor, " row"]
    """The model's p of each."""
    now: dict[str, FirstTokenOdds]
    """Strategy → its distribution at the current settings."""
    swept: dict[str, dict[str, FirstTokenOdds]]
    """Setting → strategy that uses it → its distribution at every slider position."""

    def to_frame(self, vocabulary: Vocabulary | None = None) -> DataFrame:
        """One row per token: token, p under the model, and under each strategy at its settings now.

        Tokens are ids, or words if the vocabulary is given.
        """
        now = {name: odds.probabilities for name, odds in self.now.items()}
        tokens = frames.token_names(self.tokens, vocabulary)
        return frames.frame({"token": tokens, "model": self.model, **now})


def slider_positions(name: str, value: float) -> NDArray[np.float64]:
    """The positions of a slider; the one nearest to `value` is replaced by it."""
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
    sliders: Sequence[str] = tuple(SLIDER_RANGES),
) -> FirstTokenSweep:
    """The first token under each of the strategies, at every position of each of the `sliders`.

    `keep(key, compute)` may cache a result for the same model and prompt.

    Raises:
        ValueError: if a strategy has no such name.
    """
    if unknown := [name for name in names if name not in STRATEGIES]:
        raise ValueError(f"a strategy must be one of {', '.join(STRATEGIES)}; got {unknown[0]!r}")
    scores = keep(("scores",), lambda: model.start(prompt[None])[0].cpu())
    rows = scores[0].argsort(descending=True, stable=True)[:ROWS]
    first = _FirstToken(scores, prompt[None], rows, float(uniform_draws((seed,), 1)[0, 0]))
    chosen = {name: STRATEGIES[name] for name in names}

    def cached(what: str, name: str, make: Callable[[], Any]) -> Any:
        each = chosen[name]
        taken = tuple(getattr(settings, taken) for taken in each.takes)
        return keep((what, name, taken, first.uniform if each.draws else None), make)

    now = {
        name: cached("now", name, partial(first.at_settings, each, settings))
        for name, each in chosen.items()
    }
    swept: dict[str, dict[str, FirstTokenOdds]] = {}
    for name in sliders:
        moved = {key: each for key, each in chosen.items() if name in each.takes}
        if moved and scores.shape[1] <= LARGE:
            swept[name] = {
                key: cached(name, key, partial(first.over_slider, each, settings, name))
                for key, each in moved.items()
            }
    return FirstTokenSweep(rows, first.probabilities(scores)[0], now, swept)


class _FirstToken(NamedTuple):
    scores: Float[Tensor, "one vocabulary"]
    text: Int[Tensor, "one time"]
    rows: Int64[Tensor, " row"]
    uniform: float

    def probabilities(
        self, scores: Float[Tensor, "position vocabulary"]
    ) -> Float64[Tensor, "position row"]:
        """p of each shown row; 0 where every score is −∞."""
        return scores.double().softmax(dim=-1).nan_to_num(0.0)[:, self.rows]

    def at_settings(self, strategy: Strategy, settings: StrategySettings) -> FirstTokenOdds:
        """The distribution at the current settings; a beam search leaves it unchanged."""
        drawing = strategy.kind == "walk"
        stages = filter_stages(self.scores, self.text, strategy.filters(settings), drawing=drawing)
        shown = self.shown_rows(strategy, stages[-1].scores)
        return FirstTokenOdds(*(each[0] for each in shown))

    def over_slider(
        self, strategy: Strategy, settings: StrategySettings, name: str
    ) -> FirstTokenOdds:
        """The same at every position of one slider."""
        places = torch.tensor(slider_positions(name, float(getattr(settings, name))))
        if isinstance(getattr(settings, name), int):
            places = places.trunc()
        how, drawing = strategy.filters(settings), strategy.kind == "walk"
        moved = sweep_filter(self.scores, self.text, how, name, places, drawing=drawing)
        return self.shown_rows(strategy, moved)

    def shown_rows(
        self, strategy: Strategy, last: Float[Tensor, "position vocabulary"]
    ) -> FirstTokenOdds:
        """The shown rows of filtered scores, and the chosen one; in a beam search none is yet."""
        p = self.probabilities(last)
        places = torch.full((len(last),), NOT_SHOWN, dtype=torch.float64)
        kept = last.isfinite()
        mass = (kept * self.scores.double().softmax(dim=-1)).nan_to_num(0.0).sum(dim=-1)
        count = kept.sum(dim=-1).double()
        rest = torch.where(count > 0, 1 - p.sum(dim=-1), 0.0).clamp(min=0)
        odds = FirstTokenOdds(p, places, count, mass, rest)
        if strategy.kind in ("beam", "drawn beam"):
            return odds
        uniform = torch.full((len(last),), self.uniform, dtype=torch.float64)
        tokens = sample_tokens(last, uniform) if strategy.draws else most_probable(last)
        hits = (tokens[:, None] == self.rows) & last.isfinite().any(dim=-1, keepdim=True)
        at = hits.int().argmax(dim=-1).double()
        return odds._replace(chosen=torch.where(hits.any(dim=-1), at, places))
