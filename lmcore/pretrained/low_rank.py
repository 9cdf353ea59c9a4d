"""A trained change of a network that is small enough to ship: ΔW = B A, of low rank.

    W' = W + B A        B has r columns, A has r rows

Only A and B of each matrix are kept, and vectors and new parts as they are: with r = 96 that is a
third of W's numbers.

Source: Hu et al. 2021, "LoRA: low-rank adaptation of large language models", equation 3.
"""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor, nn

FIRST, SECOND = ".B", ".A"
"""The endings of the names of the two factors."""


def low_rank_change(
    network: nn.Module, rank: int, seed: int = 0, *, within: str = "blocks."
) -> dict[str, Tensor]:
    """A change to train: factors of every matrix `within` a part, and its vectors.

    B = 0, so nothing changes yet; A is drawn from N(0, 1/n) for n inputs.

    Raises:
        ValueError: if the rank is not at least 1.
    """
    if rank < 1:
        raise ValueError(f"the rank must be at least 1; got {rank}")
    generator = torch.Generator().manual_seed(seed)
    change: dict[str, Tensor] = {}
    for name, weight in network.named_parameters():
        if not name.startswith(within):
            continue
        if weight.ndim == 1:
            change[name] = weight.detach().clone()
            continue
        rows, columns = weight.shape
        change[name + FIRST] = torch.zeros(rows, rank)
        change[name + SECOND] = torch.randn(rank, columns, generator=generator) / columns**0.5
    return change


def apply_change(weights: Mapping[str, Tensor], change: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """The changed tensors alone, by their names: W + B A, and what is kept as it is.

    Raises:
        ValueError: if a factor has no other, or fits no matrix.
    """
    changed: dict[str, Tensor] = {}
    for name, tensor in change.items():
        whole = name.removesuffix(FIRST)
        if name.endswith(SECOND):
            if name.removesuffix(SECOND) + FIRST not in change:
                raise ValueError(f"a change must hold both factors; {name} is alone")
        elif whole == name:
            changed[name] = tensor
        else:
            changed[whole] = weights[whole] + _product(whole, weights, change)
    return changed


def _product(whole: str, weights: Mapping[str, Tensor], change: Mapping[str, Tensor]) -> Tensor:
    first, second = change[whole + FIRST], change.get(whole + SECOND)
    if second is None or whole not in weights:
        raise ValueError(f"a change must hold both factors of a matrix; {whole} lacks one")
    if (first.shape[0], second.shape[1]) != tuple(weights[whole].shape):
        raise ValueError(
            f"the factors of {whole} must give shape {tuple(weights[whole].shape)}; "
            f"got {first.shape[0]} by {second.shape[1]}"
        )
    return first @ second
