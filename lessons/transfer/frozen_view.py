"""The view “Frozen parts”: accuracy by number of frozen parts; weights compared bit by bit."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import NamedTuple

import streamlit as st
import torch

import ui
from lessons.transfer import transfer_figures, transfer_picture
from lessons.transfer.transfer_state import NETWORK_NAMES, TASK_NAMES, TransferState
from lmcore.transfer import curves
from lmcore.transfer.networks import frozen_parts, part_names
from lmcore.transfer.tuning import TuneSpec, begin, tune_network
from ui import compute

STEPS = 5
"""Steps after which the weights are compared."""


class PartChange(NamedTuple):
    """A part of the network after some steps: its weights, and how many of them changed."""

    name: str
    weights: int
    changed: int


def frozen_view(now: TransferState) -> None:
    """Draw accuracy against frozen parts for every task, and what changed in each part."""
    labels = curves.FROZEN_LABELS[0]
    parts = part_names(now.network)
    st.markdown(finding(now, labels))
    rows: dict[str, dict[float, curves.Score]] = {
        title: {float(depth): score for depth, score in recorded_depths(now, task, labels).items()}
        for task, title in TASK_NAMES.items()
    }
    ticks = ["none", parts[0], *(f"E to {name}" for name in parts[1:-1]), "all: features"]
    ui.show_figure(
        transfer_figures.scores_figure(
            rows,
            ui.theme_mode(),
            across={"title": "frozen parts", "tickvals": [*range(len(ticks))], "ticktext": ticks},
            low=0.25,
        ),
        name="frozen",
        reading=f"{NETWORK_NAMES[now.network]}, {labels:,} labels, {transfer_picture.BUDGET}; 95 % "
        f"intervals, of {len(curves.SEEDS)} seeds and of the test texts; recorded on "
        f"{curves.recorded_on(now.network)[0]}.",
        alt="; ".join(
            f"{name}: " + ", ".join(f"{score.mean:.2f}" for score in points.values())
            for name, points in rows.items()
        ),
    )
    show_changes(now)


def finding(now: TransferState, labels: int) -> str:
    """Which depth of freezing is best for the task, and whether the difference is clear."""
    found = recorded_depths(now, now.task, labels)
    return describe_depths(TASK_NAMES[now.task], labels, found, now.parts)


def recorded_depths(now: TransferState, task: str, labels: int) -> dict[int, curves.Score]:
    """The recorded accuracy with each number of frozen parts."""
    return {
        depth: curves.recorded_score(curves.frozen_spec(now.network, task, labels, depth))
        for depth in range(now.parts + 1)
    }


def describe_depths(title: str, labels: int, found: Mapping[int, curves.Score], parts: int) -> str:
    """Which depth is best, and which of the others reach it."""
    best = max(found, key=lambda depth: found[depth].mean)
    also = [
        str(depth)
        for depth, score in found.items()
        if depth != best and score.high >= found[best].low
    ]
    said = (
        f"“{title}” with {labels:,} labels: most are right with **{best} of {parts} parts "
        f"frozen**, {found[best].mean:.3f}."
    )
    if not also:
        return f"{said} No other depth’s interval reaches it."
    return f"{said} With {' or '.join(also)} frozen the interval reaches it: no clear difference."


def show_changes(now: TransferState) -> None:
    """Train a few steps, and count in each part the weights whose bits have changed."""
    changes = compute.shared_result(
        "changed parts",
        partial(changed_parts, now.network, now.task, now.frozen),
        most=128,
        says=f"Training {STEPS} steps",
        apart=True,
    )
    st.markdown(
        f"**Frozen means unchanged, bit for bit.** {STEPS} steps with {now.frozen} parts frozen, "
        "computed here; every number of each part is compared with what it was."
    )
    ui.table(
        ["part", "weights", "changed"],
        [(each.name, float(each.weights), float(each.changed)) for each in changes],
        name="changes",
        caption=f"Weights that differ after {STEPS} steps",
    )
    st.caption(
        "The gradient reaches only those rows of E whose words occur; AdamW’s weight decay "
        "changes the others, too."
    )


def changed_parts(network: str, task: str, frozen: int) -> list[PartChange]:
    """Train a few steps, and compare the bits of every weight with those before."""
    spec = TuneSpec(network, task, 100, frozen=frozen, steps=STEPS)
    tuned, vocabulary = begin(spec)
    before = {name: weight.clone() for name, weight in tuned.named_parameters()}
    for _ in tune_network(tuned, vocabulary, spec):
        pass
    names = {id(weight): name for name, weight in tuned.named_parameters()}
    found, seen = list[PartChange](), set[int]()
    for depth, part in enumerate(part_names(network), 1):
        modules = frozen_parts(tuned.network, depth)
        weights = [w for module in modules for w in module.parameters() if id(w) not in seen]
        seen |= {id(weight) for weight in weights}
        changed = sum(_differing(w, before[names[id(w)]]) for w in weights)
        found.append(PartChange(part, sum(w.numel() for w in weights), changed))
    head = [(n, w) for n, w in tuned.named_parameters() if not n.startswith("network.")]
    changed = sum(_differing(weight, before[name]) for name, weight in head)
    found.append(PartChange("new head", sum(w.numel() for _, w in head), changed))
    return found


def _differing(now: torch.Tensor, before: torch.Tensor) -> int:
    bits = (each.detach().contiguous().view(torch.int32) for each in (now, before))
    one, other = bits
    return int((one != other).sum())
