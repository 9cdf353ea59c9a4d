"""Small translation runs, trained while the user waits, and how well they translate then."""

from __future__ import annotations

from lmcore.checks import check_between
from lmcore.corpora.translation import SHORTEST
from lmcore.dataframes import Table
from lmcore.evaluation.exact_match import LengthScore, exact_match_by_length
from lmcore.models.recurrent_seq2seq import Seq2Seq
from lmcore.training.spec import CorpusSpec, ModelSpec, RunSpec

STEPS = 800
MOST_STEPS = 3000
LONGEST = 12
"""Words of the longest source, unless another number is given."""
LENGTHS = 4
"""Lengths at which a run is tested."""
SENTENCES = 60
"""Held-out sentences of each of them."""


def translation_run(
    task: str = "passive",
    score: str | None = "dot",
    *,
    cell: str = "gru",
    longest: int = LONGEST,
    steps: int = STEPS,
    learning_rate: float = 8e-3,
    seed: int = 0,
) -> RunSpec:
    """A run of an encoder–decoder with 64 hidden units; `score` None is one vector.

    Raises:
        ValueError: naming what is out of bounds.
    """
    check_between("the number of steps", steps, 1, MOST_STEPS)
    return RunSpec(
        CorpusSpec("translation", task=task, longest=longest),
        ModelSpec("seq2seq", embedding=32, hidden=64, cell=cell, score=score),
        learning_rate=learning_rate,
        clip=1.0,
        steps=steps,
        every=min(100, steps),
        batch=64,
        seed=seed,
    )


EXAMPLES = (
    translation_run(),
    translation_run(score=None),
    translation_run("mixture", "mlp", steps=1500),
    translation_run("mixture", None, steps=1500),
)
"""The runs of which a recording comes with the application."""


def judged_lengths(spec: RunSpec) -> tuple[int, ...]:
    """Lengths at even distances from the shortest source of a run's task to its longest."""
    task, longest = spec.corpus.task or "", spec.corpus.longest or LONGEST
    shortest = SHORTEST[task]
    apart = (longest - shortest) / (LENGTHS - 1)
    return tuple(sorted({round(shortest + apart * k) for k in range(LENGTHS)}))


def judge_translator(network: Seq2Seq, spec: RunSpec) -> Table[LengthScore]:
    """Exact match on held-out sources at `judged_lengths`.

    Raises:
        ValueError: if the spec is not of a translation.
    """
    if spec.corpus.task is None:
        raise ValueError(f"the run must be of a translation; got one on {spec.corpus.source!r}")
    return exact_match_by_length(
        network, spec.corpus.task, judged_lengths(spec), sentences=SENTENCES, seed=1
    )
