"""The views behind the picture of the Live training page."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import streamlit as st

import ui
from drawing import run_text
from lessons.training import training_figures, training_text
from lessons.training.training_picture import Plan
from lmcore.configuration import configuration
from lmcore.corpora.microworld import microworld
from lmcore.evaluation import against_grammar, probes
from lmcore.evaluation.against_grammar import (
    ConstructionResult,
    GrammarComparison,
    compare_by_split,
    construction_results,
)
from lmcore.evaluation.probes import FedProbabilities
from lmcore.training import checkpoint, loop
from lmcore.training.pool.runs import RESTING_STATES, RunState, RunView
from lmcore.training.spec import RunSpec
from ui import compute, runs


class JudgedRun(NamedTuple):
    """A saved run compared with the grammar, at the step of its checkpoint."""

    step: int
    by_split: dict[str, GrammarComparison]
    constructions: tuple[ConstructionResult, ...]
    fed: FedProbabilities


def against_the_truth(views: list[RunView]) -> None:
    """Compare each paused or ended model with the grammar, on all test documents and by split."""
    judged = _judged_runs(views)
    if not judged:
        st.caption(
            "A paused or finished run on the microworld is tested here against the grammar "
            "itself, which knows the probability of every word."
        )
        return
    rows = [training_text.judged_row(label, run.step, run.by_split) for label, run in judged]
    ui.table(training_text.JUDGED, rows, name="truth", caption="Models against the grammar")
    st.markdown("**Share correct, of two possible answers; chance is 0.5**")
    ui.table(
        ["construction", *(label for label, _ in judged)],
        training_text.standing_rows([run.constructions for _, run in judged]),
        name="constructions",
        caption="Share correct, of two possible answers",
    )
    st.markdown("**Probability of “fed”, which no training text uses of a dog**")
    fed = [(label, run.fed) for label, run in judged]
    fed.append(("The grammar", probes.fed_probabilities(microworld())))
    ui.table(
        training_text.FED, training_text.fed_rows(fed), name="fed", caption="Probability of “fed”"
    )
    st.caption(
        "A ratio near 1 is easily reached, since most words are nearly certain: the divergence "
        "and the constructions say more. Clauses deeper than two, new pairs, and the dog that "
        "gets fed never occur in training: the grammar gives the dog probability 0, a model that "
        "generalises gives it that of the cat."
    )


def _judged_runs(views: list[RunView]) -> list[tuple[str, JudgedRun]]:
    """The labels and the results of the runs on the microworld that have paused or ended."""
    judged: list[tuple[str, JudgedRun]] = []
    for view, label in zip(views, run_text.labels(views), strict=True):
        if view.spec.corpus.source != "microworld" or view.state not in RESTING_STATES:
            continue
        judge = partial(judge_run, view.name, view.state, view.step)
        run = compute.shared_result("judged runs", judge, most=64, says=f"Testing {label}")
        if run is not None:
            judged.append((label, run))
    return judged


def judge_run(name: str, state: RunState, reported: int) -> JudgedRun | None:
    """Compare a run with the grammar, on 1,000 documents, at the step of its last checkpoint.

    None if it was never saved, or is at step 0. An interrupted run may have `reported` later steps
    than it saved; `state` and `reported` are part of the cache key.
    """
    saved = ui.pool().checkpoint(name)
    if saved is None:
        return None
    model, _, step = checkpoint.load_model(saved)
    if not step:
        return None
    world = microworld()
    by_split = compare_by_split(model, against_grammar.test_documents(world, 1000), world)
    fed = probes.fed_probabilities(model)
    return JudgedRun(step, by_split, construction_results(model), fed)


def texts(plan: Plan, views: list[RunView]) -> None:
    """Show all texts by the runs, or by the recorded ones, in the order of the steps."""
    written = [
        (label, ui.pool().history(view.name).samples)
        for view, label in zip(views, run_text.labels(views), strict=True)
    ] or [
        (f"{label}, recorded", list(each.samples))
        for each, label in zip(plan.recordings, plan.labels, strict=False)
    ]
    if not any(samples for _, samples in written):
        st.caption("What a model writes as it learns stands here once it is trained.")
    for label, samples in written:
        if samples:
            st.markdown(f"**{label}**, what it writes after so many steps:")
            rows = [f"- **{step:,}**: {ui.escape_markdown(said)}" for step, said in samples]
            st.markdown("\n".join(rows))


def gradients(plan: Plan, views: list[RunView]) -> None:
    """Draw the gradient norm against the steps, of the whole network and of each part."""
    shown = [
        training_figures.run_norms(label, ui.pool().history(view.name), view.spec.clip)
        for view, label in zip(views, run_text.labels(views), strict=True)
    ] or [
        training_figures.recorded_norms(label, each)
        for each, label in zip(plan.recordings, plan.labels, strict=False)
    ]
    shown = [each for each in shown if each.whole]
    if not shown:
        st.caption("The gradient's norm stands here once a model is trained.")
        return
    ui.show_figure(
        training_figures.norm_curves(shown, ui.theme_mode()),
        name="gradients",
        reading="Both scales are logarithmic. Where the norm is above the clip, the gradient is "
        "scaled down to it before the step.",
        alt=training_figures.describe_norms(shown),
    )
    st.markdown(training_text.NORMS)
    for each in shown:
        if each.parts:
            rows = [(f"‖∇ {part}‖", norms[-1]) for part, norms in each.parts.items()]
            ui.table(
                ["part of the network", "gradient norm"],
                rows,
                name=f"norms-{each.label.lower()}",
                caption=f"{each.label} at step {each.part_steps[-1]}",
            )


def save_and_load(views: list[RunView]) -> None:
    """Offer each run as a file and its curve as a table, and load a file as a run."""
    for view, label in zip(views, run_text.labels(views), strict=True):
        curve = ui.pool().history(view.name).to_frame().to_csv(index=False)
        name = f"{label.lower()}-curve.csv"
        ui.save_file(curve.encode(), label=f"Save the curve of {label}", name=name)
        if data := ui.pool().checkpoint(view.name):
            step = checkpoint.parse_checkpoint(data)[0].step
            name = f"{label.lower()}-step-{step}.safetensors"
            ui.save_file(data, label=f"Save {label}, step {step}", name=name)
    st.caption(
        "Weights and optimiser as safetensors, the settings as JSON: no executable code. A "
        "loaded run is paused where it was saved; it can go on, and other pages can use it."
    )
    st.file_uploader(
        "Load a saved run",
        type=["safetensors"],
        key="loaded",
        max_upload_size=configuration().upload_mb,
        on_change=load_run,
    )


def load_run() -> None:
    """Add the run of the uploaded file to those in the picture."""
    state = st.session_state
    if state["loaded"] is None:
        return
    try:
        name = ui.pool().adopt(state["loaded"].getvalue(), owner=runs.owner())
    except ValueError as error:
        ui.show_error_later(error)
        return
    state["runs-begun"] = [*state.get("runs-begun", []), name]
    before = [each for each in state["runs"].split(",") if each]
    state["runs"] = ",".join([*before, name][-ui.MOST_RUNS :])


def source(specs: tuple[RunSpec, ...]) -> None:
    """Show the code that trains, and a snippet that trains the same runs."""
    ui.show_code(
        loop.train, loop.training_step, snippet=training_text.snippet(specs), name="training"
    )
