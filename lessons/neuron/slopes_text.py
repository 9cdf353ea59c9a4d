"""What the slopes of activations show at a point, in sentences and formulas."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

import torch

from lmcore.neuron.activations import SATURATION_SHARE, Activation, activation

if TYPE_CHECKING:
    from torch import Tensor

DEPTH = 10
"""The number of equal slopes in a row whose product is shown for one activation alone."""
Finding: TypeAlias = Literal[
    "steepest", "flat", "between", "dead", "corner", "whole", "share", "more"
]
SEVERAL: tuple[Finding, ...] = ("dead", "corner", "whole", "share", "more")
"""The findings for several activations: one without slope, ReLU at its corner, and the steepest,
whose slope is 1, below 1 or above 1."""


class Said(NamedTuple):
    """A sentence: what it finds, and the activation whose slope it marks."""

    finding: Finding
    marked: str


def y_of(name: str) -> str:
    """The name of an activation's value at z among the numbers of the picture."""
    return f"{name} y"


def slope_of(name: str) -> str:
    """The name of an activation's slope at z among the numbers of the picture."""
    return f"{name} slope"


def said(names: Sequence[str]) -> list[Said]:
    """What the sentences of `sentences` find, in their order."""
    if len(names) == 1:
        return [Said("steepest", names[0]), Said("flat", names[0]), Said("between", names[0])]
    return [Said(finding, name) for finding in SEVERAL for name in names]


def sentences(names: Sequence[str]) -> list[str]:
    """The findings from which the number @say selects."""
    return [_alone(*each) if len(names) == 1 else _of_several(*each, names) for each in said(names)]


def _alone(finding: Finding, name: str) -> str:
    slope = f"=={{{slope_of(name)}}}=="
    if finding == "flat":
        return f"At z = {{z}}, {name} is nearly flat: its slope is {slope}"
    if finding == "between":
        return f"At z = {{z}}, the slope of {name} is {slope}"
    if steepest(activation(name)) < 1:
        return f"{_titled(name)} is steepest at z = {{z}}, and even there its slope is only {slope}"
    return f"{_titled(name)} is nowhere steeper than at z = {{z}}: its slope is {slope}"


def _of_several(finding: Finding, name: str, names: Sequence[str]) -> str:
    slope = f"=={{{slope_of(name)}}}=="
    rest = _listed([f"{each} **{{{slope_of(each)}}}**" for each in names if each != name])
    if finding == "dead":
        how = "dead" if name == "ReLU" else "flat"
        return f"At z = {{z}}, {name} is {how}: it passes {slope} of the gradient back, {rest}"
    if finding == "corner":
        return (
            f"At z = 0, {name} passes {slope} of the gradient back, {rest}: ReLU has a corner "
            "there, and PyTorch takes 0"
        )
    if finding == "whole":
        return f"At z = {{z}}, {name} passes all of the gradient back, {slope}; {rest}"
    times = "times" if finding == "more" else "of"
    return f"At z = {{z}}, {name} passes {slope} {times} the gradient back, {rest}"


def _titled(name: str) -> str:
    return name[0].upper() + name[1:]


def _listed(parts: Sequence[str]) -> str:
    return f"{', '.join(parts[:-1])} and {parts[-1]}" if len(parts) > 1 else parts[0]


def say(names: Sequence[str], z: Tensor, slopes: Mapping[str, Tensor]) -> tuple[Tensor, Tensor]:
    """The index of the true one of `sentences`, and that of the activation that it marks."""
    if len(names) == 1:
        share = slopes[names[0]].abs() / steepest(activation(names[0]))
        row = torch.full_like(z, 2)
        row[share <= SATURATION_SHARE] = 1
        row[share >= 1 - 1e-9] = 0
        return row, torch.zeros_like(z)
    every = torch.stack([slopes[name] for name in names], dim=-1)
    top, most = every.max(dim=-1)
    at_corner = z == 0 if "ReLU" in names else torch.zeros_like(z, dtype=torch.bool)
    relu = torch.tensor([name == "ReLU" for name in names])
    still = (every == 0) & ~(at_corner[..., None] & relu)
    finding = torch.full_like(most, SEVERAL.index("share"))
    finding[top == 1] = SEVERAL.index("whole")
    finding[top > 1] = SEVERAL.index("more")
    finding[at_corner] = SEVERAL.index("corner")
    finding[still.any(dim=-1)] = SEVERAL.index("dead")
    marked = torch.where(still.any(dim=-1), still.to(torch.int64).argmax(dim=-1), most)
    return (len(names) * finding + marked).to(z.dtype), marked.to(z.dtype)


def steepest(g: Activation) -> float:
    """The largest slope of an activation within the reach of the picture; 1 if it has none."""
    z = torch.linspace(-5, 5, 10_001, dtype=torch.float64)
    return float(g.derivative(z).abs().max()) or 1.0


def formulas(chosen: Sequence[tuple[Activation, str]]) -> list[str]:
    """The slope of each activation at z, with its role; of one alone its value too."""
    lines = [_slope_line(g, role) for g, role in chosen]
    if len(chosen) > 1:
        return lines
    ((g, role),) = chosen
    value = f"[{role}|y] = {g.symbol}({{z}}) = {g.applied} = **[{role}|{{{y_of(g.name)}}}]**"
    return [value, *lines]


def _slope_line(g: Activation, role: str) -> str:
    applied = g.slope_applied.replace("{y", f"{{{y_of(g.name)}")
    computed = f" = {applied}" if applied and " if " not in applied else ""
    return f"[{role}|{g.symbol}′]({{z}}){computed} = **[gradient|{{{slope_of(g.name)}}}]**"


def describe(names: Sequence[str]) -> str:
    """The alt text of the picture, as a template."""
    slopes = _listed([f"{name} {{{slope_of(name)}}}" for name in names])
    return f"Activations over z, and below them their slopes. At z = {{z}}: {slopes}."
