"""The view “Layer roles”: what each use of a network keeps, leaves out, adds and trains."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

import numpy as np
import streamlit as st

import ui
from drawing.events import Name
from drawing.payload import Script
from lessons.transfer import transfer_picture
from lessons.transfer.transfer_state import NETWORK_NAMES, SETTINGS, TransferState
from lessons.transfer.use_state import USES
from lmcore.transfer.networks import part_names, part_sizes, thrown_away

KEPT, LEARNS, CUT, ADDED, NONE = "kept", "learns", "left out", "added", ""


SAYS = {
    "Zero-shot": "The model stays whole; the task is put as text to be continued or filled in.",
    "Embeddings": "The model is cut above a block; the vectors there are the product.",
    "Features": "All blocks stay; a new head learns from the vectors of the last one.",
    "Few layers": "A new head and the top block learn; everything below stays.",
    "Fine-tuning": "A new head is added, and every weight below it learns too.",
    "LM fine-tuning": "The same pre-training goes on with texts of the field; nothing is added.",
}
"""What each use does to the parts of a network."""


class RolesPayload(TypedDict):
    """The parts from the top, the uses, and what each use does to each part, one row per part."""

    parts: Sequence[str]
    weights: Sequence[int]
    uses: Sequence[str]
    says: Sequence[str]
    cells: Sequence[str]
    says_parts: Sequence[str]
    use: int
    """The chosen use, from 0."""
    alt: str


ROLES = Script("roles", RolesPayload)


def roles_view(now: TransferState) -> None:
    """Draw the parts against the uses; pressing one explains it."""
    payload = roles_picture(now.network, now.task, SETTINGS.choice("lr_use"))
    st.markdown(
        f"One pre-trained network, six uses: {NETWORK_NAMES[now.network]} from the top down. "
        "Press a use or a part."
    )
    live = ui.LiveNumbers("roles", ("none",), np.zeros(1))
    ui.picture(ROLES, live, payload, on_event=store_use)


def store_use(event: Name) -> None:
    """Store the use that was pressed; an unknown one is ignored."""
    if event in USES:
        ui.set_controls({"lr_use": event})


def roles_picture(network: str, task: str, use: str = "Fine-tuning") -> RolesPayload:
    """The data of `lessons/transfer/roles.js`."""
    names, sizes = part_names(network), part_sizes(network)
    lost = thrown_away(network)
    parts = [
        "new head for the task",
        f"head of pre-training: {transfer_picture.PRETRAINING_HEADS[network]}",
        *reversed(names),
    ]
    table = [roles_of(name, len(names)) for name in USES]
    cells = [column[row] for row in range(len(parts)) for column in table]
    return {
        "parts": parts,
        "weights": [transfer_picture.head_weights(network, task), lost, *reversed(sizes)],
        "uses": USES,
        "says": [SAYS[name] for name in USES],
        "use": USES.index(use),
        "cells": cells,
        "says_parts": [
            "Added for the task; it starts with small random numbers and always learns.",
            "Predicts words. It is the first thing to be left out when the task is another one"
            + ("." if lost else "; its matrix is E, which stays."),
            *(_says(k, len(names)) for k in reversed(range(len(names)))),
        ],
        "alt": "; ".join(
            f"{name}: "
            + ", ".join(f"{part} {role}" for part, role in zip(parts, roles, strict=True) if role)
            for name, roles in zip(USES, table, strict=True)
        ),
    }


def roles_of(name: str, count: int) -> list[str]:
    """What a use does to the new head, the old head, and the parts from the top."""
    if name == "Zero-shot":
        return [NONE, KEPT, *[KEPT] * count]
    if name == "Embeddings":
        return [NONE, CUT, CUT, *[KEPT] * (count - 1)]
    if name == "LM fine-tuning":
        return [NONE, *[LEARNS] * (count + 1)]
    learning = {"Features": 0, "Few layers": 1, "Fine-tuning": count}[name]
    return [ADDED, CUT, *[LEARNS] * learning, *[KEPT] * (count - learning)]


def _says(k: int, count: int) -> str:
    if k == 0:
        return "One row a word, the same in every text: word-type embeddings."
    if k == count - 1:
        return (
            "The last block serves the head above it: vectors for other uses are often taken "
            "below it."
        )
    if k == count - 2:
        return (
            "Its vectors are often taken as contextual embeddings: they have read the whole text, "
            "and serve the task of pre-training less than the last ones."
        )
    return "The lower blocks: words, their neighbours and the shape of the sentence."
