"""A run in a file: weights, optimiser and state as safetensors, the rest as JSON in its header.

Nothing in such a file is ever executed; a pickle is refused unread.
"""

from __future__ import annotations

import json
from collections import deque
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load as read_tensors
from safetensors.torch import save as write_tensors
from torch import Tensor

from lmcore.layers import State
from lmcore.neural import Neural, build
from lmcore.training.loop import WATCHED, Training
from lmcore.training.spec import RunSpec
from lmcore.vocabulary import Vocabulary

FORMAT = "language-models-live 1"
LARGEST = 64_000_000
"""Bytes."""


def dump(run: Training) -> bytes:
    """The run, so that `restore` goes on from here."""
    tensors = {f"network.{name}": tensor for name, tensor in run.network.state_dict().items()}
    for place, state in run.optimizer.state_dict()["state"].items():
        tensors |= {
            f"optimizer.{place}.{name}": value
            for name, value in state.items()
            if isinstance(value, Tensor)
        }
    tensors |= {f"state.{i}": part for i, part in enumerate(_parts(run.state))}
    about = {"format": FORMAT, "spec": run.spec.to_json(), "step": run.step}
    about |= {"recent": list(run.recent), "vocabulary": run.feed.vocabulary.tokens}
    kept = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
    return write_tensors(kept, {"about": json.dumps(about)})


def save(run: Training, path: Path) -> None:
    """Write the run to `path`; whoever reads there sees the old file or the new, never a part."""
    part = path.with_suffix(".part")
    part.write_bytes(dump(run))
    part.replace(path)


def restore(data: bytes, where: torch.device | None = None) -> Training:
    """The run of a file, ready to go on.

    Raises:
        ValueError: if it is not such a file, is cut short, or its weights do not fit its spec.
    """
    about, tensors = read(data)
    run = Training(RunSpec.from_json(about["spec"]), where)
    if list(run.feed.vocabulary.tokens) != about["vocabulary"]:
        raise ValueError("the file must be of the text it names; its vocabulary is another one")
    run.step, run.recent = int(about["step"]), deque(about["recent"], maxlen=WATCHED)
    fill(run.network, part(tensors, "network"))
    _fill_optimizer(run, part(tensors, "optimizer"))
    state = part(tensors, "state")
    parts = [state[str(i)].to(run.where) for i in range(len(state))]
    run.state = parts[0] if len(parts) == 1 else tuple(parts) or None
    return run


def model(data: bytes) -> tuple[Neural, RunSpec, int]:
    """The network of a file, to be asked for probabilities; its spec, and the steps it made.

    Raises:
        ValueError: as `restore`.
    """
    about, tensors = read(data)
    try:
        spec, step = RunSpec.from_json(about["spec"]), int(about["step"])
        vocabulary = Vocabulary(
            tuple(about["vocabulary"]),
            spec.corpus.unit,
            lower=spec.corpus.source == "microworld",
        )
        network = build(spec.model.config(len(vocabulary)), spec.seed)
    except (KeyError, TypeError) as error:
        raise ValueError(f"the file must say what run it is of; {error}") from error
    fill(network, part(tensors, "network"))
    return Neural(network, vocabulary), spec, step


def read(data: bytes) -> tuple[dict[str, Any], dict[str, Tensor]]:
    """What the file says of itself, and its tensors.

    Raises:
        ValueError: as `restore`.
    """
    if len(data) > LARGEST:
        raise ValueError(f"the file must be at most {LARGEST:,} bytes; got {len(data):,}")
    if data[:2] in (b"PK", b"\x80\x02", b"\x80\x03", b"\x80\x04", b"\x80\x05"):
        raise ValueError(
            "the file must be .safetensors; got a pickle or zip archive, which could run code "
            "and is not opened"
        )
    try:
        tensors = read_tensors(data)
        size = int.from_bytes(data[:8], "little")
        about = json.loads(json.loads(data[8 : 8 + size])["__metadata__"]["about"])
    except (SafetensorError, KeyError, TypeError, ValueError) as error:
        raise ValueError(
            f"the file must be a whole .safetensors file saved here; {str(error)[:200]}"
        ) from error
    if not isinstance(about, dict) or about.get("format") != FORMAT:
        raise ValueError(f"the file must be of the format {FORMAT!r}; got another")
    return about, tensors


def part(tensors: dict[str, Tensor], name: str) -> dict[str, Tensor]:
    """The tensors whose name begins with `name`, without it."""
    return {
        key.removeprefix(f"{name}."): tensor
        for key, tensor in tensors.items()
        if key.startswith(f"{name}.")
    }


def fill(network: torch.nn.Module, weights: dict[str, Tensor]) -> None:
    """Put weights into a network.

    Raises:
        ValueError: naming the first that is missing, unknown or of another shape.
    """
    own = network.state_dict()
    for name in own.keys() | weights.keys():
        mine, theirs = (tuple(w[name].shape) if name in w else None for w in (own, weights))
        if mine != theirs:
            raise ValueError(f"the weight {name} must have shape {mine}; got {theirs}")
    network.load_state_dict(weights)


def _parts(state: State) -> tuple[Tensor, ...]:
    if isinstance(state, Tensor):
        return (state,)
    return state or ()


def _fill_optimizer(run: Training, state: dict[str, Tensor]) -> None:
    whole = run.optimizer.state_dict()
    places: dict[int, dict[str, Tensor]] = {}
    for key, tensor in state.items():
        place, _, name = key.partition(".")
        places.setdefault(int(place), {})[name] = tensor
    whole["state"] = places
    run.optimizer.load_state_dict(whole)
