"""The settings of the Live training page: those that fit each text, and the runs they describe."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from drawing.run_text import LABELS
from lmcore import parsing
from lmcore.checks import check_one_of
from lmcore.device import device
from lmcore.models.registry import NAMES
from lmcore.training.precheck import check_runnable
from lmcore.training.race import MAX_MODELS, race_specs
from lmcore.training.spec import CorpusSpec, ModelSpec, RunSpec
from ui.lessons import lesson
from ui.settings import Bound, Choice, SettingsTable, Switch, Text

TEXTS = {
    "microworld": "Microworld",
    "quoted": "Letters",
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
        "models": Choice(
            {name: LABELS[name] for name in NAMES},
            f"Models, up to {MAX_MODELS}",
            many=True,
            most=MAX_MODELS,
        ),
        "corpus": Choice(
            TEXTS,
            "Text",
            help="Microworld: the true probability of every word is known. Letters: a text with "
            "quotation marks and brackets, read letter by letter",
        ),
        "rate": Text(
            "Learning rate η", "Too small: training is slow. Too large: the loss jumps or diverges"
        ),
        "run_steps": Text("Steps", "How many batches to learn from; η falls to 0 at the last"),
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
        "see": Bound(),
    },
    besides={"keep": "false", "runs": ""},
)
FIT = ("batch", "length", "hidden", "embedding", "layers", "unit", "rate", "clip", "documents")
RUNNING = {"batch": "16", "length": "32", "rate": "0.004", "clip": "1", "run_steps": "600"}
"""Settings for a few thousand words, which a small model memorises in about 20 epochs."""
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
FRACTIONS = ("rate", "clip", "dropout")
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
    specs = described_specs(settings_now(), text)
    for spec in specs:
        check_runnable(spec, device().type)
    return specs


def settings_now() -> dict[str, Any]:
    """The current values of the controls."""
    return {name: st.session_state[name] for name in LESSON.defaults}


def described_specs(settings: Mapping[str, Any], text: str = "") -> tuple[RunSpec, ...]:
    """One run per model, as these settings describe them; `text` is the visitor's own.

    Raises:
        ValueError: naming the wrong setting.
    """
    kinds = [part.strip() for part in settings["models"].split(",") if part.strip()]
    same_size = _switch(settings, "matched")
    return race_specs(base(settings, text), kinds, same_size=same_size)


def base(settings: Mapping[str, Any], text: str) -> RunSpec:
    """The run that the settings describe, whichever models are chosen.

    Raises:
        ValueError: naming the wrong setting.
    """
    integers = {name: parsing.parse_integer(settings[name], _label(name)) for name in WHOLE_NUMBERS}
    fractions = {name: parsing.parse_number(settings[name], _label(name)) for name in FRACTIONS}
    return RunSpec(
        corpus(settings, text, integers["documents"]),
        ModelSpec("lstm", integers["embedding"], integers["hidden"], integers["layers"]),
        optimizer=settings["optimizer"],
        learning_rate=fractions["rate"],
        decay=_switch(settings, "decay"),
        batch=integers["batch"],
        length=integers["length"],
        clip=fractions["clip"],
        dropout=fractions["dropout"],
        steps=integers["run_steps"],
        every=max(1, min(10, integers["run_steps"]), integers["run_steps"] // CURVE),
        seed=integers["seed"],
    )


def corpus(settings: Mapping[str, Any], text: str, documents: int = 0) -> CorpusSpec:
    """The chosen text.

    Raises:
        ValueError: if there is no such text, or it has no such unit.
    """
    source, unit = settings["corpus"], settings["unit"]
    check_one_of(_label("unit"), unit, UNITS)
    own = text if source == "own" else ""
    return CorpusSpec(source, ONLY_UNIT.get(source, unit), documents, own)


def _switch(settings: Mapping[str, Any], name: str) -> bool:
    value = settings[name]
    if value not in ("true", "false"):
        raise ValueError(f"{_label(name)} must be true or false; got {value!r}")
    return bool(value == "true")


def _label(name: str) -> str:
    """The label of a control on screen, for error messages."""
    setting = SETTINGS.table[name]
    assert isinstance(setting, Text | Choice | Switch)
    return setting.label
