"""What a run takes: operations, seconds and weights, told beforehand."""

from __future__ import annotations

import math

from lmcore.configuration import configuration
from lmcore.training.spec import RunSpec

MAX_STEP_SECONDS = 0.2
"""Seconds a step may take, so that a stop is obeyed at once."""
MAX_STEP_OPERATIONS = {"cpu": 4e9, "cuda": 2e12, "mps": 5e10}
"""Operations that each kind of device makes in that time, about."""
OPERATIONS_PER_LOGIT, OPERATIONS_PER_CALL = 200, 5e6
"""What softmax, loss and memory take for one logit, and the calls for one layer at one time, in
operations of a matrix product that take as long on a CPU."""
CALLS_OF_A_BLOCK = 5
"""A block of a Transformer takes as many calls as so many steps of a recurrent layer."""


def operations(spec: RunSpec, vocabulary: int, tokens: int) -> float:
    """Floating-point operations of one training step, or what takes as long, about.

    6 × weights used × tokens, as looking a row up in E costs nothing; besides, something for each
    logit, and for each layer at each time.
    """
    model, each = spec.model, tokens / spec.batch
    weights = model.config(vocabulary).parameters - vocabulary * model.embedding
    times = 0.0 if model.kind == "feedforward" else model.layers * each
    if model.attends:
        # U is Eᵀ; and each place looks at every other, twice, at all places at once.
        weights += vocabulary * model.embedding + 2 * model.layers * model.embedding * int(each)
        times = CALLS_OF_A_BLOCK * model.layers
    return (
        6.0 * weights * tokens
        + OPERATIONS_PER_LOGIT * vocabulary * tokens
        + OPERATIONS_PER_CALL * times
    )


def step_seconds(spec: RunSpec, vocabulary: int, tokens: int, device: str) -> float:
    """About what one training step takes on that kind of device."""
    return MAX_STEP_SECONDS * operations(spec, vocabulary, tokens) / MAX_STEP_OPERATIONS[device]


def check_affordable(spec: RunSpec, vocabulary: int, tokens: int, device: str) -> None:
    """Refuse a model too large to be saved often, or a step too dear to stop when told.

    Raises:
        ValueError: naming its size or time, the limit and what to make smaller.
    """
    # Of 5,000,000, with Adam's two numbers for each, a checkpoint has 60 MB, written while others
    # wait.
    weights, most = spec.model.config(vocabulary).parameters, configuration().weights
    if weights > most:
        raise ValueError(
            f"the model must have at most {most:,} weights; got {weights:,}: choose a "
            "smaller embedding, hidden size or number of layers"
        )
    seconds = step_seconds(spec, vocabulary, tokens, device)
    if seconds > MAX_STEP_SECONDS:
        raise ValueError(
            f"one step must take at most {MAX_STEP_SECONDS:g} s on this {device.upper()}, so that Stop "
            f"is obeyed; got about {math.ceil(100 * seconds) / 100:,g} s: choose a smaller batch, "
            "length, hidden size or number of layers"
        )
