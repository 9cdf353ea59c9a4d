"""Training within a number of seconds: η falls to 0 with the time, and a stop loses two minutes."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple, Protocol, runtime_checkable

import torch
from safetensors import safe_open
from safetensors.torch import save_file
from torch import Tensor

SAVING = 120.0
"""Seconds between two saves."""


@runtime_checkable
class TimedRun(Protocol):
    """A run that can be saved and resumed."""

    step: int
    seconds: float
    weights: dict[str, Tensor]
    """What is trained, by name."""
    optimizer: torch.optim.Optimizer
    spec: dict[str, Any]
    """What must be equal for a run to be resumed; JSON."""

    def learn(self, remaining: float) -> float:
        """One step, at `remaining` of the learning rate: the loss of its batch."""
        ...


class SavedRun(NamedTuple):
    """The saved parts of a run."""

    step: int
    seconds: float
    spec: dict[str, Any]
    weights: dict[str, Tensor]
    optimizer: dict[str, Tensor]
    """`name key` → its state of one of the weights."""


def train_within(run: TimedRun, budget: float, file: Path) -> None:
    """Resume the run if it is saved in `file`, and train it until it has spent `budget` seconds.

    Raises:
        ValueError: if the budget is not above 0, or `file` holds another run.
    """
    if not budget > 0:
        raise ValueError(f"the number of seconds must be above 0; got {budget:g}")
    if file.is_file():
        restore(run, file)
    losses: list[float] = []
    last = saved = time.monotonic()
    while run.seconds < budget:
        losses.append(run.learn(1 - run.seconds / budget))
        now = time.monotonic()
        run.seconds, last = run.seconds + now - last, now
        if now - saved > SAVING or run.seconds >= budget:
            saved = now
            save(run, file)
            loss = sum(losses) / len(losses)
            sys.stdout.write(f"{run.seconds:,.0f} s, step {run.step:,}, loss {loss:.4f}\n")
            sys.stdout.flush()
            losses = []


def save(run: TimedRun, file: Path) -> None:
    """Save the run; if this is interrupted, the previous save remains."""
    file.parent.mkdir(exist_ok=True)
    tensors = {f"weights {name}": each.detach() for name, each in run.weights.items()}
    for name, weight in run.weights.items():
        for key, value in run.optimizer.state[weight].items():
            tensors[f"optimizer {name} {key}"] = value
    about = {"step": run.step, "seconds": run.seconds, "spec": run.spec}
    unfinished = file.with_suffix(".part")
    save_file(tensors, unfinished, metadata={"about": json.dumps(about)})
    unfinished.replace(file)


def read_saved(file: Path) -> SavedRun:
    """The run that `save` wrote.

    Raises:
        ValueError: if there is no such file.
    """
    if not file.is_file():
        raise ValueError(f"a run must be saved in {file}; none is")
    with safe_open(file, "pt") as saved:
        about = json.loads(saved.metadata()["about"])
        tensors = {name: saved.get_tensor(name) for name in saved.keys()}  # noqa: SIM118
    weights, optimizer = (
        {
            name.removeprefix(part): tensor
            for name, tensor in tensors.items()
            if name.startswith(part)
        }
        for part in ("weights ", "optimizer ")
    )
    return SavedRun(about["step"], about["seconds"], about["spec"], weights, optimizer)


def restore(run: TimedRun, file: Path) -> None:
    """Continue from a run that `save` wrote.

    Raises:
        ValueError: if it was another run, or there is no such file.
    """
    saved = read_saved(file)
    if saved.spec != run.spec:
        raise ValueError(f"{file} must be of this run; it is of another: delete it to begin anew")
    with torch.no_grad():
        for name, weight in run.weights.items():
            weight.copy_(saved.weights[name])
    for key, value in saved.optimizer.items():
        name, _, part = key.rpartition(" ")
        run.optimizer.state[run.weights[name]][part] = value
    run.step, run.seconds = saved.step, saved.seconds
