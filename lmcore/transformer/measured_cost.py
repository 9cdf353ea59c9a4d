"""Time and memory of one Transformer block, and of a recurrent layer, measured on this device.

    attention    Q, K, V, O, scores, softmax, αV of n_h heads, with a causal mask
    MLP          of width 4 d
    RNN          one layer of 3 d units on inputs of d: about as many weights as the block

The block has 12 d² + 13 d weights, the RNN 3 d (d + 3 d + 2) = 12 d² + 6 d. They are untrained,
which does not matter to the cost. The memory is the largest sum of the tensors that exist at a time
apart from the weights and the input; what a kernel allocates inside it does not count.
"""

from __future__ import annotations

import time
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode

from lmcore import dataframes
from lmcore.checks import check_between
from lmcore.dataframes import Table
from lmcore.device import device
from lmcore.models.blocks import Block
from lmcore.models.masks import causal
from lmcore.models.recurrent_cells import build_cell
from lmcore.models.transformer_config import TransformerConfig

if TYPE_CHECKING:
    from pandas import DataFrame

TIMES = (32, 64, 128, 256, 512, 1024, 2048)
WIDTHS = (64, 128, 256)
MOST_SCORES = 2**23
"""n_h T² of the longest text: more take seconds on one core, and hundreds of megabytes."""
REPEATS = 9
PATIENCE = 0.4
"""Seconds after which a measurement is not repeated."""


@dataclass(frozen=True, slots=True)
class MeasuredCost:
    """One length of text; seconds are those of the shortest call, memory is in bytes."""

    time: int
    """T, in tokens."""
    attention: float
    mlp: float
    rnn: float
    attention_memory: int
    mlp_memory: int

    def to_frame(self) -> DataFrame:
        """One row: T, seconds of attention, MLP and RNN, bytes of attention and MLP."""
        return dataframes.one_row(
            {
                "T": self.time,
                "attention, s": self.attention,
                "MLP, s": self.mlp,
                "RNN, s": self.rnn,
                "attention, bytes": self.attention_memory,
                "MLP, bytes": self.mlp_memory,
            }
        )


def affordable_times(heads: int) -> tuple[int, ...]:
    """The lengths of `TIMES` whose scores are no more than `MOST_SCORES`."""
    return tuple(count for count in TIMES if heads * count**2 <= MOST_SCORES)


@torch.no_grad()
def measure_costs(width: int, heads: int, times: Sequence[int] = TIMES) -> Table[MeasuredCost]:
    """The costs of a forward pass for texts of these lengths, one text at a time.

    Raises:
        ValueError: if a size is out of bounds, or the width is not a multiple of the heads.
    """
    check_between("the width d", width, 1, WIDTHS[-1])
    where = device()
    block, rnn = _untrained(width, heads)
    assert block.mlp is not None
    costs = list[MeasuredCost]()
    for count in times:
        inputs, mask = torch.randn(1, count, width, device=where), causal(count).to(where)
        attend = partial(block.attention, inputs, None, mask)
        transform, recur = partial(block.mlp, inputs), partial(rnn, inputs)
        costs.append(
            MeasuredCost(
                count,
                least_seconds(attend, where),
                least_seconds(transform, where),
                least_seconds(recur, where),
                peak_bytes(attend),
                peak_bytes(transform),
            )
        )
    return Table(costs)


@torch.no_grad()
def _untrained(width: int, heads: int) -> tuple[Block, torch.nn.RNNBase]:
    """A block, and a recurrent layer of about as many weights."""
    config = TransformerConfig(1, width, heads, 1, 4 * width, 1)
    where, generator = device(), torch.Generator().manual_seed(0)
    parts = Block(config), build_cell("rnn", width, 3 * width)
    for part in parts:
        part.to_empty(device="cpu")
        for weight in part.parameters():
            weight.normal_(0, 0.5 * weight.shape[-1] ** -0.5, generator=generator)
        part.to(where)
    return parts


def least_seconds(call: Callable[[], object], where: torch.device) -> float:
    """The seconds of the shortest, least disturbed of several calls; the first is not counted."""
    call()
    taken = list[float]()
    while len(taken) < REPEATS and sum(taken) < PATIENCE:
        _wait(where)
        began = time.perf_counter()
        call()
        _wait(where)
        taken.append(time.perf_counter() - began)
    return min(taken)


def _wait(where: torch.device) -> None:
    if where.type == "cuda":
        torch.cuda.synchronize(where)


class LivingTensors(TorchFunctionMode):
    """The bytes of all tensors made while it is active: now, and at most at one time."""

    def __init__(self) -> None:
        super().__init__()
        self.now: int = 0
        self.most: int = 0
        self._known = weakref.WeakSet[torch.UntypedStorage]()

    def __torch_function__(
        self,
        func: Callable[..., Any],
        types: Sequence[type],
        args: Sequence[Any] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> Any:
        """Call the function, and count the memory of a tensor that it makes."""
        kwargs = kwargs or {}
        given = {each.untyped_storage().data_ptr() for each in args if isinstance(each, Tensor)}
        made = func(*args, **kwargs)
        if isinstance(made, Tensor):
            storage = made.untyped_storage()
            if storage.data_ptr() not in given and storage not in self._known:
                self._count(storage)
        return made

    def _count(self, storage: torch.UntypedStorage) -> None:
        size = storage.nbytes()
        self._known.add(storage)
        self.now += size
        self.most = max(self.most, self.now)
        weakref.finalize(storage, self._forget, size)

    def _forget(self, size: int) -> None:
        self.now -= size


def peak_bytes(call: Callable[[], object]) -> int:
    """The most memory of tensors at one time during a call, those that it returns included."""
    living = LivingTensors()
    with living:
        call()
    return living.most
