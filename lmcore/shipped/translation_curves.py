"""Recorded curves: exact match of both translation models, with the length of the source.

python -m lmcore.shipped.translation_curves     measures both and writes the recording
"""

from __future__ import annotations

import datetime
import json
import sys
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from lmcore.corpora.translation import LONGEST, SHORTEST
from lmcore.dataframes import Table
from lmcore.device import share_cores
from lmcore.evaluation.exact_match import SENTENCES, LengthScore, exact_match_by_length
from lmcore.shipped.models import FOLDER, TRANSLATORS, load_translator

if TYPE_CHECKING:
    from pandas import DataFrame

FILE = FOLDER / "translation_curves.json"


@dataclass(frozen=True, slots=True)
class RecordedCurve:
    """Exact match of one model by length; `key` is that of the spec that made it."""

    name: str
    key: str
    date: str
    seed: int
    """The seed of the held-out sources."""
    scores: Table[LengthScore]

    def to_frame(self) -> DataFrame:
        """One row per length: model, length, exact, sentences, share, low, high."""
        found = self.scores.to_frame()
        found.insert(0, "model", self.name)
        return found


def record_curves(
    date: str, *, sentences: int = SENTENCES, longest: int = LONGEST, seed: int = 0
) -> Table[RecordedCurve]:
    """Measure every translation model at every length up to `longest`.

    Raises:
        ValueError: if the file of a model is damaged.
    """
    curves = []
    for name in TRANSLATORS:
        network, _, spec, _ = load_translator(name)
        task = spec.corpus.task or ""
        lengths = range(SHORTEST[task], longest + 1)
        scores = exact_match_by_length(network, task, lengths, sentences=sentences, seed=seed)
        curves.append(RecordedCurve(name, spec.key, date, seed, scores))
    return Table(curves)


def curves_to_json(curves: Table[RecordedCurve]) -> str:
    """The recording as JSON."""
    rows = [
        {
            "name": curve.name,
            "key": curve.key,
            "date": curve.date,
            "seed": curve.seed,
            "scores": [asdict(score) for score in curve.scores],
        }
        for curve in curves
    ]
    return json.dumps(rows, indent=1) + "\n"


def curves_from_json(text: str) -> Table[RecordedCurve]:
    """Parse what `curves_to_json` wrote."""
    return Table(
        RecordedCurve(**row | {"scores": Table(LengthScore(**each) for each in row["scores"])})
        for row in json.loads(text)
    )


def load_curves() -> Table[RecordedCurve]:
    """The recorded curves, of one vector and of attention.

    Raises:
        ValueError: if they are of other runs than those that the models here are made of.
    """
    curves = curves_from_json(FILE.read_text("utf-8"))
    for curve in curves:
        if curve.key != TRANSLATORS[curve.name].key:
            raise ValueError(
                f"the recorded curve must be of the run of {curve.name} that ships; got another: "
                "record it again with python -m lmcore.shipped.translation_curves"
            )
    return curves


def main() -> None:
    """Record the curves of today's models."""
    share_cores()
    date = datetime.datetime.now(datetime.UTC).date().isoformat()
    FILE.write_text(curves_to_json(record_curves(date)), "utf-8")
    sys.stdout.write(f"{FILE}\n")


if __name__ == "__main__":
    main()
