"""The views under the picture of a network."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import streamlit as st

import ui
from lessons.networks import networks_figures
from lessons.networks.networks_picture import other_starts
from lessons.networks.networks_state import SETTINGS, NetworkState, Run, parameters_now
from lmcore.networks import lines, network, points, seeds, training
from lmcore.networks.lines import BestLine
from lmcore.networks.network import NetworkConfig
from lmcore.networks.points import PointSet
from lmcore.networks.seeds import SeedRuns
from lmcore.networks.training import TrainingConfig
from lmcore.numbers import format_number
from ui import compute

FORWARD_PASS = "Forward pass"
"""The view that the picture draws."""
STARTS = 200
UNITS = (1, 2, 3, 4, 8)
"""The sizes of the hidden layer that are compared over many random starts."""


def more_controls(now: NetworkState) -> None:
    """Draw the controls under More."""
    SETTINGS.draw("nn_g", "nn_flow", "nn_optimizer", "nn_eta", "nn_batch", "nn_steps", "nn_seed")
    SETTINGS.draw("nn_layers_g")
    if now.which.kind == "own":
        SETTINGS.draw("nn_own")
    else:
        SETTINGS.draw("nn_noise", "nn_count")


def source(now: NetworkState, run: Run) -> None:
    """Show the code that ran, and a snippet that prints the numbers of this page."""
    snippet = f"""from lmcore.networks.network import {type(now.config).__name__}
from lmcore.networks.points import PointSet, draw_points
from lmcore.networks.training import TrainingConfig, train_network

points = draw_points({now.which!r})
run = train_network({now.config!r}, points, {now.how!r})
print("loss ", run.loss[[0, -1]].tolist())
print("wrong", run.wrong[[0, -1]].tolist())
"""
    ui.show_code(
        network.forward, network.gradients, training.train_network, snippet=snippet, name="networks"
    )


def why_no_line(now: NetworkState, run: Run) -> str:
    """Why no best line can be found; empty if it can."""
    if now.config.classes != 2:
        return f"one line separates two classes; these points have {now.config.classes}"
    if (count := int((~run.points.held_out).sum())) > lines.MOST_SEARCHED:
        return f"the search takes at most {lines.MOST_SEARCHED} points; here are {count}"
    return ""


def one_line(now: NetworkState, run: Run) -> None:
    """Draw the best line, and the one layer that equals a stack without nonlinearities."""
    seen = ~run.points.held_out
    x = run.points.x[seen]
    best = best_line(now.which)
    right = int(best.right.sum())
    st.markdown(
        f"Of all lines, the best puts **{right} of {len(x)}** points on the side of their "
        f"class. It was found by comparing {best.tried:,} lines, which divide the points in "
        "every way that a line can."
    )
    ui.show_figure(
        networks_figures.best_line_figure(run.points, best, now.which.window, ui.theme_mode()),
        name="best-line",
        reading="Shaded: w·x + b is above 0. A ring: on the wrong side.",
        alt=f"The best line for {now.which.kind}: {right} of {len(x)} points are right.",
    )
    if now.config.hidden:
        collapsed_layers(now, run)


def best_line(which: PointSet) -> BestLine:
    """The best line for the training points, searched once for all visitors."""
    search = partial(_best_line, which)
    return compute.shared_result("best lines", search, most=64, says="Comparing lines")


def _best_line(which: PointSet) -> BestLine:
    drawn = points.draw_points(which)
    seen = ~drawn.held_out
    return lines.best_line(drawn.x[seen], drawn.labels[seen])


def collapsed_layers(now: NetworkState, run: Run) -> None:
    """Say which one layer computes the same as this network without its nonlinearities."""
    found = lines.collapse(now.config, parameters_now(now, run), run.points.x)
    product = "".join(f"W^{{[{i}]}}" for i in range(now.config.layers, 0, -1))
    rows = [[format_number(each) for each in row] for row in found.weights.tolist()]
    matrix = r" \\ ".join(" & ".join(row) for row in rows).replace("−", "-")
    st.markdown("**Without a nonlinearity**, these layers are one: the matrices multiply.")
    st.latex(rf"W = {product} = \begin{{pmatrix}} {matrix} \end{{pmatrix}}")
    st.markdown(
        f"Layer by layer or with the one matrix, the sums z of all points differ by at most "
        f"**{format_number(found.difference)}**: rounding."
    )


def _solve_from_seeds(config: NetworkConfig, which: PointSet, how: TrainingConfig) -> SeedRuns:
    return seeds.solve_from_seeds(config, points.draw_points(which), how, STARTS)


def many_seeds(now: NetworkState) -> None:
    """Draw which share of 200 random starts solves the task, for several sizes of the layer."""
    config = replace(now.config, hidden=(2,), activations=(SETTINGS.choice("nn_g"),))

    def ends(units: int) -> SeedRuns:
        its = replace(config, hidden=(units,))
        return compute.shared_result(
            "network seeds",
            partial(_solve_from_seeds, its, now.which, now.how),
            most=64,
            says=f"Training {STARTS} networks",
            apart=True,
        )

    shares = {units: ends(units).interval for units in UNITS}
    share, low, high = shares[2]
    two = ends(2)
    left, overflowed = int((~two.solved).sum()), int((~two.loss.isfinite()).sum())
    st.markdown(
        f"With **2** hidden units, **{share:.1%}** of {STARTS} random starts solve "
        f"{now.which.kind} (95 % interval {low:.1%} to {high:.1%}): every training point is right "
        f"after {now.how.steps} steps of {now.how.optimizer} at η = {now.how.learning_rate:g}. "
        + other_starts(left, overflowed)
    )
    ui.show_figure(
        networks_figures.seed_shares(shares, ui.theme_mode()),
        name="seeds",
        reading=f"Each bar: {STARTS} starts from the seeds 0 to {STARTS - 1}. Whiskers: Wilson’s "
        "95 % interval.",
        alt="; ".join(f"{units} units: {each[0]:.3f}" for units, each in shares.items()),
    )
