"""A feedforward language model that learns from a text word by word, from random weights.

    L_s      = −log ŷ(w_t | w_(t−1), …, w_(t−n+1))        t = s + 1: one step for each word
    θ^(s+1)  = θ^s − η ∂L_s / ∂θ                           θ = E, W, b, U, b_2

Source: CMU 11-411, "More Detail on the Backward Pass", equations 6 to 8: all texts are joined, and
the model goes through them from random weights. Variant: float64.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Float64, Int
from torch import Tensor, nn

from lmcore.checks import check_between
from lmcore.dataframes import Trace
from lmcore.models.feedforward import Feedforward, FeedforwardConfig

MOST_STEPS = 500
HIGHEST_RATE = 1.0


@dataclass(frozen=True, slots=True)
class TextSteps(Trace):
    """One step for each word of a text, and of each the weight of U with the steepest slope."""

    targets: Int[Tensor, " step"]
    """w_t"""
    loss: Float64[Tensor, " step"]
    """−log ŷ(w_t) as it was read, in nats."""
    loss_after: Float64[Tensor, " step"]
    """The same after the step."""
    places: Int[Tensor, "step axis"]
    """The word and the hidden unit of the weight."""
    weight: Float64[Tensor, " step"]
    """θ^s"""
    gradient: Float64[Tensor, " step"]
    """∂L_s/∂θ"""
    weight_after: Float64[Tensor, " step"]
    """θ^(s+1)"""


def trace_text_steps(
    config: FeedforwardConfig, ids: Sequence[int], rate: float, seed: int = 0
) -> TextSteps:
    """Go through a text from random weights, one step for each word.

    Raises:
        ValueError: if there is no word, or too many, or η is not from 0 to `HIGHEST_RATE`.
    """
    check_between("the number of words", len(ids), 1, MOST_STEPS)
    if not 0 <= rate <= HIGHEST_RATE:
        raise ValueError(f"the learning rate η must be from 0 to {HIGHEST_RATE:g}; got {rate:g}")
    model = Feedforward(config, seed).double()
    text = torch.tensor([*[config.start] * config.context, *ids])
    windows = text.unfold(0, config.context, 1)
    steps = [
        _step(model, window, target, rate)
        for window, target in zip(windows, text[config.context :], strict=False)
    ]
    loss, after, weight, gradient, weight_after = (
        torch.stack([numbers[i] for _, numbers in steps]) for i in range(5)
    )
    places = torch.tensor([place for place, _ in steps])
    return TextSteps(text[config.context :], loss, after, places, weight, gradient, weight_after)


def _step(
    model: Feedforward, window: Int[Tensor, " context"], target: Int[Tensor, ""], rate: float
) -> tuple[tuple[int, ...], list[Float64[Tensor, ""]]]:
    """One step of all parameters: the steepest weight of U, L and that weight before and after."""
    parameters = dict(model.named_parameters())
    loss = _loss(model, window, target)
    slopes = dict(zip(parameters, torch.autograd.grad(loss, [*parameters.values()]), strict=True))
    flat = slopes["output.weight"].abs().argmax()
    row, unit = (int(each) for each in torch.unravel_index(flat, slopes["output.weight"].shape))
    U = model.output.weight
    with torch.no_grad():
        before = U[row, unit].clone()
        for name, theta in parameters.items():
            theta.sub_(rate * slopes[name])
        after = _loss(model, window, target)
        moved = U[row, unit].clone()
    slope = slopes["output.weight"][row, unit]
    return (row, unit), [loss.detach(), after, before, slope, moved]


def _loss(
    model: Feedforward, window: Int[Tensor, " context"], target: Int[Tensor, ""]
) -> Float64[Tensor, ""]:
    """−log ŷ(target) after the words of the window."""
    logits, _ = model.logits_and_state(window[None])
    loss: Tensor = nn.functional.cross_entropy(logits[0, -1], target)
    return loss
