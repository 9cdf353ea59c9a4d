"""The settings of the page on transfer, and the recorded curves that they choose from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

import ui
from drawing.events import Moved
from lessons.transfer import transfer_picture, use_state
from lmcore import parsing
from lmcore.transfer import curves
from lmcore.transfer.curves import LABELS
from lmcore.transfer.networks import part_names
from lmcore.transfer.tasks import TASKS
from ui.settings import Between, Bound, Choice, SettingsTable, Text
from ui.widgets import address_value

LESSON = ui.lesson("transfer")
NETWORK_NAMES = {"encoder": "our mini-BERT", "gpt": "our mini-GPT", "bilm": "our biLM"}
TASK_NAMES = {name: task.title for name, task in TASKS.items()}
MOST_FROZEN = 4
"""The parts of the deepest network, as a constant: importing this module loads no weights."""
INPUT_KINDS = {
    "single": "one text",
    "entailment": "entailment",
    "similarity": "similarity",
    "choice": "multiple choice",
    "question": "question and text",
}
LONGEST = 300
"""Maximum length of a typed text, in characters."""


def open_network() -> None:
    """Reduce the number of frozen parts to those that the newly chosen network has."""
    now = int(float(st.session_state.get("tr_frozen", "0")))
    ui.set_controls({"tr_frozen": str(min(now, len(part_names(chosen_network()))))})


def chosen_network() -> str:
    """The chosen network."""
    return SETTINGS.choice("tr_network")


def open_task() -> None:
    """Clear the typed texts, which do not fit the newly chosen task."""
    ui.set_controls({"hd_text": "", "hd_second": ""})


SETTINGS = SettingsTable(
    LESSON,
    {
        "tr_network": Choice(NETWORK_NAMES, "Pre-trained model", then=open_network),
        "tr_task": Choice(TASK_NAMES, "Task", then=open_task),
        "tr_labels": Between(min(LABELS), max(LABELS), whole=True),
        "tr_frozen": Between(0, MOST_FROZEN, whole=True),
        "hd_text": Text("Text", "Words of the Microworld; empty: a held-out example", LONGEST),
        "hd_second": Text("Second text", "Of a pair", LONGEST),
        "in_kind": Choice(INPUT_KINDS, "Kind of input"),
        "in_first": Text("First text", None, LONGEST),
        "in_second": Text("Second text", None, LONGEST),
        "in_third": Text("Third text", "The second answer of a choice", LONGEST),
        "lm_task": Choice(TASK_NAMES, "Task"),
        "lm_weight": Between(0, 2),
        "tn_way": Choice(("fine-tuning", "frozen as set", "features", "scratch"), "Way"),
        "tn_seed": Choice([str(n) for n in curves.SEEDS], "Seed"),
        "see": Bound(),
        **use_state.CONTROLS,
    },
    besides={"lr_use": "Fine-tuning"},
)


@dataclass(frozen=True, slots=True)
class TransferState:
    """What the controls describe: a model, a task, how many labels, how many frozen parts."""

    network: str = "encoder"
    task: str = "acceptable"
    labels: int = 100
    frozen: int = 0

    @property
    def parts(self) -> int:
        """The number of parts that the network has."""
        return len(part_names(self.network))


def read_state() -> TransferState:
    """The state of the controls, with the recorded number of labels nearest to the chosen one.

    Raises:
        ValueError: if a number of labels or of parts was never recorded.
    """
    network, task = chosen_network(), SETTINGS.choice("tr_task")
    labels = SETTINGS.number("tr_labels")
    if labels not in LABELS:
        raise ValueError(f"labels must be one of {', '.join(map(str, LABELS))}; got {labels:g}")
    parts = len(part_names(network))
    frozen = SETTINGS.number("tr_frozen")
    if frozen not in range(parts + 1):
        raise ValueError(f"frozen parts must be from 0 to {parts}, and whole; got {frozen:g}")
    nearest = transfer_picture.nearest_labels(network, task, int(labels), int(frozen))
    return TransferState(network, task, nearest, int(frozen))


def default_state() -> TransferState:
    """The page's example."""
    return TransferState()


def seen() -> str:
    """The view that is open."""
    return str(address_value("see", "Picture"))


def first_run() -> None:
    """Load the page's default example before the first visit."""
    now = default_state()
    live_numbers(now)
    transfer_picture.transfer_picture(now.network, now.task)


def live_numbers(now: TransferState) -> ui.LiveNumbers:
    """The numbers at this many labels and frozen parts, and along both sliders."""
    names = transfer_picture.NUMBERS
    depths = range(now.parts + 1)
    counts = transfer_picture.labels_at(now.network, now.task, now.frozen)

    def row(labels: int, frozen: int) -> list[float]:
        found = transfer_picture.numbers_at(now.network, now.task, labels, frozen)
        return [found[name] for name in names]

    sliders = (
        ui.Slider(
            "labels",
            "labels",
            "labels",
            float(now.labels),
            np.array(counts, dtype=float),
            help="How many solved examples there are to learn from",
            role="input",
        ),
        ui.Slider(
            "frozen",
            "frozen parts",
            "frozen parts",
            float(now.frozen),
            np.array(depths, dtype=float),
            help="How many of the lowest parts stay as pre-training left them; all: features",
            role="mask",
        ),
    )
    table = [
        np.array([row(labels, now.frozen) for labels in counts]),
        np.array([row(now.labels, frozen) for frozen in depths]),
    ]
    return ui.LiveNumbers("transfer", names, np.array(row(now.labels, now.frozen)), sliders, table)


def store_slider(moved: Moved) -> None:
    """Store a released slider's value, or the number typed beside it."""
    try:
        store_event({moved["name"]: parsing.parse_number(moved["typed"], str(moved["name"]))})
    except ValueError as error:
        ui.show_error_later(error)


def store_event(event: Mapping[str, Any]) -> None:
    """Store the reported numbers of labels or frozen parts; `read_state` validates them."""
    ui.set_controls({f"tr_{name}": f"{value:g}" for name, value in event.items()})
