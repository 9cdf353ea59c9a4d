"""Estimates the cost of a run before it starts: operations, seconds, weights."""

from __future__ import annotations

import math

from lmcore.configuration import configuration
from lmcore.training.spec import RunSpec

MAX_STEP_SECONDS = 0.2
"""The longest step in seconds, so that Stop takes effect at once."""
MAX_STEP_OPERATIONS = {"cpu": 4e9, "cuda": 2e12, "mps": 5e10}
"""The approximate number of operations of each kind of device in that time."""
OPERATIONS_PER_LOGIT, OPERATIONS_PER_CALL = 200, 5e6
"""The cost of softmax, loss and memory per logit, and of the calls per layer and time step, as the
number of matrix-product operations that take as long on a CPU."""
CALLS_OF_A_DECODER = 4
"""A step of an encoder and one of a decoder with attention together make as many calls as this
number of steps of a recurrent layer."""
CALLS_OF_A_BLOCK = 5
"""A Transformer block makes as many calls as this number of steps of a recurrent layer."""


def operations(spec: RunSpec, vocabulary: int, tokens: int) -> float:
    """The approximate cost of one training step in floating-point operations.

    6 × weights used × tokens, as a lookup in E is free; plus a cost per logit, and per layer and
    time step.
    """
    model, each = spec.model, tokens / spec.batch
    weights = model.config(vocabulary).parameters - vocabulary * model.embedding
    times = 0.0 if model.kind == "feedforward" else model.layers * each
    if model.kind == "seq2seq":
        # Each half of the weights reads its half of the tokens; only a target has logits.
        weights = (weights - vocabulary * model.embedding) // 2
        return (
            6.0 * weights * tokens
            + OPERATIONS_PER_LOGIT * vocabulary * tokens / 2
            + OPERATIONS_PER_CALL * CALLS_OF_A_DECODER * each / 2
        )
    if model.kind == "encoder_decoder":
        # A token is of the source or the target, so it meets half of the weights, and half of the
        # tokens have logits; a layer of the decoder has two attentions.
        products = 3 * model.layers * model.embedding * int(each / 2)
        return (
            6.0 * (weights / 2 + products) * tokens
            + (6.0 * model.embedding + OPERATIONS_PER_LOGIT) * vocabulary * tokens / 2
            + OPERATIONS_PER_CALL * 2.5 * CALLS_OF_A_BLOCK * model.layers
        )
    if model.uses_attention:
        # U is Eᵀ; attention takes two products of all pairs of positions.
        weights += vocabulary * model.embedding + 2 * model.layers * model.embedding * int(each)
        times = CALLS_OF_A_BLOCK * model.layers
    return (
        6.0 * weights * tokens
        + OPERATIONS_PER_LOGIT * vocabulary * tokens
        + OPERATIONS_PER_CALL * times
    )


def step_seconds(spec: RunSpec, vocabulary: int, tokens: int, device: str) -> float:
    """The approximate time of one training step on that kind of device."""
    return MAX_STEP_SECONDS * operations(spec, vocabulary, tokens) / MAX_STEP_OPERATIONS[device]


def check_affordable(spec: RunSpec, vocabulary: int, tokens: int, device: str) -> None:
    """Reject a model too large to save often, or a step too slow for Stop to take effect.

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
            f"one step must take at most {MAX_STEP_SECONDS:g} s on this {device.upper()}, so that "
            f"Stop is obeyed; got about {math.ceil(100 * seconds) / 100:,g} s: choose a smaller "
            "batch, length, hidden size or number of layers"
        )
