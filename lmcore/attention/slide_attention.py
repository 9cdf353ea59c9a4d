"""Self-attention in PyTorch after a slide, corrected; and what each error of the slide does.

    scores = q kᵀ / √d_k,  weights = softmax over the keys,  context = weights v

Each error is put back alone into the corrected class and run; PyTorch's own message is shown.

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

LONGEST_MESSAGE = 110


class SelfAttention(nn.Module):
    """One head without W^O; rows are tokens, and sums run over the last axis."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.Q = nn.Linear(width, width)
        self.K = nn.Linear(width, width)
        self.V = nn.Linear(width, width)
        self.dropout = nn.Dropout(p=0.1)

    def forward(
        self, hidden_states: Float[Tensor, "batch time width"]
    ) -> Float[Tensor, "batch time width"]:
        """softmax(q kᵀ / √d_k) v, with dropout on the weights."""
        q = self.Q(hidden_states)
        k = self.K(hidden_states)
        v = self.V(hidden_states)
        scores = torch.matmul(q, k.transpose(-2, -1))
        scores = scores / math.sqrt(k.shape[-1])
        probs = F.softmax(scores, dim=-1)
        return torch.matmul(self.dropout(probs), v)


class SlideFault(NamedTuple):
    """An error or omission of the slide, its correction, and the result of running it."""

    slide: str
    right: str
    """A part of the corrected code, or of its import."""
    happened: str
    numbers: tuple[str, float, float] | None = None
    """Of one that runs: what it measures, what comes out, and what should."""


class FaultPlace(NamedTuple):
    """Where a fault stands in the corrected code."""

    slide: str
    """The fault, as `SlideFault.slide` names it."""
    right: str
    """The part of the corrected code that the slide has wrong; it occurs there once."""
    put: str
    """What stands there with the fault; empty if it is left out."""
    was: str = ""
    """The slide's wording, once a line."""
    stops: str = ""
    """A part of the line at which it stops, if that is another line."""


IMPORT = "import torch.nn.functional as F"
PLACES = (
    FaultPlace("import nn.functional", "torch.nn.functional", "nn.functional", "nn.functional"),
    FaultPlace("no super().__init__()", "super().__init__()", "", "", "self.Q = "),
    FaultPlace("nn.dropout(p=0.1)", "nn.Dropout", "nn.dropout", "nn.dropout(p=0.1)"),
    FaultPlace("def forward(hidden_states)", "self, hidden_states", "hidden_states",
               "forward(hidden_states)"),
    FaultPlace("k.T", "k.transpose(-2, -1)", "k.T", "k.T"),
    FaultPlace("no √d_k", " / math.sqrt(k.shape[-1])", ""),
    FaultPlace("f.Softmax(attn_scores)", "F.softmax", "F.Softmax", "f.Softmax(attn_scores)"),
    FaultPlace("softmax without dim", ", dim=-1", ""),
)  # fmt: skip
"""Every fault, in the order of the code."""


class SlideComparison(NamedTuple):
    """The corrected class beside PyTorch's own function, on one random batch in float64."""

    difference: float
    """max |ours − F.scaled_dot_product_attention|, dropout off."""
    faults: tuple[SlideFault, ...]


BATCH, TIME, WIDTH = 3, 5, 8


def compare_with_pytorch(seed: int = 0) -> SlideComparison:
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
        return SlideComparison(difference, (*_that_stop(q, k), *_that_go_on(q, k, v, theirs)))


def _that_stop(q: Tensor, k: Tensor) -> tuple[SlideFault, ...]:
    """Errors that stop with an exception."""
    return (
        SlideFault(
            "import nn.functional", "import torch.nn.functional as F", _error_text(_wrong_import)
        ),
        SlideFault("no super().__init__()", "super().__init__()", _error_text(_WithoutSuper)),
        SlideFault("def forward(hidden_states)", "def forward(self, hidden_states)",
              _error_text(lambda: _WithoutSelf()(q))),
        SlideFault("f.Softmax(attn_scores)", "F.softmax(attn_scores, dim=-1)",
              _error_text(lambda: _attribute(F, "Softmax"))),
        SlideFault("k.T", "k.transpose(-2, -1)",
              # What .T does to three axes; .T itself also warns.
              _error_text(lambda: torch.matmul(q, k.permute(2, 1, 0)))),
        SlideFault(
            "nn.dropout(p=0.1)",
            "nn.Dropout(p=0.1)",
            _error_text(lambda: _attribute(nn, "dropout")),
        ),
    )  # fmt: skip


def _that_go_on(q: Tensor, k: Tensor, v: Tensor, theirs: Tensor) -> tuple[SlideFault, ...]:
    """Errors that run and give a wrong result."""
    scores = q @ k.transpose(-2, -1)
    # Without dim, F.softmax takes axis 0 of three: the batch.
    over_batch = (scores / math.sqrt(k.shape[-1])).softmax(dim=0)
    sums = over_batch.sum(dim=-1)
    unscaled = float((scores.softmax(dim=-1) @ v - theirs).abs().max())
    return (
        SlideFault("softmax without dim", "dim=-1",
              f"It runs, over the batch: a query’s weights sum to {float(sums.min()):.2f} … "
              f"{float(sums.max()):.2f}, not 1",
              ("largest sum of a query’s weights", float(sums.max()), 1.0)),
        SlideFault("no √d_k", "/ math.sqrt(k.shape[-1])",
              f"It runs: the output is off by up to {unscaled:.2f}",
              ("largest error of the output", unscaled, 0.0)),
    )  # fmt: skip


class _WithoutSuper(nn.Module):
    def __init__(self) -> None:
        self.Q = nn.Linear(WIDTH, WIDTH)


class _WithoutSelf(nn.Module):
    def forward(hidden_states: Tensor) -> Tensor:  # type: ignore[misc]  # noqa: N805, the slide’s error
        return hidden_states


def _wrong_import() -> None:
    importlib.import_module("nn.functional")


def _attribute(module: Any, name: str) -> None:
    getattr(module, name)


def _error_text(run: Callable[[], object]) -> str:
    """The type and the beginning of the message of the exception that `run` raises."""
    try:
        run()
    except (AttributeError, ImportError, RuntimeError, TypeError) as error:
        text = f"{type(error).__name__}: {error}".splitlines()[0]
        return text if len(text) <= LONGEST_MESSAGE else text[:LONGEST_MESSAGE] + " …"
    return "It runs"
