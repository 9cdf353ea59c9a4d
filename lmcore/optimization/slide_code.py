"""The slides' code and formulas for training a regression, as written and corrected, all of it run.

The slide's snippet is an ordinary function, so is its correction, and so is each fault: it is put
back alone into the corrected code and run on the same points. Nothing is executed from text.

Source: Stony Brook CSE538, "Linear Regression as DAG", "PyTorch Demo", "Linear Regression" and
"Numerical Gradient Approach"; CMU 11-411, "Training an RNN Language Model" and "Computing Loss and
Gradients in Practice"; with their errata.
"""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import torch
from jaxtyping import Float64
from torch import Tensor, nn

from lmcore import dataframes
from lmcore.checks import check_between
from lmcore.dataframes import Table
from lmcore.numbers import format_number
from lmcore.optimization.regression import (
    MOST_POINTS,
    LinearRegression,
    solve_regression,
    trace_curvature,
)

if TYPE_CHECKING:
    from pandas import DataFrame

Kind = Literal["stops", "wrong number", "missing", "wording"]
EPOCHS = 400
MOST_EPOCHS = 500
SLIDE_PROBABILITIES = (0.1, 0.5, 0.9)
"""Probabilities of the correct words, on which the slide's J is computed."""

SLIDE_CODE = """\
import torch
from torch import nn

x = torch.Tensor(input)
beta = torch.random.randn(X.shape, 1)
z = torch.matmul(x, beta)
yhat = nn.functional.relu(z)
loss = nn.MSELoss(yhat, torch.Tensor(y))
"""


class WrongNumber(NamedTuple):
    """A number that comes out, and the one that should."""

    of: str
    """What it measures."""
    wrong: float
    right: float


@dataclass(frozen=True, slots=True)
class SlideFault:
    """What a slide writes, what happens when that alone is run, and what is right."""

    heading: str
    """The slide."""
    kind: Kind
    slide: str
    happens: str
    """The exact text of the exception, or the number that comes out and the one that should."""
    right: str
    numbers: WrongNumber | None = None
    """What comes out beside what should, where it runs and two numbers tell it."""

    def to_frame(self) -> DataFrame:
        """One row."""
        return dataframes.one_row(
            {
                "slide": self.heading,
                "kind": self.kind,
                "the slide writes": self.slide,
                "what happens": self.happens,
                "right": self.right,
            }
        )


@dataclass(frozen=True, slots=True)
class TrainedLine:
    """What corrected code ends with."""

    name: str
    source: str
    """The code that was run."""
    rate: float
    """η"""
    parameters: Float64[Tensor, " coefficient"]
    """(β₀, β₁)"""
    loss: Float64[Tensor, " epoch"]
    """L over all points before the first epoch and after each."""
    distance: float
    """max |β − β*|, with β* the closed form."""

    def to_frame(self) -> DataFrame:
        """One row per epoch, from 0: L."""
        return dataframes.entries("epoch", {"L": self.loss})


@dataclass(frozen=True, slots=True)
class SlideComparison:
    """The slide's code as it is, the corrected codes, and every fault alone."""

    as_written: str
    """How the slide's code ends: the exact text of its exception."""
    corrected: tuple[TrainedLine, ...]
    """With tensors only, and with torch.nn."""
    difference: float
    """max |β − β| between the two."""
    faults: Table[SlideFault]

    def to_frame(self) -> DataFrame:
        """One row per fault."""
        return self.faults.to_frame()


def compare_slide_code(
    regression: LinearRegression, *, batch: int = 0, epochs: int = EPOCHS, seed: int = 0
) -> SlideComparison:
    """Run the slide's code, its corrections in batches of `batch` points, and each fault.

    Both corrections start at the same β and go through the same batches, with η = `steady_rate`.

    Raises:
        ValueError: if there are fewer than 2 points, all x are equal, `batch` is not 0 (all) to n,
            or `epochs` is not 1 to `MOST_EPOCHS`.
    """
    check_between("the number of points", regression.examples, 2, MOST_POINTS)
    check_between("the batch", batch, 0, regression.examples)
    check_between("epochs", epochs, 1, MOST_EPOCHS)
    best, rate = solve_regression(regression).solution, steady_rate(regression, batch)
    X, y = regression.design, regression.y[:, None]
    lines = []
    for name, train in (("tensors only", train_natively), ("torch.nn", train_with_torch_nn)):
        generator = torch.Generator().manual_seed(seed)
        beta, loss = train(X, y, rate, batch or len(X), epochs, generator)
        distance = float((beta - best).abs().max())
        lines.append(TrainedLine(name, function_source(train), rate, beta, loss, distance))
    difference = float((lines[0].parameters - lines[1].parameters).abs().max())
    return SlideComparison(
        error_text(run_as_written), tuple(lines), difference, list_faults(regression, seed)
    )


def steady_rate(regression: LinearRegression, batch: int) -> float:
    """An η at which descent in batches cannot diverge, whichever points a batch has.

    For all points the best fixed η. For a batch 1 / max 2 (1 + x²): the Hessian of a batch is a
    mean of those of its points, whose only eigenvalue above 0 is 2 (1 + x²).
    """
    if batch in (0, regression.examples):
        return float(trace_curvature(regression).best_rate)
    return float(1 / (2 * (1 + regression.x.square())).max())


def run_as_written() -> object:
    """The slide's code as it is; the names that it does not define are not defined here."""
    x = torch.Tensor(input)
    beta = torch.random.randn(X.shape, 1)  # type: ignore[attr-defined, name-defined]  # noqa: F821
    z = torch.matmul(x, beta)
    yhat = nn.functional.relu(z)
    loss = nn.MSELoss(yhat, torch.Tensor(y))  # type: ignore[name-defined]  # noqa: F821
    return loss  # noqa: RET504


def train_natively(
    X: Float64[Tensor, "point coefficient"],
    y: Float64[Tensor, "point 1"],
    rate: float,
    batch: int,
    epochs: int,
    generator: torch.Generator,
) -> tuple[Float64[Tensor, " coefficient"], Float64[Tensor, " epoch"]]:
    """The slide's snippet corrected, with the updates it lacks; tensors and autograd only."""
    beta = torch.randn(X.shape[1], 1, generator=generator, dtype=X.dtype, requires_grad=True)
    losses = [nn.functional.mse_loss(X @ beta, y).detach()]
    for _ in range(epochs):
        order = torch.randperm(len(X), generator=generator)
        for first in range(0, len(X), batch):
            chosen = order[first : first + batch]
            yhat = torch.matmul(X[chosen], beta)
            loss = (yhat - y[chosen]).square().mean()
            (gradient,) = torch.autograd.grad(loss, beta)
            with torch.no_grad():
                beta -= rate * gradient
        losses.append(nn.functional.mse_loss(X @ beta, y).detach())
    return beta.detach()[:, 0], torch.stack(losses)


def train_with_torch_nn(
    X: Float64[Tensor, "point coefficient"],
    y: Float64[Tensor, "point 1"],
    rate: float,
    batch: int,
    epochs: int,
    generator: torch.Generator,
) -> tuple[Float64[Tensor, " coefficient"], Float64[Tensor, " epoch"]]:
    """The same with nn.Linear, nn.MSELoss and torch.optim.SGD, from the same start."""
    model = nn.Linear(X.shape[1], 1, bias=False, device="meta")
    start = torch.randn(X.shape[1], 1, generator=generator, dtype=X.dtype)
    model.weight = nn.Parameter(start.T.clone())
    criterion, optimizer = nn.MSELoss(), torch.optim.SGD(model.parameters(), lr=rate)
    losses = [criterion(model(X), y).detach()]
    for _ in range(epochs):
        order = torch.randperm(len(X), generator=generator)
        for first in range(0, len(X), batch):
            chosen = order[first : first + batch]
            optimizer.zero_grad()
            criterion(model(X[chosen]), y[chosen]).backward()
            optimizer.step()
        losses.append(criterion(model(X), y).detach())
    return model.weight.detach()[0].clone(), torch.stack(losses)


def function_source(function: Callable[..., object]) -> str:
    """The code of a function of this file, to show next to its result."""
    return textwrap.dedent(inspect.getsource(function))


def error_text(run: Callable[[], object]) -> str:
    """The type and the whole message of the exception that `run` raises, or "It runs"."""
    try:
        run()
    except (AttributeError, NameError, RuntimeError, TypeError) as error:
        return f"{type(error).__name__}: {error}".strip()
    return "It runs"


def list_faults(regression: LinearRegression, seed: int = 0) -> Table[SlideFault]:
    """Every fault of the slides, each run alone on these points.

    Raises:
        ValueError: if all x are equal.
    """
    X, y = regression.design, regression.y[:, None]
    generator = torch.Generator().manual_seed(seed)
    beta = torch.randn(2, 1, generator=generator, dtype=X.dtype)
    return Table(
        (
            *_snippet_that_stops(X, y, beta),
            *_snippet_that_runs(regression, beta),
            *_formulas(regression, beta),
        )
    )


SNIPPET = "Linear Regression as DAG"


def _snippet_that_stops(X: Tensor, y: Tensor, beta: Tensor) -> tuple[SlideFault, ...]:
    """Errors of the snippet that end in an exception."""
    yhat = X @ beta
    any_torch: Any = torch
    written: tuple[tuple[str, Callable[[], object], str], ...] = (
        (
            "x = torch.Tensor(input)",
            lambda: torch.Tensor(input),
            "x = torch.tensor(data): `input` is Python’s own function, not the data",
        ),
        (
            "torch.random.randn(…)",
            lambda: any_torch.random.randn(X.shape[1], 1),
            "torch.randn(…)",
        ),
        ("X.shape", _undefined_name, "x.shape: the tensor is called x"),
        (
            "randn(x.shape, 1)",
            lambda: any_torch.randn(X.shape, 1),
            "randn(x.shape[1], 1): one row of β for each column of x",
        ),
        (
            "beta without requires_grad",
            lambda: nn.MSELoss()(X @ beta, y).backward(),
            "randn(…, requires_grad=True)",
        ),
        (
            "loss = nn.MSELoss(yhat, …)",
            lambda: nn.MSELoss(yhat, y),
            "nn.MSELoss()(yhat, …): it is a class, and its instance computes the loss",
        ),
    )
    return tuple(
        SlideFault(SNIPPET, "stops", slide, error_text(run), right) for slide, run, right in written
    )


def _undefined_name() -> object:
    return X.shape  # type: ignore[name-defined]  # noqa: F821


def _snippet_that_runs(regression: LinearRegression, beta: Tensor) -> tuple[SlideFault, ...]:
    """Errors of the snippet that run and give a wrong number, and what it lacks."""
    relu = WrongNumber("L of the best line, y less its mean", *_losses_with_relu(regression))
    rectified, plain = format_number(relu.wrong), format_number(relu.right)
    yhat, y = regression.design @ beta, regression.y
    shape = tuple((yhat - y).shape)
    # nn.MSELoss also warns of the two sizes; it computes this.
    broadcast = format_number(float((yhat - y).square().mean()))
    right = format_number(float((yhat - y[:, None]).square().mean()))
    best = float(solve_regression(regression).solution[1])
    least = WrongNumber("β₁ with the least L", _slope_with_flat_targets(regression), best)
    flat, slope = format_number(least.wrong), format_number(best)
    return (
        SlideFault(SNIPPET, "wrong number", "yhat = relu(z)",
            "It runs, and ŷ is never below 0. On these points, with y less its mean, L of the "
            f"closed form is {rectified}, not {plain}",
            "yhat = z: a regression has no nonlinearity, nor has L = (y − βx)²", relu),
        SlideFault(SNIPPET, "wrong number", "loss of yhat and torch.Tensor(y)",
            f"It runs, with a warning: y has no column, so yhat − y has the shape {shape}. L is "
            f"{broadcast}, not {right}, and is least at β₁ = {flat}, not {slope}",
            "torch.tensor(y)[:, None]: one row for each point, as in yhat", least),
        SlideFault(SNIPPET, "missing", "nothing after loss = …",
            f"It runs: β.grad is {_gradient_without_backward(regression, beta)}, and β stays as "
            "it was drawn",
            "loss.backward(), then β ← β − η ∂L/∂β, and again"),
    )  # fmt: skip


def _losses_with_relu(regression: LinearRegression) -> tuple[float, float]:
    """L of relu(Xβ*) and of Xβ*, with the mean taken off y, so that half of the line is below 0."""
    centred = LinearRegression(regression.x, regression.y - regression.y.mean())
    yhat = centred.predictions(solve_regression(centred).solution)
    rectified = (yhat.relu() - centred.y).square().mean()
    return float(rectified), float((yhat - centred.y).square().mean())


def _slope_with_flat_targets(regression: LinearRegression) -> float:
    """β₁ at which the loss over all pairs (ŷ_i, y_j) is least: least squares of n² rows."""
    n = regression.examples
    X = regression.design.repeat_interleave(n, dim=0)
    slope = torch.linalg.lstsq(X, regression.y.repeat(n)[:, None]).solution[1, 0]
    return round(float(slope), 9)


def _gradient_without_backward(regression: LinearRegression, beta: Tensor) -> Tensor | None:
    held = beta.clone().requires_grad_()
    nn.MSELoss()(regression.design @ held, regression.y[:, None])
    return held.grad


def _formulas(regression: LinearRegression, beta: Tensor) -> tuple[SlideFault, ...]:
    """Formulas of the slides, run as they are written."""
    X, y = regression.design, regression.y[:, None]
    printed, right = (format_number(loss) for loss in slide_mean_loss(SLIDE_PROBABILITIES))
    shown = ", ".join(f"{p:g}" for p in SLIDE_PROBABILITIES)
    return (
        SlideFault("Linear Regression", "stops", "ŷ = βX", error_text(lambda: beta @ X),
            "ŷ = Xβ, as β_opt = (XᵀX)⁻¹Xᵀy needs it"),
        SlideFault("Linear Regression", "stops", "minimise (y − βX)²",
            error_text(lambda: (y - X @ beta.clone().requires_grad_()).square().backward()),  # type: ignore[no-untyped-call]
            "‖y − Xβ‖²: one number, the sum of the squares"),
        SlideFault("Linear Regression", "wording", "Objective: learn w",
            "Nothing to run: no formula of the slides has a w", "learn β"),
        SlideFault("Numerical Gradient Approach", "wording",
            "Numerical gradient: move in the direction of minima",
            "It runs, but a numerical gradient is one by finite differences: here it is within "
            f"{format_number(_finite_difference_error(regression, beta[:, 0]))} of the derivative",
            "gradient descent: a step along −∂L/∂β, the derivative in closed form"),
        SlideFault("Training an RNN Language Model", "wrong number", "J(θ) = (1/T) Σ −ŷ",
            f"It runs: for p = {shown} of the correct words J is {printed}, not {right}",
            "J(θ) = (1/T) Σ −log ŷ"),
    )  # fmt: skip


def _finite_difference_error(
    regression: LinearRegression, beta: Float64[Tensor, " coefficient"], step: float = 1e-6
) -> float:
    """max |central difference − derivative| of the two coordinates."""
    moves = step * torch.eye(2, dtype=torch.float64)
    central = (regression.losses(beta + moves) - regression.losses(beta - moves)) / (2 * step)
    return float((central - regression.gradients(beta)).abs().max())


def slide_mean_loss(probabilities: tuple[float, ...]) -> tuple[float, float]:
    """J as the slide prints it, without the log, and as it is right, in nats."""
    p = torch.tensor(probabilities, dtype=torch.float64)
    return float(-p.mean()), float(-p.log().mean())
