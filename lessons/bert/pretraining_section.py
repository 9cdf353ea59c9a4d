"""The Pre-train tab of the BERT page: train a small BERT and read what it fills in."""

from __future__ import annotations

import math
from functools import partial

import streamlit as st

import ui
from lessons.bert import pretraining_text as words
from lessons.bert import state as fill_in
from lessons.bert.state import SETTINGS
from lmcore import parsing
from lmcore.device import device
from lmcore.masked_lm import pretraining
from lmcore.masked_lm.pretraining import PretrainingProgress
from lmcore.models.bert import BERT
from lmcore.shipped import models
from lmcore.training import loop
from lmcore.training.masked_batches import masked_vocabulary
from lmcore.training.pool.runs import LIVE_STATES, RESTING_STATES, RunView
from lmcore.training.precheck import check_runnable
from lmcore.training.spec import RunSpec
from ui import components, compute, runs
from ui.lessons import Lesson
from ui.run_access import access_row

ERRATA = ("X73", "X84", "X85")
REFRESH_SECONDS = 2.0
"""Seconds between two reads of a running run's weights; it is saved equally often."""
DEFAULT = (3000, 0.15, 0)


def tab(lesson: Lesson) -> None:
    """Controls left; the run right."""
    top = st.container(key="presets")
    left, right = st.columns([2, 5], gap="medium")
    with right:  # errors are shown beside the controls, not below them
        spec = ui.validated_or_previous(
            "pretrain", read_spec, lambda: pretraining.run_spec(*DEFAULT)
        )
    with left:
        pressed = st.button("Train one", key="pretrain-start", icon=":material/play_arrow:")
        controls()
    if pressed:
        runs.start_runs([spec], "pretrain_runs")
    found = runs.started_runs("pretrain_runs", "Train a new one.")
    views = [view for view in found if view.spec.model.kind == "encoder"]
    with right:
        watch(views)
    parts = {
        "Predictions during training": lambda: live_filling(views),
        "Tested": lambda: test_results(views),
        "Check yourself": lambda: predict(spec),
        "Code": lambda: source(spec),
        "Slide check": lambda: ui.errata(ERRATA),
    }
    ui.sections(parts, key="pretrain_see")
    with top:
        ui.presets(lesson.part("bert_tab", "pretrain", "pretrain_"))


def controls() -> None:
    """The steps, the share of covered words, and the seed."""
    SETTINGS.draw("pretrain_steps", "pretrain_share", "pretrain_seed")
    st.caption(
        "Two layers, d = 64, four heads; half of the documents with two sentences become pairs. "
        "The training loss is that of the words plus that of the pairs; the thick line is the "
        "words’ alone, on documents never trained on. The encoder that ships was trained for "
        f"{models.SHIPPED['encoder'].steps:,} larger steps: see how far this one gets."
    )


def read_spec() -> RunSpec:
    """The run described by the controls.

    Raises:
        ValueError: naming the invalid setting, or why such a run cannot start here.
    """
    state = st.session_state
    steps = parsing.parse_integer(str(state["pretrain_steps"]), "the number of steps")
    share = parsing.parse_number(str(state["pretrain_share"]), "the share of words chosen")
    seed = parsing.parse_integer(str(state["pretrain_seed"]), "the seed")
    spec = pretraining.run_spec(steps, share, seed)
    check_runnable(spec, device().type)
    return spec


def watch(views: list[RunView]) -> None:
    """The curves, live."""
    if not views:
        runs.pool().warm()
        st.info("Press *Train one*: the loss falls from ln |V|, and you can read its predictions.")
        return
    how = words.runs_payload(views)
    components.training_runs("pretrain", how)
    access_row("pretrain_runs", views, [run["label"] for run in how["runs"]])
    histories = [runs.pool().history(view.name) for view in views]
    said = [words.standing_words(view, each) for view, each in zip(views, histories, strict=True)]
    ui.notice(*said, kind="measured here")


def live_filling(views: list[RunView]) -> None:
    """Show the predictions of the current weights, read every two seconds during a run."""
    if not views:
        st.caption("Once a run has started, its predictions for the text in Fill in appear here.")
        return
    names = [view.name for view in views]
    going = any(view.state in LIVE_STATES for view in views)
    st.fragment(_filled, run_every=REFRESH_SECONDS if going else None)(names)


def _filled(names: list[str]) -> None:
    """The covered words of the Fill in tab, by the runs' weights as they were last saved."""
    state = st.session_state
    for name in names:
        if runs.pool().checkpoint(name) is None:
            st.caption("The first weights are saved after about two seconds.")
            continue
        try:
            scene = fill_in.fill_in_state(
                f"{fill_in.RUN_PREFIX}{name}", state["fill_text"], state["fill_at"]
            )
        except ValueError as error:
            ui.show_error(error)
            continue
        trace = scene.trace
        if trace is None or not trace.places:
            st.caption("Cover a word in the Fill in tab: this run then predicts it here.")
            continue
        st.markdown(
            ui.escape_markdown(f"{scene.reader.name}: {words.covered_text(scene.text, trace)}")
        )
        row = words.filled_rows(scene.text, trace, scene.word)
        ui.table(words.filled_columns(trace), row, name=f"filled-{names.index(name)}",
                 caption="What this run predicts")  # fmt: skip


def test_results(views: list[RunView]) -> None:
    """The results of resting runs on covered words and on pairs."""
    rows = []
    for n, view in enumerate(views, start=1):
        if view.state not in RESTING_STATES:
            continue
        asked = (view.name, view.state, view.step)
        judge = partial(evaluate_run, view.name, view.step)
        found = compute.shared_result(
            "run on words and pairs", asked, judge, most=32, says="Testing"
        )
        if found is not None:
            rows.append(words.tested_row(f"run {n}", found))
    if not rows:
        st.caption("A paused or finished run is tested here, on words and on pairs.")
        return
    ui.table(words.TESTED, rows, name="pretrained", caption="The run on test documents")
    st.caption(
        "Expected accuracy: the exact probability of the word that the model ranks first. "
        "Chance level for pairs: accuracy 0.5, loss ln 2 = 0.6931."
    )


def evaluate_run(name: str, step: int) -> PretrainingProgress | None:
    """A resting run on covered words and pairs, or None if it was never saved or made no step."""
    saved = runs.pool().checkpoint(name)
    if saved is None or not step:
        return None
    network = fill_in.run_encoder(saved).network
    assert isinstance(network, BERT)
    return pretraining.measure_progress(network.cpu(), step)


def predict(spec: RunSpec) -> None:
    """Ask for the initial loss, in nats: of a word, and of a word plus a pair."""
    types = len(masked_vocabulary())
    ui.check_yourself(
        f"The model has {types} types. What is the loss of a word before the first step, in nats?",
        answer=math.log(types),
        because=f"Every type is about equally likely: ln {types}.",
        key="pretrain-untrained",
        near=0.05,
    )
    ui.check_yourself(
        "And with pairs added to it, what is the loss of the first step, in nats?",
        answer=math.log(types) + math.log(2),
        because=f"ln {types} + ln 2.",
        key="pretrain-both",
        near=0.05,
    )
    st.caption(f"This run chooses {spec.masking.low:g} of the words.")


def source(spec: RunSpec) -> None:
    """Show the code that ran, and a snippet that makes and tests the same run."""
    ui.show_code(loop.training_step, pretraining.run_spec, pretraining.measure_progress,
            snippet=words.snippet(spec), name="pretraining")  # fmt: skip
