"""Live training: choose, start, watch, pause, compare."""

from __future__ import annotations

from functools import partial

import streamlit as st

import ui
from lessons.shared import run_text as words
from lessons.training import own_text_section, run_files, run_settings
from lmcore.corpora import entropy
from lmcore.corpora.microworld import microworld
from lmcore.evaluation import against_grammar, probes
from lmcore.evaluation.against_grammar import (
    ConstructionResult,
    GrammarComparison,
    compare_by_split,
    construction_results,
)
from lmcore.evaluation.probes import FedProbabilities
from lmcore.models.scoring import uniform_loss
from lmcore.training import checkpoint, loop
from lmcore.training.pool.runs import RESTING_STATES, RunView
from lmcore.training.spec import RunSpec
from ui import runs, settings
from ui.compute import shared_results

LESSON = ui.lesson("training")
VIEWS = ("Against the truth", "Save and load", "Check yourself", "Code", "The slide says")
SWITCH = ("true", "false")
CANNOT = "These settings cannot be run: the line below says why."
OPTIMIZERS = {"adam": "Adam", "momentum": "Momentum", "sgd": "Gradient descent"}


@st.fragment
def lab() -> None:
    """Controls left, runs right."""
    top = st.container(key="presets")
    left, right = st.columns([2, 5], gap="medium")
    with left:
        first, beneath = st.container(), st.container()
        with beneath:
            ui.check_address_value("see", VIEWS)
            ui.check_address_value("more", SWITCH)
            ui.check_address_value("keep", SWITCH)
        controls()
    with beneath:
        specs, why = read_specs()
    with first:
        pressed = st.button(
            f"Start {len(specs)} runs" if len(specs) > 1 else "Start",
            key="start",
            icon=":material/play_arrow:",
            disabled=bool(why),
            help=why or None,
        )
    if pressed and not why:
        with beneath:
            start(specs)
    with right:
        views = runs_on_screen()
        show_runs(views)
    draw = (
        lambda: against_the_truth(views),
        lambda: run_files.save_and_load(views),
        lambda: predict(views),
        lambda: source(specs),
        lambda: ui.slide_corrections("training"),
    )
    ui.sections(dict(zip(VIEWS, draw, strict=True)), key="see")
    with top:
        ui.presets(LESSON)


def controls() -> None:
    """What to train, on what, and how."""
    settings.keep_in_address({**LESSON.defaults, "keep": "false", "runs": ""})
    settings.pills("models", "Models, up to four", words.LABELS, many=True)
    run_settings.choose_text(own_text_section.restore_own_text)
    if st.session_state["corpus"] == "own":
        own_text_section.panel()
    settings.text_field(
        "rate", "Learning rate η", "Too small: it crawls. Too large: the loss jumps, or runs away"
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
            settings.text_field(name, label, help_text)
    settings.pills("optimizer", "Optimiser", OPTIMIZERS)
    if st.session_state["corpus"] in ("prose", "own"):
        own_text_section.choose_unit()
    settings.toggle("decay", "η falls to 0")
    settings.toggle("matched", "Same number of weights for all")
    settings.toggle("keep", "Keep earlier runs in the picture")


def read_specs() -> tuple[tuple[RunSpec, ...], str]:
    """The runs that the controls describe, or the last that they did, and why no run can begin."""
    if missing := own_text_section.missing_text_hint():
        st.info(missing, icon=":material/description:")
    found: list[tuple[RunSpec, ...]] = []
    good: tuple[RunSpec, ...] = st.session_state.get("training-good", (RunSpec(),))

    def read() -> tuple[RunSpec, ...]:
        if missing:
            return good
        found.append(run_settings.read_specs(own_text_section.stored_text()))
        return found[0]

    specs = ui.validated_or_previous("training", read, lambda: good)
    return specs, missing or ("" if found else CANNOT)


def start(specs: tuple[RunSpec, ...]) -> None:
    """Begin the runs; those begun here before stop, and stay in the picture if they are to be kept.

    A run that came with a link is somebody else's: it goes on.
    """
    pool, state = ui.pool(), st.session_state
    before = [name for name in state["runs"].split(",") if name in pool]
    try:
        stopping = state.get("begun-here", [])
        begun = pool.start_all(specs, owner=runs.owner(), instead=stopping)
    except ValueError as error:
        ui.show_error(error)
        return
    state["begun-here"] = begun
    kept = before if state["keep"] == "true" else []
    state["runs"] = ",".join([*kept, *begun][-ui.MOST_RUNS :])
    ui.address_value("runs", "")


def runs_on_screen() -> list[RunView]:
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
    ui.training_runs("training", words.runs_payload(views))
    histories = [ui.pool().history(view.name) for view in views]
    ui.notice(*words.run_notice(views, histories), kind="measured here")


def against_the_truth(views: list[RunView]) -> None:
    """Each model that rests beside the grammar: on all test documents, and on those held out."""
    rows: list[tuple[str, *tuple[float, ...]]] = []
    standing, dogs, labels = [], [], words.labels(views)
    for view, label in zip(views, labels, strict=True):
        if view.spec.corpus.source != "microworld" or view.state not in RESTING_STATES:
            continue
        asked, test = (view.name, view.state, view.step), partial(judge_run, view.name)
        found = shared_results.shared_result(
            "judged runs", asked, test, most=64, says=f"Testing {label}"
        )
        if found is None:
            continue
        step, judged, right, fed = found
        rows.append(words.judged_row(label, step, judged))
        standing.append((label, right))
        dogs.append((label, fed))
    if not rows:
        st.caption(
            "A run on the microworld that is paused or over is tested here against the grammar "
            "itself, which knows the probability of every word."
        )
        return
    ui.table(words.JUDGED, rows, name="truth", caption="Models against the grammar")
    st.markdown("**Share right, of two answers each; chance is 0.5**")
    ui.table(
        ["construction", *(label for label, _ in standing)],
        words.standing_rows([found for _, found in standing]),
        name="constructions",
        caption="Share right, of two answers each",
    )
    st.markdown("**Probability of “fed”, which training never said of a dog**")
    dogs.append(("The grammar", probes.fed_probabilities(microworld())))
    ui.table(words.FED, words.fed_rows(dogs), name="fed", caption="Probability of “fed”")
    st.caption(
        "A ratio near 1 flatters, since most words are nearly certain: the divergence and the "
        "constructions tell more. Clauses deeper than two, new pairs, and the dog that gets fed "
        "were never trained on: the grammar gives the dog no chance, a model that generalises "
        "gives it that of the cat."
    )


def judge_run(
    name: str,
) -> (
    tuple[int, dict[str, GrammarComparison], tuple[ConstructionResult, ...], FedProbabilities]
    | None
):
    """A run against the grammar, on 1,000 documents, at the step it was last saved; an interrupted
    one was last heard of later. None if it was not saved, or has made no step."""
    saved = ui.pool().checkpoint(name)
    if saved is None:
        return None
    model, _, step = checkpoint.load_model(saved)
    world = microworld()
    split = compare_by_split(model, against_grammar.test_documents(world, 1000), world)
    return (
        (step, split, construction_results(model), probes.fed_probabilities(model))
        if step
        else None
    )


def predict(views: list[RunView]) -> None:
    types = next((view.began.types for view in views if view.began), len(microworld().vocabulary))
    ui.check_yourself(
        f"The text has {types} types. What is the loss before the first step, in nats?",
        answer=uniform_loss(types),
        because=f"Every type is equally likely: ln {types}.",
        key="untrained",
    )
    ui.check_yourself(
        "What is the lowest loss any model can reach on the microworld, in nats per token?",
        answer=entropy.entropy_rate(microworld()),
        because="That is the grammar's own entropy: what is left to chance.",
        key="lowest",
        near=0.1,
    )


def source(specs: tuple[RunSpec, ...]) -> None:
    ui.show_code(loop.train, loop.training_step, snippet=words.snippet(specs), name="training")


ui.open_page("training")
lab()
ui.neighbour_links("training")
