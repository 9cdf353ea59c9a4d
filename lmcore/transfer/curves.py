"""Accuracy against the number of labels: features, fine-tuning and from scratch, over five seeds.

    python -m lmcore.transfer.curves            records what is missing in recorded/curves.json

An interrupted recording goes on where it stopped. All runs make equally many steps on equally many
labels. With features only the head learns, at ten times the learning rate.
"""

from __future__ import annotations

import datetime
import json
import sys
from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch

from lmcore.checks import check_one_of
from lmcore.device import share_cores
from lmcore.transfer.tasks import TASKS, best_accuracy
from lmcore.transfer.tuning import TuneSpec, parts, tested_examples, tune

FILE = Path(__file__).resolve().parent / "recorded" / "curves.json"
LABELS = (10, 30, 100, 300, 1000, 3000, 10_000)
SEEDS = range(5)
WAYS = ("features", "fine-tuning", "scratch")
STUDENT_95 = 2.776
"""Student's t for 95 % and five runs."""


class CurvePoint(NamedTuple):
    """The accuracy at a number of labels: the mean over the seeds, and its 95 % interval."""

    labels: int
    mean: float
    low: float
    high: float
    runs: int


def spec_of(network: str, task: str, way: str, labels: int, seed: int) -> TuneSpec:
    """The run of a point.

    Raises:
        ValueError: if there is no such way.
    """
    check_one_of("the way", way, WAYS)
    if way == "features":
        alone = parts(network)
        return TuneSpec(network, task, labels, frozen=alone, learning_rate=1e-2, seed=seed)
    start = "scratch" if way == "scratch" else "pretrained"
    return TuneSpec(network, task, labels, start=start, seed=seed)


def curve(network: str, task: str, way: str) -> tuple[CurvePoint, ...]:
    """The recorded points of a curve, as far as they are there."""
    found = list[CurvePoint]()
    for labels in LABELS:
        kept = _recorded()["runs"].get(_key(network, task, way, labels), {})
        values = np.array(list(kept.values()))
        if not len(values):
            continue
        spread = values.std(ddof=1) / np.sqrt(len(values)) if len(values) > 1 else 0.0
        mean = float(values.mean())
        reach = STUDENT_95 * float(spread)
        low, high = max(mean - reach, 0.0), min(mean + reach, 1.0)
        found.append(CurvePoint(labels, mean, low, high, len(values)))
    return tuple(found)


def ceiling(task: str) -> float:
    """The best possible accuracy on the examples that every run is tested on."""
    return best_accuracy(task, tested_examples(task))


def recorded_on() -> tuple[str, str]:
    """The date of the recording and the version of torch."""
    return str(_recorded().get("date", "")), str(_recorded().get("torch", ""))


def record() -> Iterator[str]:
    """Make the runs that are missing; says after each what it gave."""
    kept = _read()
    for network, task, way, labels, seed in _wanted():
        runs = kept["runs"].setdefault(_key(network, task, way, labels), {})
        if str(seed) in runs:
            continue
        *_, last = tune(spec_of(network, task, way, labels, seed))
        assert last.accuracy is not None
        runs[str(seed)] = round(last.accuracy, 5)
        kept |= {"date": datetime.date.today().isoformat(), "torch": torch.__version__}
        FILE.parent.mkdir(exist_ok=True)
        FILE.write_text(json.dumps(kept, indent=1) + "\n", "utf-8")
        yield f"{network} {task} {way} {labels} {seed}: {last.accuracy:.3f}"


def _wanted() -> Iterator[tuple[str, str, str, int, int]]:
    """All runs: first one seed of all points, then the next."""
    for seed, network in product(SEEDS, ("encoder", "gpt")):
        for task, labels, way in product(TASKS, LABELS, WAYS):
            yield network, task, way, labels, seed


def _key(network: str, task: str, way: str, labels: int) -> str:
    return f"{network} {task} {way} {labels}"


@lru_cache(maxsize=1)
def _recorded() -> dict[str, Any]:
    return _read()


def _read() -> dict[str, Any]:
    if not FILE.is_file():
        return {"runs": {}}
    found: dict[str, Any] = json.loads(FILE.read_text("utf-8"))
    return found


def main() -> None:
    """Record what is missing."""
    share_cores()
    torch.set_num_threads(1)
    for said in record():
        sys.stdout.write(f"{said}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
