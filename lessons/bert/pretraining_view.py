"""Training a small BERT on the stage, and reading what it fills in."""

from __future__ import annotations

import math
from functools import partial

import streamlit as st

import ui
from lessons.bert import bert_picture, bert_state, fill_in_view, pretraining_text
from lessons.bert.bert_questions import pretraining_questions
from lessons.bert.bert_state import LESSON, SETTINGS
from lessons.bert.fill_in_view import Parts
from lmcore import parsing
from lmcore.device import device
from lmcore.masked_lm import pretraining
from lmcore.masked_lm.pretraining import PretrainingProgress
from lmcore.models.bert import BERT
from lmcore.numbers import format_number
from lmcore.shipped import models
from lmcore.training import loop
from lmcore.training.masked_batches import masked_vocabulary
from lmcore.training.pool.runs import LIVE_STATES, RESTING_STATES, RunState, RunView
from lmcore.training.precheck import check_runnable
from lmcore.training.spec import RunSpec
from ui import components, compute, runs
from ui.run_access import access_row

LIVE = "Predictions during training"
REFRESH_SECONDS = 2.0
"""Seconds between two reads of a running run's weights; it is saved equally often."""
DEFAULT = (3000, 0.15, 0)


def show(rows: ui.Rows, see: str) -> Parts:
    """The controls in the rail; on the stage the run, or the gap as its weights now fill it."""
    with rows.errors:
        spec = ui.validated_or_previous(
            "pretrain", read_spec, lambda: pretraining.run_spec(*DEFAULT)
        )
    with rows.rail:
        pressed = st.button(
            "Train one",
            key="pretrain-start",
            icon=":material/play_arrow:",
            width="stretch",
        )
        SETTINGS.draw("pretrain_steps", "pretrain_share")
        hidden = ui.predict_first(pretraining_questions())
        with ui.more(rows):
            SETTINGS.draw("pretrain_seed")
            st.caption(about())
    with rows.errors:
        if pressed:
            runs.start_runs([spec], "pretrain_runs")
        found = runs.started_runs("pretrain_runs", (spec,))
    views = [view for view in found if view.spec.model.kind == "encoder"]
    live = see == LIVE and bool(views)
    with rows.picture:
        if live:
            live_gap(views[-1], hidden)
        else:
            chosen_words(spec, training=bool(views))
    return {
        bert_state.TRAIN: (lambda: watch(views)) if views else None,
        LIVE: None if live else live_missing,
        "Tested": lambda: test_results(views),
        "Training code": lambda: source(spec),
    }


def about() -> str:
    """The run, and what its curves are."""
    return (
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
    how = pretraining_text.runs_payload(views)
    components.training_runs("pretrain", how)
    access_row("pretrain_runs", views, [run["label"] for run in how["runs"]])
    histories = [runs.pool().history(view.name) for view in views]
    said = [
        pretraining_text.standing_words(view, each)
        for view, each in zip(views, histories, strict=True)
    ]
    st.markdown(f"{' '.join(said)} :gray-badge[measured here]")


def chosen_words(spec: RunSpec, *, training: bool) -> None:
    """Draw the words of the page's text that training covers, with this run's share."""
    if not training:
        runs.pool().warm()
    text = str(LESSON.defaults["fill_text"])
    whole = bert_state.fill_in_state("encoder", text, "").text
    places = pretraining.chosen_places(whole, spec.masking.low, spec.seed)
    scene = bert_state.fill_in_state("encoder", text, bert_picture.format_places(places))
    types, count = len(masked_vocabulary()), len(places)
    uniform = f"ln {types} = {format_number(math.log(types))} nats"
    sentence = (
        f"The loss of a word falls from {uniform}. “{LIVE}” shows the gap as this run fills it."
        if training
        else f"**Train one**: {count} of these {len(whole.maskable)} words are asked for. At first "
        f"each costs {uniform}; the encoder that ships: =={{loss}}==."
    )
    fill_in_view.draw(scene, sentence=sentence, fixed=True)


def live_missing() -> None:
    """State what will be here once a run has started."""
    st.markdown("Once a run has started, the stage shows the gap as its weights fill it.")


def live_gap(view: RunView, hidden: tuple[str, ...]) -> None:
    """The gap of the page by the current weights, read every two seconds during a run."""
    refresh = REFRESH_SECONDS if view.state in LIVE_STATES else None
    st.fragment(_live_gap, run_every=refresh)(view, hidden)


def _live_gap(view: RunView, hidden: tuple[str, ...]) -> None:
    state = st.session_state
    if runs.pool().checkpoint(view.name) is None:  # the first is saved after about two seconds
        chosen_words(view.spec, training=True)
        return
    model = f"{bert_state.RUN_PREFIX}{view.name}"
    try:
        scene = bert_state.fill_in_state(model, state["fill_text"], state["fill_at"])
    except ValueError as error:
        ui.show_error(error)
        return
    fill_in_view.draw(scene, hidden)


def test_results(views: list[RunView]) -> None:
    """The results of resting runs on covered words and on pairs."""
    rows = []
    for n, view in enumerate(views, start=1):
        if view.state not in RESTING_STATES:
            continue
        judge = partial(evaluate_run, view.name, view.state, view.step)
        found = compute.shared_result("run on words and pairs", judge, most=32, says="Testing")
        if found is not None:
            rows.append(pretraining_text.tested_row(f"run {n}", found))
    if not rows:
        st.caption("A paused or finished run is tested here, on words and on pairs.")
        return
    ui.table(pretraining_text.TESTED, rows, name="pretrained", caption="The run on test documents")
    st.caption(
        "Expected accuracy: the exact probability of the word that the model ranks first. "
        "Chance level for pairs: accuracy 0.5, loss ln 2 = 0.6931."
    )


def evaluate_run(name: str, state: RunState, step: int) -> PretrainingProgress | None:
    """A resting run on covered words and pairs, or None if it was never saved or made no step.

    Its state and step distinguish its results at different times.
    """
    saved = runs.pool().checkpoint(name)
    if saved is None or not step:
        return None
    network = bert_state.run_encoder(saved).network
    assert isinstance(network, BERT)
    return pretraining.measure_progress(network.cpu(), step)


def source(spec: RunSpec) -> None:
    """Show the code that ran, and a snippet that makes and tests the same run."""
    ui.show_code(loop.training_step, pretraining.run_spec, pretraining.measure_progress,
            snippet=pretraining_text.snippet(spec), name="pretraining")  # fmt: skip
