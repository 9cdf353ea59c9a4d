"""Recorded training runs: what a run of exactly that spec did, when, and on which device.

Each file in `recorded/` is one run; `python -m benchmarks.recordings` makes those of the examples
of the page “Live training”. On one CPU thread a run of the same spec gives the same losses.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import torch

from lmcore.device import device_name
from lmcore.training.events import Diverged, Evaluated, Stepped
from lmcore.training.loop import Training
from lmcore.training.pool.worker import sample_text
from lmcore.training.spec import RunSpec

FOLDER = Path(__file__).resolve().parent / "recorded"
TEXTS = 6
"""The number of texts kept of a run, the first of them written before the first step."""
POINTS = 240
"""The approximate number of means of batch losses that are kept."""
BEND = 10
"""The step from which on the scale of steps is logarithmic: a step s is at log(1 + s / BEND)."""


@dataclass(frozen=True, slots=True)
class Recording:
    """A run from its first to its last step; losses are in nats per token.

    `batches` are (step, mean loss of the batches up to it since the entry before), `norms` the same
    of the whole gradient's norm before clipping. An evaluation is (step, validation loss, gradient
    norm of each of `layers`); none before the first step has norms. `seconds` is the time taken,
    other work of the machine included. `why` is the reason if the run diverged. What is not finite
    is None.
    """

    spec: RunSpec
    date: str
    device: str
    seconds: float
    types: int
    parameters: int
    truth: float | None
    step: int
    why: str
    layers: tuple[str, ...]
    batches: tuple[tuple[int, float | None], ...]
    norms: tuple[tuple[int, float | None], ...]
    evaluations: tuple[tuple[int | float | None, ...], ...]
    samples: tuple[tuple[int, str], ...]

    @property
    def final_loss(self) -> float | None:
        """The validation loss at the last evaluation."""
        return self.evaluations[-1][1]

    def to_json(self) -> str:
        """The recording as JSON, numbers to five significant digits."""
        parts: dict[str, Any] = {name: getattr(self, name) for name in self.__slots__}
        return json.dumps(parts | {"spec": json.loads(self.spec.to_json())}, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Recording:
        """Parse what `to_json` wrote.

        Raises:
            ValueError: if the spec is not valid.
        """
        parts = json.loads(text)
        spec = RunSpec.from_json(json.dumps(parts.pop("spec")))
        rows: dict[str, Any] = {
            name: tuple(tuple(row) for row in parts.pop(name)) for name in _ROWS
        }
        return cls(spec=spec, layers=tuple(parts.pop("layers")), **rows, **parts)


_ROWS = ("batches", "norms", "evaluations", "samples")


def record(spec: RunSpec, date: str, where: torch.device) -> Recording:
    """Train a run of `spec` on `where` from its first to its last step, and keep what it did."""
    run = Training(spec, where)
    wanted = text_steps(spec)
    samples = [(0, sample_text(run))]
    losses: list[float] = []
    norms: list[float] = []
    evaluations: list[Evaluated] = []
    why, spent, start = "", 0.0, time.perf_counter()
    for event in run:
        if isinstance(event, Stepped):
            losses.append(event.loss)
            norms.append(event.norm)
            if event.step in wanted:
                spent += time.perf_counter() - start
                samples.append((event.step, sample_text(run)))
                start = time.perf_counter()
        elif isinstance(event, Evaluated):
            evaluations.append(event)
        elif isinstance(event, Diverged):
            why = event.why
    spent += time.perf_counter() - start
    if run.step > samples[-1][0]:
        samples.append((run.step, sample_text(run)))
    layers = tuple(name for name, _ in evaluations[-1].norms)
    return Recording(
        spec=spec,
        date=date,
        device=_device_words(where),
        seconds=_short(spent) or 0.0,
        types=run.network.config.vocabulary,
        parameters=run.network.config.parameters,
        truth=_short(run.feed.truth),
        step=run.step,
        why=why,
        layers=layers,
        batches=widening_means(losses),
        norms=widening_means(norms),
        evaluations=tuple(
            (each.step, _short(each.loss), *(_short(norm) for _, norm in each.norms))
            for each in evaluations
        ),
        samples=tuple(samples),
    )


def text_steps(spec: RunSpec) -> tuple[int, ...]:
    """The steps after which a text is kept: evenly spaced on the scale of steps, the last included.

    Each but the last is one that is followed by an evaluation.
    """
    ratio = 1 + spec.steps / BEND
    along = [BEND * (ratio ** (place / (TEXTS - 1)) - 1) for place in range(1, TEXTS - 1)]
    rounded = {max(1, round(step / spec.every)) * spec.every for step in along}
    return tuple(sorted({step for step in rounded if step < spec.steps} | {spec.steps}))


def widening_means(values: Sequence[float]) -> tuple[tuple[int, float | None], ...]:
    """(step, mean of the values up to it), at about even distances on the scale of steps.

    `values[i]` belongs to step i + 1.
    """
    ratio = (1 + len(values) / BEND) ** (1 / POINTS)
    ends, end = [], 0
    while end < len(values):
        end = min(len(values), max(end + 1, round((end + BEND) * ratio) - BEND))
        ends.append(end)
    starts = [0, *ends][: len(ends)]
    return tuple((b, _short(sum(values[a:b]) / (b - a))) for a, b in zip(starts, ends, strict=True))


def path(spec: RunSpec) -> Path:
    """The file of the recording of a spec."""
    return FOLDER / f"{spec.model.kind}-{spec.key[:12]}.json"


@lru_cache(maxsize=64)
def find_recording(spec: RunSpec) -> Recording | None:
    """The recorded run of exactly that spec, or None."""
    file = path(spec)
    if not file.is_file():
        return None
    recording = Recording.from_json(file.read_text("utf-8"))
    return recording if recording.spec == spec else None


def find_recordings(specs: Iterable[RunSpec]) -> tuple[Recording, ...]:
    """The recorded runs of those specs, without those that are not recorded."""
    return tuple(found for spec in specs if (found := find_recording(spec)))


def _short(value: float | None) -> float | None:
    if value is None or not math.isfinite(value):
        return None
    return float(f"{value:.5g}")


def _device_words(where: torch.device) -> str:
    if where.type != "cpu":
        return device_name(where)
    threads = torch.get_num_threads()
    return f"CPU, {threads} thread{'s' if threads > 1 else ''}"
