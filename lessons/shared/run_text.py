"""Words and rows for training runs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TypedDict

from lessons.shared.payload import Script
from lmcore.evaluation.against_grammar import ConstructionResult, GrammarComparison
from lmcore.evaluation.probes import FedProbabilities
from lmcore.models.scoring import perplexity_of_loss, uniform_loss
from lmcore.numbers import format_number
from lmcore.tokenization.own_text import TextStatistics
from lmcore.training.events import History
from lmcore.training.pool.runs import FINAL_STATES, RESTING_STATES, RunView
from lmcore.training.spec import MaskSpec, RunSpec

LABELS = {
    "feedforward": "Feedforward",
    "rnn": "RNN",
    "gru": "GRU",
    "lstm": "LSTM",
    "transformer": "Transformer",
}
JUDGED = (
    "model",
    "steps",
    "test perplexity",
    "the grammar's",
    "ratio",
    "KL, nats per token",
    "ratio, unseen documents",
)
FED = ("model", "after “the dog gets”", "after “the cat gets”")
LINES = (
    "Thin lines are the loss of the batches, thick ones that of the validation text, on which no "
    "model is trained. All start near ln |V|, where every word is equally likely; the numbers "
    "beside the curves are live."
)
ANEW = """from lmcore.training.loop import Training
from lmcore.training.spec import CorpusSpec, ModelSpec, RunSpec
"""
OWN = """from pathlib import Path

from lmcore.tokenization.own_text import read_text
"""
READ = """
text = read_text(Path("my-text.txt").read_bytes())  # your text, in this file
"""
TRAIN = """for spec in specs:
    print(spec.model.kind)
    for event in Training(spec):
        print(event)
"""


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


def judged_row(
    label: str, step: int, judged: Mapping[str, GrammarComparison]
) -> tuple[str, *tuple[float, ...]]:
    """The row of a model after `step` steps; the columns are `JUDGED`."""
    whole = judged["all"]
    return (
        label,
        float(step),
        perplexity_of_loss(whole.loss),
        perplexity_of_loss(whole.truth),
        whole.ratio,
        whole.divergence,
        judged["unseen"].ratio,
    )


def text_statistics(found: TextStatistics) -> str:
    """Statistics of the visitor's own text, in a sentence."""
    return (
        f"{found.characters:,} characters, {found.tokens:,} tokens in {found.lines:,} lines, "
        f"{found.types:,} types, {found.singletons:,} of them once; the vocabulary covers "
        f"{found.covered:.1%}"
    )


def standing_rows(
    found: Sequence[Sequence[ConstructionResult]],
) -> list[tuple[str, *tuple[float, ...]]]:
    """A row a construction, a column a model."""
    return [
        (each[0].construction, *(one.accuracy for one in each)) for each in zip(*found, strict=True)
    ]


def fed_rows(found: Sequence[tuple[str, FedProbabilities]]) -> list[tuple[str, *tuple[float, ...]]]:
    """One row per model; the columns are `FED`."""
    return [(label, fed.fed_dog, fed.fed_cat) for label, fed in found]


def run_notice(views: Sequence[RunView], histories: Sequence[History]) -> list[str]:
    """The resting runs beside uniform guessing and the grammar; during a run, a legend."""
    said = [
        standing_words(view, label, history)
        for view, label, history in zip(views, labels(views), histories, strict=True)
        if view.state in (*FINAL_STATES, *RESTING_STATES) and view.began and history.evaluations
    ]
    going = any(view.state not in (*FINAL_STATES, *RESTING_STATES) for view in views)
    return [*said, LINES] if going or not said else said


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


def snippet(specs: Sequence[RunSpec]) -> str:
    """A script that makes these runs, which mask nothing; an own text is read from a file."""
    own = any(spec.corpus.text for spec in specs)
    unasked = f" masking={MaskSpec()!r},"
    lines = "".join(f"    {spec!r},\n".replace(unasked, "") for spec in specs)
    if own:
        lines = lines.replace("documents=0)", "documents=0, text=text)")
    return f"{OWN * own}{ANEW}{READ * own}\nspecs = [\n{lines}]\n{TRAIN}"
