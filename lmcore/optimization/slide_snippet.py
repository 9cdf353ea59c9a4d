"""The slide's snippet corrected, where each of its faults stands in it, and the two demos.

Both demos descend on the same loss from the same start: one with tensors only, one with torch.nn.

Source: Stony Brook CSE538, "Linear Regression as DAG" and "PyTorch Demo", with their errata.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import torch
from jaxtyping import Float, Float64
from torch import Tensor, nn, optim

from lmcore.checks import check_between
from lmcore.optimization.regression import LinearRegression, trace_curvature

MOST_EPOCHS = 500


def corrected_snippet(
    data: list[list[float]],
    y: list[float],
    seed: torch.Generator,
    rate: float,
    epochs: int,
) -> Float[Tensor, "coefficient 1"]:
    """The slide's snippet corrected, with the steps that it lacks; returns β."""
    x = torch.tensor(data)
    beta = torch.randn(x.shape[1], 1, generator=seed, requires_grad=True)
    for _ in range(epochs):
        yhat = torch.matmul(x, beta)
        loss = nn.MSELoss()(yhat, torch.tensor(y)[:, None])
        loss.backward()
        with torch.no_grad():
            beta -= rate * beta.grad  # type: ignore[operator]
        beta.grad = None
    return beta


class FaultPlace(NamedTuple):
    """Where a fault of the slide stands in `corrected_snippet`."""

    slide: str
    """The fault, as `SlideFault.slide` names it."""
    right: str
    """The part of the corrected code that the slide has wrong; it occurs there once."""
    put: str
    """What stands there with the fault; empty if it is left out."""
    was: str = ""
    """The slide's wording of the line, once a line."""
    stops: str = ""
    """A part of the line at which it stops, if that is another line."""


PLACES = (
    FaultPlace(
        "x = torch.Tensor(input)",
        "torch.tensor(data)",
        "torch.Tensor(input)",
        "torch.Tensor(input)",
    ),
    FaultPlace(
        "torch.random.randn(…)",
        "torch.randn(",
        "torch.random.randn(",
        "torch.random.randn(X.shape, 1)",
    ),
    FaultPlace("X.shape", "x.shape", "X.shape"),
    FaultPlace("randn(x.shape, 1)", "[1], 1", ", 1"),
    FaultPlace("beta without requires_grad", "requires_grad=True", "", stops="loss.backward()"),
    FaultPlace("yhat = relu(z)", "torch.matmul(x, beta)", "relu(x @ beta)", "relu(z)"),
    FaultPlace(
        "loss = nn.MSELoss(yhat, …)",
        "nn.MSELoss()(",
        "nn.MSELoss(",
        "nn.MSELoss(yhat, torch.Tensor(y))",
    ),
    FaultPlace("loss of yhat and torch.Tensor(y)", "[:, None]", ""),
    FaultPlace("nothing after loss = …", "loss.backward()", ""),
)
"""Every fault of the snippet, in the order of the code."""


def demo_tensors(X: Tensor, y: Tensor, beta: Tensor, rate: float, epochs: int) -> Tensor:
    """Linear regression with tensors only; returns β as a column."""
    beta.requires_grad_()
    for _ in range(epochs):
        yhat = X @ beta
        loss = (yhat - y).square().mean()
        gradient = torch.autograd.grad(loss, beta)[0]
        with torch.no_grad():
            beta -= rate * gradient
    return beta


def demo_torch_nn(X: Tensor, y: Tensor, beta: Tensor, rate: float, epochs: int) -> Tensor:
    """The same with torch.nn; returns β as a column."""
    model = nn.Linear(2, 1, bias=False)
    model.weight = nn.Parameter(beta.T)
    criterion = nn.MSELoss()
    optimizer = optim.SGD(model.parameters(), lr=rate)
    for _ in range(epochs):
        yhat = model(X)
        loss = criterion(yhat, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return model.weight.T


Demo = Callable[[Tensor, Tensor, Tensor, float, int], Tensor]
DEMOS: tuple[Demo, Demo] = (demo_tensors, demo_torch_nn)


def snippet_result(regression: LinearRegression, epochs: int = 400) -> Float64[Tensor, " 2"]:
    """β after the corrected snippet has run on these points, at the best fixed η.

    Raises:
        ValueError: if all x are equal, or `epochs` is not 1 to `MOST_EPOCHS`.
    """
    check_between("epochs", epochs, 1, MOST_EPOCHS)
    rate = float(trace_curvature(regression).best_rate)
    data, y = regression.design.tolist(), regression.y.tolist()
    beta = corrected_snippet(data, y, torch.Generator().manual_seed(0), rate, epochs)
    return beta.detach()[:, 0].double()


def run_demos(
    regression: LinearRegression, start: tuple[float, float], epochs: tuple[int, ...]
) -> Float64[Tensor, "demo run 2"]:
    """β of both demos after each of these numbers of epochs, from one start, at the best fixed η.

    Raises:
        ValueError: if all x are equal, or one of `epochs` is not 0 to `MOST_EPOCHS`.
    """
    for each in epochs:
        check_between("epochs", each, 0, MOST_EPOCHS)
    rate = float(trace_curvature(regression).best_rate)
    X, y = regression.design, regression.y[:, None]
    beta = torch.tensor(start, dtype=torch.float64)[:, None]
    return torch.stack(
        [
            torch.stack([demo(X, y, beta.clone(), rate, n).detach()[:, 0] for n in epochs])
            for demo in DEMOS
        ]
    )
