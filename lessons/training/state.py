"""The settings of the Live training page: those that fit each text, and the runs they describe."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st

from lmcore import parsing
from lmcore.device import device
from lmcore.training.precheck import check_runnable
from lmcore.training.race import race_specs
from lmcore.training.spec import CorpusSpec, ModelSpec, RunSpec
from ui.lessons import lesson
from ui.widgets import changed_value, fresh_key, set_controls

TEXTS = {
    "microworld": "Microworld (true probabilities known)",
    "quoted": "Quoted text, letter by letter",
    "prose": "The story",
    "own": "My own text",
}
UNITS = {"word": "word", "character": "letter"}
ONLY_UNIT = {"microworld": "word", "quoted": "character"}
"""Texts with only one unit."""
LETTERS = "Letter by letter"
"""The preset whose settings fit the quoted text."""
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
    training = lesson("training")
    names = (*FIT, "run_steps")
    defaults = {name: str(training.defaults[name]) for name in names}
    if source == "microworld":
        return defaults
    if source == "quoted":
        letters = next(preset for preset in training.presets if preset.label == LETTERS)
        return {name: str(letters.settings[name]) for name in names} | {"run_steps": "3000"}
    return defaults | RUNNING


def choose_text(restore_own_text: Callable[[], None]) -> None:
    """Choose the text, and set the settings that fit it; a link or a preset sets its own.

    `restore_own_text` is called when an own text is chosen.
    """
    now = st.session_state["corpus"]
    key = fresh_key("corpus-shown", now if now in TEXTS else next(iter(TEXTS)))
    st.pills(
        "Text",
        list(TEXTS),
        format_func=TEXTS.__getitem__,
        key=key,
        on_change=_store_text,
        args=(restore_own_text, key),
        required=True,
        wrap=True,
    )


def _store_text(restore_own_text: Callable[[], None], key: str) -> None:
    if not (source := changed_value("corpus-shown", key)):
        return
    set_controls({"corpus": source, **fitting_settings(source)})
    if source == "own":
        restore_own_text()


def read_specs(text: str) -> tuple[RunSpec, ...]:
    """One run per model, as the controls describe them; `text` is the visitor's own.

    Raises:
        ValueError: naming the wrong setting, or why such a run cannot start here.
    """
    state = st.session_state
    kinds = [kind.strip() for kind in state["models"].split(",") if kind.strip()]
    specs = race_specs(base(text), kinds, same_size=_switch("matched"))
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
    if unit not in UNITS:
        raise ValueError(f"unit must be one of {', '.join(UNITS)}; got {unit!r}")
    own = text if source == "own" else ""
    return CorpusSpec(source, ONLY_UNIT.get(source, unit), documents, own)


def _switch(name: str) -> bool:
    value = st.session_state[name]
    if value not in ("true", "false"):
        raise ValueError(f"{name} must be true or false; got {value!r}")
    return bool(value == "true")
