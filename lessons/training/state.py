"""The Live training page's settings: those that fit each text, and the runs that they describe."""

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
    "microworld": "Microworld (its truth is known)",
    "quoted": "Quoted text, letter by letter",
    "prose": "The story",
    "own": "My own text",
}
UNITS = {"word": "word", "character": "letter"}
ONLY_UNIT = {"microworld": "word", "quoted": "character"}
"""Texts that are read by one unit alone."""
LETTERS = "Letter by letter"
"""The preset whose settings fit the quoted text."""
FIT = ("batch", "length", "hidden", "embedding", "layers", "unit", "rate", "clip", "documents")
RUNNING = {"batch": "16", "length": "32", "rate": "0.004", "clip": "1", "run_steps": "600"}
"""For a text of some thousand words, which a small model knows by heart after some 20 readings."""
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
"""Points of the validation curve, about, where a run is long."""


def fitting_settings(source: str) -> Mapping[str, str]:
    """Settings with which a text can be learnt in short time."""
    here = lesson("training")
    names = (*FIT, "run_steps")
    opens = {name: str(here.defaults[name]) for name in names}
    if source == "microworld":
        return opens
    if source == "quoted":
        found = next(preset for preset in here.presets if preset.label == LETTERS)
        return {name: str(found.settings[name]) for name in names} | {"run_steps": "3000"}
    return opens | RUNNING


def choose_text(own: Callable[[], None]) -> None:
    """Which text; choosing one brings the settings that fit it. A link and a preset bring theirs.

    `own` is called where a person's own is chosen.
    """
    now = st.session_state["corpus"]
    key = fresh_key("corpus-shown", now if now in TEXTS else next(iter(TEXTS)))
    st.pills(
        "Text",
        list(TEXTS),
        format_func=TEXTS.__getitem__,
        key=key,
        on_change=_chosen,
        args=(own, key),
        required=True,
        wrap=True,
    )


def _chosen(own: Callable[[], None], key: str) -> None:
    if not (source := changed_value("corpus-shown", key)):
        return
    set_controls({"corpus": source, **fitting_settings(source)})
    if source == "own":
        own()


def read_specs(text: str) -> tuple[RunSpec, ...]:
    """One run a model, as the controls describe them; `text` is the person's own.

    Raises:
        ValueError: naming the setting that is none, or saying why such a run cannot begin here.
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
        ValueError: naming the setting that is none.
    """
    state = st.session_state
    whole = {name: parsing.parse_integer(state[name], name) for name in WHOLE_NUMBERS}
    part = {name: parsing.parse_number(state[name], name) for name in ("rate", "clip", "dropout")}
    return RunSpec(
        corpus(text, whole["documents"]),
        ModelSpec("lstm", whole["embedding"], whole["hidden"], whole["layers"]),
        optimizer=state["optimizer"],
        learning_rate=part["rate"],
        decay=_switch("decay"),
        batch=whole["batch"],
        length=whole["length"],
        clip=part["clip"],
        dropout=part["dropout"],
        steps=whole["run_steps"],
        every=max(1, min(10, whole["run_steps"]), whole["run_steps"] // CURVE),
        seed=whole["seed"],
    )


def corpus(text: str, documents: int = 0) -> CorpusSpec:
    """The text that is chosen.

    Raises:
        ValueError: if there is none of that name, or it cannot be read so.
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
