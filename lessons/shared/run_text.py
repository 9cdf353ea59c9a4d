"""Training runs of any page: their names, and what the picture of runs is sent."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypedDict

from lessons.shared.payload import Script
from lmcore.models.scoring import uniform_loss
from lmcore.numbers import format_number
from lmcore.training.events import History
from lmcore.training.pool.runs import RunView

LABELS = {
    "feedforward": "Feedforward",
    "rnn": "RNN",
    "gru": "GRU",
    "lstm": "LSTM",
    "transformer": "Transformer",
}


def labels(views: Sequence[RunView]) -> list[str]:
    """A name for each run: its title, or its model, numbered where two have the same."""
    names = [view.title or _model_name(view) for view in views]
    if len(set(names)) == len(names):
        return names
    return [f"{name} {i}" for i, name in enumerate(names, start=1)]


def _model_name(view: RunView) -> str:
    return LABELS[view.spec.model.kind] + ("" if view.spec.model.causal else ", no causal mask")


class RunLabel(TypedDict):
    """A run: its name on the server, what it is called on screen, and who controls it."""

    name: str
    label: str
    mine: bool
    """Whether whoever looks may control it; else they watch."""


class RunsPayload(TypedDict):
    """Training runs that one picture shows; all else they tell it themselves."""

    runs: list[RunLabel]


RUNS = Script("runs", RunsPayload)


def runs_payload(views: Sequence[RunView]) -> RunsPayload:
    """What the picture of some runs needs at its start: their names, labels, and which are mine."""
    pairs = zip(views, labels(views), strict=True)
    return {"runs": [{"name": v.name, "label": label, "mine": v.mine} for v, label in pairs]}


def standing_words(view: RunView, label: str, history: History) -> str:
    """The last evaluation of one run, in a sentence."""
    assert view.began is not None
    last, most, truth = history.evaluations[-1], uniform_loss(view.began.types), view.began.truth
    loss = f"{format_number(last.loss)} nats" if math.isfinite(last.loss) else "not finite"
    if view.state == "diverged":
        return f"{label} diverged: at step {last.step} its validation loss was {loss}."
    sentence = f"{label}, validated at step {last.step}: {loss}"
    if not last.loss < most:
        return f"{sentence}, worse than uniform guessing, ln |V| = {format_number(most)}."
    sentence += f", from ln |V| = {format_number(most)}"
    if truth is None:
        return f"{sentence}."
    if last.loss <= truth and not view.spec.model.causal:
        return (
            f"{sentence}; below the grammar's {format_number(truth)}: the model sees the words "
            f"that it predicts."
        )
    if last.loss <= truth:
        return f"{sentence}; on this text that is no more than the grammar's own loss."
    share = (most - last.loss) / (most - truth)
    return f"{sentence}; that is {share:.1%} of the way to the grammar's own loss."
