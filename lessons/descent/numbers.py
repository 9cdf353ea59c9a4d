"""The numbers of the picture at any η and step of a sweep, by name."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from jaxtyping import Float64, Int
from torch import Tensor

from lessons.descent.surfaces import Surface
from lmcore.optimization.regression import LinearRegression, solve_regression, trace_curvature
from lmcore.optimization.sweeps import RateSweep

EXACT = 1e-9
"""How near η must be to 2/λ_max to count as equal, relative to it."""
NEAR = 0.05
"""|L| below which a run counts as at the saddle, whose L is 0."""
FLAT = 0.03
"""Length of the gradient below which a run counts as on a plateau."""
PLATEAU_LOSS = 0.1
"""L above which a small gradient does not mean a minimum."""
HIGH_LOSS = 0.5
"""L in nats above which the network counts as on its plateau, near ln 2."""


@dataclass(frozen=True, slots=True)
class Descent:
    """A surface and its runs at every η."""

    surface: Surface
    sweep: RateSweep


def place_of_rate(rates: Float64[Tensor, " rate"], eta: float) -> int:
    """The index of the rate that is η, or the nearest one."""
    return int((rates - eta).abs().argmin())


def numbers_at(
    run: Descent, rate: Int[Tensor, " place"], step: Int[Tensor, " place"]
) -> dict[str, Float64[Tensor, " place"]]:
    """Each number of the first run, and the loss of every run, at pairs of a rate and a step.

    `n0`, `n1` and the change are those of the next step; after the last step nothing changes.
    """
    sweep = run.sweep
    made = len(sweep.followed)
    following = step.clamp(max=made - 1)
    last = step >= made
    theta = sweep.parameters[step, rate, 0]
    whole = run.surface.objective.gradients(theta)
    slope = torch.where(last[:, None], whole, sweep.followed[following, rate, 0])
    change = torch.where(last[:, None], 0.0, sweep.changes[following, rate, 0])
    after = theta + change
    losses = sweep.loss[step, rate]
    named = {
        "step": step.double(),
        "eta": sweep.rates[rate],
        "rate": sweep.rates[rate] * sweep.shares[following, 0],
        "size": change.norm(dim=-1),
        "loss": losses[:, 0],
        "nextloss": run.surface.objective.losses(after),
    }
    for name, pair in (("p", theta), ("g", slope), ("c", change), ("n", after)):
        named |= {f"{name}{i}": pair[:, i] for i in range(2)}
    named |= {f"l{i}": losses[:, i] for i in range(losses.shape[1])}
    if isinstance(run.surface.objective, LinearRegression):
        named |= _regression_numbers(run.surface.objective, sweep.rates[rate])
        named |= {
            f"k{i}": 1 - named["rate"] * named[each] for i, each in enumerate(("low", "high"))
        }
    said = _sentence(run, named, losses) + sentence_count(run) * last
    return named | {"@say": said, "@formula": said}


def _regression_numbers(
    regression: LinearRegression, rates: Float64[Tensor, " place"]
) -> dict[str, Float64[Tensor, " place"]]:
    """η over the largest rate, what a step leaves of the distance, κ, λ, and the closed form."""
    curvature, best = trace_curvature(regression), solve_regression(regression)
    left = (1 - rates[:, None] * curvature.eigenvalues).abs().amax(dim=-1)
    fixed = {
        "rmax": curvature.largest_rate,
        "best": curvature.best_rate,
        "kappa": curvature.condition,
        "low": curvature.eigenvalues[0],
        "high": curvature.eigenvalues[1],
        "s0": best.solution[0],
        "s1": best.solution[1],
        "least": best.loss,
    }
    moving = {"share": rates / curvature.largest_rate, "left": left}
    return moving | {name: each.expand_as(rates) for name, each in fixed.items()}


def sentence_count(run: Descent) -> int:
    """The number of sentences before the last step; there are as many again for the last step."""
    runs = len(run.sweep.configs)
    return runs if runs > 1 else {"network": 2}.get(run.surface.kind, 3)


def _sentence(
    run: Descent, named: dict[str, Tensor], losses: Float64[Tensor, "place run"]
) -> Float64[Tensor, " place"]:
    """Which sentence is shown before the last step, in the order of `run_sentences`."""
    if losses.shape[1] > 1:
        return losses.nan_to_num(nan=torch.inf).argmin(dim=-1).double()
    loss, kind = named["loss"], run.surface.kind
    slope = torch.hypot(named["g0"], named["g1"])
    if kind == "regression":
        share = named["share"]
        exact = (share - 1).abs() < EXACT
        return torch.where(exact, 2.0, (share > 1).double())
    if kind == "saddle":
        return torch.where(loss > NEAR, 0.0, torch.where(loss < -NEAR, 2.0, 1.0)).double()
    if kind == "network":
        return (loss <= HIGH_LOSS).double()
    flat = torch.where(loss > PLATEAU_LOSS, 0.0, 2.0)
    return torch.where(slope < FLAT, flat, 1.0).double()
