"""Recall at a distance: how far back a small network trained for it remembers one symbol.

    s  filler … filler  ?        s and the fillers are of the same 8 symbols; "?" asks for s again

Only the answer to "?" is scored. To exceed chance, 1/8, a network must store the first symbol, keep
it over all fillers without overwriting it, and learn this from a gradient that comes back the same
way. Two measurements, which differ in what training shows:

    mixed    distances from 1 to `trained_to`: the short ones teach how to carry the symbol
    alone    one distance only, a network for each: the gradient must come back over all of it

    python -m lmcore.recurrence.recall    trains all networks and writes measured/recall.json

Source: a small form of the tasks of Hochreiter & Schmidhuber 1997, section 5.
"""

from __future__ import annotations

import json
import sys
import time
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import torch
import torch.nn.functional as F
from jaxtyping import Int
from torch import Tensor

from lmcore import dataframes
from lmcore.checks import check_one_of
from lmcore.device import share_cores
from lmcore.models.layers import check_size
from lmcore.models.registry import Network, build
from lmcore.training.spec import ModelSpec

if TYPE_CHECKING:
    from pandas import DataFrame

FILE = Path(__file__).resolve().parent / "measured" / "recall.json"
SYMBOLS = 8
QUESTION = SYMBOLS
TYPES = QUESTION + 1
CHANCE = 1 / SYMBOLS
TESTED = 1000
"""Fresh sequences for measuring the accuracy."""
DISTANCES = (1, 2, 5, 10, 15, 20, 30, 40, 60, 80, 120, 160)
ALONE = (1, 2, 5, 10, 15, 20)
"""The distances at which networks are trained that see no other."""
SEEDS = (0, 1, 2)

CELLS = ("rnn", "gru", "lstm")


@dataclass(frozen=True, slots=True)
class RecallSpec:
    """One training run: the kind of cell, the range of distances, and the hyperparameters."""

    cell: str
    seed: int = 0
    trained_from: int = 1
    trained_to: int = 40
    hidden: int = 32
    steps: int = 2000
    batch: int = 64
    learning_rate: float = 5e-3
    clip: float = 1.0

    def __post_init__(self) -> None:
        """Raises ValueError naming what is out of bounds."""
        check_one_of("the cell", self.cell, CELLS)
        check_size("the distance", self.trained_to, 200)
        check_size("the shortest distance", self.trained_from, self.trained_to)
        check_size("the hidden size", self.hidden, 256)
        check_size("the number of steps", self.steps, 10_000)
        check_size("the batch", self.batch, 1024)


class Sequences(NamedTuple):
    """Input sequences, and the symbol to recall at the last token of each."""

    tokens: Int[Tensor, "batch time"]
    answers: Int[Tensor, " batch"]


class RecallPoint(NamedTuple):
    """The accuracies of one kind of cell at one distance, one per seed."""

    cell: str
    distance: int
    accuracies: tuple[float, ...]


class RecallResults(NamedTuple):
    """The contents of the results file: the measurements, and how they were made."""

    points: tuple[RecallPoint, ...]
    """The accuracies of networks trained on mixed distances."""
    alone: tuple[RecallPoint, ...]
    """The accuracies of networks trained only on the distance at which they are tested."""
    how: dict[str, str | float | int]

    def to_frame(self) -> DataFrame:
        """One row per measurement: training, cell, distance, seed, from 0, accuracy."""
        trained = {"mixed": self.points, "alone": self.alone}
        rows = [
            (name, point, seed, accuracy)
            for name, points in trained.items()
            for point in points
            for seed, accuracy in enumerate(point.accuracies)
        ]
        return dataframes.frame(
            {
                "training": [name for name, *_ in rows],
                "cell": [point.cell for _, point, *_ in rows],
                "distance": [point.distance for _, point, *_ in rows],
                "seed": [seed for *_, seed, _ in rows],
                "accuracy": [accuracy for *_, accuracy in rows],
            }
        )


def sequences(distance: int, count: int, generator: torch.Generator) -> Sequences:
    """`count` sequences: a symbol, `distance` fillers, the question; all drawn uniformly."""
    answers = torch.randint(SYMBOLS, (count,), generator=generator)
    fillers = torch.randint(SYMBOLS, (count, distance), generator=generator)
    question = torch.full((count, 1), QUESTION)
    return Sequences(torch.cat([answers[:, None], fillers, question], dim=1), answers)


def network(spec: RecallSpec) -> Network:
    """The untrained network of `spec`: one layer, the same sizes for every cell."""
    return build(ModelSpec(spec.cell, TYPES, spec.hidden).config(TYPES), spec.seed)


def train_network(spec: RecallSpec) -> Network:
    """Train with Adam on fresh sequences, each batch of one distance; clip the gradient."""
    generator = torch.Generator().manual_seed(spec.seed)
    model = network(spec)
    optimizer = torch.optim.Adam(model.parameters(), lr=spec.learning_rate)
    for _ in range(spec.steps):
        low, high = spec.trained_from, spec.trained_to + 1
        distance = int(torch.randint(low, high, (), generator=generator))
        drawn = sequences(distance, spec.batch, generator)
        loss = F.cross_entropy(model.logits_and_state(drawn.tokens)[0][:, -1], drawn.answers)
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(model.parameters(), spec.clip)
        optimizer.step()
    return model


@torch.no_grad()
def accuracy(model: Network, drawn: Sequences) -> float:
    """The share of sequences whose symbol is the most probable answer."""
    answered = model.logits_and_state(drawn.tokens)[0][:, -1].argmax(dim=-1)
    return float((answered == drawn.answers).double().mean())


def train_and_test(spec: RecallSpec, distances: tuple[int, ...] = DISTANCES) -> tuple[float, ...]:
    """Train, then test on `TESTED` fresh sequences of each distance."""
    model, generator = train_network(spec), torch.Generator().manual_seed(1_000_000 + spec.seed)
    return tuple(accuracy(model, sequences(n, TESTED, generator)) for n in distances)


def measure(
    distances: tuple[int, ...] = DISTANCES,
    alone: tuple[int, ...] = ALONE,
    seeds: tuple[int, ...] = SEEDS,
    steps: int = 2000,
) -> RecallResults:
    """Train every cell with every seed, on mixed distances and on each distance alone."""
    start, mixed, single = time.perf_counter(), list[RecallPoint](), list[RecallPoint]()
    for cell in CELLS:
        shares = [train_and_test(RecallSpec(cell, seed, steps=steps), distances) for seed in seeds]
        mixed += [
            RecallPoint(cell, *each)
            for each in zip(distances, zip(*shares, strict=True), strict=True)
        ]
        for n in alone:
            specs = [RecallSpec(cell, seed, n, n, steps=steps) for seed in seeds]
            right = tuple(train_and_test(spec, (n,))[0] for spec in specs)
            single.append(RecallPoint(cell, n, right))
    common = asdict(RecallSpec("rnn", steps=steps))
    how = {key: value for key, value in common.items() if key not in ("cell", "seed")}
    how |= {"tested": TESTED, "seeds": len(seeds), "device": "CPU, 1 thread"}
    how |= {"torch": torch.__version__, "date": datetime.now(UTC).date().isoformat()}
    how |= {"seconds": round(time.perf_counter() - start)}
    return RecallResults(tuple(mixed), tuple(single), how)


def load_results(path: Path = FILE) -> RecallResults:
    """The results of `measure`.

    Raises:
        ValueError: if the file has another format.
    """
    try:
        content = json.loads(path.read_text("utf-8"))
        mixed, alone = (
            tuple(RecallPoint(cell, n, tuple(each)) for cell, n, each in content[name])
            for name in ("points", "alone")
        )
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(
            f"{path.name} must hold the points that lmcore.recurrence.recall wrote; got {error}"
        ) from error
    return RecallResults(mixed, alone, content["how"])


def save_results(found: RecallResults, path: Path = FILE) -> None:
    """Write results for `load_results`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(found._asdict(), indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    share_cores()
    save_results(measure())
    sys.stdout.write(f"{FILE}\n")
