"""Two recorded runs, with E learned and with E frozen: their losses, and what the rows of E say."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple, TypedDict

import numpy as np
import torch
from jaxtyping import Int
from torch import Tensor
from typing_extensions import TypedDict as EventDict

from drawing.live import FloatArray, LiveNumbers, Slider
from drawing.payload import NumberArray, Script
from lessons.feedforward.neighbours import WORDS
from lmcore.embeddings.drift import GROUPS, Drift, load_recorded

RUNS = ("learned", "frozen")
"""The recorded runs by the names of their files."""


class Rows(NamedTuple):
    """A run, and for every snapshot the word that is nearest to each of `WORDS` among them."""

    run: Drift
    nearest: Int[Tensor, "snapshot word"]

    @property
    def right(self) -> Tensor:
        """Whether the nearest word is of the word's own group, snapshot × word."""
        return group_of(WORDS)[self.nearest] == group_of(WORDS)


def group_of(words: Sequence[str]) -> Int[Tensor, " word"]:
    """The group of each word, by its place among `GROUPS`."""
    places = {word: i for i, group in enumerate(GROUPS.values()) for word in group}
    return torch.tensor([places[word] for word in words])


@lru_cache(maxsize=1)
def runs() -> tuple[Rows, ...]:
    """Both runs, with the neighbours at every snapshot."""
    found = []
    for name in RUNS:
        run = load_recorded(name)
        places = [run.words.index(word) for word in WORDS]
        rows = torch.nn.functional.normalize(run.embedding[:, places].double(), dim=-1)
        cosines = rows @ rows.transpose(1, 2)
        cosines.diagonal(dim1=1, dim2=2).fill_(-torch.inf)
        found.append(Rows(run, cosines.argmax(-1)))
    return tuple(found)


class FrozenPayload(TypedDict):
    """The words and their groups, and both runs' losses at every snapshot."""

    words: Sequence[str]
    groups: list[str]
    groupOf: list[int]
    steps: list[int]
    losses: NumberArray
    """run × snapshot"""
    chosen: int


class FrozenWord(EventDict):
    """The word that was pressed."""

    word: str


FROZEN = Script(
    "frozen",
    FrozenPayload,
    (
        *("at", "step", "learned", "frozen", "words", "loss #", "gap"),
        *("right # #", "near #", "@say", "@formula"),
    ),
    FrozenWord,
)
"""`at` is the snapshot; `learned` and `frozen` count the words whose nearest word is of their own
group, `right r w` says of each whether it is; `near r` is the place of the word nearest to the
chosen one."""


def numbers(at: int, word: str) -> LiveNumbers:
    """Every number at a snapshot, and at each snapshot along the slider."""
    count = len(runs()[0].run.steps)
    rows = [snapshot_numbers(i, word) for i in range(count)]
    table: FloatArray = np.array([list(row.values()) for row in rows])
    slider = Slider("at", "snapshot", "snapshot of the runs", float(at), np.arange(float(count)),
                    "Before the first step, and after more and more of them", "loss")  # fmt: skip
    return LiveNumbers("frozen", tuple(rows[0]), table[at], (slider,), [table])


def snapshot_numbers(at: int, word: str) -> dict[str, float]:
    """The numbers at one snapshot."""
    learned, frozen = runs()
    losses = [float(each.run.losses[at]) for each in (learned, frozen)]
    gap = losses[1] - losses[0]
    found: dict[str, float] = {
        "at": at,
        "step": int(learned.run.steps[at]),
        "words": len(WORDS),
        "loss 0": losses[0],
        "loss 1": losses[1],
        "gap": gap,
        "@say": 0 if gap > 0 else 1,
        "@formula": 0,
    }
    for r, (name, each) in enumerate(zip(RUNS, (learned, frozen), strict=True)):
        right = each.right[at].tolist()
        found[name] = sum(right)
        found[f"near {r}"] = int(each.nearest[at, WORDS.index(word)])
        found |= {f"right {r} {w}": is_right for w, is_right in enumerate(right)}
    return {name: float(value) for name, value in found.items()}


def picture(word: str) -> FrozenPayload:
    """The data of `lessons/feedforward/frozen.js` other than the numbers."""
    return {
        "words": WORDS,
        "groups": list(GROUPS),
        "groupOf": group_of(WORDS).tolist(),
        "steps": runs()[0].run.steps.tolist(),
        "losses": torch.stack([each.run.losses for each in runs()]).numpy(),
        "chosen": WORDS.index(word),
    }
