"""The sentences, the formula line and the description of the formula of a unit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias

import torch

from lessons.neuron.neuron_picture import TermPayload
from lmcore.neuron.activations import activation
from lmcore.neuron.neuron import Neuron, NeuronTrace

if TYPE_CHECKING:
    from torch import Tensor

To: TypeAlias = Literal["symbols", "sum", "bend"]
"""How far the formula is computed: not at all, to z, or to y."""


def symbol(term: TermPayload) -> str:
    """A term in symbols, such as w₁x₁; the bias is b, or w₀x₀."""
    return f"{term['weightLabel']}{term['input']}"


def sentences(unit: Neuron, to: To, terms: Sequence[TermPayload]) -> list[str]:
    """What the picture shows; with the numbers up to z, @say selects by the longest term."""
    if to == "symbols":
        return [
            "A unit does two things: it **adds up** weighted inputs to [score|z], then **bends** "
            "[score|z] to [activation|y]"
        ]
    if to == "bend":
        return [
            f"[score|z] = **[score|{{z}}]** goes into the {unit.activation}, and "
            "[activation|y] = =={y}== comes out"
        ]
    return [
        f"The terms, laid end to end, are [score|z] = =={{z}}==; the longest is "
        f"[{role}|{symbol(term)}] = **[{role}|{{{term['product']}}}]**"
        for term in terms
        for role in ["weight" if term["bias"] else "input"]
    ]


def longest(trace: NeuronTrace) -> Tensor:
    """The index of the longest term; the bias comes last."""
    terms = torch.cat([trace.terms, trace.bias.unsqueeze(-1)], dim=-1)
    return terms.abs().argmax(dim=-1).to(terms.dtype)


def formulas(unit: Neuron, to: To) -> list[str]:
    """The slide's three equations, with the numbers as far as they are shown."""
    g, count = activation(unit.activation), len(unit.inputs)
    lines = [
        "(1) [score|z] = [weight|b] + Σ [weight|wᵢ][input|xᵢ]",
        "(2) [score|z] = **[weight|w]** · **[input|x]** + [weight|b]",
        f"(3) [activation|y] = {g.symbol}([score|z])",
    ]
    ends = [
        " = **[score|{z}]**",
        f" = {{s{count}}} + [weight|{{b:p}}]",
        f" = {g.symbol}({{z}}) = **[activation|{{y}}]**",
    ]
    shown = {"symbols": 0, "sum": 2, "bend": 3}[to]
    return [line + (ends[i] if i < shown else "") for i, line in enumerate(lines)]


def describe(unit: Neuron, to: To) -> str:
    """The alt text of the picture, as a template."""
    count = len(unit.inputs)
    text = f"The formula of a unit with {count} inputs: z = b + Σ wᵢxᵢ, y = g(z)."
    numbers = {"symbols": "", "sum": " z = {z}.", "bend": " z = {z}, y = {y}."}
    return text + numbers[to]
