"""Live training: choose, start, watch, pause, compare."""

from __future__ import annotations

import math
from dataclasses import replace

import streamlit as st

import ui
from lmcore import evaluation, reading
from lmcore.corpora import limits, own
from lmcore.corpora.microworld import microworld
from lmcore.evaluation import Judgement, Standing, judge_split, standings
from lmcore.figures import training as words
from lmcore.training import checkpoint, loop
from lmcore.training.race import race
from lmcore.training.runs import RESTS, RunView
from lmcore.training.spec import CorpusSpec, ModelSpec, RunSpec
from ui import run_files, settings

LESSON = ui.lesson("training")
VIEWS = ("Against the truth", "Save and load", "Check yourself", "Code", "The slide says")
TEXTS = {
    "microworld": "Microworld (its truth is known)",
    "quoted": "Quoted text, letter by letter",
    "prose": "The story",
    "own": "My own text",
}
CURVE = 300
"""Points of the validation curve, about, where a run is long."""
OPTIMIZERS = {"adam": "Adam", "momentum": "Momentum", "sgd": "Gradient descent"}


@st.fragment
def lab() -> None:
    """Controls left, runs right."""
    top = st.container(key="presets")
    left, right = st.columns([2, 5], gap="medium")
    with left:
        first = st.container()
        controls()
        specs = ui.last_good("training", read, lambda: (RunSpec(),))
    with first:
        st.button(
            f"Start {len(specs)} runs" if len(specs) > 1 else "Start",
            key="start",
            icon=":material/play_arrow:",
            on_click=start,
            args=(specs,),
        )
    with right:
        views = on_screen()
        show_runs(views)
    draw = (
        lambda: against_the_truth(views),
        lambda: run_files.save_and_load(views),
        lambda: predict(views),
        lambda: source(specs),
        lambda: ui.slide_says("training"),
    )
    ui.sections(dict(zip(VIEWS, draw, strict=True)), key="see")
    with top:
        ui.presets(LESSON)


def controls() -> None:
    """What to train, on what, and how."""
    settings.keep({**LESSON.defaults, "keep": "false", "runs": ""})
    settings.chosen("models", "Models, up to four", words.LABELS, many=True)
    settings.chosen("corpus", "Text", TEXTS)
    if st.session_state["corpus"] == "own":
        own_text()
    settings.typed(
        "rate", "Learning rate η", "Too small: it crawls. Too large: the loss jumps, or runs away"
    )
    settings.typed("run_steps", "Steps", "How many batches to learn from; η falls to 0 at the last")
    more = st.expander(
        "More: sizes, optimiser, batch, clipping, seed", key="more", bind="query-params"
    )
    if more.open:
        with more:
            more_controls()


def own_text() -> None:
    """A person's own text: pasted or in a file, read with care, with its statistics."""
    pasted = st.text_area("Your text", key="own-pasted", height=140, max_chars=own.LARGEST_BYTES)
    given = st.file_uploader("or a file: UTF-8, up to 1 MB", type=["txt", "md"], key="own-file")
    st.session_state["own-text"] = ""
    try:
        text = own.read_text(given.getvalue() if given else pasted)
        found = own.OwnText(text, st.session_state["unit"]).statistics
    except ValueError as error:
        ui.refuse(error)
        return
    st.session_state["own-text"] = text
    st.caption(ui.plain(words.text_statistics(found)))
    st.caption(ui.plain(f"It begins: {text[:120]} …"))


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
            settings.typed(name, label, help_text)
    settings.chosen("optimizer", "Optimiser", OPTIMIZERS)
    if st.session_state["corpus"] in ("prose", "own"):
        settings.chosen("unit", "Read by", {"word": "word", "character": "letter"})
    settings.switched("decay", "η falls to 0")
    settings.switched("matched", "Same number of weights for all")
    settings.switched("keep", "Keep earlier runs in the picture")


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
    only = {"microworld": "word", "quoted": "character"}
    unit = only.get(state["corpus"], state["unit"])
    corpus = CorpusSpec(state["corpus"], unit, whole["documents"], text)
    kinds = [kind.strip() for kind in state["models"].split(",") if kind.strip()]
    base = RunSpec(
        corpus,
        ModelSpec("lstm", whole["embedding"], whole["hidden"], whole["layers"]),
        optimizer=state["optimizer"],
        learning_rate=part["rate"],
        decay=state["decay"] == "true",
        batch=whole["batch"],
        length=whole["length"],
        clip=part["clip"],
        dropout=part["dropout"],
        steps=whole["run_steps"],
        every=max(1, min(10, whole["run_steps"]), whole["run_steps"] // CURVE),
        seed=whole["seed"],
    )
    return race(base, kinds, same_size=state["matched"] == "true")


def start(specs: tuple[RunSpec, ...]) -> None:
    """Begin the runs; those begun here before stop, and stay in the picture if they are to be kept.

    A run that came with a link is somebody else's: it goes on.
    """
    pool, state = ui.pool(), st.session_state
    before = [name for name in state["runs"].split(",") if name in pool]
    try:
        begun = pool.start_all(specs)
    except ValueError as error:
        ui.refuse_later(error)
        return
    for name in state.get("begun-here", []):
        if name in pool:
            pool.stop(name)
    state["begun-here"] = begun
    kept = before if state["keep"] == "true" else []
    state["runs"] = ",".join([*kept, *begun][-ui.MOST_RUNS :])


def on_screen() -> list[RunView]:
    """The runs of the address, as far as the server still has them."""
    pool = ui.pool()
    names = [name for name in st.session_state["runs"].split(",") if name][: ui.MOST_RUNS]
    views = [pool.view(name) for name in names if name in pool]
    if len(views) < len(names):
        st.info("A run of this address is no longer on the server. Start it anew.")
    return views


def show_runs(views: list[RunView]) -> None:
    """The runs as they happen, and what they come to."""
    if not views:
        ui.pool().warm()
        st.info("Press Start: within seconds the loss falls, and you read what the model writes.")
        return
    ui.training_runs("training", words.pictured(views))
    histories = [ui.pool().history(view.name) for view in views]
    ui.notice(*words.run_notice(views, histories), kind="measured here")


def against_the_truth(views: list[RunView]) -> None:
    """Each model that rests beside the grammar: on all test documents, and on those held out."""
    rows: list[tuple[str, *tuple[float, ...]]] = []
    standing, labels = [], words.labels(views)
    for view, label in zip(views, labels, strict=True):
        if view.spec.corpus.source != "microworld" or view.state not in RESTS:
            continue
        with st.spinner(f"Testing {label}"):
            test = st.cache_data(max_entries=64)(judged_run)
            if (found := test(view.name, view.state, view.step)) is None:
                continue
        step, judged, right = found
        rows.append(words.judged_row(label, step, judged))
        standing.append((label, right))
    if not rows:
        st.caption(
            "A run on the microworld that is paused or over is tested here against the grammar "
            "itself, which knows the probability of every word."
        )
        return
    ui.table(words.JUDGED, rows, name="truth", caption="Models against the grammar")
    columns = ["construction", *(label for label, _ in standing)]
    ui.table(
        columns,
        words.standing_rows([found for _, found in standing]),
        name="constructions",
        caption="Share right, of two answers each; chance is 0.5",
    )
    st.caption(
        "A ratio near 1 flatters, since most words are nearly certain: the divergence and the "
        "constructions tell more. Clauses deeper than two, new pairs, and the dog that gets fed "
        "were never trained on."
    )


def judged_run(
    name: str, state: str, heard: int
) -> tuple[int, dict[str, Judgement], tuple[Standing, ...]] | None:
    """A run against the grammar, on 1,000 documents, at the step it was last saved; an interrupted
    one was last heard of later. None if it was not saved, or has made no step."""
    saved = ui.pool().checkpoint(name)
    if saved is None:
        return None
    model, _, step = checkpoint.model(saved)
    world = microworld()
    split = judge_split(model, evaluation.test_documents(world, 1000), world)
    return (step, split, standings(model)) if step else None


def predict(views: list[RunView]) -> None:
    types = next((view.began.types for view in views if view.began), len(microworld().vocabulary))
    ui.check(
        f"The text has {types} types. What is the loss before the first step, in nats?",
        answer=math.log(types),
        because=f"Every type is equally likely: ln {types}.",
        key="untrained",
    )
    ui.check(
        "What is the lowest loss any model can reach on the microworld, in nats per token?",
        answer=limits.entropy_rate(microworld()),
        because="That is the grammar's own entropy: what is left to chance.",
        key="lowest",
        near=0.1,
    )


def source(specs: tuple[RunSpec, ...]) -> None:
    spec = specs[0]
    if spec.corpus.text:
        spec = replace(spec, corpus=replace(spec.corpus, text="…your text…"))
    snippet = f"""from lmcore.training.loop import Training
from lmcore.training.spec import CorpusSpec, ModelSpec, RunSpec

spec = {spec!r}
run = Training(spec)
for event in run:
    print(event)
"""
    ui.code(loop.train, loop.one_step, snippet=snippet, name="training")


ui.page("training")
lab()
ui.neighbours("training")
