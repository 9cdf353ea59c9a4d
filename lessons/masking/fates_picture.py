"""Ten thousand words and their fates: the numbers at all shares, and the picture's data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal, TypedDict

import numpy as np
import torch
from jaxtyping import Int64
from torch import Tensor
from typing_extensions import TypedDict as EventDict

from drawing.events import Name
from drawing.live import LiveNumbers, Slider, live_numbers
from drawing.payload import Kept, Script
from lessons.masking.corruption_picture import POSITIONS, PREFIX, SHARES
from lessons.masking.fates_text import NONE, ONLY_MASK, OTHERS, SORTED, UNSORTED
from lmcore.corruption.corruption import KEPT, MASKED, RANDOM, UNTOUCHED, CorruptionDraws, Rates
from lmcore.corruption.draws import SLIDERS, CorruptionConfig, change_rate
from lmcore.corruption.story_words import WORDS, count_fates, story_words

Order = Literal["text", "fate"]
"""A key of `masking_state.ORDERS`."""
COUNTED = ("n_masked", "n_random", "n_kept")
Counted = Int64[Tensor, "rate 5"]
ASKED = (*COUNTED, "e_masked", "e_random", "e_kept", "n_often")
"""What is asked for: until then the words stand as in the text."""
LETTERS = 4
"""The shortest word that is an example."""


class FatesPayload(TypedDict):
    """The words, the numbers drawn for each, and the word that would be put in its place."""

    types: Sequence[str]
    """The words of the story, the most frequent first."""
    exact: bytes
    """For each word its first number and its second one, as float32, then all first numbers."""
    ids: bytes
    """For each word its type, and the type drawn for its place, as uint16."""
    stamp: str
    """What the draw depends on."""
    example: int
    """The type of the word that stands as an example."""
    by_count: bool
    """Whether random words are drawn by how often they occur."""
    sliders: list[str]


class FatesOrder(EventDict):
    """The order in which the words are to stand."""

    order: Name


FATES = Script(
    "fates",
    FatesPayload,
    (
        *(PREFIX + name for name in SLIDERS),
        *("kept", "n_chosen", *COUNTED, "n_rest", "n_often"),
        *("e_chosen", "e_masked", "e_random", "e_kept", "sorted", "@say", "@formula"),
    ),
    FatesOrder,
)


def share_positions(rates: Rates) -> list[np.ndarray]:
    """The positions of each slider: every hundredth, and its own value."""
    found = []
    for name in SLIDERS:
        even = np.round(np.arange(POSITIONS) / (POSITIONS - 1), 10)
        value = float(getattr(rates, name))
        even[np.abs(even - value).argmin()] = value
        found.append(even)
    return found


def swept_rates(rates: Rates) -> list[Rates]:
    """The shares at every position of every slider, one slider after the other."""
    return [
        change_rate(rates, name, float(value))
        for name, row in zip(SLIDERS, share_positions(rates), strict=True)
        for value in row
    ]


def counts(config: CorruptionConfig, draws: CorruptionDraws) -> Counted:
    """The fates of all words at the current shares, and then at those of `swept_rates`."""
    return count_fates(story_words(), config, [config.rates, *swept_rates(config.rates)], draws)


def numbers(config: CorruptionConfig, counted: Counted, order: Order) -> LiveNumbers:
    """Every number of the picture now, and at every position of the three shares."""
    rates = [config.rates, *swept_rates(config.rates)]
    named = _named(rates, counted, config.source == "unigram", order)
    places = share_positions(config.rates)
    sliders = [
        Slider(PREFIX + name, label, spoken, float(getattr(config.rates, name)), row, look, role)
        for (name, label, spoken, look, role), row in zip(SHARES, places, strict=True)
    ]
    now = {name: row[0] for name, row in named.items()}
    swept = {name: row[1:].reshape(len(SLIDERS), -1) for name, row in named.items()}
    return live_numbers("fates", now, sliders, swept)


def _named(
    rates: Sequence[Rates], counted: Counted, by_count: bool, order: Order
) -> dict[str, Tensor]:
    """The numbers by their names, one row per shares."""
    shares = {
        name: torch.tensor([getattr(each, name) for each in rates], dtype=torch.float64)
        for name in (*SLIDERS, "kept")
    }
    count = counted.double()
    named = {PREFIX + name: shares[name] for name in SLIDERS} | {"kept": shares["kept"]}
    named["n_chosen"] = WORDS - count[:, UNTOUCHED]
    for name, outcome in zip(COUNTED, (MASKED, RANDOM, KEPT), strict=True):
        named[name] = count[:, outcome]
    named["n_rest"], named["n_often"] = count[:, UNTOUCHED], count[:, -1]
    named["e_chosen"] = WORDS * shares["chosen"]
    for name in ("masked", "random", "kept"):
        named[f"e_{name}"] = named["e_chosen"] * shares[name]
    is_sorted = torch.full((len(rates),), float(order == "fate"), dtype=torch.float64)
    said = _sentence(named, by_count, is_sorted)
    return named | {"sorted": is_sorted, "@say": said, "@formula": is_sorted}


def _sentence(named: dict[str, Tensor], by_count: bool, is_sorted: Tensor) -> Tensor:
    """Which sentence is true of each row."""
    only_mask = (named["n_masked"] == named["n_chosen"]) * float(ONLY_MASK - UNSORTED)
    said = torch.where(is_sorted > 0, float(SORTED), float(UNSORTED)) + only_mask
    others = (is_sorted > 0) & (named["n_random"] > 0) & by_count
    said = torch.where(others, float(OTHERS), said)
    return torch.where(named["n_chosen"] > 0, said, float(NONE)).double()


def picture(config: CorruptionConfig, draws: CorruptionDraws) -> FatesPayload:
    """The data of `lessons/masking/fates.js` other than the numbers."""
    text = story_words()
    drawn = torch.stack([draws.chance[0], draws.way[0]]).numpy().astype("<f4")
    types = torch.stack([text.ids[0], draws.drawn[0]]).numpy().astype("<u2")
    return {
        "types": text.stock.types,
        "exact": Kept(drawn.tobytes()),
        "ids": Kept(types.tobytes()),
        "stamp": f"{config.seed} {config.source}",
        "example": example(config, draws),
        "by_count": config.source == "unigram",
        "sliders": [PREFIX + name for name in SLIDERS],
    }


def example(config: CorruptionConfig, draws: CorruptionDraws) -> int:
    """The most frequent longer word that meets as many of the three fates as possible."""
    text = story_words()
    share = config.rates
    chosen = draws.chance[0] < share.chosen
    fate = (draws.way[0] >= share.masked).long() + (draws.way[0] >= share.masked + share.random)
    met = Counter[int]()
    for kind in range(3):
        met.update(set(text.ids[0][chosen & (fate == kind)].tolist()))
    long = [n for n, word in enumerate(text.stock.types) if len(word) >= LETTERS]
    return max(long, key=lambda n: (met[n], -n))
