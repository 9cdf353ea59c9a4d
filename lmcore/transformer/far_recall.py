"""Recall of a far word by one attention layer, at the distances of lmcore.recurrence.recall.

A network for each distance, trained as in lmcore.transformer.four_claims and tested on fresh
sequences.

    python -m lmcore.transformer.far_recall    trains them and writes measured/far_recall.json
"""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import torch

from lmcore import dataframes
from lmcore.device import share_cores
from lmcore.recurrence.recall import ALONE, TESTED
from lmcore.transformer.four_claims import BATCH, STEPS, recall_after_training

if TYPE_CHECKING:
    from pandas import DataFrame

FILE = Path(__file__).resolve().parent / "measured" / "far_recall.json"


class FarRecall(NamedTuple):
    """The contents of the file: the share recalled at each distance, and how it was measured."""

    shares: dict[int, float]
    how: dict[str, str | float | int]

    def to_frame(self) -> DataFrame:
        """One row per distance: distance, share recalled."""
        columns = {"distance": list(self.shares), "share recalled": list(self.shares.values())}
        return dataframes.frame(columns)


def measure(distances: tuple[int, ...] = ALONE, steps: int = STEPS) -> FarRecall:
    """Train and test an attention layer on each distance."""
    found = {n: recall_after_training("attention", n, steps) for n in distances}
    how: dict[str, str | float | int] = {"steps": steps, "batch": BATCH, "tested": TESTED}
    how |= {"parameters": found[distances[0]].parameters, "device": "CPU, 1 thread"}
    how |= {"torch": torch.__version__, "date": datetime.now(UTC).date().isoformat()}
    return FarRecall({n: each.accuracy for n, each in found.items()}, how)


def load_results(path: Path = FILE) -> FarRecall:
    """The results of `measure`.

    Raises:
        ValueError: if the file has another format.
    """
    try:
        content = json.loads(path.read_text("utf-8"))
        shares = {int(n): float(share) for n, share in content["shares"].items()}
        return FarRecall(shares, dict(content["how"]))
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ValueError(
            f"{path.name} must hold the shares that lmcore.transformer.far_recall wrote; got "
            f"{error}"
        ) from error


def save_results(found: FarRecall, path: Path = FILE) -> None:
    """Write results for `load_results`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(found._asdict(), indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    share_cores()
    torch.set_num_threads(1)
    save_results(measure())
    sys.stdout.write(f"{FILE}\n")
