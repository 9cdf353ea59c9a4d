"""The view that trains a translation model: live runs drawn over recorded ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

import ui
from drawing import run_text
from lessons.seq2seq.seq2seq_state import SETTINGS
from lmcore import parsing
from lmcore.dataframes import Table
from lmcore.device import device
from lmcore.evaluation.exact_match import LengthScore
from lmcore.models.recurrent_seq2seq import Seq2Seq
from lmcore.numbers import format_number
from lmcore.shipped.recordings import Recording, find_recording, find_recordings
from lmcore.shipped.translator_runs import EXAMPLES, judge_translator, translation_run
from lmcore.training import checkpoint, loop
from lmcore.training.pool.runs import RESTING_STATES, RunView
from lmcore.training.precheck import check_runnable
from lmcore.training.spec import RunSpec
from lmcore.training.spec_diff import difference_labels, settings
from lmcore.training.translation_batches import translation_batch
from ui import components, compute, runs
from ui.run_access import access_row

RUNS = "s2_runs"
"""The setting that names the runs of this view."""
COLUMNS = ("words of a source", "exact match", "from", "to", "sentences")
NEAREST = 2
"""A recorded run that differs in more settings than this is not shown instead."""


def train_view() -> None:
    """Draw the controls, the curves of live over recorded runs, and the results of live runs."""
    runs.pool().warm()
    spec = ui.validated_or_previous("translator", read_spec, translation_run)
    with st.container(horizontal=True, vertical_alignment="bottom", key="s2-train"):
        alone = st.button("Train", icon=":material/play_arrow:", key="s2-start")
        both = st.button(
            "Train both",
            icon=":material/compare_arrows:",
            key="s2-start-both",
            help="Attention, and one vector with the same settings",
        )
        SETTINGS.draw("s2t_task", "s2t_score", "s2t_cell")
        with st.popover("More"):
            SETTINGS.draw("s2t_longest", "s2t_steps", "s2t_eta", "s2t_seed")
    if alone or both:
        runs.start_runs(with_one_vector(spec) if both else (spec,), RUNS)
    again = with_one_vector(spec) if len(runs.names_in(RUNS)) > 1 else (spec,)
    found = runs.started_runs(RUNS, again)
    views = [view for view in found if view.spec.model.kind == "seq2seq"]
    shown = tuple(view.spec for view in views) or (spec,)
    recorded = recorded_runs(shown)
    components.training_runs("seq2seq", run_text.runs_payload(views, recorded))
    st.caption(describe_recorded(recorded, started=bool(views)))
    if views:
        access_row(RUNS, views, run_text.labels(views))
        show_results(views)
    ui.show_code(
        loop.training_step,
        translation_batch,
        judge_translator,
        snippet=snippet(spec),
        name="translator",
    )


def read_spec() -> RunSpec:
    """The run that the controls describe.

    Raises:
        ValueError: naming the invalid setting, or why such a run cannot start here.
    """
    state = st.session_state
    score = SETTINGS.choice("s2t_score")
    spec = translation_run(
        SETTINGS.choice("s2t_task"),
        None if score == "vector" else score,
        cell=SETTINGS.choice("s2t_cell"),
        longest=parsing.parse_integer(state["s2t_longest"], "the longest source"),
        steps=parsing.parse_integer(state["s2t_steps"], "the number of steps"),
        learning_rate=parsing.parse_number(state["s2t_eta"], "the learning rate η"),
        seed=parsing.parse_integer(state["s2t_seed"], "the seed"),
    )
    check_runnable(spec, device().type)
    return spec


def with_one_vector(spec: RunSpec) -> tuple[RunSpec, ...]:
    """A run with attention and the same with one vector."""
    attention = spec.model.score or "dot"
    return tuple(
        replace(spec, model=replace(spec.model, score=score)) for score in (attention, None)
    )


# --- the recorded runs ----------------------------------------------------------------------------


def recorded_runs(specs: Sequence[RunSpec]) -> dict[str, Recording]:
    """The recording with the settings of each run, or the nearest one, by a label."""
    found = dict[str, Recording]()
    for spec in specs:
        recording, differs = nearest_recording(spec)
        if recording is not None:
            name = f"attention, {recording.spec.model.score}"
            name = name if recording.spec.model.score else "one vector"
            found[f"recorded: {name}" + (f" ({differs})" if differs else "")] = recording
    return found


def nearest_recording(spec: RunSpec) -> tuple[Recording | None, str]:
    """The recording of a run and '', or the most similar one and the settings that differ."""
    exact = find_recording(spec)
    if exact is not None:
        return exact, ""
    here = settings(spec)

    def distance(each: Recording) -> int:
        return sum(value != here[name] for name, value in settings(each.spec).items())

    alike = [
        each for each in find_recordings(EXAMPLES) if each.spec.corpus.task == spec.corpus.task
    ]
    best = min(alike, key=distance, default=None)
    if best is None or distance(best) > NEAREST:
        return None, ""
    return best, difference_labels([spec, best.spec])[1]


def describe_recorded(recorded: Mapping[str, Recording], *, started: bool) -> str:
    """What the dashed curves are, or what is shown before a run is started."""
    if not recorded:
        return "No run of these settings is recorded. Train shows yours as it goes."
    listed = "; ".join(
        f"{label.removeprefix('recorded: ')}, {each.date}, {each.step:,} steps in "
        f"{format_number(each.seconds)} s on {each.device}, at the end "
        f"{format_number(each.final_loss or 0.0)} nats"
        for label, each in recorded.items()
    )
    lead = "Dashed: recorded" if started else "Not started yet. Dashed: recorded"
    return f"{lead} ({listed})."


# --- what the runs translate ----------------------------------------------------------------------


def show_results(views: Sequence[RunView]) -> None:
    """Exact match of the runs that have paused or ended, by the length of the source."""
    tested = False
    for view, label in zip(views, run_text.labels(views), strict=True):
        if view.state not in RESTING_STATES:
            continue
        found = compute.shared_result(
            "translator of a run",
            partial(judge_run, view.name, view.state, view.step),
            most=32,
            says=f"Testing {label}",
        )
        if found is None:
            continue
        tested = True
        step, scores = found
        exact, all_of = sum(s.exact for s in scores), sum(s.sentences for s in scores)
        st.markdown(
            f"**{label}**, step {step:,}: {exact} of {all_of} sentences that it was not "
            "trained on are right in every word. :gray-badge[measured here]"
        )
        ui.table(
            COLUMNS,
            [(str(score.length), *score.interval, score.sentences) for score in scores],
            name=f"translator-{view.name}",
            caption=f"{label}: exact match with its 95 % interval, by the words of the source",
        )
    if not tested:
        st.caption("A paused or finished run is tested on sentences that it was not trained on.")


def judge_run(name: str, _state: str, _step: int) -> tuple[int, Table[LengthScore]] | None:
    """The step at which a resting run was saved, and its exact match; None if it never was.

    An interrupted run may have reported later steps than it saved. It is tested again when its
    state or its number of steps changes.
    """
    saved = runs.pool().checkpoint(name)
    if saved is None:
        return None
    network, _, spec, step = checkpoint.load_network(saved)
    assert isinstance(network, Seq2Seq)
    return step, judge_translator(network.cpu(), spec)


def snippet(spec: RunSpec) -> str:
    """A program that makes the same run and tests it."""
    return f"""from lmcore.training.loop import Training
from lmcore.shipped.translator_runs import judge_translator, translation_run

spec = translation_run(
    {spec.corpus.task!r}, {spec.model.score!r}, cell={spec.model.cell!r},
    longest={spec.corpus.longest}, steps={spec.steps}, learning_rate={spec.learning_rate},
    seed={spec.seed},
)
run = Training(spec)
for event in run:
    pass
for score in judge_translator(run.network.cpu(), spec):
    print(score.length, "words:", score.exact, "of", score.sentences)
"""
