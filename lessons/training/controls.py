"""The controls of the Live training page."""

from __future__ import annotations

import streamlit as st

import ui
from lessons.shared import run_text as words
from lessons.training import own_text_section, state
from ui import settings

LESSON = ui.lesson("training")
OPTIMIZERS = {"adam": "Adam", "momentum": "Momentum", "sgd": "Gradient descent"}


def show_controls() -> None:
    """Which models to train, on which text, and how."""
    settings.keep_in_address({**LESSON.defaults, "keep": "false", "runs": ""})
    settings.pills("models", "Models, up to four", words.LABELS, many=True)
    state.choose_text(own_text_section.restore_own_text)
    if st.session_state["corpus"] == "own":
        own_text_section.panel()
    settings.text_field(
        "rate",
        "Learning rate η",
        "Too small: training is slow. Too large: the loss jumps or diverges",
    )
    settings.text_field(
        "run_steps", "Steps", "How many batches to learn from; η falls to 0 at the last"
    )
    more = st.expander(
        "More: sizes, optimiser, batch, clipping, seed", key="more", bind="query-params"
    )
    if more.open:
        with more:
            more_controls()


def more_controls() -> None:
    """The controls under More; they exist only while it is open."""
    sizes = st.columns(2)
    fields = {
        "hidden": ("Hidden size", "Numbers the model carries from word to word"),
        "embedding": ("Embedding size", "Numbers that represent each word"),
        "layers": ("Layers", "Number of stacked recurrent layers"),
        "batch": ("Batch", "Documents, or places in the text, read in parallel"),
        "length": ("Length", "Tokens of a running text read before the gradient is cut"),
        "clip": ("Clip gradient at", "Norm above which the gradient is scaled down; 0: never"),
        "dropout": ("Dropout", "Share of numbers set to 0 while training"),
        "documents": ("Documents", "Size of a fixed text; 0 streams fresh documents"),
        "seed": ("Seed", "Same seed, same curve"),
    }
    for i, (name, (label, help_text)) in enumerate(fields.items()):
        with sizes[i % 2]:
            settings.text_field(name, label, help_text)
    settings.pills("optimizer", "Optimiser", OPTIMIZERS)
    if st.session_state["corpus"] in ("prose", "own"):
        own_text_section.choose_unit()
    settings.toggle("decay", "η falls to 0")
    settings.toggle("matched", "Same number of weights for all")
    settings.toggle("keep", "Keep earlier runs in the picture")
