"""The view of a Transformer's switches: recorded runs without a part, and one trained here."""

from __future__ import annotations

from functools import partial

import streamlit as st

import ui
from drawing import run_text
from lessons.transformer import switches_figures, switches_text
from lessons.transformer.switches_figures import BlockNorms
from lessons.transformer.switches_state import MOMENTS, read_switches
from lessons.transformer.transformer_state import SETTINGS
from lmcore.models.blocks import Block
from lmcore.shipped.recordings import Recording, find_recording, find_recordings
from lmcore.shipped.switch_runs import BASE, LAYERS, WIDTH, recorded_spec
from lmcore.training import checkpoint, loop
from lmcore.training.pool.runs import RESTING_STATES, RunView
from lmcore.training.spec import RunSpec
from lmcore.transformer.gradient_norms import (
    GradientNorms,
    gradient_norms,
    norms_before_training,
    norms_of_batch,
)
from ui import components, compute, runs
from ui.run_access import access_row

SWITCHES = "Switches"
RUNS = "sw_runs"
"""The setting that names the runs of this view."""


def switches_view() -> None:
    """Draw the switches, their run's loss beside the run with every part, and the gradients."""
    runs.pool().warm()
    spec = ui.validated_or_previous("switches", read_switches, lambda: BASE)
    if _controls():
        runs.start_runs((spec,), RUNS)
    views = [view for view in runs.started_runs(RUNS, (spec,)) if _is_switched(view)]
    shown = recorded_spec(spec)
    recorded = recorded_runs(shown)
    starts = start_norms(shown, BASE)
    st.markdown(tell(shown, starts))
    losses, norms = st.columns([11, 9], gap="medium")
    with losses:
        named = {switches_text.name_run(each.spec): each for each in recorded}
        components.training_runs("switches", run_text.runs_payload(views, named))
        st.caption(switches_text.describe_recorded(recorded, shown))
    with norms:
        show_norms(shown, starts, views)
    if views:
        access_row(RUNS, views, run_text.labels(views))
    ui.table(
        switches_text.COLUMNS,
        switches_text.example_rows(),
        name="switches",
        caption="Recorded runs, one part changed or left out in each; losses in nats per token",
    )
    ui.show_code(
        Block.forward,
        gradient_norms,
        loop.training_step,
        snippet=switches_text.snippet(spec),
        name="switches",
    )


def _controls() -> bool:
    """Draw the switches; whether *Train it here* was pressed."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="sw-switches"):
        pressed = st.button("Train it here", icon=":material/play_arrow:", key="sw-start")
        SETTINGS.draw("sw_residual", "sw_mlp", "sw_positions", "sw_norm", "sw_heads")
        ui.folded_away("More", partial(SETTINGS.draw, "sw_steps", "sw_seed"))
    return pressed


def _is_switched(view: RunView) -> bool:
    model = view.spec.model
    return (model.kind, model.embedding, model.layers) == ("transformer", WIDTH, LAYERS)


def recorded_runs(spec: RunSpec) -> list[Recording]:
    """The recorded run with every part, and the one with this spec, if there is one."""
    return [*find_recordings(dict.fromkeys((BASE, spec)))]


def tell(spec: RunSpec, starts: dict[RunSpec, GradientNorms]) -> str:
    """The equations of the block, and the findings from the numbers."""
    base = None if spec.model == BASE.model else (BASE, starts[BASE])
    recording = find_recording(spec)
    said = [
        switches_text.describe_loss(recording)
        if recording
        else f"{switches_text.title_of(spec)} not recorded."
    ]
    formulas = ", then ".join(f"${each}$" for each in switches_text.block_formulas(spec.model))
    return " ".join(
        (*said, switches_text.describe_gradient(spec, starts[spec], base), f"Block: {formulas}.")
    )


# --- the gradient by block ------------------------------------------------------------------------


def show_norms(spec: RunSpec, starts: dict[RunSpec, GradientNorms], views: list[RunView]) -> None:
    """Draw the gradient norm in each block, at the chosen step, and in paused or ended runs."""
    SETTINGS.draw("sw_at")
    step = int(SETTINGS.choice("sw_at"))
    shown = [
        BlockNorms(switches_text.name_run(each), tuple(found), dash, role)
        for each, dash, role in _series(spec)
        if (found := norms_at(each, step, starts)) is not None
    ]
    shown += resting_norms(views)
    if not shown:
        st.caption("No gradient of these runs is recorded at this step.")
        return
    moment = "before the first step" if step == 0 else f"at step {MOMENTS[str(step)]}"
    source = "computed from the untrained networks" if step == 0 else "recorded"
    ui.show_figure(
        switches_figures.norms_figure(tuple(shown), ui.theme_mode()),
        name="switches-gradient",
        reading=f"The gradient of one batch, by block, {moment}: {source}.",
        alt=switches_figures.describe_norms(shown, moment),
    )


def _series(spec: RunSpec) -> list[tuple[RunSpec, str, str]]:
    """The runs whose gradient is shown, each with its dash and its colour."""
    both = [(BASE, "dash", "mask"), (spec, "dot", "gradient")]
    return both[:1] if spec == BASE else both


def norms_at(
    spec: RunSpec, step: int, starts: dict[RunSpec, GradientNorms]
) -> list[float | None] | None:
    """The norms of a run's blocks at a step; None if they are not recorded."""
    if step == 0:
        return [*starts[spec].blocks.tolist()]
    recording = find_recording(spec)
    return None if recording is None else switches_text.block_norms(recording, step)


def start_norms(*specs: RunSpec) -> dict[RunSpec, GradientNorms]:
    """The gradient of each run's first batch, computed once for all visitors."""
    wanted = {spec: partial(norms_before_training, spec) for spec in specs}
    return compute.shared_results_by_key(
        "first gradients", wanted, most=32, says="Measuring the gradient"
    )


def resting_norms(views: list[RunView]) -> list[BlockNorms]:
    """The gradient in the blocks of the runs that have paused or ended."""
    found = []
    for view, label in zip(views, run_text.labels(views), strict=True):
        if view.state not in RESTING_STATES:
            continue
        made = compute.shared_result(
            "gradients of a run",
            partial(run_norms, view.name, view.state, view.step),
            most=32,
            says=f"Measuring {label}",
        )
        if made is not None:
            step, norms = made
            found.append(
                BlockNorms(f"yours, step {step:,}", (*norms.blocks.tolist(),), "solid", "loss")
            )
    return found


def run_norms(name: str, _state: str, _step: int) -> tuple[int, GradientNorms] | None:
    """The step at which a resting run was saved, and its gradient on the batch that comes next.

    None if it was never saved. It is measured again when the run's state or its number of steps
    changes.
    """
    saved = runs.pool().checkpoint(name)
    if saved is None:
        return None
    network, _, spec, step = checkpoint.load_network(saved)
    return step, norms_of_batch(network.cpu(), loop.training_feed(spec).batch(step))
