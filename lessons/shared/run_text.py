"""Words and rows for training runs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

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
    "KL, nats a token",
    "ratio, unseen documents",
)
FED = ("model", "after “the dog gets”", "after “the cat gets”")
LINES = (
    "Thin lines are the loss of the batches, thick ones that of the validation text, on which no "
    "model is trained. All begin near ln |V|, every word equally likely; the numbers beside the "
    "curves are live."
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


def runs_payload(views: Sequence[RunView]) -> dict[str, Any]:
    """What the picture of some runs needs to know of them before they tell anything."""
    pairs = zip(views, labels(views), strict=True)
    return {"runs": [{"name": view.name, "label": label} for view, label in pairs]}


def judged_row(
    label: str, step: int, judged: Mapping[str, GrammarComparison]
) -> tuple[str, *tuple[float, ...]]:
    """What `JUDGED` names, of a model after `step` steps."""
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
    """A person's text in numbers."""
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
    """What `FED` names, of each model."""
    return [(label, fed.fed_dog, fed.fed_cat) for label, fed in found]


def run_notice(views: Sequence[RunView], histories: Sequence[History]) -> list[str]:
    """Where the runs at rest stand against knowing nothing and against the truth; and what the
    lines are, while one goes on."""
    said = [
        standing_words(view, label, history)
        for view, label, history in zip(views, labels(views), histories, strict=True)
        if view.state in (*FINAL_STATES, *RESTING_STATES) and view.began and history.evaluations
    ]
    going = any(view.state not in (*FINAL_STATES, *RESTING_STATES) for view in views)
    return [*said, LINES] if going or not said else said


def standing_words(view: RunView, label: str, history: History) -> str:
    """One run at its last evaluation, in a sentence."""
    assert view.began is not None
    last, most, truth = history.evaluations[-1], uniform_loss(view.began.types), view.began.truth
    loss = f"{format_number(last.loss)} nats" if math.isfinite(last.loss) else "no number"
    if view.state == "diverged":
        return f"{label} diverged: at step {last.step} its validation loss was {loss}."
    sentence = f"{label}, validated at step {last.step}: {loss}"
    if not last.loss < most:
        return f"{sentence}, worse than uniform guessing, ln |V| = {format_number(most)}."
    sentence += f", from ln |V| = {format_number(most)}"
    if truth is None:
        return f"{sentence}."
    if last.loss <= truth and not view.spec.model.causal:
        return f"{sentence}; below the grammar's {format_number(truth)}: it is shown what comes."
    if last.loss <= truth:
        return f"{sentence}; on this text that is no more than the grammar's own."
    share = (most - last.loss) / (most - truth)
    return f"{sentence}; that is {share:.1%} of the way to the grammar."


def snippet(specs: Sequence[RunSpec]) -> str:
    """A script that makes these runs, which mask nothing; an own text is read from a file."""
    own = any(spec.corpus.text for spec in specs)
    unasked = f" masking={MaskSpec()!r},"
    lines = "".join(f"    {spec!r},\n".replace(unasked, "") for spec in specs)
    if own:
        lines = lines.replace("documents=0)", "documents=0, text=text)")
    return f"{OWN * own}{ANEW}{READ * own}\nspecs = [\n{lines}]\n{TRAIN}"
