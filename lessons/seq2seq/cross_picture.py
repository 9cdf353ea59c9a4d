"""The picture of cross-attention: the words of the source are columns, the decoder's steps rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

import numpy as np
from jaxtyping import Float64
from torch import Tensor
from typing_extensions import TypedDict as EventDict

from drawing.events import Place
from drawing.live import LiveNumbers, Slider
from drawing.payload import Script
from lmcore.attention.cross_steps import CrossSteps

BLOCKS, HEADS_OF_A_BLOCK = 2, 4
"""The shape of the encoder–decoder that comes with the application; a test checks it."""
HEADS = {
    f"{block}.{head}": f"{block}.{head}"
    for block in range(1, BLOCKS + 1)
    for head in range(1, HEADS_OF_A_BLOCK + 1)
} | {f"{block}.mean": f"{block}, mean" for block in range(1, BLOCKS + 1)}
MOST_PLACES = 12
"""The most words of a source, and steps, that have room."""


class CrossPayload(TypedDict):
    """What `lessons/seq2seq/cross.js` draws other than the numbers."""

    source: Sequence[str]
    read: Sequence[str]
    """What the decoder reads at each step."""
    written: Sequence[str]
    largest: Sequence[int]
    """For each step the place of the source with the largest weight, from 0."""
    step: int
    """The step that is framed, from 1."""


class CrossMoves(EventDict):
    """The step that is framed, from 1."""

    step: Place


CROSS = Script("cross", CrossPayload, ("a#.#", "step", "top", "p", "@say", "@formula"), CrossMoves)


def head_of(chosen: str) -> tuple[int, int | None]:
    """The block and the head of a choice, from 0; no head is the mean over all."""
    block, head = chosen.split(".")
    return int(block) - 1, None if head == "mean" else int(head) - 1


def live_numbers(
    found: CrossSteps, weights: Float64[Tensor, "time source"], step: int
) -> LiveNumbers:
    """The weights, and the step with its largest one at every position of the step's slider."""
    steps, places = weights.shape
    values = weights.numpy()
    every = {
        f"a{i + 1}.{j + 1}": np.full(steps, values[i, j]) for i, j in np.ndindex(steps, places)
    }
    row = np.arange(steps, dtype=float)
    every |= {"step": row + 1, "top": values.max(axis=1), "p": found.probability.numpy()}
    every |= {"@say": row, "@formula": row}
    table = np.stack(list(every.values()), axis=-1)
    slider = Slider(
        "step",
        "step i",
        "step i of the decoder",
        float(step),
        row + 1,
        help="The word that the decoder is writing",
        role="query",
    )
    return LiveNumbers("cross", tuple(every), table[step - 1], (slider,), [table])


def picture(
    found: CrossSteps, source: Sequence[str], weights: Float64[Tensor, "time source"], step: int
) -> CrossPayload:
    """The data of `cross.js` other than the numbers."""
    return {
        "source": source,
        "read": found.read,
        "written": found.written,
        "largest": weights.argmax(dim=1).tolist(),
        "step": step,
    }
