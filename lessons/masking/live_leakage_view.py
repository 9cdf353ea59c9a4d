"""The leakage experiment, live: one small Transformer trained with the causal mask and without."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np
import streamlit as st

import ui
from drawing import run_text
from lessons.masking import live_leakage_picture, live_leakage_text, masking_text
from lessons.masking.live_leakage_picture import LeakageResult
from lessons.masking.masking_questions import live_leakage_questions
from lessons.masking.masking_state import LESSON, SETTINGS
from lmcore import parsing
from lmcore.corpora.microworld import microworld
from lmcore.device import device
from lmcore.masking import without_causal_mask
from lmcore.masking.without_causal_mask import Recording
from lmcore.models import masks
from lmcore.training import checkpoint, loop
from lmcore.training.batches import validation_documents
from lmcore.training.pool.runs import RESTING_STATES, RunView
from lmcore.training.precheck import check_runnable
from lmcore.training.spec import RunSpec
from ui import components, compute, runs
from ui.run_access import access_row

TEXTS = 50
"""Texts that a model writes, to be checked against the grammar."""


def show(rows: ui.Rows) -> Mapping[str, Callable[[], None] | None]:
    """Draw both losses on the stage, recorded and live, and Start beside it; return the views."""
    recording = without_causal_mask.load_recording()
    with rows.errors:
        specs = ui.validated_or_previous(
            "leak", read_specs, lambda: without_causal_mask.run_specs(without_causal_mask.STEPS)
        )
    with rows.rail:
        hidden = ui.predict_first(live_leakage_questions(recording))
        start(specs)
    with rows.errors:
        views = runs.started_runs("masking_runs", specs, most=2)
        results = judged(views)
    with rows.rail:
        if views and not ui.presenting():
            with st.container(key="run-controls"):
                components.training_runs("leak", run_text.runs_payload(views))
                access_row("masking_runs", views, run_text.labels(views))
        SETTINGS.draw("masking_steps", "masking_seed")
        with ui.more(rows):
            st.caption(live_leakage_picture.METHOD)
    with rows.picture:
        _losses(recording, views, results, hidden)
    return {"What they write": lambda: show_results(recording, results)}


def _losses(
    recording: Recording,
    views: list[RunView],
    results: list[tuple[RunView, str, LeakageResult]],
    hidden: tuple[str, ...],
) -> None:
    """The page's picture: both losses, of the visitor's runs or as recorded."""
    named = live_leakage_picture.numbers(recording, results)
    stage_texts = ui.stage_texts(
        LESSON,
        sentences=live_leakage_text.sentences(begun=bool(views)),
        formula=[[live_leakage_text.DEFINED]] * bool(views) + [live_leakage_text.FORMULA],
        alt=live_leakage_text.ALT,
        kind="measured here" if views else f"recorded {recording.date}",
        hidden=hidden,
    )
    ui.main_picture(
        live_leakage_picture.UNMASKED,
        ui.LiveNumbers("unmasked", tuple(named), np.array(list(named.values()))),
        live_leakage_picture.picture(recording, views, results),
        stage_texts,
    )


def start(specs: tuple[RunSpec, RunSpec]) -> None:
    """The button that starts both runs."""
    pressed = st.button(
        "Train both",
        key="masking-train",
        icon=":material/play_arrow:",
        type="primary",
        width="stretch",
        help="One small Transformer with the causal mask, and the same without it",
    )
    if pressed:
        runs.start_runs(specs, "masking_runs")
    runs.pool().warm()


def read_specs() -> tuple[RunSpec, RunSpec]:
    """The two runs that the controls describe.

    Raises:
        ValueError: naming the wrong setting, or saying why such a run cannot start here.
    """
    state = st.session_state
    steps = parsing.parse_integer(state["masking_steps"], "the number of steps")
    seed = parsing.parse_integer(state["masking_seed"], "the seed")
    specs = without_causal_mask.run_specs(steps, seed)
    for spec in specs:
        check_runnable(spec, device().type)
    return specs


def judged(views: list[RunView]) -> list[tuple[RunView, str, LeakageResult]]:
    """The runs that have paused or ended, with their labels and test results."""
    found = []
    for view, label in zip(views, run_text.labels(views), strict=True):
        if view.state not in RESTING_STATES:
            continue
        judge = partial(leakage_result, view.name, view.state, view.step)
        result = compute.shared_result("run and its leak", judge, most=64, says=f"Testing {label}")
        if result is not None:
            found.append((view, label, result))
    return found


def show_results(recording: Recording, results: list[tuple[RunView, str, LeakageResult]]) -> None:
    """Draw the numbers of both models and their texts; the recorded ones if no run has ended."""
    if results:
        rows = [masking_text.training_row(label, *result) for _, label, result in results]
        texts = [
            (label, masking_text.excerpt(result.writing.texts)) for _, label, result in results
        ]
        for view, _, result in results:
            st.markdown(masking_text.training_verdict(*result, causal=view.spec.model.causal))
    else:
        st.caption(
            f"The recorded runs of {recording.date}, {recording.steps:,} steps. Train both to see "
            "your own."
        )
        recorded = list(zip(live_leakage_picture.LABELS, recording.runs, strict=True))
        rows = [masking_text.recorded_row(label, run, recording.written) for label, run in recorded]
        texts = [(label, masking_text.excerpt(run.texts)) for label, run in recorded]
    ui.table(
        [*masking_text.TRAINING_COLUMNS], rows, name="leak", caption="With the mask and without"
    )
    for label, writing in texts:
        st.markdown(f"**{label}** writes:")
        for text in writing:
            st.text(text)
    state = st.session_state
    ui.show_code(
        masks.causal,
        without_causal_mask.prefix_loss,
        snippet=masking_text.training_snippet(
            int(state["masking_steps"]), int(state["masking_seed"])
        ),
        name="leak",
    )


def leakage_result(name: str, _state: str, step: int) -> LeakageResult | None:
    """The result of a paused or ended run; None if it was never saved, or has made no step.

    The run is tested again when its state or its number of steps has changed.
    """
    saved = runs.pool().checkpoint(name)
    if saved is None or not step:
        return None
    run = checkpoint.restore(saved)
    model, documents = run.language_model(), validation_documents()
    loss_without_future = without_causal_mask.prefix_loss(model.network, documents)
    writing = without_causal_mask.generate_texts(model, microworld(), TEXTS)
    grammar_loss = run.feed.truth
    assert grammar_loss is not None
    return LeakageResult(loop.validation_loss(run), loss_without_future, grammar_loss, writing)
