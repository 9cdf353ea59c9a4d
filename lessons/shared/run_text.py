"""Training runs of any page: their names, and what the picture of runs is sent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from lessons.shared.payload import Script
from lmcore.training.pool.runs import RunView

LABELS = {
    "feedforward": "Feedforward",
    "rnn": "RNN",
    "gru": "GRU",
    "lstm": "LSTM",
    "transformer": "Transformer",
}


def labels(views: Sequence[RunView]) -> list[str]:
    """A name for each run: its model, numbered where two have the same."""
    names = [
        LABELS[view.spec.model.kind] + ("" if view.spec.model.causal else ", no causal mask")
        for view in views
    ]
    if len(set(names)) == len(names):
        return names
    return [f"{name} {i}" for i, name in enumerate(names, start=1)]


class RunLabel(TypedDict):
    """A run: its name on the server, and what it is called on screen."""

    name: str
    label: str


class RunsPayload(TypedDict):
    """Training runs that one picture shows; all else they tell it themselves."""

    runs: list[RunLabel]


RUNS = Script("runs", RunsPayload)


def runs_payload(views: Sequence[RunView]) -> RunsPayload:
    """The names and labels that the picture of some runs needs at its start."""
    pairs = zip(views, labels(views), strict=True)
    return {"runs": [{"name": view.name, "label": label} for view, label in pairs]}
