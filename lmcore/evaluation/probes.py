"""Minimal-pair probes of a model of the microworld: one right word against one wrong word.

An item is a prefix that determines the right word. A model that has learned the construction
assigns it the higher probability; one that has not is right half the time or less, since the
nearest words always suggest the wrong one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import torch

from lmcore import dataframes
from lmcore.corpora import microworld_rules
from lmcore.models.language_model import LanguageModel
from lmcore.vocabulary import END, START

if TYPE_CHECKING:
    from pandas import DataFrame

LARGEST_ODDS = 20.0
"""Log odds are clipped here: a word with p = 0 would make the mean infinite."""


class ProbeItem(NamedTuple):
    """A prefix, the word that can follow, one that cannot, and a continuation up to `</s>`.

    `rest` fits both words equally, so that it gives a masked model no hint; it is empty if only the
    next word is asked for.
    """

    prefix: tuple[str, ...]
    right: str
    wrong: str
    rest: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Probe:
    """One construction and its items."""

    name: str
    items: tuple[ProbeItem, ...]


class ProbeResult(NamedTuple):
    """Share of items that are right (a tie is half), mean log p(right)/p(wrong) in nats, items."""

    accuracy: float
    mean_log_odds: float
    items: int

    def to_frame(self) -> DataFrame:
        """One row: share right, log odds in nats, items."""
        return dataframes.one_row(
            {"share right": self.accuracy, "log odds": self.mean_log_odds, "items": self.items}
        )


class FedProbabilities(NamedTuple):
    """Means over the openings, "i forgot to make sure that" among them."""

    fed_dog: float
    """p(fed | the dog gets), which is never in training: as for a cat if a model generalises."""
    fed_cat: float
    gets_dog: float
    """p(gets | the dog): 0 in training."""
    gets_cat: float

    def to_frame(self) -> DataFrame:
        """One row per animal: animal, p(fed | … gets), p(gets | the …)."""
        return dataframes.frame(
            {
                "animal": ["dog", "cat"],
                "p(fed | … gets)": [self.fed_dog, self.fed_cat],
                "p(gets | the …)": [self.gets_dog, self.gets_cat],
            }
        )


def measure_probe(model: LanguageModel, probe: Probe) -> ProbeResult:
    """Measure a model by its log p(next word | prefix).

    log odds = log p(right) − log p(wrong), in nats, clipped at ± LARGEST_ODDS; 0 if both are
    impossible.

    Raises:
        ValueError: if a word is not in the model's vocabulary, or the probe has no items.
    """
    if not probe.items:
        raise ValueError(f"the probe {probe.name!r} must have an item; got none")
    odds = np.array([_log_odds(model, item) for item in probe.items])
    accuracy = np.mean((odds > 0) + 0.5 * (odds == 0))
    return ProbeResult(float(accuracy), float(odds.mean()), len(odds))


def fed_probabilities(model: LanguageModel) -> FedProbabilities:
    """The probabilities after "the dog", which never gets anything in training, and "the cat"."""
    probabilities: dict[str, list[float]] = {"dog": [], "cat": []}
    for opening, noun in product(microworld_rules.OPENINGS, probabilities):
        words = f"{START} {opening} the {noun} gets".split()
        ids = model.vocabulary.encode(words)
        rows = model.log_probabilities(torch.tensor(ids)).double().exp()
        get, feed = model.vocabulary.encode(["gets", "fed"])
        probabilities[noun] += [float(rows[-1, feed]), float(rows[-2, get])]
    (fed_dog, gets_dog), (fed_cat, gets_cat) = (
        (float(np.mean(probabilities[noun][::2])), float(np.mean(probabilities[noun][1::2])))
        for noun in probabilities
    )
    return FedProbabilities(fed_dog, fed_cat, gets_dog, gets_cat)


def probes(*, count: int = 200, seed: int = 0) -> tuple[Probe, ...]:
    """Every probe, with `count` items each (the senses have as many as there are).

    Raises:
        ValueError: if `count` is below 1.
    """
    if count < 1:
        raise ValueError(f"the number of items must be at least 1; got {count}")
    made: list[Probe] = []
    for name, make in _MAKERS.items():
        generator = np.random.default_rng([seed, len(made)])
        made.append(Probe(name, tuple(make(number, generator) for number in range(count))))
    return (*made, Probe("senses", tuple(_senses())))


def _log_odds(model: LanguageModel, item: ProbeItem) -> float:
    ids = model.vocabulary.encode(item.prefix)
    row = model.log_probabilities(torch.tensor(ids))[-1].double()
    right, wrong = (float(row[i]) for i in model.vocabulary.encode([item.right, item.wrong]))
    if right == wrong:  # also where both are -inf
        return 0.0
    return float(np.clip(right - wrong, -LARGEST_ODDS, LARGEST_ODDS))


def _agree(middle: str) -> Callable[[int, np.random.Generator], ProbeItem]:
    """Items in which the nouns between an animal and its verb have the other number."""

    def make(number: int, generator: np.random.Generator) -> ProbeItem:
        mine, other = _numbers(number)
        words = middle.format(
            other=_pick(microworld_rules.ANIMALS[other], generator),
            place=_pick(microworld_rules.PLACES[other], generator),
            does=_pick(microworld_rules.INNER_VERBS[mine], generator),
            do=_pick(microworld_rules.INNER_VERBS[other], generator),
            was={"one": "was", "many": "were"}[mine],
        )
        return _verb(
            mine, f"the {_pick(microworld_rules.ANIMALS[mine], generator)} {words}", generator
        )

    return make


def _nested(depth: int) -> Callable[[int, np.random.Generator], ProbeItem]:
    """Items with `depth` clauses inside each other; the verb just before has the other number."""

    def make(number: int, generator: np.random.Generator) -> ProbeItem:
        mine, other = _numbers(number)
        inner = [other, *(_pick(microworld_rules.NUMBERS, generator) for _ in range(depth - 1))]
        nouns = [f"the {_pick(microworld_rules.ANIMALS[n], generator)}" for n in (mine, *inner)]
        verbs = [_pick(microworld_rules.INNER_VERBS[n], generator) for n in reversed(inner)]
        return _verb(mine, " that ".join(nouns) + " " + " ".join(verbs), generator)

    return make


def _pronoun(
    *, new: bool, gaps: tuple[int, ...]
) -> Callable[[int, np.random.Generator], ProbeItem]:
    """Items about an animal and a place, in pairs known from training or `new`."""
    pairs = [
        pair
        for pair in product(microworld_rules.CREATURES, microworld_rules.WAYS)
        if (pair in microworld_rules.NEVER_TOGETHER) == new
    ]

    def make(number: int, generator: np.random.Generator) -> ProbeItem:
        creature, way = pairs[generator.integers(len(pairs))]
        adjectives = (
            microworld_rules.WAY_ADJECTIVES if number % 2 else microworld_rules.CREATURE_ADJECTIVES
        )
        statement = f"the {creature} didn't cross the {way}"
        if number // 2 % 2:
            statement = f"the {way} wasn't crossed by the {creature}"
        why = f"{statement} because it was too {_pick(adjectives, generator)} ."
        names = (way, creature) if number % 2 else (creature, way)
        return _named(why, names, gaps[number // 4 % len(gaps)], generator)

    return make


def _things(number: int, generator: np.random.Generator) -> ProbeItem:
    """Items about two things, where only the sentence tells which of them is too big or small."""
    load, holder = (
        _pick(microworld_rules.LOADS, generator),
        _pick(microworld_rules.HOLDERS, generator),
    )
    size = "small" if number % 2 else "big"
    statement = f"the {load} didn't fit in the {holder}"
    if number // 2 % 2:
        statement = f"the {holder} couldn't hold the {load}"
    names = (holder, load) if number % 2 else (load, holder)
    return _named(f"{statement} because it was too {size} .", names, number // 4 % 3, generator)


def _senses() -> Iterator[ProbeItem]:
    """Items in which the sentence before the word decides how the one after it ends."""
    for sentence, senses in microworld_rules.AMBIGUOUS_WORDS.values():
        for number, (before, after, nouns) in enumerate(senses):
            pairs = product(nouns.split(), senses[1 - number].nouns.split())
            for lead, (right, wrong) in product(("", "today", "yesterday"), pairs):
                prefix = f"{START} {lead} {before} {sentence} {after}".split()
                yield ProbeItem(tuple(prefix), right, wrong)


def _named(
    why: str, names: tuple[str, str], gaps: int, generator: np.random.Generator
) -> ProbeItem:
    between = [_pick(microworld_rules.GAPS, generator) for _ in range(gaps)]
    prefix = " ".join([START, why, *between, "the"])
    rest = f"{_pick(microworld_rules.NEUTRAL, generator)} . {END}"
    return ProbeItem(tuple(prefix.split()), *names, tuple(rest.split()))


def _verb(number: str, subject: str, generator: np.random.Generator) -> ProbeItem:
    which = int(generator.integers(len(microworld_rules.OUTER_VERBS[number])))
    one, many = (
        microworld_rules.OUTER_VERBS["one"][which],
        microworld_rules.OUTER_VERBS["many"][which],
    )
    right, wrong = (one, many) if number == "one" else (many, one)
    return ProbeItem((START, *subject.split()), right, wrong)


def _numbers(number: int) -> tuple[str, str]:
    return ("one", "many") if number % 2 == 0 else ("many", "one")


def _pick(words: list[str] | tuple[str, ...], generator: np.random.Generator) -> str:
    return words[generator.integers(len(words))]


_MAKERS: dict[str, Callable[[int, np.random.Generator], ProbeItem]] = {
    "near a place": _agree("near the {place}"),
    "that sees others": _agree("that {does} the {other}"),
    "that others see": _agree("that the {other} {do}"),
    "which was raced past": _agree("which {was} raced past the {place}"),
    **{f"{depth} clauses deep": _nested(depth) for depth in (2, 3, 4)},
    "pronoun": _pronoun(new=False, gaps=(0,)),
    "pronoun, then a gap": _pronoun(new=False, gaps=(1, 2)),
    "pronoun, new pair": _pronoun(new=True, gaps=(0,)),
    "pronoun, new pair, then a gap": _pronoun(new=True, gaps=(1, 2)),
    "pronoun for things": _things,
}
