"""Live training: choose, start, watch, pause, compare."""

from __future__ import annotations

from typing import Any

import streamlit as st

import ui
from lmcore import reading
from lmcore.figures import training as words
from lmcore.training.race import race
from lmcore.training.spec import CorpusSpec, ModelSpec, RunSpec

LESSON = ui.lesson("training")
VIEWS = ("Against the truth", "Save and load", "Check yourself", "Code", "The slide says")
TEXTS = {
    "microworld": "Microworld (its truth is known)",
    "quoted": "Quoted text, letter by letter",
    "prose": "The story",
    "own": "My own text",
}
OPTIMIZERS = {"adam": "Adam", "momentum": "Momentum", "sgd": "Gradient descent"}


@st.fragment
def lab() -> None:
    """Controls left, runs right."""
    top = st.container(key="presets")
    left, right = st.columns([2, 5], gap="medium")
    with left:
        controls()
        specs = ui.last_good("training", read, lambda: (RunSpec(),))
        st.button(
            f"Start {len(specs)} runs" if len(specs) > 1 else "Start",
            type="primary",
            key="start",
            icon=":material/play_arrow:",
            on_click=start,
            args=(specs,),
        )
    with right:
        show_runs()
    with top:
        ui.presets(LESSON)


def controls() -> None:
    """What to train, on what, and how."""
    for name, value in LESSON.defaults.items():
        ui.remembered(name, value)
    choose("models", "Models, up to four", words.LABELS, many=True)
    choose("corpus", "Text", TEXTS)
    if st.session_state["corpus"] == "own":
        st.text_area("Your text, up to 1 MB", key="own-text", height=140)
    typed(
        "rate", "Learning rate η", "Too small: it crawls. Too large: the loss jumps, or runs away"
    )
    typed("run_steps", "Steps", "How many batches to learn from; η falls to 0 at the last")
    more = st.expander(
        "More: sizes, optimiser, batch, clipping, seed", key="more", bind="query-params"
    )
    if more.open:
        with more:
            more_controls()


def more_controls() -> None:
    """Drawn only while More is open."""
    sizes = st.columns(2)
    fields = {
        "hidden": ("Hidden size", "Numbers the model carries from word to word"),
        "embedding": ("Embedding size", "Numbers each word is turned into"),
        "layers": ("Layers", "Recurrent layers on top of each other"),
        "batch": ("Batch", "Documents, or places in the text, read side by side"),
        "length": ("Length", "Tokens of a running text read before the gradient is cut"),
        "clip": ("Clip gradient at", "Norm above which the gradient is shortened; 0 leaves it"),
        "dropout": ("Dropout", "Share of numbers set to 0 while training"),
        "documents": ("Documents", "Size of a fixed text; 0 streams fresh documents"),
        "seed": ("Seed", "Same seed, same curve"),
    }
    for i, (name, (label, help_text)) in enumerate(fields.items()):
        with sizes[i % 2]:
            typed(name, label, help_text)
    choose("optimizer", "Optimiser", OPTIMIZERS)
    if st.session_state["corpus"] in ("prose", "own"):
        choose("unit", "Read by", {"word": "word", "character": "letter"})
    for name, label in (("decay", "η falls to 0"), ("matched", "Same number of weights for all")):
        st.session_state[f"{name}-typed"] = st.session_state[name] == "true"
        st.toggle(label, key=f"{name}-typed", on_change=retype, args=(name,))


def typed(name: str, label: str, look_for: str) -> None:
    """A setting as text, checked when it is read."""
    st.session_state[f"{name}-typed"] = st.session_state[name]
    st.text_input(label, key=f"{name}-typed", help=look_for, on_change=retype, args=(name,))


def choose(name: str, label: str, options: dict[str, str], *, many: bool = False) -> None:
    """One of some settings, or several."""
    now = [part.strip() for part in st.session_state[name].split(",")]
    known = [part for part in now if part in options]
    key = f"{name}-typed"
    st.session_state[key] = known if many else next(iter(known), next(iter(options)))
    mode: Any = "multi" if many else "single"
    st.pills(
        label,
        list(options),
        selection_mode=mode,
        format_func=options.__getitem__,
        key=key,
        on_change=retype,
        args=(name,),
        required=not many,
        wrap=True,
    )


def retype(name: str) -> None:
    value = st.session_state[f"{name}-typed"]
    if isinstance(value, bool):
        value = str(value).lower()
    st.session_state[name] = ", ".join(value) if isinstance(value, list) else value
    if name == "corpus":
        st.session_state["unit"] = "character" if value == "quoted" else "word"


def read() -> tuple[RunSpec, ...]:
    """One run a model, as the controls describe them."""
    state = st.session_state
    whole = {
        name: reading.whole(state[name], name)
        for name in (
            "run_steps",
            "batch",
            "hidden",
            "embedding",
            "layers",
            "length",
            "documents",
            "seed",
        )
    }
    part = {name: reading.number(state[name], name) for name in ("rate", "clip", "dropout")}
    text = state.get("own-text", "") if state["corpus"] == "own" else ""
    corpus = CorpusSpec(state["corpus"], state["unit"], whole["documents"], text)
    kinds = [kind.strip() for kind in state["models"].split(",") if kind.strip()]
    base = RunSpec(
        corpus,
        ModelSpec(kinds[0] if kinds else "", whole["embedding"], whole["hidden"], whole["layers"]),
        optimizer=state["optimizer"],
        learning_rate=part["rate"],
        decay=state["decay"] == "true",
        batch=whole["batch"],
        length=whole["length"],
        clip=part["clip"],
        dropout=part["dropout"],
        steps=whole["run_steps"],
        every=max(1, min(10, whole["run_steps"])),
        seed=whole["seed"],
    )
    return race(base, kinds, same_size=state["matched"] == "true")


def start(specs: tuple[RunSpec, ...]) -> None:
    """Begin the runs; those on screen before are stopped unless they are over."""
    pool = ui.pool()
    for name in st.session_state.get("runs", "").split(","):
        if name in pool:
            pool.stop(name)
    try:
        st.session_state["runs"] = ",".join(pool.start(spec) for spec in specs)
    except ValueError as error:
        ui.refuse_later(error)


def show_runs() -> None:
    """The runs of the address, as they happen."""
    pool = ui.pool()
    names = [name for name in ui.remembered("runs", "").split(",") if name][: ui.MOST_RUNS]
    known = [name for name in names if name in pool]
    if len(known) < len(names):
        st.info("A run of this address is no longer on the server; start it anew.")
    if not known:
        pool.warm()
        st.info("Press Start: within seconds you see the loss fall and what the model writes.")
        return
    views = [pool.view(name) for name in known]
    ui.training_runs("training", words.pictured(views))


ui.page("training")
lab()
ui.neighbours("training")
