"""The sentences, the table rows and the code of the training page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lessons.shared.run_text import labels, standing_words
from lmcore.evaluation.against_grammar import ConstructionResult, GrammarComparison
from lmcore.evaluation.probes import FedProbabilities
from lmcore.models.scoring import perplexity_of_loss
from lmcore.tokenization.own_text import TextStatistics
from lmcore.training.events import History
from lmcore.training.pool.runs import FINAL_STATES, RESTING_STATES, RunView
from lmcore.training.spec import MaskSpec, RunSpec

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
    """One row per construction, one column per model."""
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


def snippet(specs: Sequence[RunSpec]) -> str:
    """A script that makes these runs, which mask nothing; an own text is read from a file."""
    own = any(spec.corpus.text for spec in specs)
    unasked = f" masking={MaskSpec()!r},"
    lines = "".join(f"    {spec!r},\n".replace(unasked, "") for spec in specs)
    if own:
        lines = lines.replace("documents=0)", "documents=0, text=text)")
    return f"{OWN * own}{ANEW}{READ * own}\nspecs = [\n{lines}]\n{TRAIN}"
