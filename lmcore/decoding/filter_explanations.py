"""Why a token may not be drawn: which filter cut it, and the numbers by which it did.

The numbers are those the filter compares: the k-th score, the sum of the probabilities that are
kept, the share of the largest, the distance of −log p from the entropy.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
from jaxtyping import Float64, Int64
from torch import Tensor

from lmcore.decoding.filters import Filters
from lmcore.numbers import significant

KEPT = -1
"""The stage that cut a token which nothing cut."""


def cut_at(scores: Float64[Tensor, "stage vocabulary"], rows: Int64[Tensor, " row"]) -> list[int]:
    """The first stage after which each token is impossible, or `KEPT`."""
    gone = scores[:, rows].isneginf()
    first, lost = gone.int().argmax(dim=0), gone.any(dim=0)
    return torch.where(lost, first, KEPT).tolist()


def reasons(
    scores: Float64[Tensor, "stage vocabulary"],
    names: Sequence[str],
    rows: Int64[Tensor, " row"],
    how: Filters,
) -> tuple[str, ...]:
    """For each token in words what cut it; empty where nothing did."""
    said, filters = [], dict[int, _Filter]()
    for row, at in enumerate(cut_at(scores, rows)):
        if at == KEPT:
            said.append("")
        elif at == 0:
            said.append("the model gives it p = 0")
        else:
            if at not in filters:
                filters[at] = _filter(scores[at - 1], scores[at], rows)
            said.append(_why(names[at], filters[at], row, how))
    return tuple(said)


class _Filter(NamedTuple):
    """What one filter compared; of the rows, in their order."""

    p: list[float]
    surprise: list[float]
    """−log p"""
    above: list[int]
    """Tokens with a larger score."""
    most: float
    """The largest p of all."""
    entropy: float
    kept: int
    kept_p: float
    farthest: float
    """Of those kept: how far −log p is from the entropy."""


def _filter(
    before: Float64[Tensor, " vocabulary"],
    after: Float64[Tensor, " vocabulary"],
    rows: Int64[Tensor, " row"],
) -> _Filter:
    p, kept = before.softmax(dim=-1), after.isfinite()
    surprise = -before.log_softmax(dim=-1)
    entropy = float((p * surprise).nansum())
    left = surprise[kept]
    return _Filter(
        p=p[rows].tolist(),
        surprise=surprise[rows].tolist(),
        above=(before > before[rows, None]).sum(dim=1).tolist(),
        most=float(p.max()),
        entropy=entropy,
        kept=len(left),
        kept_p=float(p[kept].sum()),
        farthest=float((left - entropy).abs().max()) if len(left) else 0.0,
    )


def _why(name: str, cut: _Filter, row: int, how: Filters) -> str:
    p, surprise = cut.p[row], cut.surprise[row]
    if name == "no_repeat":
        if how.no_repeat == 1:
            return "no repeat: it stands in the text already"
        return f"no repeat: the {how.no_repeat} tokens it would end stand in the text already"
    if name == "temperature":
        return "temperature 0: only the most probable is left"
    if name == "top_k":
        return f"top-k: it is number {cut.above[row] + 1}; the first {cut.kept} are kept"
    if name == "top_p":
        enough = f"enough for {significant(how.top_p)}"
        return f"top-p: the {cut.kept} kept sum to {significant(cut.kept_p)}, {enough}"
    if name == "min_p":
        share, most = how.min_p, cut.most
        limit = f"{significant(share)} × {significant(most)} = {significant(share * most)}"
        return f"min-p: {significant(p)} is less than {limit}"
    return (
        f"typical: −log p is {significant(surprise)}, {significant(abs(surprise - cut.entropy))} "
        f"from the entropy {significant(cut.entropy)}; the farthest kept is "
        f"{significant(cut.farthest)} from it"
    )
