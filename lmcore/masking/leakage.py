"""The leakage test: change token j, and see which outputs change, layer by layer.

    reach_0 = I        reach_l = reach_{l−1} or mask · reach_{l−1}

An output may change only if a path leads to it: through a position that attends to the changed one,
or along its own residual stream. `paths` computes this from the mask alone; `measure_leakage`
changes the tokens of a network and compares its outputs, number by number.

A position that predicts its own word starts blank: with its position vector only. Its query stream
reads the content streams (Yang et al. 2019, two-stream attention), which have a mask of their own:

    blank_0 = 0        blank_l = blank_{l−1} or query · reach_{l−1}
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from lmcore import dataframes
from lmcore.models.blocks import Block
from lmcore.models.gpt import GPT
from lmcore.models.transformer_config import TransformerConfig

if TYPE_CHECKING:
    from pandas import DataFrame

DEPTH = 4
ROWS = 64


@dataclass(frozen=True, slots=True)
class Leakage:
    """For each depth, output and changed token: how much the output changed, and whether it may.

    Depth n − 1 is after n layers; the axes are those of a mask, with outputs as queries.
    """

    moved: Float[Tensor, "depth output changed"]
    """‖h′ − h‖ / ‖h‖, exactly 0 where no number of the output changed"""
    reach: Bool[Tensor, "depth output changed"]

    @property
    def agree(self) -> bool:
        """Whether exactly those outputs changed that a path of the mask reaches."""
        return torch.equal(self.moved > 0, self.reach)

    def to_frame(self) -> DataFrame:
        """One row per depth, output and changed token: these, how much it moved, whether it may."""
        return dataframes.entries(
            "depth output changed", {"moved": self.moved, "may move": self.reach}
        )


@lru_cache(maxsize=1)
def leakage_network() -> GPT:
    """The network under test, with random weights, so that every path carries a signal.

    In float64, so that the small effects of long paths are not rounded away.
    """
    config = TransformerConfig(ROWS, width=32, heads=2, layers=DEPTH, hidden=64, longest=32)
    return GPT(config).double()


def leakage(
    mask: Bool[Tensor, "time time"], ids: Int[Tensor, " time"], *, blank: bool = False
) -> Leakage:
    """Paths and measurement together, for the outputs or, with `blank`, for the query streams."""
    reach = blank_paths(mask, DEPTH) if blank else paths(mask, DEPTH)
    return Leakage(measure_leakage(leakage_network(), ids, mask, blank=blank), reach)


def paths(mask: Bool[Tensor, "time time"], depth: int) -> Bool[Tensor, "depth time time"]:
    """reach_1 … reach_depth: whether a change of token j can affect position i."""
    return torch.stack(_reaches(mask, depth)[1:])


def blank_paths(mask: Bool[Tensor, "time time"], depth: int) -> Bool[Tensor, "depth time time"]:
    """The same for positions that start blank and attend by the mask without its diagonal."""
    query, reached = without_diagonal(mask), []
    seen = torch.zeros_like(mask)
    for reach in _reaches(mask, depth)[:-1]:
        seen = seen | _then(query, reach)
        reached.append(seen)
    return torch.stack(reached)


def _reaches(mask: Bool[Tensor, "time time"], depth: int) -> list[Tensor]:
    reached = [torch.eye(len(mask), dtype=torch.bool)]
    for _ in range(depth):
        reached.append(reached[-1] | _then(mask, reached[-1]))
    return reached


def _then(mask: Bool[Tensor, "time time"], reach: Bool[Tensor, "time time"]) -> Tensor:
    led: Tensor = mask.double() @ reach.double()
    return led > 0


def without_diagonal(mask: Bool[Tensor, "time time"]) -> Bool[Tensor, "time time"]:
    """The mask without its diagonal: no position attends to itself."""
    return mask & ~torch.eye(len(mask), dtype=torch.bool)


@torch.no_grad()
def measure_leakage(
    network: GPT, ids: Int[Tensor, " time"], mask: Bool[Tensor, "time time"], *, blank: bool = False
) -> Float[Tensor, "depth time time"]:
    """Change each token in turn to an unused word, and measure how much each output changes.

    Row j of a batch has token j changed; it is compared with an equal batch of unchanged texts. All
    sums have the same order, so what does not depend on the change is equal to the last bit.
    """
    same = ids.expand(len(ids), -1)
    changed = same.clone()
    changed.fill_diagonal_(unused_token(ids, network.config.vocabulary))
    run = _blank_streams if blank else _streams
    before, after = run(network, same, mask), run(network, changed, mask)
    distance: Tensor = (after - before).norm(dim=-1) / before.norm(dim=-1)
    # depth, changed, output → depth, output, changed
    return distance.transpose(1, 2)


def unused_token(ids: Int[Tensor, " time"], types: int) -> int:
    """The first token that the text does not have."""
    return next(token for token in range(types) if token not in ids.tolist())


def _streams(network: GPT, tokens: Tensor, mask: Tensor) -> Tensor:
    return torch.stack([block.output for block in network(tokens, mask=mask).blocks])


def _blank_streams(network: GPT, tokens: Tensor, mask: Tensor) -> Tensor:
    """The query streams: they start from position vectors alone and read the content streams."""
    trace = network(tokens, mask=mask)
    blank, streams = trace.embedding.position, []
    for block, read in zip(network.blocks, trace.blocks, strict=True):
        assert isinstance(block, Block) and blank is not None
        looking = block.normalise_before(blank, block.attention_norm)
        seen = block.attention(looking, read.attention_inputs, without_diagonal(mask))
        blank = block.normalise_after(block.add(blank, seen.output), block.attention_norm)
        if block.mlp is not None and block.mlp_norm is not None:
            output = block.mlp(block.normalise_before(blank, block.mlp_norm)).output
            blank = block.normalise_after(block.add(blank, output), block.mlp_norm)
        streams.append(blank)
    return torch.stack(streams)


class ChangeEffect(NamedTuple):
    """What a change of one token moves."""

    moved: Int[Tensor, " depth"]
    """How many outputs change after each number of layers"""
    before: Int[Tensor, ""]
    """How many of the outputs before the token change in the end"""
    after: Int[Tensor, ""]
    """How many of its own output and those after it change in the end"""
    own_layer: int
    """After how many layers its own output changes first; 0 if it never does"""

    def to_frame(self) -> DataFrame:
        """One row per number of layers: layers, outputs that move."""
        return dataframes.frame({"layers": range(1, len(self.moved) + 1), "moved": self.moved})


def change_effect(found: Leakage, at: int) -> ChangeEffect:
    """The effect of changing token `at`, counted from 0."""
    moved = found.moved[:, :, at] > 0
    own = moved[:, at].nonzero()[:, 0].tolist()
    return ChangeEffect(
        moved.sum(dim=1), moved[-1, :at].sum(), moved[-1, at:].sum(), own[0] + 1 if own else 0
    )


def receptive_field(mask: Bool[Tensor, "time time"], depth: int = DEPTH) -> int:
    """How many tokens can change the last output, through that many layers."""
    return int(paths(mask, depth)[-1, -1].sum())
