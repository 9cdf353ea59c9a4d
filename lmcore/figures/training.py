"""Words for training runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lmcore.training.runs import RunView

LABELS = {"feedforward": "Feedforward", "rnn": "RNN", "gru": "GRU", "lstm": "LSTM"}


def pictured(views: Sequence[RunView]) -> dict[str, Any]:
    """What the picture of some runs needs to know of them before they tell anything."""
    labels = [LABELS[view.spec.model.kind] for view in views]
    if len(set(labels)) < len(labels):
        labels = [f"{label} {i}" for i, label in enumerate(labels, start=1)]
    return {
        "runs": [
            {"name": view.name, "label": label} for view, label in zip(views, labels, strict=True)
        ]
    }
