"""Training without the mask: the numbers and the payload of its picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, TypedDict

import numpy as np

from drawing import run_text
from drawing.payload import NumberArray, Script
from drawing.run_text import RunLabel
from lmcore.masking.without_causal_mask import GeneratedTexts, RecordedRun, Recording
from lmcore.training.pool.runs import RunView

LABELS = ("With the mask", "Without it")


class LeakageResult(NamedTuple):
    """The losses of a run in nats per token, and the texts that it writes.

    `loss_without_future` is the loss of the same weights when the later words are missing.
    """

    loss: float
    loss_without_future: float
    grammar_loss: float
    writing: GeneratedTexts


class UnmaskedCurve(TypedDict):
    """A recorded curve of one of the two models, and the texts that the model writes."""

    label: str
    role: str
    steps: NumberArray
    losses: NumberArray
    """Validation, nats per token."""
    end: Literal["with", "without"]
    """The name of its last loss."""
    possible: Literal["possible", "impossible"]
    """The name of the number of its texts that the grammar allows."""
    texts: list[str]


class UnmaskedPayload(TypedDict):
    """The data of `lessons/masking/unmasked.js`, without the numbers."""

    curves: list[UnmaskedCurve]
    runs: list[RunLabel]
    """The runs that have been started here, which the script listens to."""
    causal: list[bool]
    """Whether each of the runs has the mask."""
    judged: bool
    """Whether all of the runs have been tested."""
    steps: int
    written: int
    recorded: str
    nothing: str
    """What is shown for a text without words."""


UNMASKED = Script(
    "unmasked",
    UnmaskedPayload,
    ("with", "without", "truth", "alone", "possible", "impossible", "written"),
)
NOTHING = "(nothing: it ends at once)"
MOST_TEXTS = 3
"""Texts of a model that are shown."""
METHOD = (
    "Both models are one small Transformer of 2 layers, trained on the Microworld with the same "
    "settings; only the mask differs. The loss is measured on texts that neither was trained on. "
    "Dashed: the grammar’s own loss, below which no model comes that does not see the answer."
)


def numbers(
    recording: Recording, results: Sequence[tuple[RunView, str, LeakageResult]]
) -> dict[str, float]:
    """The last losses, and how many texts are possible: of the visitor's runs, or as recorded."""
    masked, unmasked = recording.runs
    named = {
        "with": masked.loss,
        "without": unmasked.loss,
        "truth": unmasked.grammar_loss,
        "alone": unmasked.loss_without_future,
        "possible": float(masked.possible),
        "impossible": float(unmasked.possible),
        "written": float(recording.written),
    }
    for view, _, result in results:
        causal = view.spec.model.causal
        named["with" if causal else "without"] = result.loss
        named["possible" if causal else "impossible"] = float(sum(result.writing.possible))
        named["truth"] = result.grammar_loss
        if not causal:
            named["alone"] = result.loss_without_future
    return named


def picture(
    recording: Recording,
    views: Sequence[RunView],
    results: Sequence[tuple[RunView, str, LeakageResult]],
) -> UnmaskedPayload:
    """The data of `lessons/masking/unmasked.js`."""
    texts = {view.spec.model.causal: result.writing.texts for view, _, result in results}
    return {
        "curves": [_curve(run, texts.get(run.causal, run.texts)) for run in recording.runs],
        "runs": run_text.runs_payload(views)["runs"],
        "causal": [view.spec.model.causal for view in views],
        "judged": 0 < len(views) == len(results),
        "steps": max((view.spec.steps for view in views), default=recording.steps),
        "written": recording.written,
        "recorded": f"recorded {recording.date}",
        "nothing": NOTHING,
    }


def _curve(run: RecordedRun, texts: Sequence[str]) -> UnmaskedCurve:
    return {
        "label": LABELS[not run.causal],
        "role": "activation" if run.causal else "gradient",
        "steps": np.array([step for step, _ in run.evaluations]),
        "losses": np.array([loss for _, loss in run.evaluations]),
        "end": "with" if run.causal else "without",
        "possible": "possible" if run.causal else "impossible",
        "texts": list(texts[:MOST_TEXTS]),
    }
