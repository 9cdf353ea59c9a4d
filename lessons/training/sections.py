"""The views below the runs of the Live training page."""

from __future__ import annotations

from functools import partial

import streamlit as st

import ui
from lessons.shared import run_text as words
from lmcore.configuration import configuration
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
from ui import runs
from ui.compute import shared_results


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


def save_and_load(views: list[RunView]) -> None:
    """Each saved run as a file; a file as a run again."""
    for view, label in zip(views, words.labels(views), strict=True):
        if data := ui.pool().checkpoint(view.name):
            step = checkpoint.parse_checkpoint(data)[0].step
            name = f"{label.lower()}-step-{step}.safetensors"
            ui.save_file(data, label=f"Save {label}, step {step}", name=name)
    st.caption(
        "Weights and optimiser as safetensors, the settings as JSON: nothing that can run. A run "
        "that is loaded rests where it was saved; it can go on, and other pages can ask it."
    )
    st.file_uploader(
        "Load a saved run",
        type=["safetensors"],
        key="loaded",
        max_upload_size=configuration().upload_mb,
        on_change=load_run,
    )


def load_run() -> None:
    """A file was given: its run joins those in the picture."""
    state = st.session_state
    if state["loaded"] is None:
        return
    try:
        name = ui.pool().adopt(state["loaded"].getvalue(), owner=runs.owner())
    except ValueError as error:
        ui.show_error_later(error)
        return
    state["begun-here"] = [*state.get("begun-here", []), name]
    before = [each for each in state["runs"].split(",") if each]
    state["runs"] = ",".join([*before, name][-ui.MOST_RUNS :])


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
