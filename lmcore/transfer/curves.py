"""What tuning gives, recorded over five seeds: by labels, by frozen parts, by λ, by order.

    python -m lmcore.transfer.curves [network …]              makes the runs missing in recorded/
    python -m lmcore.transfer.curves --longer [network …]     runs some with 5 times their steps

Each run lasts until its loss is flat, as `tuning` says, and its steps are kept with its accuracy.
An interrupted recording continues where it stopped; several processes may share one, each with
its own `--seeds`.
A learning rate for each way: fine-tuning 1e-3; new weights 3e-4, since at 1e-3 three of five
mini-BERTs stayed at their first loss; a head alone, which is the use of features, 1e-2.

The interval around a mean holds two errors, of the seeds and of the test texts. With S seeds whose
accuracies have the standard deviation s, and n texts,

    reach = √(r² + w²)      r = t s / √S, Student's;  w the reach of Wilson's interval for n texts

on each side of the mean. All seeds have the same test texts, so their error does not shrink with S.

Source: Newcombe 1998, method 10, for the squares that are added; Wilson 1927; Student 1908.
"""

from __future__ import annotations

import argparse
import datetime
import fcntl
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from itertools import chain, product, zip_longest
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch

from lmcore.checks import check_one_of
from lmcore.device import share_cores
from lmcore.networks.seeds import Z_95, share_interval
from lmcore.training.disk import write_atomically
from lmcore.transfer.networks import NETWORKS
from lmcore.transfer.tasks import TASKS, best_chances
from lmcore.transfer.tuning import TuneSpec, parts, tested_examples, tune, unseen

FOLDER = Path(__file__).resolve().parent / "recorded"
TESTS = FOLDER / "test_sets.json"
LABELS = (10, 30, 100, 300, 1000, 10_000)
SEEDS = range(5)
WAYS = ("fine-tuning", "scratch", "features")
OPENS_ON = ("acceptable",)
"""The task on which the page opens."""
AUXILIARY = (0.0, 0.1, 0.5, 1.0, 2.0)
AUXILIARY_LABELS = (100,)
FROZEN_LABELS = (100,)
LONGER, LONGER_TASKS = 5, ("acceptable", "person")
ORDER_LABELS = 1000
PAIRED = ("entailment", "answer")
"""The tasks that read two texts."""
STUDENT_95 = 2.776
"""Student's t for a 95 % interval of a mean of five runs."""


class Score(NamedTuple):
    """The accuracy of some runs that differ in their seeds: mean and 95 % interval."""

    mean: float
    low: float
    high: float
    runs: int
    least: int = 0
    most: int = 0
    """The fewest and the most steps of these runs."""


class TestSet(NamedTuple):
    """The accuracies that are possible on the texts that every run is tested on."""

    texts: int
    best: float
    """The expected accuracy of the best possible model."""
    low: float
    high: float
    """Between these are 95 % of its scores on as many texts: chance decides the ambiguous ones."""
    chance: float
    """The accuracy of the most frequent answer."""


def spec_of(network: str, task: str, way: str, labels: int) -> TuneSpec:
    """The run of a point of a curve, with seed 0.

    Raises:
        ValueError: if there is no such way.
    """
    check_one_of("the way", way, WAYS)
    if way == "features":
        return frozen_spec(network, task, labels, parts(network))
    if way == "scratch":
        return TuneSpec(network, task, labels, start="scratch", learning_rate=3e-4)
    return TuneSpec(network, task, labels)


def frozen_spec(network: str, task: str, labels: int, frozen: int) -> TuneSpec:
    """The run with `frozen` parts frozen, with seed 0."""
    rate = 1e-2 if frozen == parts(network) else 1e-3
    return TuneSpec(network, task, labels, frozen=frozen, learning_rate=rate)


def order_spec(network: str, task: str, *, question_first: bool) -> TuneSpec:
    """The run with two texts in that order, with seed 0."""
    return TuneSpec(network, task, ORDER_LABELS, question_first=question_first)


def is_recorded(spec: TuneSpec) -> bool:
    """Whether a run was recorded with all its seeds."""
    return len(_made(recorded_runs(spec.network)["runs"], spec)) == len(SEEDS)


def recorded_score(spec: TuneSpec) -> Score:
    """The recorded score of a run, over its seeds.

    Raises:
        ValueError: if it was not recorded with all of them.
    """
    kept = _made(recorded_runs(spec.network)["runs"], spec)
    if len(kept) < len(SEEDS):
        raise ValueError(f"the run must be among those recorded; got {spec}")
    right, steps = ([each[name] for each in kept.values()] for name in ("right", "steps"))
    low, high = interval(right, test_set(spec).texts)
    return Score(float(np.mean(right)), low, high, len(kept), min(steps), max(steps))


def longer_runs(spec: TuneSpec) -> dict[int, tuple[float, int]]:
    """Accuracy and steps of the same run with `LONGER` times its steps, by its seed."""
    kept = _made(recorded_runs(spec.network).get("longer", {}), spec)
    return {int(seed): (each["right"], each["steps"]) for seed, each in kept.items()}


def recorded_run(spec: TuneSpec) -> tuple[float, int]:
    """The accuracy and the steps that were recorded for this run, with its seed.

    Raises:
        ValueError: if it was not recorded.
    """
    kept = _made(recorded_runs(spec.network)["runs"], spec)
    if str(spec.seed) not in kept:
        raise ValueError(f"the run must be among those recorded; got {spec}")
    made = kept[str(spec.seed)]
    return float(made["right"]), int(made["steps"])


def recorded_curve(network: str, task: str, way: str) -> dict[int, Score]:
    """The accuracy by the number of labels, as far as it was recorded."""
    return _curve([spec_of(network, task, way, labels) for labels in LABELS])


def frozen_curve(network: str, task: str, frozen: int) -> dict[int, Score]:
    """As `recorded_curve`, with `frozen` parts frozen."""
    return _curve([frozen_spec(network, task, labels, frozen) for labels in LABELS])


def _curve(specs: Sequence[TuneSpec]) -> dict[int, Score]:
    return {spec.labels: recorded_score(spec) for spec in specs if is_recorded(spec)}


def recorded_on(network: str) -> tuple[str, str]:
    """The date of the recording and the version of torch."""
    kept = recorded_runs(network)
    return str(kept.get("date", "")), str(kept.get("torch", ""))


def test_set(spec: TuneSpec) -> TestSet:
    """The accuracies that are possible on the test texts of a run, read in its order."""
    return TestSet(*_test_sets()[spec.task]["unseen" if unseen(spec) else "seen"])


@lru_cache(maxsize=1)
def _test_sets() -> dict[str, dict[str, list[Any]]]:
    found: dict[str, dict[str, list[Any]]] = json.loads(TESTS.read_text("utf-8"))
    return found


def measure_test_set(task: str, *, unseen: bool = False) -> TestSet:
    """The accuracies that are possible on a task, computed from its tested examples."""
    examples = tested_examples(task)
    chances = best_chances(task, examples, unseen=unseen)
    best, count = float(chances.mean()), len(examples)
    reach = Z_95 * float(np.sqrt((chances * (1 - chances)).sum())) / count
    tagged = TASKS[task].reads == "tags"
    answers = Counter[object]()
    for each in examples:
        answers.update(each.answer if tagged and isinstance(each.answer, tuple) else [each.answer])
    chance = max(answers.values()) / answers.total()
    return TestSet(count, best, max(best - reach, 0.0), min(best + reach, 1.0), chance)


def record(network: str, seeds: Iterable[int] = SEEDS) -> Iterator[str]:
    """Make the runs of these seeds that are missing; yields a line with each result."""
    for spec in wanted_runs(network, seeds):
        if not _is_kept(spec, "runs"):
            yield _keep(spec, "runs")


def record_longer(network: str) -> Iterator[str]:
    """Make the runs of `LONGER_TASKS` once more, each with `LONGER` times its steps."""
    for task in LONGER_TASKS:
        for seed in SEEDS:
            spec = replace(spec_of(network, task, "scratch", max(LABELS)), seed=seed)
            made = _made(_read(network)["runs"], spec).get(str(seed))
            if made and not _is_kept(spec, "longer"):
                longer = replace(spec, steps=LONGER * made["steps"], early=False)
                yield _keep(longer, "longer")


def write_test_sets() -> None:
    """Measure the accuracies that are possible on each task's test texts, and write them."""
    found = {
        task: {
            name: measure_test_set(task, unseen=hides)
            for name, hides in (("seen", False), ("unseen", True))
        }
        for task in TASKS
    }
    _write(found, TESTS)


def _is_kept(spec: TuneSpec, where: str) -> bool:
    return str(spec.seed) in _made(_read(spec.network).get(where, {}), spec)


def _made(runs: Mapping[str, Any], spec: TuneSpec) -> dict[str, Any]:
    """The kept runs of a point by seed, without those of another learning rate."""
    made: Mapping[str, Any] = runs.get(key_of(spec), {})
    return {seed: each for seed, each in made.items() if each["rate"] == spec.learning_rate}


def _keep(spec: TuneSpec, where: str) -> str:
    """Make a run and write it to its file, to which other processes may write at the same time."""
    began = time.process_time()
    *_, last = tune(spec)
    assert last.accuracy is not None
    took = time.process_time() - began
    made = {"right": round(last.accuracy, 5), "steps": last.step, "rate": spec.learning_rate}
    with _locked(FOLDER):
        kept = _read(spec.network)
        kept.setdefault(where, {}).setdefault(key_of(spec), {})[str(spec.seed)] = made
        kept |= {"date": datetime.date.today().isoformat(), "torch": torch.__version__}
        _write(kept, _file(spec.network))
    said = f"{spec.network} {key_of(spec)} {spec.seed}: {last.accuracy:.3f}"
    return f"{said} after {last.step} steps in {took:.0f} s"


def wanted_runs(network: str, seeds: Iterable[int] = SEEDS) -> Iterator[TuneSpec]:
    """All runs, those first that the page needs most: each with all its seeds, then the next."""
    for spec in dict.fromkeys(_of_one_seed(network)):
        for seed in seeds:
            yield replace(spec, seed=seed)


def _of_one_seed(network: str) -> Iterator[TuneSpec]:
    """The runs of one seed; those that the page opens on and its examples show come first."""
    yield from _points(network, (100, 1000), TASKS)
    yield from _frozen(network, OPENS_ON)
    yield from _points(network, (10_000,), OPENS_ON)
    for task in PAIRED:
        yield order_spec(network, task, question_first=True)
    yield from _weighed(network, (*OPENS_ON, "entailment"))
    yield from _points(network, (10,), TASKS)
    yield from _frozen(network, TASKS)
    yield from _weighed(network, TASKS)
    yield from _points(network, LABELS, TASKS)


def _frozen(network: str, tasks: Iterable[str]) -> Iterator[TuneSpec]:
    for labels, task in product(FROZEN_LABELS, tasks):
        for frozen in range(1, parts(network)):
            yield frozen_spec(network, task, labels, frozen)


def _weighed(network: str, tasks: Iterable[str]) -> Iterator[TuneSpec]:
    if network == "gpt":
        for task, labels, weight in product(tasks, AUXILIARY_LABELS, AUXILIARY):
            yield TuneSpec(network, task, labels, auxiliary=weight)


def _points(network: str, counts: Iterable[int], tasks: Iterable[str]) -> Iterator[TuneSpec]:
    for labels, task, way in product(counts, tasks, WAYS):
        yield spec_of(network, task, way, labels)


def interval(values: Sequence[float], texts: int) -> tuple[float, float]:
    """The ends of the 95 % interval of a mean over five seeds, tested on `texts` texts."""
    mean = float(np.mean(values))
    seeds = STUDENT_95 * float(np.std(values, ddof=1)) / len(values) ** 0.5
    _, *wilson = share_interval(mean * texts, texts)
    low, high = (float(np.hypot(seeds, end - mean)) for end in wilson)
    return max(mean - low, 0.0), min(mean + high, 1.0)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Hold a folder's lock: of several processes one at a time reads a file and writes it."""
    folder.mkdir(exist_ok=True)
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _write(kept: Mapping[str, Any], path: Path) -> None:
    write_atomically((json.dumps(kept, indent=1) + "\n").encode(), path)


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
    reads = argparse.ArgumentParser(prog=f"python -m {__spec__.name}", description=__doc__)
    reads.add_argument("networks", nargs="*", metavar="network", help=", ".join(NETWORKS))
    reads.add_argument("--seeds", nargs="+", type=int, choices=SEEDS, default=[*SEEDS])
    reads.add_argument("--longer", action="store_true", help="check against 5 times the steps")
    given = reads.parse_args(argv)
    write_test_sets()
    share_cores()
    torch.set_num_threads(1)
    networks = given.networks or NETWORKS
    for network in networks:
        check_one_of("the network", network, NETWORKS)
    made = (record_longer(n) if given.longer else record(n, given.seeds) for n in networks)
    by_turns = chain.from_iterable(zip_longest(*made))  # all begin with what counts most
    for said in by_turns:
        if said:
            sys.stdout.write(f"{said}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
