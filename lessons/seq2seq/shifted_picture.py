"""The decoder in training and alone: the target shifted by one, and the words it writes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import TypedDict

import numpy as np
from typing_extensions import TypedDict as EventDict

from drawing.events import Place
from drawing.live import LiveNumbers, Slider, quoted
from drawing.payload import Script
from lmcore.vocabulary import START


@dataclass(frozen=True, slots=True)
class Shifted:
    """A target and what a model writes, both with `</s>`, and p of each target word in training."""

    target: Sequence[str]
    written: Sequence[str]
    chances: Sequence[float]
    step: int

    @property
    def read(self) -> list[str]:
        """The true words that the decoder reads in training."""
        return [START, *self.target[:-1]]

    @property
    def own(self) -> list[str]:
        """The words that the decoder reads when it runs free."""
        return [START, *self.written[:-1]]


class ShiftedPayload(TypedDict):
    """What `lessons/seq2seq/shifted.js` draws other than the numbers."""

    target: Sequence[str]
    written: Sequence[str]
    start: str
    model: str


class ShiftedMoves(EventDict):
    """The step that is framed, from 1."""

    step: Place


SHIFTED = Script(
    "shifted", ShiftedPayload, ("p#", "loss", "step", "@say", "@formula"), ShiftedMoves
)


def numbers(shown: Shifted) -> LiveNumbers:
    """p of every target word and their loss, at every position of the step's slider."""
    steps = len(shown.target)
    row = np.arange(steps, dtype=float)
    every = {f"p{i}": np.full(steps, p) for i, p in enumerate(shown.chances, start=1)}
    every["loss"] = np.full(steps, -np.mean(np.log(shown.chances)))
    every |= {"step": row + 1, "@say": row, "@formula": row}
    table = np.stack(list(every.values()), axis=-1)
    slider = Slider(
        "step",
        "step i",
        "step i of the decoder",
        float(shown.step),
        row + 1,
        help="What is read and what is to be predicted",
        role="query",
    )
    return LiveNumbers("shifted", tuple(every), table[shown.step - 1], (slider,), [table])


def picture(shown: Shifted, model: str) -> ShiftedPayload:
    """The data of `shifted.js` other than the numbers."""
    return {
        "target": shown.target,
        "written": shown.written,
        "start": START,
        "model": model,
    }


def sentences(shown: Shifted) -> list[str]:
    """What happens at each step, in training and alone."""
    return [_sentence(shown, i) for i in range(len(shown.target))]


def _sentence(shown: Shifted, i: int) -> str:
    read, target = quoted(shown.read[i]), quoted(shown.target[i])
    said = f"Step {i + 1} reads the true word **{read}**; for **{target}** p is =={{p{i + 1}}}==."
    own = shown.own[i] if i < len(shown.own) else ""
    written = shown.written[i] if i < len(shown.written) else ""
    if own and own != shown.read[i]:
        return f"{said} Alone, it reads its own **{quoted(own)}**."
    if written and written != shown.target[i]:
        return f"{said} Alone, it writes **{quoted(written)}**."
    return said


def formulas(shown: Shifted) -> list[list[str]]:
    """The loss of the text, with the term of each step."""
    steps = len(shown.target)
    return [
        [
            f"loss = −(1 / {steps}) Σ log p(yᵢ) = {{loss}} nats",
            f"step {i}: p = {{p{i}}}",
        ]
        for i in range(1, steps + 1)
    ]


def describe(shown: Shifted, model: str) -> str:
    """The text alternative."""
    pairs = zip(shown.read, shown.target, strict=True)
    rows = "; ".join(
        f"{i}: reads {quoted(read)}, target {quoted(target)}, p {{p{i}}}"
        for i, (read, target) in enumerate(pairs, start=1)
    )
    return (
        f"The decoder, {model}. In training, step by step: {rows}. Alone it writes: "
        f"{quoted(' '.join(shown.written))}."
    )


def parts_at(shown: Shifted) -> int | None:
    """The first step, from 1, at which the model alone writes another word than the target."""
    pairs = enumerate(zip_longest(shown.written, shown.target), start=1)
    return next((i for i, (own, true) in pairs if own != true), None)
