"""What CLIP answers about an apple, without and with a paper label on it."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple, TypedDict

import numpy as np
from typing_extensions import TypedDict as EventDict

from drawing.live import LiveNumbers
from drawing.payload import Script
from lmcore.results.tables import load_results

PAPERS = {"off": "without the paper", "on": "with the paper"}
WRITTEN = "iPod"
"""What is written on the paper."""
OTHERS = "other labels"


class Answers(NamedTuple):
    """The labels, the rest last, and the per cent of each without and with the paper."""

    labels: tuple[str, ...]
    off: tuple[float, ...]
    on: tuple[float, ...]

    def of(self, paper: str) -> tuple[float, ...]:
        """The per cent of each label: `paper` is "off" or "on"."""
        return self.on if paper == "on" else self.off

    def best(self, paper: str) -> str:
        """The label with the largest per cent."""
        shares = self.of(paper)
        return self.labels[max(range(len(shares)), key=shares.__getitem__)]

    def change(self, label: str) -> float:
        """What the paper changes, in points; exact for numbers with one decimal."""
        place = self.labels.index(label)
        return round(self.on[place] - self.off[place], 6)


def answers() -> Answers:
    """The printed shares of both photographs, and what is left to other labels, in per cent."""
    table = load_results("clip")
    columns = [_with_rest([table.decimal(row, key) for row in table.rows]) for key in PHOTOGRAPHS]
    return Answers((*(row.name for row in table.rows), OTHERS), *columns)


PHOTOGRAPHS = ("apple", "labelled")


def _with_rest(printed: Sequence[Decimal | None]) -> tuple[float, ...]:
    shares = [each for each in printed if each is not None]
    return (*map(float, shares), float(100 - sum(shares)))


class PaperPayload(TypedDict):
    """The labels, the two that the paper changes, and what is written on the paper."""

    labels: Sequence[str]
    seen: int
    read: int
    written: str
    source: str


class PaperPut(EventDict):
    """The paper was pressed: whether it is on the apple now."""

    on: bool


PAPER = Script(
    "paper",
    PaperPayload,
    ("paper", "p #", "off #", "on #", "rise", "fall", "@say", "@formula"),
    PaperPut,
)
"""`p` are the shares that are shown, `off` and `on` those without and with the paper."""


def numbers(found: Answers, paper: str) -> LiveNumbers:
    """Every share in per cent, and what the paper changes for the two labels, in points."""
    state = float(paper == "on")
    values = {"paper": state, "@say": state, "@formula": state}
    for name, shares in (("p", found.of(paper)), ("off", found.off), ("on", found.on)):
        values |= {f"{name} {n}": share for n, share in enumerate(shares)}
    values["rise"] = found.change(found.best("on"))
    values["fall"] = found.change(found.best("off"))
    return LiveNumbers("paper", tuple(values), np.array(list(values.values())))


def picture(found: Answers) -> PaperPayload:
    """The data of `lessons/results/paper.js` other than the numbers."""
    return {
        "labels": list(found.labels),
        "seen": found.labels.index(found.best("off")),
        "read": found.labels.index(found.best("on")),
        "written": WRITTEN,
        "source": f"Quoted from {load_results('clip').source}; {OTHERS} = 100 − the six",
    }
