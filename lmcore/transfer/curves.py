"""What tuning gives, recorded over five seeds: by labels, by frozen parts, by λ, by order.

    python -m lmcore.transfer.curves [network …]     makes the runs missing in recorded/NETWORK.json

An interrupted recording goes on where it stopped. All runs make 200 steps of 32 examples. When only
the head learns, which is the use of features, it learns at ten times the learning rate.
"""

from __future__ import annotations

import datetime
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch

from lmcore.checks import check_one_of
from lmcore.device import share_cores
from lmcore.transfer.networks import NETWORKS
from lmcore.transfer.tasks import TASKS, best_accuracy
from lmcore.transfer.tuning import TuneSpec, parts, tested_examples, tune

FOLDER = Path(__file__).resolve().parent / "recorded"
LABELS = (10, 30, 100, 300, 1000, 10_000)
SEEDS = range(5)
WAYS = ("features", "fine-tuning", "scratch")
AUXILIARY = (0.0, 0.1, 0.5, 1.0, 2.0)
AUXILIARY_LABELS = (30, 300)
ORDER_LABELS = 1000
PAIRED = ("entailment", "answer")
"""The tasks that read two texts."""
STUDENT_95 = {2: 12.706, 3: 4.303, 4: 3.182, 5: 2.776}
"""Student's t for a 95 % interval of a mean, by the number of runs."""


class Score(NamedTuple):
    """The accuracy of some runs that differ in their seeds: mean and 95 % interval."""

    mean: float
    low: float
    high: float
    runs: int


def spec_of(network: str, task: str, way: str, labels: int) -> TuneSpec:
    """The run of a point of a curve, with seed 0.

    Raises:
        ValueError: if there is no such way.
    """
    check_one_of("the way", way, WAYS)
    if way == "features":
        return frozen_spec(network, task, labels, parts(network))
    start = "scratch" if way == "scratch" else "pretrained"
    return TuneSpec(network, task, labels, start=start)


def frozen_spec(network: str, task: str, labels: int, frozen: int) -> TuneSpec:
    """The run with so many parts frozen, with seed 0."""
    rate = 1e-2 if frozen == parts(network) else 1e-3
    return TuneSpec(network, task, labels, frozen=frozen, learning_rate=rate)


def order_spec(network: str, task: str, *, question_first: bool) -> TuneSpec:
    """The run with two texts in that order, with seed 0."""
    return TuneSpec(network, task, ORDER_LABELS, question_first=question_first)


def recorded_score(spec: TuneSpec) -> Score | None:
    """What was recorded for a run, over its seeds; None if nothing was."""
    kept = recorded_runs(spec.network)["runs"].get(key_of(spec), {})
    return _score(list(kept.values())) if kept else None


def recorded_accuracy(spec: TuneSpec) -> float:
    """What was recorded for this run, with its seed.

    Raises:
        ValueError: if it was not recorded.
    """
    kept = recorded_runs(spec.network)["runs"].get(key_of(spec), {})
    if str(spec.seed) not in kept:
        raise ValueError(f"the run must be among those recorded; got {spec}")
    return float(kept[str(spec.seed)])


def recorded_curve(network: str, task: str, way: str) -> dict[int, Score]:
    """The accuracy by the number of labels, as far as it was recorded."""
    found = {n: recorded_score(spec_of(network, task, way, n)) for n in LABELS}
    return {labels: score for labels, score in found.items() if score is not None}


def recorded_on(network: str) -> tuple[str, str]:
    """The date of the recording and the version of torch."""
    kept = recorded_runs(network)
    return str(kept.get("date", "")), str(kept.get("torch", ""))


@lru_cache(maxsize=8)
def ceiling(task: str) -> float:
    """The best possible accuracy on the examples that every run is tested on."""
    return best_accuracy(task, tested_examples(task))


@lru_cache(maxsize=8)
def chance(task: str) -> float:
    """The accuracy of the most frequent answer of the examples that every run is tested on."""
    tagged = TASKS[task].reads == "tags"
    answers = Counter[object]()
    for each in tested_examples(task):
        answers.update(each.answer if tagged and isinstance(each.answer, tuple) else [each.answer])
    return max(answers.values()) / answers.total()


def record(network: str) -> Iterator[str]:
    """Make the runs of a network that are missing; says after each what it gave."""
    kept = _read(network)
    for spec in wanted_runs(network):
        runs = kept["runs"].setdefault(key_of(spec), {})
        if str(spec.seed) in runs:
            continue
        *_, last = tune(spec)
        assert last.accuracy is not None
        runs[str(spec.seed)] = round(last.accuracy, 5)
        kept |= {"date": datetime.date.today().isoformat(), "torch": torch.__version__}
        FOLDER.mkdir(exist_ok=True)
        _file(network).write_text(json.dumps(kept, indent=1) + "\n", "utf-8")
        yield f"{network} {key_of(spec)} {spec.seed}: {last.accuracy:.3f}"


def wanted_runs(network: str) -> Iterator[TuneSpec]:
    """All runs: first those of one seed, then of the next."""
    for seed in SEEDS:
        for spec in _of_one_seed(network):
            yield replace(spec, seed=seed)


def _of_one_seed(network: str) -> Iterator[TuneSpec]:
    for task, labels, way in product(TASKS, LABELS, WAYS):
        yield spec_of(network, task, way, labels)
    for task, labels in product(TASKS, LABELS):
        for frozen in range(1, parts(network)):
            yield frozen_spec(network, task, labels, frozen)
    for task in PAIRED:
        yield order_spec(network, task, question_first=True)
    if network == "gpt":
        for task, labels, weight in product(TASKS, AUXILIARY_LABELS, AUXILIARY[1:]):
            yield TuneSpec(network, task, labels, auxiliary=weight)


def _score(values: Sequence[float]) -> Score:
    mean = float(np.mean(values))
    if len(values) < 2:
        return Score(mean, mean, mean, 1)
    reach = STUDENT_95[len(values)] * float(np.std(values, ddof=1)) / len(values) ** 0.5
    return Score(mean, max(mean - reach, 0.0), min(mean + reach, 1.0), len(values))


def key_of(spec: TuneSpec) -> str:
    """The name of a run in its file, the same for all seeds."""
    order = " question first" if spec.question_first else ""
    weight = f" λ {spec.auxiliary:g}" if spec.auxiliary else ""
    return f"{spec.task} {spec.start} frozen {spec.frozen} labels {spec.labels}{weight}{order}"


def _file(network: str) -> Path:
    return FOLDER / f"{network}.json"


@lru_cache(maxsize=3)
def recorded_runs(network: str) -> dict[str, Any]:
    """The file of a network: its runs, the date, and the version of torch."""
    return _read(network)


def _read(network: str) -> dict[str, Any]:
    if not _file(network).is_file():
        return {"runs": {}}
    found: dict[str, Any] = json.loads(_file(network).read_text("utf-8"))
    return found


def main(argv: Sequence[str] = ()) -> None:
    """Record what is missing."""
    share_cores()
    torch.set_num_threads(1)
    for network in argv or NETWORKS:
        check_one_of("the network", network, NETWORKS)
        for said in record(network):
            sys.stdout.write(f"{said}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
