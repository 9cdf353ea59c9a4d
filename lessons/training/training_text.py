"""The sentences, the table rows and the code of the training page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lmcore.evaluation.against_grammar import ConstructionResult, GrammarComparison
from lmcore.evaluation.probes import FedProbabilities
from lmcore.models.scoring import perplexity_of_loss
from lmcore.tokenization.own_text import TextStatistics
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

NORMS = (
    "A gradient has as many numbers as the model has weights; its **norm** is the root of the sum "
    "of their squares. ‖∇ embedding‖ is that of the table of word vectors alone, ‖∇ recurrent‖ or "
    "‖∇ layer 1‖ that of the layers, ‖∇ output‖ that of the last matrix. The squares of the parts "
    "add up to the square of the whole. A small norm means that a step changes this part little."
)
"""How to read the gradient norms of parts."""

ANEW = """from lmcore.training.loop import Training
from lmcore.training.spec import CorpusSpec, ModelSpec, RunSpec
"""

OWN = """from pathlib import Path

from lmcore.tokenization.own_text import read_text
"""

READ = """
text = read_text(Path("my-text.txt").read_bytes())  # your text, in this file
"""

TRAIN = """runs = []
for spec in specs:
    print(spec.model.kind)
    runs.append([])
    for event in Training(spec):
        runs[-1].append(event)
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


def snippet(specs: Sequence[RunSpec]) -> str:
    """A script that makes these runs, which mask nothing; a visitor's text is read from a file."""
    own = any(spec.corpus.text for spec in specs)
    lines = "".join(f"    {spec!r},\n" for spec in specs)
    for each in (
        f" masking={MaskSpec()!r},",
        ", task=None, longest=None",
        ", cell=None, score=None",
    ):
        lines = lines.replace(each, "")
    if own:
        lines = lines.replace("documents=0)", "documents=0, text=text)")
    return f"{OWN * own}{ANEW}{READ * own}\nspecs = [\n{lines}]\n{TRAIN}"
