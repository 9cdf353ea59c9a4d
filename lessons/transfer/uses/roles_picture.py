"""Six uses of one network: what each keeps, leaves out, adds and trains, and how many weights."""

from __future__ import annotations

from typing import TypedDict

import torch

from drawing.live import LiveNumbers, live_numbers
from drawing.payload import Script
from lessons.transfer import transfer_picture
from lessons.transfer.use_state import USES
from lmcore.transfer.networks import part_names, part_sizes, thrown_away

KEPT, LEARNS, CUT, ADDED, NONE = "kept", "learns", "left out", "added", ""


class RolePartData(TypedDict):
    """A part of the network, or one of the two heads."""

    name: str
    short: str
    says: str
    """What it is for."""
    weights: str
    roles: list[str]
    """What each use does to it; empty: the use has no such part."""


class RolesPayload(TypedDict):
    """The uses and the parts from the top, each with what becomes of it in each use."""

    uses: list[str]
    parts: list[RolePartData]


ROLES = Script("roles", RolesPayload, ("learn #", "use", "@say", "@formula"))


def roles_of(use: str, count: int) -> list[str]:
    """What a use does to the new head, the old head, and the `count` parts from the top."""
    if use == "Zero-shot":
        return [NONE, KEPT, *[KEPT] * count]
    if use == "Embeddings":
        return [NONE, CUT, CUT, *[KEPT] * (count - 1)]
    if use == "LM fine-tuning":
        return [NONE, *[LEARNS] * (count + 1)]
    learning = {"Features": 0, "Few layers": 1, "Fine-tuning": count}[use]
    return [ADDED, CUT, *[LEARNS] * learning, *[KEPT] * (count - learning)]


def weights_of(network: str, task: str) -> list[int]:
    """The number of weights of the new head, the old head, and the parts from the top."""
    head = transfer_picture.head_weights(network, task)
    return [head, thrown_away(network), *reversed(part_sizes(network))]


def learning_weights(network: str, task: str, use: str) -> list[tuple[str, int]]:
    """The parts that learn in a use, from the top, each with its number of weights."""
    names = ["head", "head of pre-training", *reversed(part_names(network))]
    every = zip(
        names,
        weights_of(network, task),
        roles_of(use, len(part_names(network))),
        strict=True,
    )
    return [(name, size) for name, size, role in every if role in (LEARNS, ADDED) and size]


def numbers(network: str, task: str, use: str) -> LiveNumbers:
    """How many weights learn in each use."""
    learn = [sum(size for _, size in learning_weights(network, task, each)) for each in USES]
    chosen = USES.index(use)
    found = {f"learn {n}": float(count) for n, count in enumerate(learn)}
    found |= {"use": chosen, "@say": chosen, "@formula": chosen}
    tensors = {name: torch.tensor(float(n), dtype=torch.float64) for name, n in found.items()}
    return live_numbers("roles", tensors, [], {})


def picture(network: str, task: str) -> RolesPayload:
    """The data of `lessons/transfer/roles.js` other than the numbers."""
    names = part_names(network)
    count = len(names)
    rows = list(zip(*(roles_of(use, count) for use in USES), strict=True))
    pretraining = transfer_picture.PRETRAINING_HEADS[network]
    named = [
        ("new head", "new head", "for the task; starts at random"),
        (f"head: {pretraining}", "old head", "predicts words in pre-training"),
        *((names[k], names[k], _says(k, count)) for k in reversed(range(count))),
    ]
    return {
        "uses": list(USES),
        "parts": [
            {
                "name": name,
                "short": short,
                "says": says,
                "weights": f"{size:,}" if size else "E again",
                "roles": list(roles),
            }
            for (name, short, says), size, roles in zip(
                named, weights_of(network, task), rows, strict=True
            )
        ],
    }


def _says(k: int, count: int) -> str:
    if k == 0:
        return "input: word-type embeddings"
    if k == count - 1:
        return "serves language modelling"
    if k == count - 2:
        return "taken as contextual embeddings"
    return "composes words with context"
