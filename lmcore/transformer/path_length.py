"""How far it is from one word to another in a network, counted in its own computation graph.

    shortest   the fewest matrix products on a path from the first word to the output of the last
    longest    the most: these are computed one after another, on however many processors

Both are read from the graph that autograd records. Additions and activation functions are not
counted.

Source: Vaswani et al. 2017, section 4 and table 1 (path length, sequential operations); UW LING
575, "Transformer: Summary".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.autograd.graph import Node

from lmcore import dataframes
from lmcore.dataframes import Table
from lmcore.models.attention import attention
from lmcore.models.blocks import Block
from lmcore.models.recurrent_cells import CellState, build_cell, cell_weights, step_by_equations
from lmcore.models.transformer_config import TransformerConfig

if TYPE_CHECKING:
    from pandas import DataFrame

N = TypeVar("N", bound=nn.Module)
PRODUCTS = ("MmBackward0", "AddmmBackward0", "BmmBackward0")
"""The nodes of a graph that are matrix products."""
WIDTH = 4
"""The width of both networks; the lengths do not depend on it."""
Words = Sequence[Float[Tensor, "1 width"]]
"""One tensor per word: a graph does not show which row of a tensor is used."""


class PathLengths(NamedTuple):
    """Matrix products between the first of `time` words and the output of the last one."""

    time: int
    shortest: int
    longest: int

    def to_frame(self) -> DataFrame:
        """One row: T, shortest, longest."""
        return dataframes.one_row(self._asdict())


def last_of_recurrent(words: Words) -> Float[Tensor, "1 width"]:
    """The state of an untrained RNN after the last word."""
    weights = cell_weights(_filled(build_cell("rnn", WIDTH, WIDTH)))
    state: CellState = (words[0].new_zeros(1, WIDTH),)
    for word in words:
        state = step_by_equations(word, weights, state)
    return state[0]


def last_of_block(words: Words) -> Float[Tensor, "1 width"]:
    """The output of an untrained Transformer block for the last word, which sees all words."""
    block = _filled(Block(TransformerConfig(1, WIDTH, 2, 1, WIDTH, 1)))
    heads = block.attention
    normed = [block.normalise_before(word, block.attention_norm)[None] for word in words]
    q = heads.split(heads.query(normed[-1]))
    k, v = (
        torch.cat([heads.split(part(word)) for word in normed], dim=2)
        for part in (heads.key, heads.value)
    )
    seen = attention(q, k, v).context.transpose(1, 2).flatten(2)
    stream = words[-1][None] + heads.output(seen)
    assert block.mlp is not None and block.mlp_norm is not None
    done: Tensor = stream + block.mlp(block.normalise_before(stream, block.mlp_norm)).output
    return done[0]


def measure_paths(last: Callable[[Words], Tensor], times: Sequence[int]) -> Table[PathLengths]:
    """The path lengths of a network for texts of these lengths; `last` gives the last output.

    Raises:
        ValueError: if no path leads from the first word to the last output.
    """
    generator = torch.Generator().manual_seed(0)
    found = list[PathLengths]()
    for time in times:
        drawn = [torch.randn(1, WIDTH, generator=generator) for _ in range(time)]
        words = [word.requires_grad_() for word in drawn]
        found.append(PathLengths(time, *product_counts(last(words), words[0])))
    return Table(found)


def product_counts(output: Tensor, leaf: Tensor) -> tuple[int, int]:
    """The fewest and the most matrix products on the paths from a leaf to an output.

    Raises:
        ValueError: if there is no path.
    """
    found: dict[Node, tuple[int, int] | None] = {}
    for node in _from_the_leaves(output.grad_fn):
        if getattr(node, "variable", None) is leaf:
            found[node] = (0, 0)
            continue
        before = [each for n, _ in node.next_functions if n and (each := found[n]) is not None]
        own = node.name() in PRODUCTS
        found[node] = (
            (min(low for low, _ in before) + own, max(high for _, high in before) + own)
            if before
            else None
        )
    if output.grad_fn is None or (lengths := found[output.grad_fn]) is None:
        raise ValueError("a path must lead from the leaf to the output; there is none")
    return lengths


def _from_the_leaves(root: Node | None) -> list[Node]:
    """Every node of a graph, each after those that it is computed from."""
    ordered, seen = list[Node](), set[Node]()
    waiting = [(root, False)] if root else []
    while waiting:
        node, done = waiting.pop()
        if done:
            ordered.append(node)
        elif node not in seen:
            seen.add(node)
            waiting.append((node, True))
            waiting += ((n, False) for n, _ in node.next_functions if n is not None)
    return ordered


@torch.no_grad()
def _filled(network: N) -> N:
    generator = torch.Generator().manual_seed(0)
    network.to_empty(device="cpu")
    for weight in network.parameters():
        weight.normal_(generator=generator)
    return network
