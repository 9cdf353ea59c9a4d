"""The sentences, the table rows and the code of the training page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from drawing.run_text import RunLabel
from lessons.training.training_picture import FLOOR, LOSS, SENTENCES, Plan
from lmcore.evaluation.against_grammar import ConstructionResult, GrammarComparison
from lmcore.evaluation.probes import FedProbabilities
from lmcore.models.scoring import perplexity_of_loss
from lmcore.tokenization.own_text import TextStatistics
from lmcore.training.spec import MaskSpec, RunSpec

RACE_RECORDED = (
    "Not started yet. The **{}** won the **recorded** race with "
    f"{LOSS} nats; the next has {{second}}, the grammar {FLOOR}."
)
RACE_LEADS = (
    f"Step {{step}} of {{steps}}: the **{{}}** leads with {LOSS} nats, ahead of {{second}}."
)
RACE_WON = f"The **{{}}** has won with {LOSS} nats; the next has {{second}}, the grammar {FLOOR}."
RACE_WON_ALONE = f"The **{{}}** has won with {LOSS} nats; the next has {{second}}."
MEAN = "[loss|L] = mean of −ln p(next token)"
BEGINS = "at the start ln |V| = ln {types} = **[loss|{uniform}]**"
ENDS = "perplexity = exp(L) = exp([loss|{final}]) = **[loss|{perplexity}]**"
STEP = "θ ← θ − η·∇L"
MOVE = "η·‖∇L‖ = {rate}·[gradient|{norm}] = **[gradient|{update}]** in one step"
FORMULAS = ((MEAN, BEGINS), (MEAN, BEGINS, ENDS), (BEGINS, STEP, MOVE))
"""The formulas by @formula: before a loss is known, after, and for a run that diverges."""

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


def sentences(plan: Plan, runs: Sequence[RunLabel]) -> list[str]:
    """Every sentence, in the order of `places`."""
    fixed = [each.replace("{differs}", plan.differs) for each in SENTENCES.values()]
    recorded = [_about(RACE_RECORDED, label) for label in plan.labels]
    labels = [run["label"] for run in runs]
    won = RACE_WON if plan.truth is not None else RACE_WON_ALONE
    races = [_about(each, label) for each in (RACE_LEADS, won) for label in labels]
    return [*fixed, plan.blocked.replace("{", r"\{"), *recorded, *races]


def _about(template: str, label: str) -> str:
    return template.replace("{}", label)


def describe(plan: Plan, labels: Sequence[str]) -> str:
    """The alt text, as a template."""
    parts = ["Loss in nats per token against training steps, both on logarithmic scales."]
    parts.append("Uniform guessing: {uniform}.")
    if plan.truth is not None:
        parts.append("The grammar's own loss: {truth}.")
    shown = labels or (plan.labels if plan.recordings else ())
    kind = "" if labels else ", recorded"
    parts += [
        f"{label}{kind}: {{loss{i}}} nats at step {{at{i}}}." for i, label in enumerate(shown)
    ]
    return " ".join(parts)


def formula(plan: Plan) -> list[Sequence[str]]:
    """The formulas from which @formula selects."""
    floor = () if plan.truth is None else ("the grammar's: [activation|{truth_perplexity}]",)
    plain, ends, diverged = FORMULAS
    return [plain, (*ends, *floor), diverged]
