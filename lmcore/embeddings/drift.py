"""Embeddings during training: E at several steps of a run, projected onto a plane, and neighbours.

    python -m lmcore.embeddings.drift        records measured/drift_*.safetensors again

All snapshots use the plane of the last one, so that only the points move.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import torch
import torch.nn.functional as F
from jaxtyping import Float, Float64, Int
from safetensors.torch import load as read_tensors
from safetensors.torch import save as write_tensors
from torch import Tensor

from lmcore import dataframes
from lmcore.checks import check_one_of
from lmcore.corpora.microworld_rules import (
    ANIMALS,
    CREATURE_ADJECTIVES,
    INNER_VERBS,
    PLACES,
    WAY_ADJECTIVES,
    WAYS,
)
from lmcore.device import share_cores
from lmcore.models.registry import embedding_table
from lmcore.training.events import Diverged, Stepped
from lmcore.training.loop import Training, validation_loss
from lmcore.training.spec import ModelSpec, RunSpec
from lmcore.vocabulary import Vocabulary

if TYPE_CHECKING:
    from pandas import DataFrame

FOLDER = Path(__file__).resolve().parent / "measured"
SNAPSHOTS = 30
LEARNT_SPEC = RunSpec(
    model=ModelSpec("feedforward", embedding=16),
    learning_rate=2e-2,
    clip=1.0,
    steps=3000,
    every=3000,
)
"""A narrow E, and a learning rate high enough to move it far from its initial values."""
RECORDED_SPECS: dict[str, RunSpec] = {
    "learned": LEARNT_SPEC,
    "frozen": replace(LEARNT_SPEC, freeze_embedding=True),
}
"""Name → the recorded run; they differ only in whether E is frozen."""
GROUPS: dict[str, tuple[str, ...]] = {
    "animals": (*ANIMALS["one"], *ANIMALS["many"]),
    "people": ("boy", "girl", "doctor", "nurse", "police", "king", "queen", "friends"),
    "places": (*PLACES["one"], *WAYS),
    "adjectives": (*CREATURE_ADJECTIVES, *WAY_ADJECTIVES),
    "verbs": (*INNER_VERBS["one"], *INNER_VERBS["many"]),
}
"""The words in the picture, by their category in the grammar."""


@dataclass(frozen=True, slots=True, eq=False)
class Drift:
    """Snapshots of a run at `steps`: E, and the validation loss in nats per token."""

    spec: RunSpec
    words: tuple[str, ...]
    steps: Int[Tensor, " snapshot"]
    losses: Float64[Tensor, " snapshot"]
    embedding: Float[Tensor, "snapshot vocabulary width"]

    def to_frame(self) -> DataFrame:
        """One row per snapshot: step, validation loss in nats per token."""
        return dataframes.frame({"step": self.steps, "validation loss": self.losses})


class Plane(NamedTuple):
    """Words on a plane at every snapshot."""

    points: Float64[Tensor, "snapshot word axis"]
    share: Float64[Tensor, " snapshot"]
    """The share of the words' variance at that snapshot within the plane."""


class NearestWords(NamedTuple):
    """The words nearest to each word at every snapshot, nearest first."""

    ids: Int[Tensor, "snapshot word neighbour"]
    cosines: Float64[Tensor, "snapshot word neighbour"]

    def to_frame(self) -> DataFrame:
        """One row per snapshot, word and neighbour: these, the neighbour's id, the cosine."""
        return dataframes.entries(
            "snapshot word neighbour", {"id": self.ids, "cosine": self.cosines}
        )


def snapshot_steps(steps: int, snapshots: int) -> tuple[int, ...]:
    """At most `snapshots` steps from 0 to `steps`, denser at the beginning, where most happens.

        step_i = steps · (i / (snapshots − 1))³

    Raises:
        ValueError: if there are fewer than 2 snapshots, or too few steps to tell them apart.
    """
    if not 2 <= snapshots <= steps + 1:
        raise ValueError(f"the snapshots must be from 2 to {steps + 1:,}; got {snapshots}")
    wanted = (round(steps * (i / (snapshots - 1)) ** 3) for i in range(snapshots))
    return tuple(sorted(set(wanted)))


def record(spec: RunSpec, snapshots: int = SNAPSHOTS) -> Drift:
    """Train a run and record E about `snapshots` times.

    Raises:
        ValueError: as `snapshot_steps`, or if the run diverges.
    """
    wanted = snapshot_steps(spec.steps, snapshots)
    run = Training(spec)
    kept = [_snapshot(run)]
    for event in run:
        if isinstance(event, Stepped) and event.step in wanted:
            kept.append(_snapshot(run))
        if isinstance(event, Diverged):
            raise ValueError(f"a run to remember must not diverge; got: {event.why}")
    steps, losses, embeddings = zip(*kept, strict=True)
    return Drift(
        spec,
        run.feed.vocabulary.tokens,
        torch.tensor(steps),
        torch.tensor(losses, dtype=torch.float64),
        torch.stack(embeddings),
    )


def _snapshot(run: Training) -> tuple[int, float, Tensor]:
    return run.step, validation_loss(run), embedding_table(run.network).detach().clone()


def project(drift: Drift, words: tuple[str, ...]) -> Plane:
    """The words projected onto the plane of largest variance of the last snapshot.

        points = (E[words] − mean) B        B: the first two principal axes of the last snapshot

    The mean is each snapshot's own. Along each axis the largest number of B is positive.

    Raises:
        ValueError: if there are fewer than 3 words, or one is not known.
    """
    if len(words) < 3:
        raise ValueError(f"a plane must be put through at least 3 words; got {len(words)}")
    rows = drift.embedding[:, _places(drift, words)].double()
    centred = rows - rows.mean(dim=1, keepdim=True)
    basis = torch.linalg.svd(centred[-1], full_matrices=False).Vh[:2].T
    largest = basis.gather(0, basis.abs().argmax(dim=0, keepdim=True))
    points = centred @ (basis * largest.sign())
    return Plane(points, points.square().sum((1, 2)) / centred.square().sum((1, 2)))


def nearest_words(drift: Drift, words: tuple[str, ...], count: int = 5) -> NearestWords:
    """The `count` words of the whole vocabulary nearest to each of `words`, by cosine.

    Raises:
        ValueError: if a word is not known, or there are fewer than `count` others.
    """
    if not 1 <= count < len(drift.words):
        raise ValueError(f"the neighbours must be 1 to {len(drift.words) - 1}; got {count}")
    places = torch.tensor(_places(drift, words))
    rows = F.normalize(drift.embedding.double(), dim=-1)
    cosines = rows[:, places] @ rows.transpose(1, 2)
    cosines[:, torch.arange(len(places)), places] = -torch.inf
    best = cosines.topk(count, dim=-1)
    return NearestWords(best.indices, best.values)


def cosine(
    embedding: Float[Tensor, "*snapshot vocabulary width"], one: int, other: int
) -> Float64[Tensor, "*snapshot"]:
    """cos(E[one], E[other])."""
    rows = embedding.detach().double()
    return F.cosine_similarity(rows[..., one, :], rows[..., other, :], dim=-1)


def _places(drift: Drift, words: tuple[str, ...]) -> list[int]:
    for word in words:
        if word not in drift.words:
            known = len(Vocabulary(drift.words).words)
            raise ValueError(f"a word must be one of the {known} known; got {word!r}")
    return [drift.words.index(word) for word in words]


def dump(drift: Drift) -> bytes:
    """The record as a file; for a frozen E only the first snapshot is stored."""
    still = drift.spec.freeze_embedding
    tensors = {
        "steps": drift.steps,
        "losses": drift.losses,
        "embedding": drift.embedding[: 1 if still else None].contiguous(),
    }
    return write_tensors(tensors, {"spec": drift.spec.to_json(), "words": json.dumps(drift.words)})


def load(data: bytes) -> Drift:
    """The record in a file that `dump` wrote."""
    tensors = read_tensors(data)
    size = int.from_bytes(data[:8], "little")
    about = json.loads(data[8 : 8 + size])["__metadata__"]
    steps = tensors["steps"]
    return Drift(
        RunSpec.from_json(about["spec"]),
        tuple(json.loads(about["words"])),
        steps,
        tensors["losses"],
        tensors["embedding"].expand(len(steps), -1, -1),
    )


@lru_cache(maxsize=2)
def load_recorded(name: str) -> Drift:
    """A record that comes with the application.

    Raises:
        ValueError: if there is none of that name.
    """
    check_one_of("the record", name, RECORDED_SPECS)
    return load((FOLDER / f"drift_{name}.safetensors").read_bytes())


def record_to_file(name: str) -> Path:
    """Record a run and write it for `load_recorded`."""
    path = FOLDER / f"drift_{name}.safetensors"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(dump(record(RECORDED_SPECS[name])))
    return path


if __name__ == "__main__":
    share_cores()
    for each in sys.argv[1:] or RECORDED_SPECS:
        sys.stdout.write(f"{record_to_file(each)}\n")
