"""The settings of the Live training page: those that fit each text, and the runs they describe."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from lessons.shared.run_text import LABELS
from lmcore import parsing
from lmcore.checks import check_one_of
from lmcore.device import device
from lmcore.training.precheck import check_runnable
from lmcore.training.race import race_specs
from lmcore.training.spec import CorpusSpec, ModelSpec, RunSpec
from ui.lessons import lesson
from ui.settings import Bound, Choice, SettingsTable, Switch, Text

TEXTS = {
    "microworld": "Microworld (true probabilities known)",
    "quoted": "Quoted text, letter by letter",
    "prose": "The story",
    "own": "My own text",
}
OPTIMIZERS = {"adam": "Adam", "momentum": "Momentum", "sgd": "Gradient descent"}
UNITS = {"word": "word", "character": "letter"}
ONLY_UNIT = {"microworld": "word", "quoted": "character"}
"""Texts with only one unit."""
LETTERS = "Letter by letter"
"""The preset whose settings fit the quoted text."""
LESSON = lesson("training")
SETTINGS = SettingsTable(
    LESSON,
    {
        "models": Choice(LABELS, "Models, up to four", many=True),
        "corpus": Choice(TEXTS, "Text"),
        "rate": Text(
            "Learning rate η", "Too small: training is slow. Too large: the loss jumps or diverges"
        ),
        "run_steps": Text("Steps", "How many batches to learn from; η falls to 0 at the last"),
        "more": Bound(Switch()),
        "hidden": Text("Hidden size", "Numbers the model carries from word to word"),
        "embedding": Text("Embedding size", "Numbers that represent each word"),
        "layers": Text("Layers", "Number of stacked recurrent layers"),
        "batch": Text("Batch", "Documents, or places in the text, read in parallel"),
        "length": Text("Length", "Tokens of a running text read before the gradient is cut"),
        "clip": Text("Clip gradient at", "Norm above which the gradient is scaled down; 0: never"),
        "dropout": Text("Dropout", "Share of numbers set to 0 while training"),
        "documents": Text("Documents", "Size of a fixed text; 0 streams fresh documents"),
        "seed": Text("Seed", "Same seed, same curve"),
        "optimizer": Choice(OPTIMIZERS, "Optimiser"),
        "unit": Choice(UNITS, "Read by"),
        "decay": Switch("η falls to 0"),
        "matched": Switch("Same number of weights for all"),
        "keep": Switch("Keep earlier runs in the picture"),
        "view": Bound(),
    },
    besides={"keep": "false", "runs": "", "more": "false"},
)
FIT = ("batch", "length", "hidden", "embedding", "layers", "unit", "rate", "clip", "documents")
RUNNING = {"batch": "16", "length": "32", "rate": "0.004", "clip": "1", "run_steps": "600"}
"""For a text of a few thousand words, which a small model memorises in about 20 epochs."""
WHOLE_NUMBERS = (
    "run_steps",
    "batch",
    "hidden",
    "embedding",
    "layers",
    "length",
    "documents",
    "seed",
)
CURVE = 300
"""Approximate number of points in the validation curve of a long run."""


def fitting_settings(source: str) -> Mapping[str, str]:
    """Settings with which a model learns the text quickly."""
    names = (*FIT, "run_steps")
    defaults = {name: str(LESSON.defaults[name]) for name in names}
    if source == "microworld":
        return defaults
    if source == "quoted":
        letters = next(preset for preset in LESSON.presets if preset.label == LETTERS)
        return {name: str(letters.settings[name]) for name in names} | {"run_steps": "3000"}
    return defaults | RUNNING


def read_specs(text: str) -> tuple[RunSpec, ...]:
    """One run per model, as the controls describe them; `text` is the visitor's own.

    Raises:
        ValueError: naming the wrong setting, or why such a run cannot start here.
    """
    specs = race_specs(base(text), SETTINGS.several("models"), same_size=_switch("matched"))
    for spec in specs:
        check_runnable(spec, device().type)
    return specs


def base(text: str) -> RunSpec:
    """The run that the controls describe, whichever models are chosen.

    Raises:
        ValueError: naming the wrong setting.
    """
    state = st.session_state
    integers = {name: parsing.parse_integer(state[name], name) for name in WHOLE_NUMBERS}
    fractions = {
        name: parsing.parse_number(state[name], name) for name in ("rate", "clip", "dropout")
    }
    return RunSpec(
        corpus(text, integers["documents"]),
        ModelSpec("lstm", integers["embedding"], integers["hidden"], integers["layers"]),
        optimizer=state["optimizer"],
        learning_rate=fractions["rate"],
        decay=_switch("decay"),
        batch=integers["batch"],
        length=integers["length"],
        clip=fractions["clip"],
        dropout=fractions["dropout"],
        steps=integers["run_steps"],
        every=max(1, min(10, integers["run_steps"]), integers["run_steps"] // CURVE),
        seed=integers["seed"],
    )


def corpus(text: str, documents: int = 0) -> CorpusSpec:
    """The chosen text.

    Raises:
        ValueError: if there is no such text, or it has no such unit.
    """
    source, unit = st.session_state["corpus"], st.session_state["unit"]
    check_one_of("unit", unit, UNITS)
    own = text if source == "own" else ""
    return CorpusSpec(source, ONLY_UNIT.get(source, unit), documents, own)


def _switch(name: str) -> bool:
    value = st.session_state[name]
    if value not in ("true", "false"):
        raise ValueError(f"{name} must be true or false; got {value!r}")
    return bool(value == "true")
