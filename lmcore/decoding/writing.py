"""Greedy search and the random walk: a token at a time, the most probable or one that is drawn.

    greedy       x_{t+1} = argmax_w p(w | x_1 … x_t)
    random walk  x_{t+1} ~ p(· | x_1 … x_t), after the filters

A draw is a number u from 0 to 1, and the token at which the sum of the probabilities, in the order
of their ids, passes u. Text i of seed s has its own u's, one for each place: the same seed gives
the same text whatever is written beside it, and a token forced at one place leaves the luck of the
places after it as it was.

Source: lecture "How to use an LM for Generation": greedy search, random walk.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import torch
from jaxtyping import Bool, Float, Float64, Int
from torch import Tensor

from lmcore.configuration import configuration
from lmcore.decoding.filters import NO_FILTERS, Filters, Stage, apply_narrowing, apply_penalties
from lmcore.decoding.next_token import NextTokenModel, start_copies

LONGEST = 1024
"""Tokens that are written at most."""
SECONDS = 60.0
"""How long a text may take at most."""


def allowed_seconds(seconds: float) -> float:
    """So many seconds, or fewer where this server gives a text less."""
    return min(seconds, configuration().generation_seconds)


@dataclass(frozen=True, slots=True)
class SamplingConfig:
    """How tokens are chosen, and when to stop.

    `seeds` has one seed a text; None is greedy. `stop` are the tokens that end a text.
    """

    length: int
    stop: tuple[int, ...] = ()
    filters: Filters = NO_FILTERS
    seeds: tuple[int, ...] | None = None
    forced: Mapping[int, int] = field(default_factory=dict)
    """Token number from 0, after the prompt → the id that is put there."""
    seconds: float = SECONDS

    def __post_init__(self) -> None:
        """Raises ValueError naming what is out of bounds."""
        if not 1 <= self.length <= LONGEST:
            raise ValueError(f"the length must be from 1 to {LONGEST} tokens; got {self.length}")
        if not 0 < self.seconds <= SECONDS:
            raise ValueError(
                f"the time must be above 0 and at most {SECONDS:g} s; got {self.seconds:g}"
            )


@dataclass(frozen=True, slots=True)
class GenerationStep:
    """One step of all the texts, with everything that decided it."""

    stages: tuple[Stage, ...]
    """`model`, then whatever was done to the scores."""
    luck: Float64[Tensor, " batch"] | None
    """u; None where nothing is drawn."""
    tokens: Int[Tensor, " batch"]
    """What was chosen, or forced; in a text that has ended, its last token again."""
    ended: Bool[Tensor, " batch"]
    """Whether the text ends here, or ended before."""
    why: str
    """Why nothing is written after this step; empty while there is more."""


def generate_steps(
    model: NextTokenModel, prompt: Int[Tensor, "batch time"], how: SamplingConfig
) -> Iterator[GenerationStep]:
    """Go on after each prompt, a step at a time.

    The last step says why it is the last: `stop` (all texts have ended), `length`, `room` (the
    model has no place for more), `time`, or `nothing left` (the filters forbid every token; it
    chooses none, and its tokens are the last ones again).

    Raises:
        ValueError: if a prompt is empty or has no room to go on, or the seeds are not one a text.
    """
    batch, read = prompt.shape
    room = LONGEST if model.longest is None else model.longest - read
    _check(batch, read, room, how)
    luck = None if how.seeds is None else uniform_draws(how.seeds, how.length)
    started = time.monotonic()
    alike = batch > 1 and bool((prompt == prompt[:1]).all())
    scores, memory = start_copies(model, prompt[0], batch) if alike else model.start(prompt)
    texts, ended = prompt, torch.zeros(batch, dtype=torch.bool, device=prompt.device)
    for n in range(how.length):
        u = None if luck is None else luck[:, n]
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
    model: NextTokenModel, prompt: Int[Tensor, "batch time"], how: SamplingConfig
) -> list[list[int]]:
    """The tokens after each prompt, an ending one included.

    Raises:
        ValueError: as `generate_steps`.
    """
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
    """The scores, and what the filters make of them; those of chance only where one is drawn."""
    stages = [Stage("model", scores), *apply_penalties(scores, texts, filters)]
    if drawing:
        stages += apply_narrowing(stages[-1].scores, filters)
    return tuple(stages)


def most_probable(scores: Float[Tensor, "batch vocabulary"]) -> Int[Tensor, " batch"]:
    """The token with the largest score, the first of those that tie."""
    return scores.argmax(dim=-1)


def sample_tokens(
    scores: Float[Tensor, "batch vocabulary"], luck: Float64[Tensor, " batch"]
) -> Int[Tensor, " batch"]:
    """The first token up to which the probabilities sum to more than u."""
    total = scores.double().softmax(dim=-1).cumsum(dim=-1)
    # The sum of all is 1 but for rounding; u of it never lies beyond the last token there is.
    wanted = (luck.to(total.device) * total[:, -1])[:, None]
    return torch.searchsorted(total, wanted, right=True)[:, 0]


def uniform_draws(seeds: Sequence[int], length: int) -> Float64[Tensor, "batch length"]:
    """u for each text and place."""
    rows = [
        torch.rand(length, dtype=torch.float64, generator=torch.Generator().manual_seed(seed))
        for seed in seeds
    ]
    return torch.stack(rows)


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
