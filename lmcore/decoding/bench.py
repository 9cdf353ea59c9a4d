"""Benchmark of decoding strategies over many seeds: likelihood, grammaticality, diversity, speed.

    mean log p    Σ log p / number of tokens, over all texts, under the generating model
    perplexity    exp(−mean log p); under the grammar, with the grammar's p of the same tokens
    distinct-n    different n-grams / all n-grams, over all texts of a strategy (Li et al. 2016)
    repetition    1 − different / all n-grams of one text, n = 4, the mean over texts: seq-rep-4
                  (Welleck et al. 2020)

A random strategy generates one text per seed, a deterministic one a single text. The token that
ends a text counts for probabilities, but not as a word of an n-gram.

Source: Li et al. 2016, A Diversity-Promoting Objective Function; Welleck et al. 2020, Neural Text
Generation with Unlikelihood Training.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import torch
from jaxtyping import Float, Float64, Int
from torch import Tensor

from lmcore import dataframes
from lmcore.corpora.automaton import Automaton
from lmcore.decoding import beam, token_by_token
from lmcore.decoding.next_token import NextTokenModel, log_p
from lmcore.decoding.strategies import Strategy, StrategySettings
from lmcore.decoding.writer import Writer

if TYPE_CHECKING:
    from pandas import DataFrame

MOST_SEEDS = 50
GRAMS = (1, 2, 3)
"""n of distinct-n."""
REPEATED = 4
"""n of the n-grams whose repetition is counted."""
SECONDS_EACH = 20.0
"""After this time a strategy begins no further text; it always generates the first."""

Texts = Sequence[Sequence[int]]


@dataclass(frozen=True, slots=True)
class StrategyResult:
    """The measures of one strategy; NaN where there is no grammar, or no n-gram."""

    strategy: str
    texts: tuple[tuple[int, ...], ...]
    tokens: int
    mean_log_p: float
    perplexity: float
    true_perplexity: float
    """Perplexity of all texts under the grammar: ∞ if any of them is ungrammatical."""
    finite_perplexity: float
    """Perplexity of the grammatical texts only."""
    grammatical: float
    """Share of texts that ended and that the grammar allows."""
    ended: float
    """Share of texts that ended within the length limit."""
    distinct: tuple[float, ...]
    """distinct-n for each n of `GRAMS`."""
    repetition: float
    seconds: float = field(compare=False)
    """Measured time of generation alone, without the evaluation."""

    def to_frame(self) -> DataFrame:
        """One row, under the titles of the page's bench; nan where there is no grammar."""
        return dataframes.one_row(
            {
                "strategy": self.strategy,
                "texts": len(self.texts),
                "tokens": self.tokens,
                "mean log p": self.mean_log_p,
                "perplexity": self.perplexity,
                "by grammar": self.true_perplexity,
                "allowed only": self.finite_perplexity,
                "grammatical": self.grammatical,
                "ended": self.ended,
                **{f"distinct-{n}": each for n, each in zip(GRAMS, self.distinct, strict=True)},
                "repeats": self.repetition,
                "seconds": self.seconds,
            }
        )


@dataclass(frozen=True, slots=True)
class ProgressAdapter:
    """A `NextTokenModel` that reports every token it reads."""

    model: NextTokenModel
    on_token: Callable[[], object]

    @property
    def longest(self) -> int | None:
        """As the model's."""
        return self.model.longest

    def start(
        self, tokens: Int[Tensor, "batch time"]
    ) -> tuple[Float[Tensor, "batch vocabulary"], Any]:
        """As the model's."""
        self.on_token()
        return self.model.start(tokens)

    def step(
        self, tokens: Int[Tensor, " batch"], memory: Any
    ) -> tuple[Float[Tensor, "batch vocabulary"], Any]:
        """As the model's."""
        self.on_token()
        return self.model.step(tokens, memory)

    def select(self, memory: Any, rows: Int[Tensor, " kept"]) -> Any:
        """As the model's."""
        return self.model.select(memory, rows)


def seeds_from(first: int, count: int) -> tuple[int, ...]:
    """`count` consecutive seeds.

    Raises:
        ValueError: if there are none, or too many.
    """
    if not 1 <= count <= MOST_SEEDS:
        raise ValueError(f"the number of seeds must be from 1 to {MOST_SEEDS}; got {count}")
    return tuple(range(first, first + count))


def measure_strategy(
    writer: Writer,
    prompt: Int[Tensor, " time"],
    strategy: Strategy,
    settings: StrategySettings,
    seeds: tuple[int, ...],
    length: int,
    on_token: Callable[[], object] | None = None,
) -> StrategyResult:
    """Generate one text per seed with one strategy, and measure them.

    `on_token` is called after every token, so that a caller can show the progress, or end the
    generation by raising an exception.

    Raises:
        ValueError: if the length or a setting is out of bounds, or the prompt leaves no room.
    """
    if on_token is not None:
        writer = replace(writer, model=ProgressAdapter(writer.model, on_token))
    began = time.perf_counter()
    texts = _written(writer, prompt, strategy, settings, seeds, length)
    seconds = time.perf_counter() - began
    words = [[i for i in text if i not in writer.stop] for text in texts]
    own = torch.cat(log_p(writer.model, prompt, texts))
    true = _under(writer.truth, prompt, texts)
    whole = [bool(text) and text[-1] in writer.stop for text in texts]
    grammatical = [each for each in true if bool(each.isfinite().all())]
    right = [ends and bool(each.isfinite().all()) for ends, each in zip(whole, true, strict=False)]
    return StrategyResult(
        strategy.name,
        tuple(tuple(text) for text in texts),
        sum(map(len, texts)),
        _mean(own),
        math.exp(-_mean(own)),
        math.exp(-_mean(torch.cat(true))) if true else math.nan,
        math.exp(-_mean(torch.cat(grammatical))) if grammatical else math.nan,
        sum(right) / len(right) if right else math.nan,
        sum(whole) / len(whole),
        tuple(distinct(words, n) for n in GRAMS),
        repetition(words),
        seconds,
    )


def distinct(texts: Texts, n: int) -> float:
    """Different n-grams over all n-grams of the texts together; NaN if there are none."""
    grams = [gram for text in texts for gram in _grams(text, n)]
    return len(set(grams)) / len(grams) if grams else math.nan


def repetition(texts: Texts, n: int = REPEATED) -> float:
    """The share of a text's n-grams that occurred in it before; the mean over texts with any."""
    shares = [1 - len(set(grams)) / len(grams) for text in texts if (grams := _grams(text, n))]
    return sum(shares) / len(shares) if shares else math.nan


def _grams(text: Sequence[int], n: int) -> list[tuple[int, ...]]:
    return [tuple(text[i : i + n]) for i in range(len(text) - n + 1)]


def _written(
    writer: Writer,
    prompt: Int[Tensor, " time"],
    strategy: Strategy,
    settings: StrategySettings,
    seeds: tuple[int, ...],
    length: int,
) -> list[list[int]]:
    """One text per seed, or a single one if the strategy is deterministic."""
    used, seconds = (
        seeds if strategy.draws else seeds[:1],
        token_by_token.allowed_seconds(SECONDS_EACH),
    )
    if strategy.kind in ("greedy", "walk"):
        how = strategy.sampling_config(
            settings, used[0], length=length, stop=writer.stop, seconds=seconds
        )
        how = replace(how, seeds=used if strategy.draws else None)
        return token_by_token.generate(writer.model, prompt.expand(len(used), -1), how)
    texts: list[list[int]] = []
    began = time.monotonic()
    for seed in used:
        if texts and time.monotonic() - began > seconds:
            break
        search = strategy.search(settings, seed, length, writer.stop, seconds=seconds)
        steps = list(beam.search(writer.model, prompt, search))
        ended = beam.finished_beams(steps)
        best = max(ended, key=lambda each: each.score(search.length_penalty), default=None)
        texts.append([] if best is None else list(best.tokens))
    return texts


def _under(
    truth: Automaton | None, prompt: Int[Tensor, " time"], texts: Texts
) -> list[Float64[Tensor, " token"]]:
    """log p of each token under the grammar; empty without a grammar."""
    if truth is None:
        return []
    scored = []
    for text in texts:
        ids = torch.cat([prompt.cpu(), torch.tensor(text, dtype=prompt.dtype)])
        rows = truth.log_probabilities(ids)
        places = torch.arange(len(prompt) - 1, len(ids) - 1)
        scored.append(rows[places, ids[len(prompt) :]])
    return scored


def _mean(log_p: Float64[Tensor, " token"]) -> float:
    return float(log_p.mean())
