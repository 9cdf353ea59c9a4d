"""The sentences and the formula of the picture of softmax."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from lessons.networks.shares_view import Scores

MOVED = "{label} = {moved}: the shares are **{p1}**, **{p2}** and **{p3}**, together always 1."
DIGITS = "₁₂₃"


def sentences(scores: Scores) -> list[str]:
    """The scores and their shares; or what one score that has moved does to another class."""
    found = [
        "Three classes, three output units: the scores {z1}, {z2}, {z3} share one whole as "
        "=={p1}==, {p2}, {p3}."
    ]
    for moved in range(len(scores.was)):
        most = _largest_other(scores, moved)
        k, i = moved + 1, most + 1
        for way in ("falls", "rises"):
            found.append(
                f"z{DIGITS[moved]} goes from {{o{k}}} to {{z{k}}}: class {i} {way} from {{q{i}}} "
                f"to =={{p{i}}}==, though z{DIGITS[most]} did not move."
            )
    return found


def named(scores: Scores) -> list[int]:
    """The class whose share each sentence names, from 1."""
    others = [_largest_other(scores, moved) + 1 for moved in range(len(scores.was))]
    return [1, *(other for other in others for _ in ("falls", "rises"))]


def _largest_other(scores: Scores, moved: int) -> int:
    """Of the classes whose score stays, the one that had the largest share."""
    others = [i for i in range(len(scores.was)) if i != moved]
    return max(others, key=lambda i: scores.was[i])


def chosen(z: torch.Tensor, was: torch.Tensor) -> torch.Tensor:
    """Which of the sentences is true of each row of scores."""
    moved = z != was
    which = moved.double().argmax(dim=1)
    fell = (z - was).gather(1, which[:, None])[:, 0] < 0
    found = 1.0 + 2.0 * which.double() + fell.double()
    return found.where(moved.sum(dim=1) == 1, torch.zeros(len(z), dtype=torch.float64))


def formula() -> list[str]:
    """The share of the first class."""
    return [
        "[activation|p₁] = exp([score|z₁]) ÷ (exp([score|z₁]) + exp([score|z₂]) + exp([score|z₃])) "
        "= {e1} ÷ {total} = **[activation|{p1}]**",
        "{p1} + {p2} + {p3} = 1",
    ]


def describe() -> str:
    """The alt text, as a template."""
    return (
        "Three output units with the scores {z1}, {z2} and {z3}; bars of e to the power of each, "
        "{e1}, {e2} and {e3}; they flow into a column of height 1 as {p1}, {p2} and {p3}."
    )
