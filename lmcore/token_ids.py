"""Token ids as a caller has them: in a list, an array of numpy or a tensor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
import torch
from jaxtyping import Int
from torch import Tensor

TextIds: TypeAlias = Int[Tensor, " time"] | Int[np.ndarray, " time"] | Sequence[int]
"""One text."""
TextsIds: TypeAlias = (
    Int[Tensor, "batch time"] | Int[np.ndarray, "batch time"] | Sequence[Sequence[int]] | TextIds
)
"""Texts of one length, or a single one."""


def text_ids(tokens: TextIds) -> Int[Tensor, " time"]:
    """One text as a tensor.

    Raises:
        ValueError: if these are not whole numbers in a row.
    """
    ids = _whole_numbers(tokens)
    if ids.ndim != 1:
        raise ValueError(f"a text must be ids in a row; got the shape {tuple(ids.shape)}")
    return ids


def texts_ids(tokens: TextsIds) -> Int[Tensor, "batch time"]:
    """Texts as a tensor, one row each.

    Raises:
        ValueError: if these are not whole numbers in rows of one length.
    """
    ids = _whole_numbers(tokens)
    if ids.ndim == 1:
        ids = ids[None]
    if ids.ndim != 2:
        raise ValueError(f"texts must be rows of ids; got the shape {tuple(ids.shape)}")
    return ids


def _whole_numbers(tokens: object) -> Tensor:
    try:
        ids = torch.as_tensor(tokens)
    except (TypeError, ValueError, RuntimeError):
        raise ValueError(
            "tokens must be ids in a list, an array or a tensor, and texts of one length; "
            f"got {tokens!r:.60}"
        ) from None
    if ids.numel() and (ids.is_floating_point() or ids.is_complex() or ids.dtype == torch.bool):
        raise ValueError(f"tokens must be whole numbers; got {ids.flatten()[0].item()!r}")
    return ids.long()
