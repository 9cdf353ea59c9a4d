"""How good the nearest words of each method are, against the groups of the microworld's grammar.

    python -m lmcore.embeddings.static.quality      records recorded/methods.json anew

Other settings than the usual ones are measured on request.
"""

from __future__ import annotations

import datetime
import json
import sys
from dataclasses import asdict, replace
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from lmcore.device import share_cores
from lmcore.embeddings.static import planted
from lmcore.embeddings.static.methods import METHODS, PPMI_SVD, VectorConfig, train_vectors
from lmcore.embeddings.static.neighbours import neighbour_precision
from lmcore.embeddings.static.vectors import WordVectors

FILE = Path(__file__).resolve().parent / "recorded" / "methods.json"
SEEDS = (0, 1, 2)
ENDS = 2
"""Snapshots of a run of which only the end is used."""


class Quality(NamedTuple):
    """How good the nearest words of one run are, and its time."""

    group: float
    """Precision@5, an animal's singular and plural in one group."""
    slot: float
    """Precision@5, every slot of the grammar alone."""
    seconds: float


class RecordedQuality(NamedTuple):
    """The comparison of all methods at their usual settings."""

    of: dict[VectorConfig, Quality]
    date: str
    """Year, month and day"""


def compared_runs(config: VectorConfig) -> list[VectorConfig]:
    """The runs of a comparison: each method with each seed; PPMI–SVD draws nothing."""
    return [
        replace(config, method=method, seed=seed, snapshots=ENDS)
        for method in METHODS
        for seed in (SEEDS if method != PPMI_SVD else SEEDS[:1])
    ]


def measure_method(config: VectorConfig) -> Quality:
    """Train a method on sentences of the microworld and judge the nearest words of its words."""
    run = train_vectors(planted.microworld_sentences(), config)
    return judge_vectors(run.record.word_vectors(), run.seconds)


def judge_vectors(vectors: WordVectors, seconds: float) -> Quality:
    """The precision of the nearest words of any vectors; `seconds` is the time that they took."""
    return Quality(
        neighbour_precision(vectors, planted.similar_words()).mean,
        neighbour_precision(vectors, planted.words_of_one_slot()).mean,
        seconds,
    )


@lru_cache(maxsize=1)
def recorded_quality() -> RecordedQuality:
    """The comparison that `main` wrote."""
    content = json.loads(FILE.read_text("utf-8"))
    runs = {VectorConfig(**run): Quality(*values) for run, values in content["runs"]}
    return RecordedQuality(runs, content["date"])


def main() -> None:
    """Measure every method at its usual settings, and write the recording."""
    share_cores()
    runs = [(asdict(run), [*measure_method(run)]) for run in compared_runs(VectorConfig())]
    today = datetime.datetime.now(tz=datetime.UTC).date().isoformat()
    lines = ",\n    ".join(json.dumps(run, ensure_ascii=False) for run in runs)
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(f'{{\n  "date": "{today}",\n  "runs": [\n    {lines}\n  ]\n}}\n', "utf-8")
    sys.stdout.write(f"{FILE}\n")


if __name__ == "__main__":
    main()
