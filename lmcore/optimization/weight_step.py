"""One step of gradient descent for a feedforward language model, with one weight of it spelled out.

    θ^(s+1) = θ^s − η ∂[−log p(w_t | w_(t−1), …, w_(t−n+1))] / ∂θ          θ = E, W, b, U, b_2

Source: CMU 11-411, "More Detail on the Backward Pass", equation 8, whose minus and bracket this is.
Variant: one window, as the equation has it, and float64 for a model that was trained in float32.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Float64
from torch import Tensor, nn

from lmcore.checks import check_between, check_one_of
from lmcore.dataframes import Trace
from lmcore.models.feedforward import Feedforward

SYMBOLS = {
    "E": "embedding.weight",
    "W": "hidden.weight",
    "b": "hidden.bias",
    "U": "output.weight",
    "b₂": "output.bias",
}
"""Each parameter of the model by its symbol; U is stored with a row for each word."""


@dataclass(frozen=True, slots=True)
class WeightStep(Trace):
    """A step at several η: one weight before and after, and −log p(correct) before and after."""

    rates: Float64[Tensor, " rate"]
    """η"""
    before: Float64[Tensor, ""]
    """θ^s"""
    gradient: Float64[Tensor, ""]
    """∂L/∂θ"""
    after: Float64[Tensor, " rate"]
    """θ^(s+1)"""
    loss_before: Float64[Tensor, ""]
    """−log p(correct), in nats."""
    loss_after_one: Float64[Tensor, " rate"]
    """The loss if only this weight has moved."""
    loss_after_all: Float64[Tensor, " rate"]
    """The loss if every parameter has moved."""
    largest: Float64[Tensor, ""]
    """The largest |∂L/∂θ| of the matrix that the weight is in."""


def trace_weight_step(
    network: Feedforward,
    window: Sequence[int],
    target: int,
    symbol: str,
    place: tuple[int, ...] | None,
    rates: Float64[Tensor, " rate"],
) -> tuple[WeightStep, tuple[int, ...]]:
    """The step at each η, and the place of the weight: where |∂L/∂θ| is largest if not given.

    `window` has one id for each word of the context. The network stays as it is.

    Raises:
        ValueError: if there is no such parameter or place, or an id is not one of the vocabulary.
    """
    types = network.config.vocabulary
    check_one_of("the parameter", symbol, SYMBOLS)
    check_between("the number of words before", len(window), *[network.config.context] * 2)
    for token in (*window, target):
        check_between("the id of a word", token, 0, types - 1)
    model = copy.deepcopy(network).double()
    named = dict(model.named_parameters())
    loss = _next_word_loss(model, named, window, target)
    gradients = dict(zip(named, torch.autograd.grad(loss, list(named.values())), strict=True))
    theta, slopes = named[SYMBOLS[symbol]].detach(), gradients[SYMBOLS[symbol]]
    place = _steepest(slopes) if place is None else _checked(place, theta, symbol)
    one, every = _losses_after(model, window, target, gradients, (SYMBOLS[symbol], place), rates)
    before, slope = theta[place], slopes[place]
    after = before - rates * slope
    largest = slopes.abs().max()
    trace = WeightStep(rates, before, slope, after, loss.detach(), one, every, largest)
    return trace, place


def _next_word_loss(
    model: Feedforward, parameters: Mapping[str, Tensor], window: Sequence[int], target: int
) -> Float64[Tensor, ""]:
    """−log p(target) after the words of the window."""
    text = torch.tensor([list(window)])
    with torch.enable_grad():
        trace = torch.func.functional_call(model, dict(parameters), (text,))
        loss: Tensor = nn.functional.cross_entropy(trace.logits[0, -1], torch.tensor(target))
    return loss


def _steepest(slopes: Tensor) -> tuple[int, ...]:
    flat = int(slopes.abs().argmax())
    return tuple(int(each) for each in torch.unravel_index(torch.tensor(flat), slopes.shape))


def _checked(place: tuple[int, ...], theta: Tensor, symbol: str) -> tuple[int, ...]:
    if len(place) != theta.ndim:
        raise ValueError(f"a place in {symbol} must be {theta.ndim} numbers; got {len(place)}")
    for number, (index, size) in enumerate(zip(place, theta.shape, strict=True), start=1):
        check_between(f"number {number} of a place in {symbol}", index, 0, size - 1)
    return place


@torch.no_grad()
def _losses_after(
    model: Feedforward,
    window: Sequence[int],
    target: int,
    gradients: dict[str, Tensor],
    weight: tuple[str, tuple[int, ...]],
    rates: Float64[Tensor, " rate"],
) -> tuple[Float64[Tensor, " rate"], Float64[Tensor, " rate"]]:
    """L at each η where one weight has moved, and where all have."""
    named = dict(model.named_parameters())
    name, place = weight
    one, every = [], []
    for rate in rates:
        moved = named[name].clone()
        moved[place] -= rate * gradients[name][place]
        one.append(_next_word_loss(model, named | {name: moved}, window, target))
        stepped = {each: theta - rate * gradients[each] for each, theta in named.items()}
        every.append(_next_word_loss(model, stepped, window, target))
    return torch.stack(one).detach(), torch.stack(every).detach()
