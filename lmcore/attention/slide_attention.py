"""Self-attention in PyTorch, as a slide has it put right; and what each fault of the slide does.

    scores = q kᵀ / √d_k,  weights = softmax over the keys,  context = weights v

A fault is put back alone into the corrected class, and run: what PyTorch says is what is shown.

Source: lecture "Self-Attention in PyTorch" (CSE538), with its errata.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable
from typing import Any, NamedTuple

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

LONGEST_SAID = 110


class SelfAttention(nn.Module):
    """One head without W^O; rows are tokens, and the last axis is what is added over."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.Q = nn.Linear(width, width)
        self.K = nn.Linear(width, width)
        self.V = nn.Linear(width, width)
        self.dropout = nn.Dropout(p=0.1)

    def forward(
        self, hidden_states: Float[Tensor, "batch time width"]
    ) -> Float[Tensor, "batch time width"]:
        q, k, v = self.Q(hidden_states), self.K(hidden_states), self.V(hidden_states)
        attn_scores = torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(k.shape[-1])
        attn_probs = self.dropout(F.softmax(attn_scores, dim=-1))
        return torch.matmul(attn_probs, v)


class Fault(NamedTuple):
    """A fragment of the slide or what it lacks, what is right, and what came of it when run."""

    slide: str
    right: str
    happened: str


class Compared(NamedTuple):
    """The corrected class beside PyTorch's own function, on one random batch in float64."""

    difference: float
    """max |ours − F.scaled_dot_product_attention|, dropout off."""
    faults: tuple[Fault, ...]


BATCH, TIME, WIDTH = 3, 5, 8


def compare(seed: int = 0) -> Compared:
    """Run the corrected class, then each fault alone."""
    torch_seed = torch.Generator().manual_seed(seed)
    module = SelfAttention(WIDTH).double().eval()
    with torch.no_grad():
        for weight in module.parameters():
            weight.normal_(generator=torch_seed)
        x = torch.randn((BATCH, TIME, WIDTH), generator=torch_seed, dtype=torch.float64)
        q, k, v = module.Q(x), module.K(x), module.V(x)
        theirs = F.scaled_dot_product_attention(q, k, v)
        difference = float((module(x) - theirs).abs().max())
        return Compared(difference, (*_that_stop(q, k), *_that_go_on(q, k, v, theirs)))


def _that_stop(q: Tensor, k: Tensor) -> tuple[Fault, ...]:
    """Faults that Python or PyTorch refuses to run."""
    return (
        Fault("import nn.functional", "import torch.nn.functional as F", _said(_wrong_import)),
        Fault("no super().__init__()", "super().__init__()", _said(_WithoutSuper)),
        Fault("def forward(hidden_states)", "def forward(self, hidden_states)",
              _said(lambda: _WithoutSelf()(q))),
        Fault("f.Softmax(attn_scores)", "F.softmax(attn_scores, dim=-1)",
              _said(lambda: _attribute(F, "Softmax"))),
        Fault("k.T", "k.transpose(-2, -1)",
              # What .T does to three axes, which it only does with a warning.
              _said(lambda: torch.matmul(q, k.permute(2, 1, 0)))),
        Fault("nn.dropout(p=0.1)", "nn.Dropout(p=0.1)", _said(lambda: _attribute(nn, "dropout"))),
    )  # fmt: skip


def _that_go_on(q: Tensor, k: Tensor, v: Tensor, theirs: Tensor) -> tuple[Fault, ...]:
    """Faults that run, and give another result."""
    scores = q @ k.transpose(-2, -1)
    # Without dim, F.softmax takes axis 0 of three: the batch.
    over_batch = (scores / math.sqrt(k.shape[-1])).softmax(dim=0)
    sums = over_batch.sum(dim=-1)
    unscaled = float((scores.softmax(dim=-1) @ v - theirs).abs().max())
    return (
        Fault("softmax without dim", "dim=-1",
              f"It runs, over the batch: a query’s weights sum to {float(sums.min()):.2f} … "
              f"{float(sums.max()):.2f}, not 1"),
        Fault("no √d_k", "/ math.sqrt(k.shape[-1])",
              f"It runs: the output is off by up to {unscaled:.2f}"),
    )  # fmt: skip


class _WithoutSuper(nn.Module):
    def __init__(self) -> None:
        self.Q = nn.Linear(WIDTH, WIDTH)


class _WithoutSelf(nn.Module):
    def forward(hidden_states: Tensor) -> Tensor:  # type: ignore[misc]
        return hidden_states


def _wrong_import() -> None:
    importlib.import_module("nn.functional")


def _attribute(module: Any, name: str) -> None:
    getattr(module, name)


def _said(run: Callable[[], object]) -> str:
    """What running it says: the error's kind and its first words."""
    try:
        run()
    except (AttributeError, ImportError, RuntimeError, TypeError) as error:
        text = f"{type(error).__name__}: {error}".splitlines()[0]
        return text if len(text) <= LONGEST_SAID else text[:LONGEST_SAID] + " …"
    return "It runs"
