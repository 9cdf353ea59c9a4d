"""Trains the models that come with the application.

    python -m lmcore.shipped.pretrain [name …]       all models, or the named ones

An interrupted run resumes from `.pretrain`, where it is saved every minute. A finished one writes
its weights to `weights/`, and beside them a card: the corpus, the duration, the device, and figures
on texts that no model was trained on.
"""

from __future__ import annotations

import json
import platform
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import torch

from lmcore.device import device, device_name, share_cores
from lmcore.shipped import evaluate
from lmcore.shipped.models import FOLDER, SHIPPED, TRANSLATORS, card_path, path, shipped_spec
from lmcore.training.checkpoint import dump, restore, save
from lmcore.training.events import Diverged, Stepped
from lmcore.training.loop import Training
from lmcore.training.loop import train as steps

UNFINISHED_FOLDER = FOLDER.parent.parent / ".pretrain"
SAVING = 60.0
"""Seconds between two saves of a run."""


def train(name: str) -> Path:
    """Make the remaining steps, and write the model and its card.

    Raises:
        ValueError: if there is no model of that name, or its saved progress is of another spec.
        RuntimeError: if the run diverges.
    """
    shipped_spec(name)
    spent, run = begin_or_resume(name)
    started = saved = time.monotonic()
    for event in steps(run):
        if isinstance(event, Diverged):
            raise RuntimeError(f"{name}: {event.why}")
        if isinstance(event, Stepped) and time.monotonic() - saved > SAVING:
            saved = time.monotonic()
            save_progress(name, run, spent + saved - started)
            sys.stdout.write(
                f"{name}: step {run.step:,} of {run.spec.steps:,}, loss {event.loss:.4f}\n"
            )
            sys.stdout.flush()
    seconds = spent + time.monotonic() - started
    FOLDER.mkdir(exist_ok=True)
    path(name).write_bytes(dump(run, weights_only=True))
    card_path(name).write_text(card(name, run, seconds), "utf-8")
    for file in _files(name):
        file.unlink(missing_ok=True)
    return path(name)


def begin_or_resume(name: str) -> tuple[float, Training]:
    """The seconds spent so far, and the run: from its first step, or where it was interrupted.

    Raises:
        ValueError: if what was saved is incomplete, or of another spec.
    """
    weights, clock = _files(name)
    if not (weights.is_file() and clock.is_file()):
        return 0.0, Training(shipped_spec(name), device())
    run = restore(weights.read_bytes(), device())
    if run.spec != shipped_spec(name):
        raise ValueError(
            f"what is saved of {name} must be of the run that is wanted; {weights} is of another: "
            "delete it to begin anew"
        )
    return float(clock.read_text("utf-8")), run


def save_progress(name: str, run: Training, seconds: float) -> None:
    """Save a run so that `begin_or_resume` finds it."""
    UNFINISHED_FOLDER.mkdir(exist_ok=True)
    weights, clock = _files(name)
    save(run, weights)
    clock.write_text(f"{seconds}", "utf-8")


def card(name: str, run: Training, seconds: float) -> str:
    """The card of a model, as JSON."""
    where, spec = run.where.type, json.loads(run.spec.to_json())
    content = {
        "name": name,
        "data": spec["corpus"],
        "spec": spec,
        "parameters": sum(weight.numel() for weight in run.network.parameters()),
        "steps": run.step,
        "seconds": round(seconds, 3),
        "device": device_name(run.where)
        if where != "cpu"
        else f"CPU, {torch.get_num_threads()} threads",
        "made with": {"python": platform.python_version(), "torch": torch.__version__},
        "figures": evaluate.figures(name, path(name)),
    }
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


def main(names: Sequence[str]) -> None:
    """Train the named models, or all."""
    share_cores()
    for name in names or (*SHIPPED, *TRANSLATORS):
        sys.stdout.write(f"{train(name)}\n")


def _files(name: str) -> tuple[Path, Path]:
    return UNFINISHED_FOLDER / f"{name}.safetensors", UNFINISHED_FOLDER / f"{name}.seconds"


if __name__ == "__main__":
    main(sys.argv[1:])
