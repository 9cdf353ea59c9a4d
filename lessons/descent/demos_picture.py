"""Two codes for one regression, with tensors only and with torch.nn, by the number of epochs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypedDict

import numpy as np
import torch
from jaxtyping import Float64
from torch import Tensor

from drawing.code_lines import code_lines, place_in
from drawing.live import FloatArray, LiveNumbers, Slider
from drawing.payload import NumberArray, Script
from lmcore.optimization.regression import LinearRegression, trace_curvature
from lmcore.optimization.slide_snippet import DEMOS, run_demos

START = (3.0, -1.5)
EPOCHS = (*range(11), *range(12, 31, 2), 40, 60, 100)
"""The positions of the slider; after the last, both are at the closed form but for rounding."""
TITLES = ("Tensors only", "torch.nn")
PAIRS = (
    ("X @ beta", "model(X)"),
    (".square().mean()", "criterion(yhat, y)"),
    ("torch.autograd.grad(loss, beta)", "loss.backward()"),
    ("beta -= rate * gradient", "optimizer.step()"),
)
"""What does the same in both, in the order of the code."""


class Demos(NamedTuple):
    """What both codes end with after each number of epochs."""

    epochs: tuple[int, ...]
    beta: Float64[Tensor, "demo run 2"]
    loss: Float64[Tensor, "demo run"]
    rate: float
    x: tuple[float, ...]
    y: tuple[float, ...]


class CodePart(TypedDict):
    """A part of one line."""

    line: int
    start: int
    end: int


class CodeColumn(TypedDict):
    """A code, its name, and its parts that have a counterpart in the other."""

    title: str
    lines: list[str]
    parts: list[CodePart]


class DemosPayload(TypedDict):
    """Both codes, and the points they ran on."""

    columns: list[CodeColumn]
    x: NumberArray
    y: NumberArray


DEMO_CODES = Script("demos", DemosPayload, ("epochs", "b # #", "loss #", "apart", "@say"))


def run(regression: LinearRegression) -> Demos:
    """Both codes on these points, once for each number of epochs of the slider."""
    beta = run_demos(regression, START, EPOCHS)
    loss = torch.stack([regression.losses(each) for each in beta])
    rate = float(trace_curvature(regression).best_rate)
    return Demos(
        EPOCHS, beta, loss, rate, tuple(regression.x.tolist()), tuple(regression.y.tolist())
    )


def numbers(found: Demos, chosen: int) -> LiveNumbers:
    """β and L of both after the number of epochs nearest to `chosen`, and along the slider."""
    at = int(np.abs(np.array(found.epochs) - chosen).argmin())
    apart = (found.beta[0] - found.beta[1]).abs().amax(dim=-1)
    names = (
        "epochs", *(f"b {demo} {n}" for demo in (0, 1) for n in (0, 1)), "loss 0", "loss 1",
        "apart", "@say",
    )  # fmt: skip

    def row(n: int) -> list[float]:
        beta = found.beta[:, n].flatten().tolist()
        said = 0 if n == 0 else 2 if n == len(found.epochs) - 1 else 1
        ends = [*beta, *found.loss[:, n].tolist(), float(apart[n])]
        return [float(found.epochs[n]), *ends, float(said)]

    table: FloatArray = np.array([row(n) for n in range(len(found.epochs))])
    positions = np.array(found.epochs, dtype=np.float64)
    how = "How often each code goes through the points"
    slider = Slider("epochs", "epochs", "epochs", positions[at], positions, how, role="loss")
    return LiveNumbers("demos", names, table[at], (slider,), [table])


def picture(found: Demos) -> DemosPayload:
    """The data of `lessons/descent/demos.js` other than the numbers."""
    columns: list[CodeColumn] = []
    for n, (title, demo) in enumerate(zip(TITLES, DEMOS, strict=True)):
        lines = code_lines(demo)
        parts = [_part(lines, pair[n]) for pair in PAIRS]
        columns.append({"title": title, "lines": lines, "parts": parts})
    return {"columns": columns, "x": np.array(found.x), "y": np.array(found.y)}


def _part(lines: Sequence[str], text: str) -> CodePart:
    line = place_in(lines, text)
    start = lines[line].index(text)
    return {"line": line, "start": start, "end": start + len(text)}
