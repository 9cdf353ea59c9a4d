"""One step of SGD, momentum or Adam on a tensor of parameters, as torch.optim makes it.

    SGD        θ ← θ − η g
    momentum   v ← μ v + g                                       θ ← θ − η v
    Adam       m ← β₁ m + (1 − β₁) g,  s ← β₂ s + (1 − β₂) g²    θ ← θ − η m̂ / (√ŝ + ε)

m̂ = m / (1 − β₁ᵗ) and ŝ = s / (1 − β₂ᵗ) at step t, from 1. Leading axes are independent runs.

Source: CMU 11-411, "More Detail on the Backward Pass", equation 8; Polyak 1964; Kingma & Ba 2015.
"""

from __future__ import annotations

from typing import Literal

import torch
from jaxtyping import Float
from torch import Tensor

from lmcore.checks import one_of

OptimizerName = Literal["SGD", "momentum", "Adam"]
OPTIMIZERS: tuple[OptimizerName, ...] = ("SGD", "momentum", "Adam")
MOMENTUM = 0.9
BETAS = (0.9, 0.999)
EPSILON = 1e-8


class Optimizer:
    """An update rule with the state that it keeps of the gradients so far.

    Raises:
        ValueError: if there is no rule of that name.
    """

    def __init__(self, name: str, learning_rate: float | Float[Tensor, "*run 1"]) -> None:
        name = one_of("the optimiser", name, OPTIMIZERS)
        self.name, self.learning_rate = name, learning_rate
        self.steps = 0
        self.velocity: Tensor | None = None
        self.mean: Tensor | None = None
        self.square: Tensor | None = None

    def change(self, gradient: Float[Tensor, "*shape"]) -> Float[Tensor, "*shape"]:
        """What to add to θ at this step."""
        self.steps += 1
        if self.name == "SGD":
            return -self.learning_rate * gradient
        if self.name == "momentum":
            before = self.velocity
            self.velocity = gradient.clone() if before is None else MOMENTUM * before + gradient
            return -self.learning_rate * self.velocity
        if self.mean is None or self.square is None:
            self.mean, self.square = torch.zeros_like(gradient), torch.zeros_like(gradient)
        first, second = BETAS
        self.mean = self.mean.lerp(gradient, 1 - first)
        self.square = second * self.square + (1 - second) * gradient.square()
        mean = self.mean / (1 - first**self.steps)
        square = self.square / (1 - second**self.steps)
        return -self.learning_rate * mean / (square.sqrt() + EPSILON)
