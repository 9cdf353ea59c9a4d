"""Greedy search and sampling, token by token, with every step recorded.

    greedy       x_{t+1} = argmax_w p(w | x_1 … x_t)
    random walk  x_{t+1} ~ p(· | x_1 … x_t), after the filters

A draw takes a uniform number u and selects the token at which the cumulative probability, in the
order of ids, exceeds u. Every seed has its own u's, one per position: a seed gives the same text in
every batch, and forcing a token at one position does not change the u's of later ones.

Source: lecture "How to use an LM for Generation": greedy search, random walk.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import torch
from jaxtyping import Bool, Float, Float64, Int
from torch import Tensor

from lmcore import dataframes
from lmcore.checks import check_row, check_whole
from lmcore.configuration import configuration
from lmcore.decoding.filters import NO_FILTERS, Filters, Stage, apply_narrowing, apply_penalties
from lmcore.decoding.next_token import NextTokenModel, next_token_model, start_copies
from lmcore.models.language_model import LanguageModel
from lmcore.token_ids import TextsIds, texts_ids

if TYPE_CHECKING:
    from pandas import DataFrame

    from lmcore.vocabulary import Vocabulary

LONGEST = 1024
"""The most tokens that are generated."""
SECONDS = 60.0
"""The longest time limit of a text."""


def allowed_seconds(seconds: float) -> float:
    """`seconds`, or fewer if this server's limit is lower."""
    return min(seconds, configuration().generation_seconds)


@dataclass(frozen=True, slots=True)
class SamplingConfig:
    """How tokens are chosen, and when to stop.

    `seeds` has one seed per text; None is greedy. `stop` holds the tokens that end a text.
    """

    length: int
    stop: tuple[int, ...] = ()
    filters: Filters = NO_FILTERS
    seeds: tuple[int, ...] | None = None
    forced: Mapping[int, int] = field(default_factory=dict)
    """Index from 0 after the prompt → the id that is forced there."""
    seconds: float = SECONDS

    def __post_init__(self) -> None:
        """Raises ValueError naming what is out of bounds."""
        if type(self.length) is not int or not 1 <= self.length <= LONGEST:
            raise ValueError(f"the length must be from 1 to {LONGEST} tokens; got {self.length!r}")
        if not 0 < self.seconds <= SECONDS:
            raise ValueError(
                f"the time must be above 0 and at most {SECONDS:g} s; got {self.seconds:g}"
            )
        if self.seeds is not None:
            check_row("seeds", self.seeds, "(1,) for one text")
            for seed in self.seeds:
                check_whole("a seed", seed)
            object.__setattr__(self, "seeds", tuple(int(seed) for seed in self.seeds))
        check_row("stop", self.stop, "(1,) for one token")


@dataclass(frozen=True, slots=True)
class GenerationStep:
    """One step of all texts, with everything that decided it."""

    stages: tuple[Stage, ...]
    """`model`, then every filter that was applied to the scores."""
    uniforms: Float64[Tensor, " batch"] | None
    """u; None where nothing is drawn."""
    tokens: Int[Tensor, " batch"]
    """The chosen or forced token; in an ended text its last token again."""
    ended: Bool[Tensor, " batch"]
    """Whether the text ends here, or ended before."""
    why: str
    """Why generation stops after this step; empty if it continues."""

    def to_frame(self, vocabulary: Vocabulary | None = None) -> DataFrame:
        """One row per text and token: batch, token, p after each stage, chosen.

        Stages are `model`, then the filters that were applied. Tokens are ids, or words if the
        vocabulary is given. If no token is left, none is chosen.
        """
        batch, types = self.stages[0].scores.shape
        p = {stage.name: stage.scores.double().softmax(-1).nan_to_num(0.0) for stage in self.stages}
        chosen = torch.zeros(batch, types, dtype=torch.bool)
        if self.why != "nothing left":
            chosen[range(batch), self.tokens.cpu()] = True
        found = dataframes.entries("batch token", p | {"chosen": chosen})
        found["token"] = dataframes.token_names(found["token"], vocabulary)
        return found


def generate_steps(
    model: NextTokenModel | LanguageModel, prompt: TextsIds, how: SamplingConfig
) -> Iterator[GenerationStep]:
    """Continue each prompt, one step at a time.

    The last step has the reason: `stop` (all texts have ended), `length`, `room` (the model has no
    position left), `time`, or `nothing left` (the filters removed every token; that step chooses
    none, and repeats the last tokens).

    Raises:
        ValueError: if a prompt is empty, leaves no room or has a token that is not an id, or there
            is not one seed per text.
    """
    if not isinstance(how, SamplingConfig):
        raise ValueError(f"how must be a SamplingConfig; got {how!r:.60}")
    prompt = texts_ids(prompt)
    if not isinstance(model, NextTokenModel):
        check_known(prompt, model)
        model = next_token_model(model)
    batch, read = prompt.shape
    room = LONGEST if model.longest is None else model.longest - read
    _check(batch, read, room, how)
    uniforms = None if how.seeds is None else uniform_draws(how.seeds, how.length)
    started = time.monotonic()
    alike = batch > 1 and bool((prompt == prompt[:1]).all())
    scores, memory = start_copies(model, prompt[0], batch) if alike else model.start(prompt)
    texts, ended = prompt, torch.zeros(batch, dtype=torch.bool, device=prompt.device)
    for n in range(how.length):
        u = None if uniforms is None else uniforms[:, n]
        stages = filter_stages(scores, texts, how.filters, drawing=u is not None)
        last = stages[-1].scores
        if not (last.amax(dim=-1) > -math.inf).logical_or(ended).all():
            yield GenerationStep(stages, u, texts[:, -1], ended, "nothing left")
            return
        tokens = most_probable(last) if u is None else sample_tokens(last, u)
        if n in how.forced:
            tokens = torch.full_like(tokens, how.forced[n])
        tokens = torch.where(ended, texts[:, -1], tokens)
        for each in how.stop:
            ended = ended | (tokens == each)
        texts = torch.cat([texts, tokens[:, None]], dim=1)
        why = _why(bool(ended.all()), n + 1 == how.length, n + 1 > room, how.seconds, started)
        yield GenerationStep(stages, u, tokens, ended, why)
        if why:
            return
        scores, memory = model.step(tokens, memory)


def generate(
    model: NextTokenModel | LanguageModel, prompt: TextsIds, how: SamplingConfig
) -> list[list[int]]:
    """The tokens generated after each prompt, an ending one included.

    A single prompt gives a list with one text.

    Raises:
        ValueError: as `generate_steps`.
    """
    prompt = texts_ids(prompt)
    steps = list(generate_steps(model, prompt, how))
    if steps[-1].why == "nothing left":
        steps.pop()
    texts: list[list[int]] = []
    for row in range(len(prompt)):
        ends = [n for n, step in enumerate(steps) if bool(step.ended[row])]
        until = ends[0] + 1 if ends else len(steps)
        texts.append([int(step.tokens[row]) for step in steps[:until]])
    return texts


def filter_stages(
    scores: Float[Tensor, "batch vocabulary"],
    texts: Int[Tensor, "batch time"],
    filters: Filters,
    *,
    drawing: bool,
) -> tuple[Stage, ...]:
    """The scores after each filter; the narrowing filters only with `drawing`."""
    stages = [Stage("model", scores), *apply_penalties(scores, texts, filters)]
    if drawing:
        stages += apply_narrowing(stages[-1].scores, filters)
    return tuple(stages)


def most_probable(scores: Float[Tensor, "batch vocabulary"]) -> Int[Tensor, " batch"]:
    """The token with the largest score; of ties the first."""
    return scores.argmax(dim=-1)


def sample_tokens(
    scores: Float[Tensor, "batch vocabulary"], uniforms: Float64[Tensor, " batch"]
) -> Int[Tensor, " batch"]:
    """The first token up to which the probabilities sum to more than u."""
    total = scores.double().softmax(dim=-1).cumsum(dim=-1)
    # The total is 1 up to rounding; scaled by it, u never exceeds the last possible token.
    wanted = (uniforms.to(total.device) * total[:, -1])[:, None]
    return torch.searchsorted(total, wanted, right=True)[:, 0]


def uniform_draws(seeds: Sequence[int], length: int) -> Float64[Tensor, "batch length"]:
    """u for each text and place."""
    rows = [
        torch.rand(length, dtype=torch.float64, generator=torch.Generator().manual_seed(seed))
        for seed in seeds
    ]
    return torch.stack(rows)


def check_known(prompt: Int[Tensor, "*batch time"], model: LanguageModel) -> None:
    """Raises ValueError if `model` is not a language model, or a token is not an id of it."""
    if not isinstance(model, LanguageModel):
        raise ValueError(f"a model must be a language model; got {model!r:.60}")
    types = len(model.vocabulary)
    wrong = prompt[(prompt < 0) | (prompt >= types)]
    if len(wrong):
        raise ValueError(f"a token must be an id from 0 to {types - 1}; got {int(wrong[0])}")


def _check(batch: int, read: int, room: int, how: SamplingConfig) -> None:
    if not (batch and read):
        raise ValueError("a prompt must have at least one token to go on from; got none")
    if room < 0:
        raise ValueError(f"a prompt must leave room for a token; it is {-room} tokens too long")
    if how.seeds is not None and len(how.seeds) != batch:
        raise ValueError(f"there must be a seed for each of {batch} texts; got {len(how.seeds)}")


def _why(ended: bool, enough: bool, full: bool, seconds: float, started: float) -> str:
    if ended:
        return "stop"
    if enough:
        return "length"
    if full:
        return "room"
    return "time" if time.monotonic() - started > seconds else ""
