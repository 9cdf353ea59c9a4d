"""Words and rows for training runs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from lmcore.corpora.own import Statistics
from lmcore.evaluation import Judgement, Standing
from lmcore.numbers import significant
from lmcore.scoring import of_loss
from lmcore.training.runs import History, RunView

LABELS = {"feedforward": "Feedforward", "rnn": "RNN", "gru": "GRU", "lstm": "LSTM"}
JUDGED = (
    "model",
    "steps",
    "test perplexity",
    "the grammar's",
    "ratio",
    "KL, nats a token",
    "ratio, unseen documents",
)


def labels(views: Sequence[RunView]) -> list[str]:
    """A name for each run: its model, numbered where two have the same."""
    names = [LABELS[view.spec.model.kind] for view in views]
    if len(set(names)) == len(names):
        return names
    return [f"{name} {i}" for i, name in enumerate(names, start=1)]


def pictured(views: Sequence[RunView]) -> dict[str, Any]:
    """What the picture of some runs needs to know of them before they tell anything."""
    pairs = zip(views, labels(views), strict=True)
    return {"runs": [{"name": view.name, "label": label} for view, label in pairs]}


def judged_row(
    label: str, step: int, judged: Mapping[str, Judgement]
) -> tuple[str, *tuple[float, ...]]:
    """What `JUDGED` names, of a model after `step` steps."""
    whole = judged["all"]
    return (
        label,
        float(step),
        of_loss(whole.loss),
        of_loss(whole.truth),
        whole.ratio,
        whole.divergence,
        judged["unseen"].ratio,
    )


def text_statistics(found: Statistics) -> str:
    """A person's text in numbers."""
    return (
        f"{found.characters:,} characters, {found.tokens:,} tokens in {found.lines:,} lines, "
        f"{found.types:,} types, {found.singletons:,} of them once; the vocabulary covers "
        f"{found.covered:.1%}"
    )


def standing_rows(
    found: Sequence[Sequence[Standing]],
) -> list[tuple[str, *tuple[float, ...]]]:
    """A row a construction, a column a model."""
    return [
        (each[0].construction, *(one.accuracy for one in each)) for each in zip(*found, strict=True)
    ]


def run_notice(views: Sequence[RunView], histories: Sequence[History]) -> list[str]:
    """Where the runs stand against knowing nothing and against the truth."""
    said = []
    for view, label, history in zip(views, labels(views), histories, strict=True):
        if view.began is None or not history.evaluations:
            continue
        loss, unknowing = history.evaluations[-1].loss, math.log(view.began.types)
        sentence = (
            f"{label}, after step {view.step}: {significant(loss)} nats, from "
            f"ln |V| = {significant(unknowing)}"
        )
        if view.began.truth is not None:
            share = (unknowing - loss) / (unknowing - view.began.truth)
            sentence += f"; that is {share:.1%} of the way to the grammar"
        said.append(sentence + ".")
    return said or ["The curves begin at ln |V|: every word equally likely."]
