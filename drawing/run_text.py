"""Training runs of any page: their names, and the payload of the picture of runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypedDict

from drawing.payload import Script
from lmcore.models.scoring import uniform_loss
from lmcore.shipped.recordings import Recording
from lmcore.shipped.switch_runs import name_switches
from lmcore.training.pool.runs import RunView

LABELS = {
    "feedforward": "Feedforward",
    "rnn": "RNN",
    "gru": "GRU",
    "lstm": "LSTM",
    "transformer": "Transformer",
    "encoder_decoder": "Encoder–decoder",
}


def labels(views: Sequence[RunView]) -> list[str]:
    """A name for each run: its title, or its model; all are numbered if two are equal."""
    names = [view.title or _model_name(view) for view in views]
    if len(set(names)) == len(names):
        return names
    return [f"{name} {i}" for i, name in enumerate(names, start=1)]


def _model_name(view: RunView) -> str:
    if view.spec.model.kind == "seq2seq":
        score = {"mlp": "MLP"}.get(view.spec.model.score or "", view.spec.model.score)
        return f"Attention, {score}" if score else "One vector"
    switched = "" if view.spec.model.causal else "no causal mask"
    parts = LABELS[view.spec.model.kind], switched, name_switches(view.spec.model)
    return ", ".join(part for part in parts if part)


class RunLabel(TypedDict):
    """A run: its name on the server, its label on screen, and whether the visitor controls it."""

    name: str
    label: str
    mine: bool
    """Whether the visitor may control it, or only watches."""


class RecordedCurve(TypedDict):
    """A recorded run, drawn behind those that are training."""

    label: str
    uniform: float
    """ln |V|"""
    truth: float | None
    """The grammar's own loss, if it is known and above 0."""
    evaluations: Sequence[tuple[int, float | None]]
    """Step and validation loss, nats per token."""


class RunsPayload(TypedDict):
    """The training runs that one picture shows; it receives all else from the runs themselves."""

    runs: list[RunLabel]
    recorded: list[RecordedCurve]


RUNS = Script("runs", RunsPayload)


def runs_payload(
    views: Sequence[RunView], recorded: Mapping[str, Recording] | None = None
) -> RunsPayload:
    """What the picture of runs needs at its start: their names, labels and `mine`.

    `recorded` are the recorded runs drawn behind them, by label.
    """
    pairs = zip(views, labels(views), strict=True)
    return {
        "runs": [{"name": v.name, "label": label, "mine": v.mine} for v, label in pairs],
        "recorded": [recorded_curve(*pair) for pair in (recorded or {}).items()],
    }


def recorded_curve(label: str, recording: Recording) -> RecordedCurve:
    """The validation losses of a recorded run."""
    rows = [(int(step or 0), loss) for step, loss, *_ in recording.evaluations]
    return {
        "label": label,
        "uniform": uniform_loss(recording.types),
        "truth": recording.truth or None,
        "evaluations": rows,
    }
