"""The view “Tune it here”: one run in the engine, with its progress, which can be stopped."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

import streamlit as st

import ui
from lessons.transfer import transfer_figures
from lessons.transfer.transfer_state import NETWORK_NAMES, SETTINGS, TASK_NAMES, TransferState
from lmcore.transfer import curves
from lmcore.transfer.tuning import TuneSpec, TuneStep, flat_loss, tune, unseen
from ui import compute

TOGETHER = 10
"""The number of steps between two drawings of the picture."""
KEY = "tune-run"


@dataclass
class Tuned:
    """A run and its results so far."""

    spec: TuneSpec
    losses: list[float] = field(default_factory=list)
    tests: dict[int, float] = field(default_factory=dict)
    going: bool = True
    steps: Iterator[list[TuneStep]] | None = None
    """The iterator that makes the next steps; None before the first ones."""

    done: bool = False
    """Whether the run has finished."""


def tune_view(now: TransferState) -> None:
    """Draw the controls, the run, and at its end the comparison with the recorded runs."""
    spec = spec_here(now)
    kept: Tuned | None = st.session_state.get(KEY)
    until = "the loss no longer falls, or is" if spec.frozen == now.parts else "the loss is"
    st.markdown(
        f"{NETWORK_NAMES[now.network]}, “{TASK_NAMES[now.task]}”, **{now.labels:,} labels**, "
        f"{describe_way(spec)}: steps of {spec.batch} texts, η = {spec.learning_rate:g}, until "
        f"{until} below {flat_loss(spec.task, unseen(spec)):.2f}, at most {spec.steps:,}; "
        f"tested on {curves.test_set(spec).texts} held-out texts."
    )
    with st.container(horizontal=True, vertical_alignment="bottom", key="tune-controls"):
        SETTINGS.draw("tn_way", "tn_seed")
        going = kept is not None and kept.spec == spec and kept.going and not kept.done
        if going:
            st.button("Stop", icon=":material/stop:", key="tune-stop", on_click=_stop)
        else:
            st.button(
                "Tune it here",
                icon=":material/play_arrow:",
                key="tune-start",
                on_click=_start,
                args=(spec,),
            )
    if kept is None or kept.spec != spec:
        return
    place = st.empty()
    if going:
        _run(kept, place)
    _draw(kept, place)
    st.markdown(describe_end(kept))


def spec_here(now: TransferState) -> TuneSpec:
    """The run that the controls describe."""
    way, seed = SETTINGS.choice("tn_way"), int(SETTINGS.choice("tn_seed"))
    if way == "frozen as set":
        spec = curves.frozen_spec(now.network, now.task, now.labels, now.frozen)
    else:
        spec = curves.spec_of(now.network, now.task, way, now.labels)
    return replace(spec, seed=seed)


def describe_way(spec: TuneSpec) -> str:
    """Which parts of the network are trained, in words."""
    if spec.start == "scratch":
        return "new weights, all learn"
    return f"{spec.frozen} parts frozen" if spec.frozen else "all weights fine-tuned"


def describe_end(kept: Tuned) -> str:
    """The accuracy at the end, compared with the recorded one over five seeds."""
    if not kept.done:
        return f"Stopped after {len(kept.losses):,} steps."
    last = kept.tests[len(kept.losses)]
    said = (
        f"**{last:.3f}** of {curves.test_set(kept.spec).texts} held-out texts are right after "
        f"{len(kept.losses):,} steps, measured here."
    )
    if not curves.is_recorded(kept.spec):
        return said
    score = curves.recorded_score(kept.spec)
    return (
        f"{said} Recorded over {score.runs} seeds: {score.mean:.3f}, from {score.low:.3f} to "
        f"{score.high:.3f}, after {score.least:,} to {score.most:,} steps."
    )


def _start(spec: TuneSpec) -> None:
    st.session_state[KEY] = Tuned(spec)


def _stop() -> None:
    kept: Tuned | None = st.session_state.get(KEY)
    if kept is not None:
        kept.going = False


def _run(kept: Tuned, place: Any) -> None:
    """Make the next steps, then rerun the page, so that a press on Stop takes effect in between."""
    if kept.steps is None:
        kept.steps = _in_tens(kept.spec)
    _draw(kept, place)
    st.progress(len(kept.losses) / kept.spec.steps, text="Tuning")
    made = next(compute.compute_parts(kept.steps, of=kept.spec, says="Tuning"), [])
    kept.done = len(made) < TOGETHER
    for each in made:
        kept.losses.append(each.loss)
        if each.accuracy is not None:
            kept.tests[each.step] = each.accuracy
    st.rerun()


def _in_tens(spec: TuneSpec) -> Iterator[list[TuneStep]]:
    steps = tune(spec, every=100)
    while some := list(islice(steps, TOGETHER)):
        yield some


def _draw(kept: Tuned, place: Any) -> None:
    figure = transfer_figures.run_figure(
        kept.losses, kept.tests, curves.test_set(kept.spec).best, ui.theme_mode()
    )
    alt = f"The loss of {len(kept.losses)} steps"
    with place.container():
        st.plotly_chart(figure, key=f"tune {len(kept.losses)}", alt=alt)
