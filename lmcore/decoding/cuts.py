"""Why a token may not be drawn: which filter cut it, and the numbers by which it did.

The numbers are those the filter compares: the k-th score, the sum of the probabilities that are
kept, the share of the largest, the distance of −log p from the entropy.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from jaxtyping import Float64, Int64
from torch import Tensor

from lmcore.decoding.filters import Filters
from lmcore.numbers import significant

KEPT = -1
"""The stage that cut a token which nothing cut."""


def cut_at(scores: Float64[Tensor, "stage vocabulary"], rows: Int64[Tensor, " row"]) -> list[int]:
    """The first stage after which each token is impossible, or `KEPT`."""
    gone = scores[:, rows].isneginf()
    first = gone.int().argmax(dim=0)
    return [
        int(at) if lost else KEPT for at, lost in zip(first, gone.any(dim=0).tolist(), strict=True)
    ]


def reasons(
    scores: Float64[Tensor, "stage vocabulary"],
    names: Sequence[str],
    rows: Int64[Tensor, " row"],
    how: Filters,
) -> tuple[str, ...]:
    """For each token in words what cut it; empty where nothing did."""
    said, filters = [], dict[int, _Filter]()
    for token, at in zip(rows.tolist(), cut_at(scores, rows), strict=True):
        if at == KEPT:
            said.append("")
        elif at == 0:
            said.append("the model gives it p = 0")
        else:
            if at not in filters:
                filters[at] = _filter(scores[at - 1], scores[at])
            said.append(_why(names[at], filters[at], token, how))
    return tuple(said)


class _Filter(NamedTuple):
    """What one filter compared."""

    scores: Float64[Tensor, " vocabulary"]
    """Those it was given."""
    p: Float64[Tensor, " vocabulary"]
    kept: int
    kept_p: float
    surprise: Float64[Tensor, " vocabulary"]
    """−log p"""
    entropy: float
    farthest: float
    """Of those kept: how far −log p is from the entropy."""


def _filter(
    before: Float64[Tensor, " vocabulary"], after: Float64[Tensor, " vocabulary"]
) -> _Filter:
    p, kept = before.softmax(dim=-1), after.isfinite()
    surprise = -before.log_softmax(dim=-1)
    entropy = float((p * surprise).nansum())
    left = surprise[kept]
    return _Filter(
        scores=before,
        p=p,
        kept=len(left),
        kept_p=float(p[kept].sum()),
        surprise=surprise,
        entropy=entropy,
        farthest=float((left - entropy).abs().max()) if len(left) else 0.0,
    )


def _why(name: str, cut: _Filter, token: int, how: Filters) -> str:
    p, surprise = float(cut.p[token]), float(cut.surprise[token])
    if name == "no_repeat":
        if how.no_repeat == 1:
            return "no repeat: it stands in the text already"
        return f"no repeat: the {how.no_repeat} tokens it would end stand in the text already"
    if name == "temperature":
        return "temperature 0: only the most probable is left"
    if name == "top_k":
        above = int((cut.scores > cut.scores[token]).sum())
        return f"top-k: it is number {above + 1}; the first {cut.kept} are kept"
    if name == "top_p":
        enough = f"enough for {significant(how.top_p)}"
        return f"top-p: the {cut.kept} kept sum to {significant(cut.kept_p)}, {enough}"
    if name == "min_p":
        most = float(cut.p.max())
        limit = f"{significant(how.min_p)} × {significant(most)} = {significant(how.min_p * most)}"
        return f"min-p: {significant(p)} is less than {limit}"
    return (
        f"typical: −log p is {significant(surprise)}, {significant(abs(surprise - cut.entropy))} "
        f"from the entropy {significant(cut.entropy)}; the farthest kept is "
        f"{significant(cut.farthest)} from it"
    )
