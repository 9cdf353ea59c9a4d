"""The first token after a prompt, under every strategy and at every position of every slider.

Each position is computed with the functions that generate text. A draw uses the seed's first u, so
the sweep also shows which token that u selects.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar, runtime_checkable

import numpy as np
import torch
from jaxtyping import Float, Float64, Int, Int64
from numpy.typing import NDArray
from torch import Tensor

from lmcore import dataframes
from lmcore.decoding.filters import sweep_filter
from lmcore.decoding.next_token import NextTokenModel
from lmcore.decoding.strategies import STRATEGIES, Strategy, StrategySettings
from lmcore.decoding.token_by_token import (
    filter_stages,
    most_probable,
    sample_tokens,
    uniform_draws,
)

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


T = TypeVar("T")


@runtime_checkable
class Keep(Protocol):
    """A function that keeps what calls return."""

    def __call__(self, call: partial[T]) -> T:
        """The result of `call`, a partial of a function: computed now, or kept from an equal call.

        Everything that the result depends on is among its arguments, which can be compared.
        """


def _make_anew(call: partial[T]) -> T:
    return call()


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
        tokens = dataframes.token_names(self.tokens, vocabulary)
        return dataframes.frame({"token": tokens, "model": self.model, **now})


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
    keep: Keep = _make_anew,
    sliders: Sequence[str] = tuple(SLIDER_RANGES),
) -> FirstTokenSweep:
    """The first token under each of the strategies, at every position of each of the `sliders`.

    `keep(call)` may return the result of an earlier call with the same arguments.

    Raises:
        ValueError: if a strategy has no such name.
    """
    if unknown := [name for name in names if name not in STRATEGIES]:
        raise ValueError(f"a strategy must be one of {', '.join(STRATEGIES)}; got {unknown[0]!r}")
    first = keep(partial(_read_prompt, model, tuple(prompt.tolist())))
    uniform = float(uniform_draws((seed,), 1)[0, 0])
    chosen = {name: STRATEGIES[name] for name in names}

    def depends_on(each: Strategy) -> tuple[Strategy, StrategySettings, float | None]:
        return each, each.used(settings), uniform if each.draws else None

    now = {
        name: keep(partial(_odds_now, first, *depends_on(each))) for name, each in chosen.items()
    }
    swept: dict[str, dict[str, FirstTokenOdds]] = {}
    for name in sliders:
        moved = {key: each for key, each in chosen.items() if name in each.takes}
        if moved and first.scores.shape[1] <= LARGE:
            swept[name] = {
                key: keep(partial(_odds_along, first, *depends_on(each), name))
                for key, each in moved.items()
            }
    return FirstTokenSweep(first.rows, first.probabilities(first.scores)[0], now, swept)


@dataclass(frozen=True, slots=True, eq=False)
class _ReadPrompt:
    """A prompt, and the model's scores of the token after it. Compared by identity."""

    scores: Float[Tensor, "one vocabulary"]
    text: Int[Tensor, "one time"]
    rows: Int64[Tensor, " row"]
    """The most probable tokens."""

    def probabilities(
        self, scores: Float[Tensor, "position vocabulary"]
    ) -> Float64[Tensor, "position row"]:
        """p of each shown row; 0 where every score is −∞."""
        return scores.double().softmax(dim=-1).nan_to_num(0.0)[:, self.rows]

    def shown_rows(
        self,
        strategy: Strategy,
        last: Float[Tensor, "position vocabulary"],
        uniform: float | None,
    ) -> FirstTokenOdds:
        """The shown rows of filtered scores, and the chosen one, which a beam search does not have.

        `uniform` is the u of a draw; None where nothing is drawn.
        """
        p = self.probabilities(last)
        places = torch.full((len(last),), NOT_SHOWN, dtype=torch.float64)
        kept = last.isfinite()
        mass = (kept * self.scores.double().softmax(dim=-1)).nan_to_num(0.0).sum(dim=-1)
        count = kept.sum(dim=-1).double()
        rest = torch.where(count > 0, 1 - p.sum(dim=-1), 0.0).clamp(min=0)
        odds = FirstTokenOdds(p, places, count, mass, rest)
        if strategy.kind in ("beam", "drawn beam"):
            return odds
        if uniform is None:
            tokens = most_probable(last)
        else:
            tokens = sample_tokens(last, torch.full((len(last),), uniform, dtype=torch.float64))
        hits = (tokens[:, None] == self.rows) & last.isfinite().any(dim=-1, keepdim=True)
        at = hits.int().argmax(dim=-1).double()
        return odds._replace(chosen=torch.where(hits.any(dim=-1), at, places))


def _read_prompt(model: NextTokenModel, ids: tuple[int, ...]) -> _ReadPrompt:
    """The scores of the token after a prompt, and the rows that are shown."""
    text = torch.tensor(ids)[None]
    scores = model.start(text)[0].cpu()
    return _ReadPrompt(scores, text, scores[0].argsort(descending=True, stable=True)[:ROWS])


def _odds_now(
    first: _ReadPrompt, strategy: Strategy, settings: StrategySettings, uniform: float | None
) -> FirstTokenOdds:
    """The distribution at the current settings; a beam search leaves it unchanged.

    `uniform` is the u of a draw; None where the strategy draws nothing.
    """
    drawing = strategy.kind == "walk"
    stages = filter_stages(first.scores, first.text, strategy.filters(settings), drawing=drawing)
    shown = first.shown_rows(strategy, stages[-1].scores, uniform)
    return FirstTokenOdds(*(each[0] for each in shown))


def _odds_along(
    first: _ReadPrompt,
    strategy: Strategy,
    settings: StrategySettings,
    uniform: float | None,
    name: str,
) -> FirstTokenOdds:
    """As `_odds_now`, at every position of the slider of one setting."""
    places = torch.tensor(slider_positions(name, float(getattr(settings, name))))
    if isinstance(getattr(settings, name), int):
        places = places.trunc()
    how, drawing = strategy.filters(settings), strategy.kind == "walk"
    moved = sweep_filter(first.scores, first.text, how, name, places, drawing=drawing)
    return first.shown_rows(strategy, moved, uniform)
