"""The sentences and formulas of the picture of joined and pooled words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lmcore.numbers import subscript

if TYPE_CHECKING:
    from lessons.networks.pooled_view import Pooled

TITLES = ("joined", "mean", "max")
LABELS = ("negative", "positive")


def sentence(pooled: Pooled, shows: str) -> str:
    """What becomes of the words."""
    return _joined(pooled) if shows == "joined" else _orders(pooled)


def _joined(pooled: Pooled) -> str:
    verdict = LABELS[pooled.found[0][0].label]
    over = len(pooled.words[0]) - pooled.length
    if over > 0:
        return (
            f"Only the first {pooled.length} words fit, {over} are cut. Joined, they are "
            f"{{inputs}} inputs: {verdict}, [activation|ŷ] = =={{p 0 0}}=="
        )
    padded = " and zeros after the last" if over < 0 else ""
    return (
        f"Each word brings {{width}} learned numbers{padded}. Joined, they are {{inputs}} inputs: "
        f"{verdict}, [activation|ŷ] = =={{p 0 0}}=="
    )


def _orders(pooled: Pooled) -> str:
    one, other = pooled.words
    _, mean, most = pooled.differ
    if one == other:
        return "Twice the same review. **Move a word** of the second one."
    if sorted(one) == sorted(other) and not mean and not most:
        return (
            "The same words in another order: mean and max make of both ==the same {width} "
            "numbers==. Joined, {differ 0} of {inputs} differ."
        )
    return (
        "Not the same words: after the mean =={differ 1}== of {width} numbers differ, after max "
        "{differ 2}, joined {differ 0} of {inputs}."
    )


def formula(pooled: Pooled, shows: str) -> list[str]:
    """How the words become one vector, and what comes of it."""
    if shows == "joined":
        last = subscript(pooled.length)
        middle = "e₂; " if pooled.length == 3 else "e₂; …; " if pooled.length > 3 else ""
        rows = f"e₁; {middle}e{last}" if pooled.length > 1 else "e₁"
        return [
            f"[input|x = \\[{rows}\\]]: {pooled.length}·{{width}} = {{inputs}} numbers",
            "[activation|ŷ] = σ([weight|w]·tanh([weight|W][input|x] + [weight|b⁽¹⁾]) + "
            "[weight|b⁽²⁾]) = σ({z}) = **[activation|{p 0 0}]**",
        ]
    return [
        "mean: [input|x] = (1 ÷ T) Σ [input|eₜ]",
        "max: [input|xⱼ] = maxₜ [input|eₜⱼ]",
        "of {total} unseen reviews right: joined **{right 0}**, mean **{right 1}**, "
        "max **{right 2}**",
    ]


def describe(pooled: Pooled, shows: str) -> str:
    """The alt text, as a template."""
    one, other = (" ".join(words) for words in pooled.words)
    if shows == "joined":
        return (
            f"The words of “{one}”, the row of E of each, all rows joined to {{inputs}} numbers, "
            "the hidden units, and the output {p 0 0}."
        )
    return (
        f"“{one}” and “{other}”: p joined {{p 0 0}} and {{p 0 1}}, after the mean {{p 1 0}} and "
        "{p 1 1}, after max {p 2 0} and {p 2 1}."
    )
