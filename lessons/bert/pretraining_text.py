"""A small BERT in training: its picture's data, its table rows and its sentences."""

from __future__ import annotations

import math
from collections.abc import Sequence

from drawing.run_text import RunsPayload
from lmcore.masked_lm.pretraining import PretrainingProgress
from lmcore.models.scoring import uniform_loss
from lmcore.numbers import format_number
from lmcore.training.events import History
from lmcore.training.pool.runs import LIVE_STATES, RunView
from lmcore.training.spec import RunSpec

TESTED = (
    "run",
    "steps",
    "expected accuracy",
    "the best possible",
    "KL, nats per word",
    "pairs correct",
    "loss of a pair",
)
LINES = (
    "Thin: the loss of each batch, words plus pairs. Thick: the words’ alone, on documents never "
    "trained on. Uniform guessing costs ln |V| for a word, and ln 2 more with a pair."
)


def runs_payload(views: Sequence[RunView]) -> RunsPayload:
    """What the picture of the runs needs: their names, labels, and which are the visitor's."""
    return {
        "runs": [
            {
                "name": view.name,
                "label": view.title or ("BERT" if len(views) == 1 else f"BERT {n}"),
                "mine": view.mine,
            }
            for n, view in enumerate(views, start=1)
        ],
        "recorded": [],
    }


def standing_words(view: RunView, history: History) -> str:
    """The loss of a resting run beside uniform guessing; while it runs, what the lines are."""
    if view.state in LIVE_STATES or view.began is None or not history.evaluations:
        return LINES
    last, most = history.evaluations[-1], uniform_loss(view.began.types)
    if not math.isfinite(last.loss):
        return f"At step {last.step} the loss overflowed: the run has diverged."
    return (
        f"Validated at step {last.step:,}: **{format_number(last.loss)}** nats per covered word; "
        f"uniform guessing has ln |V| = {format_number(most)}. That equals choosing among "
        f"{format_number(math.exp(last.loss))} equally likely words."
    )


def tested_row(label: str, found: PretrainingProgress) -> tuple[str, *tuple[float, ...]]:
    """One run's row; the columns are `TESTED`."""
    fill, pairs = found.fill, found.pairs
    return (label, float(found.step), fill.accuracy, fill.best, fill.divergence, pairs.accuracy,
            pairs.loss)  # fmt: skip


def snippet(spec: RunSpec) -> str:
    """A script that makes this run and tests it."""
    return f"""from lmcore.masked_lm import pretraining
from lmcore.training.loop import Training, validation_loss

run = Training(pretraining.run_spec({spec.steps}, {spec.masking.low!r}, seed={spec.seed}))
for event in run:
    pass
print("validation loss, nats per covered word", validation_loss(run))
print(pretraining.measure_progress(run.network, run.step))
"""
