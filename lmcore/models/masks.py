"""Attention masks: `mask[i, j]` is True where query i may attend to key j.

A hidden score becomes −∞ before the softmax, so that the key has weight 0 and the rest of the row
still sums to 1. A query whose keys are all hidden has weights 0 and context 0.

Source: Vaswani et al. 2017, section 3.2.3 (causal); Raffel et al. 2020, figure 4 (prefix);
Beltagy et al. 2020 (sliding window); Yang et al. 2019, figure 4 (permutation).
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from jaxtyping import Bool
from torch import Tensor

from lmcore.checks import check_between
from lmcore.typed import fold_numbers


def bidirectional(queries: int, keys: int | None = None) -> Bool[Tensor, "query key"]:
    """Every query sees every key: an encoder's mask, or with `keys` that of cross-attention."""
    return torch.ones(queries, queries if keys is None else keys, dtype=torch.bool)


def causal(length: int) -> Bool[Tensor, "query key"]:
    """j ≤ i: each position sees itself and the positions before it, as in a language model."""
    return bidirectional(length).tril()


def prefix(length: int, known: int) -> Bool[Tensor, "query key"]:
    """The first `known` positions see one another, in both directions; the rest is causal.

    Raises:
        ValueError: if the prefix is not from 0 to `length` positions.
    """
    check_between("the prefix", known, 0, length)
    mask = causal(length)
    mask[:, :known] = True
    return mask


def sliding(length: int, window: int, *, ahead: bool = False) -> Bool[Tensor, "query key"]:
    """Each position sees itself and the `window` − 1 before it; with `ahead`, as many after it.

    Raises:
        ValueError: if the window is not from 1 to `length` positions.
    """
    check_between("the window", window, 1, length)
    place = torch.arange(length)
    back = place[:, None] - place
    return back.abs() < window if ahead else (back >= 0) & (back < window)


def padding(lengths: Sequence[int], longest: int | None = None) -> Bool[Tensor, "batch 1 key"]:
    """No query sees the [PAD]s that fill up a shorter text; one row for all queries of a text.

    Raises:
        ValueError: if the length of a text is not from 1 to `longest`.
    """
    most = max(lengths, default=0) if longest is None else longest
    for length in lengths:
        check_between("a text's length", length, 1, most)
    return (torch.arange(most) < torch.tensor(lengths)[:, None])[:, None]


def permutation(order: Sequence[int], *, content: bool = True) -> Bool[Tensor, "query key"]:
    """Each position sees the positions before it in `order`: XLNet's permutation of a text.

    With `content`, the content stream, which also sees its own position. Without, the query stream,
    which predicts the token there and does not see it; its first position sees nothing.

    Raises:
        ValueError: if `order` is not a permutation of 0, 1, …
    """
    if sorted(order) != list(range(len(order))):
        raise ValueError(
            f"an order must hold each place from 0 to {len(order) - 1} once; got {list(order)}"
        )
    rank = torch.empty(len(order), dtype=torch.long)
    rank[list(order)] = torch.arange(len(order))
    return rank[:, None] >= rank if content else rank[:, None] > rank


def parse_mask(text: str) -> Bool[Tensor, "query key"]:
    """A mask from text: for each query a row of 0s and 1s (may it attend?), rows joined by dots.

    Raises:
        ValueError: naming the row that has another length than the first, or other characters.
    """
    rows = fold_numbers(text).strip().split(".")
    for n, row in enumerate(rows, start=1):
        if not row or set(row) - {"0", "1"} or len(row) != len(rows[0]):
            raise ValueError(
                f"row {n} of a painted mask must be {len(rows[0]) or 'some'} marks, each 0 or 1; "
                f"got {row[:24]!r}"
            )
    return torch.tensor([[mark == "1" for mark in row] for row in rows])


def format_mask(mask: Bool[Tensor, "query key"]) -> str:
    """The text that `parse_mask` reads."""
    return ".".join("".join(str(int(seen)) for seen in row) for row in mask.tolist())
