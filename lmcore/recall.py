"""Recall at a distance: how far back can a small network, trained for it, remember one symbol?

    s  filler … filler  ?        s is one of 8 symbols, a filler one of 4, "?" asks for s again

Only the answer to "?" is graded, so a network can do no better than chance, 1/8, unless it carries
s across all the fillers, and learns to do so from a gradient that came the same way back.

    python -m lmcore.recall        trains all of them anew and writes assets/measured/recall.json

Source: the task is the "noise-free" kind of Hochreiter & Schmidhuber 1997, section 5.2, made small.
"""

from __future__ import annotations

import json
import platform
import sys
import time
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, NamedTuple, get_args

import torch
import torch.nn.functional as F
from jaxtyping import Int
from torch import Tensor

from lmcore.device import share_cores
from lmcore.gru import GRUConfig
from lmcore.layers import among, whole
from lmcore.lstm import LSTMConfig
from lmcore.neural import Network, build
from lmcore.rnn import RNNConfig

FILE = Path(__file__).resolve().parent.parent / "assets" / "measured" / "recall.json"
SYMBOLS, FILLERS = 8, 4
QUESTION = SYMBOLS + FILLERS
TYPES = QUESTION + 1
CHANCE = 1 / SYMBOLS
TESTED = 1000
"""Fresh sequences the accuracy is taken on."""
DISTANCES = (2, 5, 10, 20, 40, 80)
SEEDS = (0, 1, 2)

Cell = Literal["rnn", "gru", "lstm"]
CELLS: tuple[Cell, ...] = get_args(Cell)


@dataclass(frozen=True, slots=True)
class RecallSpec:
    """One training: which cell, over how many fillers, and how."""

    cell: Cell
    distance: int
    seed: int = 0
    hidden: int = 32
    steps: int = 600
    batch: int = 64
    learning_rate: float = 5e-3
    clip: float = 1.0

    def __post_init__(self) -> None:
        """Raises ValueError naming what is out of bounds."""
        among("the cell", self.cell, CELLS)
        whole("the distance", self.distance, 200)
        whole("the hidden size", self.hidden, 256)
        whole("the number of steps", self.steps, 10_000)
        whole("the batch", self.batch, 1024)


class Sequences(NamedTuple):
    """Sequences to read, and the symbol each is to recall at its last token."""

    tokens: Int[Tensor, "batch time"]
    answers: Int[Tensor, " batch"]


class Recalled(NamedTuple):
    """What one training came to: the share of fresh sequences recalled, and its loss in nats."""

    accuracy: float
    loss: float


class Point(NamedTuple):
    """The accuracies of one cell at one distance, one a seed."""

    cell: Cell
    distance: int
    accuracies: tuple[float, ...]


class Measured(NamedTuple):
    """The file: what was measured, and how."""

    points: tuple[Point, ...]
    how: dict[str, str | float | int]


def sequences(distance: int, count: int, generator: torch.Generator) -> Sequences:
    """`count` sequences: a symbol, `distance` fillers, the question; all drawn uniformly."""
    answers = torch.randint(SYMBOLS, (count,), generator=generator)
    fillers = torch.randint(SYMBOLS, QUESTION, (count, distance), generator=generator)
    question = torch.full((count, 1), QUESTION)
    return Sequences(torch.cat([answers[:, None], fillers, question], dim=1), answers)


def network(spec: RecallSpec) -> Network:
    """The untrained network of `spec`: one layer, the same sizes for every cell."""
    sizes = {"vocabulary": TYPES, "embedding": TYPES, "hidden": spec.hidden}
    configs = {"rnn": RNNConfig(**sizes), "gru": GRUConfig(**sizes), "lstm": LSTMConfig(**sizes)}
    return build(configs[spec.cell], spec.seed)


def trained(spec: RecallSpec) -> Recalled:
    """Train on fresh sequences with Adam, clip the gradient, test on `TESTED` more."""
    generator = torch.Generator().manual_seed(spec.seed)
    model = network(spec)
    optimizer = torch.optim.Adam(model.parameters(), lr=spec.learning_rate)
    for _ in range(spec.steps):
        drawn = sequences(spec.distance, spec.batch, generator)
        loss = F.cross_entropy(model.fused(drawn.tokens)[0][:, -1], drawn.answers)
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(model.parameters(), spec.clip)
        optimizer.step()
    return tested(model, sequences(spec.distance, TESTED, generator))


@torch.no_grad()
def tested(model: Network, drawn: Sequences) -> Recalled:
    """Accuracy and mean loss at the question."""
    logits = model.fused(drawn.tokens)[0][:, -1]
    right = (logits.argmax(dim=-1) == drawn.answers).double().mean()
    return Recalled(float(right), float(F.cross_entropy(logits, drawn.answers)))


def measure(distances: tuple[int, ...] = DISTANCES, seeds: tuple[int, ...] = SEEDS) -> Measured:
    """Train every cell at every distance with every seed."""
    start = time.perf_counter()
    points = tuple(
        Point(
            cell, distance, tuple(trained(RecallSpec(cell, distance, s)).accuracy for s in seeds)
        )
        for cell in CELLS
        for distance in distances
    )
    how = {key: value for key, value in asdict(RecallSpec("rnn", 1)).items() if key in SHARED}
    how |= {"tested": TESTED, "seeds": ", ".join(map(str, seeds)), "device": "CPU, 1 thread"}
    how |= {"machine": platform.machine(), "torch": torch.__version__}
    how |= {"date": datetime.now(UTC).date().isoformat()}
    return Measured(points, how | {"seconds": round(time.perf_counter() - start)})


SHARED = ("hidden", "steps", "batch", "learning_rate", "clip")


def read(path: Path = FILE) -> Measured:
    """What `measure` found.

    Raises:
        ValueError: if the file is not one of its own.
    """
    try:
        found = json.loads(path.read_text("utf-8"))
        points = tuple(Point(cell, n, tuple(each)) for cell, n, each in found["points"])
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(
            f"{path.name} must hold the points that lmcore.recall wrote; got {error}"
        ) from error
    return Measured(points, found["how"])


def write(found: Measured, path: Path = FILE) -> None:
    """Put what was measured where `read` finds it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(found._asdict(), indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    share_cores()
    write(measure())
    sys.stdout.write(f"{FILE}\n")
