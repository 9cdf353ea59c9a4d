"""Explains in words which filter removed a token from sampling, with the numbers it compared.

These are the k-th score, the sum of the kept probabilities, the share of the largest probability,
or the distance of −log p from the entropy.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
from jaxtyping import Float64, Int64
from torch import Tensor

from lmcore.decoding.filters import Filters
from lmcore.numbers import format_number

NOT_CUT = -1
"""In place of the stage, for a token that no filter cut."""


def cutting_stages(
    scores: Float64[Tensor, "stage vocabulary"], rows: Int64[Tensor, " row"]
) -> list[int]:
    """The first stage after which each token is impossible, or `NOT_CUT`."""
    gone = scores[:, rows].isneginf()
    first, lost = gone.int().argmax(dim=0), gone.any(dim=0)
    return torch.where(lost, first, NOT_CUT).tolist()


def explain_cuts(
    scores: Float64[Tensor, "stage vocabulary"],
    names: Sequence[str],
    rows: Int64[Tensor, " row"],
    how: Filters,
) -> tuple[str, ...]:
    """For each token, in words, what cut it; empty if nothing did."""
    reasons, filters = [], dict[int, _Filter]()
    for row, at in enumerate(cutting_stages(scores, rows)):
        if at == NOT_CUT:
            reasons.append("")
        elif at == 0:
            reasons.append("the model gives it p = 0")
        else:
            if at not in filters:
                filters[at] = _filter(scores[at - 1], scores[at], rows)
            reasons.append(_why(names[at], filters[at], row, how))
    return tuple(reasons)


class _Filter(NamedTuple):
    """The numbers that one filter compared, one per row."""

    p: list[float]
    surprise: list[float]
    """−log p"""
    above: list[int]
    """The number of tokens with a larger score."""
    most: float
    """The largest p."""
    entropy: float
    kept: int
    kept_p: float
    farthest: float
    """The largest distance of −log p from the entropy among kept tokens."""


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
            return "no repeat: it is already in the text"
        return f"no repeat: the {how.no_repeat} tokens it would end are already in the text"
    if name == "temperature":
        return "temperature 0: only the most probable is left"
    if name == "top_k":
        return f"top-k: it is number {cut.above[row] + 1}; the first {cut.kept} are kept"
    if name == "top_p":
        enough = f"enough for {format_number(how.top_p)}"
        return f"top-p: the {cut.kept} kept sum to {format_number(cut.kept_p)}, {enough}"
    if name == "min_p":
        share, most = how.min_p, cut.most
        limit = f"{format_number(share)} × {format_number(most)} = {format_number(share * most)}"
        return f"min-p: {format_number(p)} is less than {limit}"
    return (
        f"typical: −log p is {format_number(surprise)}, "
        f"{format_number(abs(surprise - cut.entropy))} "
        f"from the entropy {format_number(cut.entropy)}; the farthest kept is "
        f"{format_number(cut.farthest)} from it"
    )
