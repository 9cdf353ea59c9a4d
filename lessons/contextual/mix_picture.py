"""What the picture of mixed layers draws from: a triangle of shares, and one word's vectors."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple, TypedDict

import torch
from jaxtyping import Float64
from torch import Tensor

from drawing import theme
from drawing.payload import NumberArray, Script
from lmcore.contextual.mixing import MixtureProbe, mix_layers, triangle
from lmcore.contextual.probes import task_vectors
from lmcore.contextual.record import layered_model
from lmcore.contextual.tasks import TASKS

DOCUMENTS = 8000
"""Documents of the Microworld on which a probe of a mixture is fitted and tested."""
SIDE = 10
"""Steps of a side of the triangle."""
CELLS = 32
"""Numbers of a vector that are drawn."""


class MixPayload(TypedDict):
    """The accuracy at all points of the triangle, what was learned, and a word in every layer."""

    task: str
    shares: NumberArray
    """s_0, s_1, s_2 of each point of the triangle, row by row."""
    accuracies: NumberArray
    learned: NumberArray
    """s as it was learned for the task."""
    word: str
    layers: NumberArray
    """The first numbers of LN(h_{k,j}), layer by layer."""
    cells: int
    colours: Sequence[str]
    words: int
    """Words tested."""
    alt: str


MIX = Script("mix", MixPayload)


class MixedTask(NamedTuple):
    """A task's probe for any shares, and its accuracy at every point of the triangle."""

    probe: MixtureProbe
    accuracies: Float64[Tensor, " point"]


@lru_cache(maxsize=len(TASKS))
def mixed_task(task: str) -> MixedTask:
    """Read the documents with the biLM, and fit a probe at each point of the triangle."""
    vectors = task_vectors(layered_model("bilm"), DOCUMENTS, tasks=(task,))[task]
    probe = MixtureProbe(vectors, len(TASKS[task].classes))
    found = [probe.accuracy(shares) for shares in triangle(SIDE)]
    return MixedTask(probe, torch.tensor(found, dtype=torch.float64))


@lru_cache(maxsize=20_000)
def known_accuracy(probe: MixtureProbe, shares: tuple[float, ...]) -> float:
    """The accuracy at these shares; the sweeps of several settings have many in common."""
    return probe.accuracy(torch.tensor(shares, dtype=torch.float64))


def mix_numbers(
    probe: MixtureProbe,
    layers: Float64[Tensor, "layer width"],
    weights: Float64[Tensor, "position layer"],
    gammas: Float64[Tensor, " position"],
) -> dict[str, Float64[Tensor, " position"]]:
    """s_j, γ, the accuracy, and the first numbers of ELMo_k, for each setting of w and γ."""
    shares = weights.softmax(-1)
    mixed = torch.stack(
        [
            mix_layers(layers[:, None, :CELLS], w, gamma)[0]
            for w, gamma in zip(weights, gammas, strict=True)
        ]
    )
    accuracy = [known_accuracy(probe, tuple(row)) for row in shares.tolist()]
    return {
        **{f"w{j}": weights[:, j] for j in range(weights.shape[1])},
        **{f"s{j}": shares[:, j] for j in range(shares.shape[1])},
        "gamma": gammas,
        "accuracy": torch.tensor(accuracy, dtype=torch.float64),
        **{f"m{i}": mixed[:, i] for i in range(CELLS)},
    }


def mix_picture(
    task: str,
    made: MixedTask,
    learned: Float64[Tensor, " layer"],
    word: str,
    layers: Float64[Tensor, "layer width"],
) -> MixPayload:
    """The data of `lessons/contextual/mix.js` other than the numbers."""
    corners = {
        f"layer {j}": known_accuracy(made.probe, tuple(row))
        for j, row in enumerate(torch.eye(3, dtype=torch.float64).tolist())
    }
    alone = ", ".join(f"{name} alone {value:.3f}" for name, value in corners.items())
    return {
        "task": task,
        "shares": triangle(SIDE).numpy(),
        "accuracies": made.accuracies.numpy(),
        "learned": learned.numpy(),
        "word": word,
        "layers": layers[:, :CELLS].numpy(),
        "cells": CELLS,
        "colours": theme.diverging_colours(),
        "words": len(made.probe.test_labels),
        "alt": f"Accuracy on {task} for every mixture of three layers: {alone}. Learned: "
        + ", ".join(f"s{j} = {share:.3f}" for j, share in enumerate(learned.tolist())),
    }
