"""The decoding strategies by name: how each filters the scores, and how it chooses.

    greedy         the most probable token
    beam           the k best prefixes
    random walk    a sample from the model's own distribution
    temperature, top-k, top-p, min-p, typical      a sample after one filter
    repetition     the most probable token, after a penalty on tokens already in the text
    all filters    a sample after all filters, in order
    beam + sampling   k prefixes, drawn without replacement

The lectures have the first three, and mention the last; the others came with larger models.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Literal

from lmcore.decoding import filters
from lmcore.decoding.beam import BeamConfig
from lmcore.decoding.filters import Filters
from lmcore.decoding.token_by_token import SECONDS, SamplingConfig

StrategyKind = Literal["greedy", "beam", "walk", "drawn beam"]


FILTERED = tuple(field.name for field in fields(Filters))
"""The filter settings that a user can change."""
DESCRIPTIONS = filters.DESCRIPTIONS | {
    "width": "the beam width k",
    "length_penalty": "the length penalty a",
    "groups": "the number of groups of beams",
    "diversity": "the diversity of groups",
}
"""The name of each number of `StrategySettings` in error messages."""


@dataclass(frozen=True, slots=True)
class StrategySettings:
    """The user's settings for all strategies together; each strategy uses those it needs."""

    temperature: float = 0.7
    top_k: int = 10
    top_p: float = 0.9
    min_p: float = 0.1
    typical: float = 0.9
    repetition: float = 1.3
    width: int = 4
    length_penalty: float = 1.0
    no_repeat: int = 0
    groups: int = 1
    diversity: float = 0.0
    early: bool = False

    def __post_init__(self) -> None:
        """Raises ValueError naming what is out of bounds."""
        Filters(**{name: getattr(self, name) for name in FILTERED})
        self.beams(length=1)

    def beams(
        self, length: int, stop: tuple[int, ...] = (), seconds: float = SECONDS
    ) -> BeamConfig:
        """A beam search with these numbers, without sampling and filters."""
        return BeamConfig(
            self.width,
            length,
            stop,
            length_penalty=self.length_penalty,
            early=self.early,
            groups=self.groups,
            diversity=self.diversity,
            seconds=seconds,
        )


@dataclass(frozen=True, slots=True)
class Strategy:
    """How tokens are chosen; `takes` names the settings that it uses."""

    name: str
    label: str
    kind: StrategyKind
    takes: tuple[str, ...] = ()
    in_the_decks: bool = False

    @property
    def draws(self) -> bool:
        """Whether the strategy is random, so that a seed matters."""
        return self.kind in ("walk", "drawn beam")

    def used(self, settings: StrategySettings) -> StrategySettings:
        """The settings that the strategy uses; those that it does not are at their defaults."""
        return StrategySettings(**{name: getattr(settings, name) for name in self.takes})

    def filters(self, settings: StrategySettings) -> Filters:
        """The filters of the strategy, with these settings."""
        return Filters(**{name: getattr(settings, name) for name in self.takes if name in FILTERED})

    def sampling_config(self, settings: StrategySettings, seed: int, **when: Any) -> SamplingConfig:
        """The config for generating token by token; `when` has the length and the other fields.

        Raises:
            ValueError: if it is a beam search, or as `SamplingConfig`.
        """
        if self.kind not in ("greedy", "walk"):
            raise ValueError(f"{self.label} must be searched for, not written token by token")
        seeds = (seed,) if self.draws else None
        return SamplingConfig(filters=self.filters(settings), seeds=seeds, **when)

    def search(
        self,
        settings: StrategySettings,
        seed: int,
        length: int,
        stop: tuple[int, ...] = (),
        seconds: float = SECONDS,
    ) -> BeamConfig:
        """The config for a beam search, without the settings that the strategy does not use.

        Raises:
            ValueError: if it is not a beam search, or as `BeamConfig`.
        """
        if self.kind not in ("beam", "drawn beam"):
            raise ValueError(f"{self.label} must be written token by token, not searched for")
        known = {field.name for field in fields(StrategySettings)} & {*self.takes} - {*FILTERED}
        off = {"groups": 1, "diversity": 0.0, "early": False}
        mine = off | {name: getattr(settings, name) for name in known}
        drawn = seed if self.draws else None
        return BeamConfig(
            length=length,
            stop=stop,
            filters=self.filters(settings),
            seed=drawn,
            seconds=seconds,
            **mine,
        )


STRATEGIES = {
    each.name: each
    for each in (
        Strategy("greedy", "Greedy", "greedy", (), True),
        Strategy(
            "beam",
            "Beam search",
            "beam",
            ("width", "length_penalty", "no_repeat", "groups", "diversity", "early"),
            True,
        ),
        Strategy("walk", "Random walk", "walk", (), True),
        Strategy("temperature", "Temperature", "walk", ("temperature",)),
        Strategy("top_k", "Top-k", "walk", ("top_k",)),
        Strategy("top_p", "Top-p (nucleus)", "walk", ("top_p",)),
        Strategy("min_p", "Min-p", "walk", ("min_p",)),
        Strategy("typical", "Typical", "walk", ("typical",)),
        Strategy("repetition", "Repetition penalty", "greedy", ("repetition",)),
        Strategy("together", "All filters", "walk", FILTERED),
        Strategy("drawn_beam", "Beam + sampling", "drawn beam", ("width", "length_penalty"), True),
    )
}
"""Name in the page address → strategy, in the order of the page."""
