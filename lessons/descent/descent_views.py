"""The views under the picture of a descent."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import streamlit as st
import torch

import ui
from drawing.steps import StepRow
from lessons.descent import (
    demos_view,
    descent_figures,
    descent_picture,
    snippet_faults_view,
    solved_view,
)
from lessons.descent.descent_state import SETTINGS, DescentState, built_surface
from lessons.descent.numbers import Descent, place_of_rate
from lessons.descent.surfaces import NETWORK, REGRESSION, SURFACES, Pair
from lmcore.networks.landscape import LossPlane
from lmcore.numbers import format_number
from lmcore.optimization import batches as batching
from lmcore.optimization import landscapes, paths, regression, updates
from lmcore.optimization import schedules as scheduling
from lmcore.optimization.loss_grid import LossGrid
from lmcore.optimization.regression import (
    LinearRegression,
    regression_from_points,
    solve_regression,
    trace_curvature,
)
from lmcore.optimization.schedules import SCHEDULES, trace_schedule
from ui import compute
from ui.widgets import address_value

SCHEDULES_VIEW = "Schedules"
PICTURES: dict[str, Callable[[ui.Rows, DescentState], None]] = {
    snippet_faults_view.NAME: snippet_faults_view.show,
    demos_view.NAME: demos_view.show,
    solved_view.NAME: solved_view.show,
}
"""The views that are pictures of the stage, and what draws each."""


def more_controls(now: DescentState) -> None:
    """Draw the controls under More."""
    SETTINGS.draw("gd_steps", "gd_start")
    if now.surface == REGRESSION:
        SETTINGS.draw("gd_points", "gd_batch", "gd_seed")
    if address_value("see", "Picture") != SCHEDULES_VIEW:  # that view draws it itself
        SETTINGS.draw("gd_schedule")
    kind = now.rules[0].schedule.kind
    if kind in ("step decay", "exponential"):
        SETTINGS.draw("gd_factor")
    if kind == "step decay":
        SETTINGS.draw("gd_every")
    if kind.startswith("warm-up"):
        SETTINGS.draw("gd_warmup")


# --- views ----------------------------------------------------------------------------------------


def step_by_step(run: Descent, live: ui.LiveNumbers) -> None:
    """Spell out one step: θ before, gradient, η, change, θ after, and the loss before and after."""
    ui.step_table(step_rows(run), live, caption="One step, one operation per row")
    if isinstance(run.surface.objective, LinearRegression):
        st.caption("Move η or the step beside the picture: the numbers follow.")


def step_rows(run: Descent) -> tuple[StepRow, ...]:
    """The rows of the step table for the first run."""
    names = run.surface.objective.names
    config = run.sweep.configs[0]
    symbol = run.surface.symbol
    rows = [
        StepRow(f"{symbol} before", "after {step} steps", "({p0}, {p1})", symbol, "weight", "[2]"),
        StepRow(
            "gradient" if not config.batch else f"gradient of {config.batch} points",
            f"∂L/∂({', '.join(names)})", "({g0}, {g1})", "g", "gradient", "[2]",
        ),
        StepRow("learning rate", f"{config.schedule.kind}", "{rate}", "η", "weight"),
    ]  # fmt: skip
    change = {
        "SGD": "(−{rate}·{g0:p}, −{rate}·{g1:p})",
        "momentum": f"−η v,  v ← {updates.MOMENTUM:g} v + g",
        "Adam": "−η m̂ / (√ŝ + ε)",
    }[config.optimizer]
    rows.append(StepRow("change", change, "({c0}, {c1})", "Δ", "gradient", "[2]"))
    rows += [
        StepRow(f"new {name}", f"{{p{i}}} + {{c{i}:p}}", f"{{n{i}}}", name, "weight")
        for i, name in enumerate(names)
    ]
    if run.surface.kind == "regression" and config.name == "GD":
        rows += [
            StepRow("kept of the distance along λₘᵢₙ", "1 − {rate}·{low}", "{k0}"),
            StepRow("kept of the distance along λₘₐₓ", "1 − {rate}·{high}", "{k1}"),
        ]
    rows += [
        StepRow("loss before", f"L({symbol})", "{loss}", "L", "loss"),
        StepRow("loss after", f"L(new {symbol})", "{nextloss}", "L", "loss"),
    ]
    return tuple(rows)


def closed_form(now: DescentState, run: Descent) -> None:
    """The normal equations with their numbers, and how near the run has come."""
    objective = _regression(run)
    found, curvature = solve_regression(objective), trace_curvature(objective)
    st.markdown("Where the slope is 0 in both directions, $X^\\top X\\beta = X^\\top y$:")
    st.latex(
        r"\beta^* = (X^\top X)^{-1} X^\top y = "
        rf"{_matrix(found.gram)}^{{-1}}{_column(found.moments)} = "
        rf"{_matrix(found.inverse)}{_column(found.moments)} = {_column(found.solution)}"
    )
    st.latex(
        rf"L(\beta^*) = {_number(found.loss)} \qquad H = \tfrac{{2}}{{n}} X^\top X = "
        rf"{_matrix(curvature.hessian)}"
    )
    st.latex(
        rf"\lambda_{{\min}} = {_number(curvature.eigenvalues[0])},\quad "
        rf"\lambda_{{\max}} = {_number(curvature.eigenvalues[1])},\quad "
        rf"\kappa = {_number(curvature.condition)},\quad "
        rf"\eta_{{\max}} = 2/\lambda_{{\max}} = {_number(curvature.largest_rate)}"
    )
    far = partial(_descend_far, now.points, run.surface.start)
    off = compute.shared_result("descent, far", far, most=32, says="Descending")
    near = int((off < 1e-6).long().argmax()) if bool((off < 1e-6).any()) else None
    arrives = f"after **{near}** steps" if near is not None else "not in 5,000 steps"
    st.markdown(
        f"Descent at the fastest fixed η, 2/(λₘᵢₙ + λₘₐₓ) = "
        f"**{format_number(float(curvature.best_rate))}**, is within 10⁻⁶ of β* {arrives}; it "
        f"ends {format_number(float(off[-1]))} away. The closed form needs one "
        "inverse, with a row for each parameter: two here; and a network has no closed form."
    )


def _descend_far(points: tuple[Pair, ...], start: Pair) -> torch.Tensor:
    """How far the fastest descent is from β* after each step."""
    objective = regression_from_points(points)
    fastest = scheduling.Schedule(rate=float(trace_curvature(objective).best_rate))
    rule = paths.DescentConfig(schedule=fastest)
    longest = paths.descend(objective, start, rule, scheduling.MOST_STEPS)
    return (longest.parameters - solve_regression(objective).solution).abs().amax(dim=-1)


def lacking_views(run: Descent) -> dict[str, str]:
    """The views that have nothing to show for this loss, each with the reason."""
    objective = run.surface.objective
    if isinstance(objective, LinearRegression):
        one = "a batch is drawn from at least two points" if objective.examples < 2 else ""
        return {"Batches": one, "Slide code": one, **dict.fromkeys(PICTURES, one)}
    which = f"; this is {SURFACES[run.surface.name]}"
    return {
        "Closed form": f"only linear regression has one{which}",
        "Batches": f"only linear regression has points to draw{which}",
        "Slide code": f"it is written for linear regression{which}",
        **dict.fromkeys(PICTURES, f"it is about linear regression{which}"),
    }


def _regression(run: Descent) -> LinearRegression:
    objective = run.surface.objective
    assert isinstance(objective, LinearRegression)
    return objective


def _number(value: torch.Tensor) -> str:
    return format_number(float(value)).replace("−", "-").replace("×10", r"\cdot 10")


def _matrix(rows: torch.Tensor) -> str:
    body = r" \\ ".join(" & ".join(_number(each) for each in row) for row in rows)
    return rf"\begin{{pmatrix}} {body} \end{{pmatrix}}"


def _column(values: torch.Tensor) -> str:
    return _matrix(values[:, None])


def bowl(now: DescentState, run: Descent, grid: LossGrid) -> None:
    """Draw the surface in 3-D with the runs on it."""
    best = None
    if isinstance(run.surface.objective, LinearRegression):
        found = solve_regression(run.surface.objective)
        best = [*found.solution.tolist(), float(found.loss)]
    one, two = run.surface.objective.names
    ui.show_figure(
        descent_figures.bowl_figure(run, grid, now.eta, now.step, best, ui.theme_mode()),
        name="bowl",
        reading="Drag to turn it. Lines on the surface: equal L, the contours of the picture.",
        alt=f"The loss over {one} and {two} as a surface, with the path of {now.step} steps on it.",
    )


def batches(now: DescentState, run: Descent) -> None:
    """Compare the noise of the gradient of a batch with its cost, for every size of the batch."""
    objective = _regression(run)
    place = place_of_rate(run.sweep.rates, now.eta)
    here = run.sweep.parameters[now.step, place, 0]
    if not bool(here.isfinite().all()):
        st.info("This run has overflowed at this step; choose an earlier one.")
        return
    sizes = range(1, objective.examples + 1)
    noise = batching.compare_batch_sizes(objective, here, sizes)
    st.markdown(
        "$J(\\theta) = \\frac{1}{T}\\sum_t J^{(t)}(\\theta)$ is a mean over all examples. A batch "
        "is a sample of it: right on average, and the noisier the smaller. At this place one point "
        f"is off by **{format_number(float(noise.error[0]))}**, and the slope itself is "
        f"**{format_number(float(noise.gradient))}** long; but an epoch then has "
        f"**{int(noise.updates[0])}** steps in place of 1."
    )
    ui.show_figure(
        descent_figures.noise_figure(noise, ui.theme_mode()),
        name="noise",
        reading="Exact, for batches drawn without putting back: all points have no error.",
        alt=f"The error of the gradient falls from {float(noise.error[0]):.3f} for one point to 0 "
        f"for all {objective.examples}.",
    )
    rows = [
        (f"B = {int(size)}", float(steps), float(error), float(error / noise.gradient))
        for size, steps, error in zip(noise.sizes, noise.updates, noise.error, strict=True)
    ]
    ui.table(
        ["points per step", "steps per epoch", "error", "error / ‖g‖"],
        rows,
        name="batches",
        caption="Noise and steps by the size of the batch",
    )


def schedules(now: DescentState, run: Descent) -> None:
    """Draw η of every step under every schedule, and where each schedule ends this run."""
    config = now.rules[0]
    configs = tuple(
        replace(config, schedule=replace(config.schedule, kind=kind)) for kind in SCHEDULES
    )
    curves = {
        each.schedule.kind: trace_schedule(each.schedule, now.steps).rates for each in configs
    }
    ui.show_figure(
        descent_figures.schedule_figure(curves, config.schedule.kind, ui.theme_mode()),
        name="schedules",
        reading=f"Thick: the chosen one, {config.schedule.kind}. η of the setting: {now.eta:g}.",
        alt=f"η of {now.steps} steps under {len(SCHEDULES)} scheduling.",
    )
    SETTINGS.draw("gd_schedule")
    race = partial(_race_to_the_end, *now.where, configs, now.steps)
    ends = compute.shared_result("schedules", race, most=64, says="Descending")
    rows = [(kind, float(curves[kind][-1]), end) for kind, end in zip(SCHEDULES, ends, strict=True)]
    ui.table(
        ["schedule", f"η of step {now.steps}", f"L after it, {descent_picture.run_label(config)}"],
        rows,
        name="schedules",
        caption="Where the same run ends under each schedule",
    )


def _race_to_the_end(
    name: str,
    points: tuple[Pair, ...],
    start: Pair | None,
    configs: tuple[paths.DescentConfig, ...],
    steps: int,
) -> list[float]:
    """The loss after the last step of each descent."""
    surface = built_surface(name, points, start)
    ended = paths.race(surface.objective, surface.start, configs, steps)
    return [float(path.loss[-1]) for path in ended.paths]


# --- code -----------------------------------------------------------------------------------------


def source(now: DescentState, run: Descent) -> None:
    """Show the code that ran, and a snippet that prints the numbers of this page."""
    surface, config = run.surface, now.rules[0]
    imports, make, functions = _made_by(now)
    snippet = f"""{imports}
from lmcore.optimization.paths import DescentConfig, descend
from lmcore.optimization.schedules import Schedule

loss = {make}
path = descend(loss, {surface.start!r}, {config!r}, steps={now.steps})
step = {now.step}
print("θ", path.parameters[step].tolist())
print("L", float(path.loss[step]))
"""
    ui.show_code(*functions, paths.race, updates.Optimizer.change, snippet=snippet, name="descent")


def _made_by(now: DescentState) -> tuple[str, str, list[Callable[..., object]]]:
    """The import of a surface, the call that makes it, and the code behind it."""
    if now.surface == REGRESSION:
        return (
            "from lmcore.optimization.regression import regression_from_points",
            f"regression_from_points({list(now.points)!r})",
            [regression.LinearRegression, solve_regression, trace_curvature],
        )
    if now.surface == NETWORK:
        imports = (
            "from lmcore.networks.landscape import trajectory_plane, xor_network\n"
            "from lmcore.networks.training import TrainingConfig, train_network"
        )
        rows = "train_network(*xor_network(), TrainingConfig(learning_rate=1.0, seed=1)).parameters"
        return imports, f"trajectory_plane(*xor_network(), {rows})", [LossPlane]
    unit = landscapes.Saddle if now.surface == "saddle" else landscapes.SigmoidUnit
    return (
        "from lmcore.optimization.landscapes import landscape",
        f"landscape({now.surface!r}).objective",
        [unit],
    )
