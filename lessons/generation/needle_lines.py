"""The lines on which a random walk draws: one per token, with the number that fell on it."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import torch
from jaxtyping import Float64, Int64
from torch import Tensor

from lmcore.decoding.continuations import SECONDS
from lmcore.decoding.token_by_token import (
    GenerationStep,
    SamplingConfig,
    allowed_seconds,
    generate_steps,
    most_probable,
    sample_tokens,
)
from lmcore.decoding.writer import Writer

DECIMALS = 4
LAST = 0.9999
"""The last position of the needle: u is below 1."""
POSITIONS = 201
"""The number of positions of the needle."""
MOST_PARTS = 12
LEAST_PART = 0.003
"""A part of a line is drawn as one if it is this long, and is among the `MOST_PARTS` longest."""


class LinePart(NamedTuple):
    """A token's part of a line, from `low` to `high`."""

    token: int
    low: float
    high: float


class DrawnLine(NamedTuple):
    """One step of a walk: the line, where its number fell, and the token there."""

    parts: tuple[LinePart, ...]
    """The long ones, in the order of the ids, and in any case that of the token drawn."""
    u: float
    drawn: LinePart
    widest: LinePart


class Walk(NamedTuple):
    """All lines of a text, and what the first one gives at every position of the needle."""

    lines: tuple[DrawnLine, ...]
    at: Float64[Tensor, " position"]
    tokens: Int64[Tensor, " position"]
    """The token under the needle."""
    low: Float64[Tensor, " position"]
    high: Float64[Tensor, " position"]
    """The ends of its part."""
    end: str
    """Why the text ends."""


def walk(
    writer: Writer, prompt: tuple[int, ...], seed: int, length: int, needle: float | None
) -> Walk:
    """The walk of a seed; `needle`, if there is one, is in the place of its first number."""
    how = SamplingConfig(length, writer.stop, seeds=(seed,), seconds=allowed_seconds(SECONDS))
    ids = torch.tensor(prompt)[None]
    steps = list(generate_steps(writer.model, ids, how))
    first = steps[0].stages[-1].scores
    if needle is None:
        u = _short(float(_uniform(steps[0])), *_ends(first[0]), int(steps[0].tokens[0]))
    else:
        u = needle
        token = int(sample_tokens(first, torch.tensor([needle], dtype=torch.float64))[0])
        steps = list(generate_steps(writer.model, ids, replace(how, forced={0: token})))
    positions = needle_positions(u)
    tokens = sample_tokens(first.expand(POSITIONS, -1), positions)
    low, high = _ends(first[0])
    lines = [_line(step, u if n == 0 else float(_uniform(step))) for n, step in enumerate(steps)]
    return Walk(tuple(lines), positions, tokens, low[tokens], high[tokens], steps[-1].why)


def _short(u: float, low: Tensor, high: Tensor, token: int) -> float:
    """u as it is printed, if that is in the same part of the line."""
    short = round(u, DECIMALS)
    return short if low[token] <= short < high[token] else u


def needle_positions(u: float) -> Float64[Tensor, " position"]:
    """An even grid from 0 to just below 1, in which `u` replaces the nearest position."""
    positions = torch.linspace(0, 1, POSITIONS, dtype=torch.float64).clamp(max=LAST)
    positions[(positions - u).abs().argmin()] = u
    return positions


def _uniform(step: GenerationStep) -> Tensor:
    assert step.uniforms is not None  # a walk draws at every step
    return step.uniforms[0]


def _ends(scores: Tensor) -> tuple[Tensor, Tensor]:
    """Where the part of each token begins and ends, in the order of the ids."""
    line = scores.double().cpu().softmax(dim=-1).cumsum(dim=-1)
    high = line / line[-1]
    return torch.cat([high.new_zeros(1), high[:-1]]), high


def _line(step: GenerationStep, u: float) -> DrawnLine:
    scores = step.stages[-1].scores
    low, high = _ends(scores[0])
    longest = (high - low).topk(min(MOST_PARTS, len(low)))
    drawn, widest = int(step.tokens[0]), int(most_probable(scores)[0])
    long = longest.indices[longest.values >= LEAST_PART].tolist()

    def part(token: int) -> LinePart:
        return LinePart(token, float(low[token]), float(high[token]))

    parts = tuple(part(token) for token in sorted({*long, drawn, widest}))
    return DrawnLine(parts, u, part(drawn), part(widest))
