"""The gradient of one loss back through the chain of states: its norm at each, and a cut."""

from __future__ import annotations

from typing import NamedTuple, TypedDict

import numpy as np
from jaxtyping import Float
from torch import Tensor

from drawing.live import FloatArray, LiveNumbers, Slider
from drawing.payload import Script


class Back(NamedTuple):
    """The words of a text, and the norm of the gradient of each loss by each state."""

    words: tuple[str, ...]
    """What each state has read, and after the last the word that the last loss asks for."""
    norms: Float[Tensor, "loss time"]

    @property
    def losses(self) -> int:
        """How many losses the text has."""
        return len(self.norms)

    def kept(self, t: int, cut: int) -> float:
        """The share of the sum of norms of loss t that the last `cut` states have; t from 1."""
        row = self.norms[t - 1, :t].double()
        whole = float(row.sum())
        return float(row[max(t - cut, 0) :].sum()) / whole if whole else 1.0


class BackPayload(TypedDict):
    """The words that the states have read, one after the other, and the word after them."""

    words: list[str]


BACK = Script("back", BackPayload, ("t", "cut", "kept", "terms", "first", "last", "n #", "@say"))


def numbers(found: Back, t: int, cut: int) -> LiveNumbers:
    """The numbers of loss t, cut after `cut` steps, and along both sliders; both from 1."""
    count = found.losses
    names = (
        "t",
        "cut",
        "kept",
        "terms",
        "first",
        "last",
        "@say",
        *(f"n {k}" for k in range(count)),
    )

    def row(t: int, cut: int) -> list[float]:
        norms = found.norms[t - 1].double().tolist()
        ends = [norms[0], norms[t - 1]]
        return [
            float(t),
            float(cut),
            found.kept(t, cut),
            float(min(cut, t)),
            *ends,
            float(t - 1 if cut >= t else count + t - 1),
            *norms,
        ]

    steps = np.arange(1.0, count + 1)
    sliders = (
        Slider("cut", "cut after", "steps back after which it is cut", float(cut), steps,
            "How many steps back the gradient is computed; the others are left out", role="mask"),
        Slider("t", "loss", "time of the loss", float(t), steps,
            "Which loss J(t) the gradient comes from", role="loss"),
    )  # fmt: skip
    table: list[FloatArray] = [
        np.array([row(t, each) for each in range(1, count + 1)]),
        np.array([row(each, cut) for each in range(1, count + 1)]),
    ]
    return LiveNumbers("back", names, np.array(row(t, cut)), sliders, table)


def picture(found: Back) -> BackPayload:
    """The data of `lessons/rnn/back.js` other than the numbers."""
    return {"words": list(found.words)}
