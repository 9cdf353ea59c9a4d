"""Leakage through layers: the numbers and the payload of its picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias, TypedDict

import numpy as np
import numpy.typing as npt
import torch
from jaxtyping import Bool, Float
from torch import Tensor

from drawing.payload import NumberArray, Script
from lmcore.masking.leakage import DEPTH, Leakage, change_effect, paths

LIGHTEST = -4
"""log₁₀ of the change at and below which a cell has its lightest shade."""
VARIANTS = 5
CHANGE = "masking_change"


Mark: TypeAlias = Literal["before", "after", "own"]


class LeakPayload(TypedDict):
    """The data of `lessons/masking/leak.js`, without the numbers of the changed token."""

    tokens: Sequence[str]
    depths: int
    blank: bool
    every: NumberArray
    """How dark each cell is: depth, output, changed token; 0 where nothing moves."""
    marks: Sequence[Mark]
    """The number that the sentence names, for each of its variants."""
    variants: int


CELLS = ("v#.#", "r#.#", "m#.#", "n#")
SIDES = ("before", "ofBefore", "after", "ofAfter", "ownLayer", "own")
SLIDERS = (CHANGE, "masking_prefix", "masking_window")
LEAK = Script("leak", LeakPayload, (*CELLS, *SIDES, *SLIDERS, "@say"))
"""`numbers` explains the letters."""
MARKS: tuple[Mark, ...] = ("before", "before", "after", "own", "own")


def numbers(
    found: Leakage, mask: Bool[Tensor, "time time"], at: int, *, blank: bool
) -> dict[str, float]:
    """Every number of the picture when token `at`, from 0, is changed.

    v2.3 is how far output 3 moves after 2 layers, m3.1 whether output 3 looks at 1, r2.3 whether
    the word itself at place 3 is reached after 2 layers, and n2 how many outputs move there.
    """
    count, effect = len(mask), change_effect(found, at)
    moved = found.moved[:, :, at]
    reach = torch.cat([torch.eye(count, dtype=torch.bool)[None], paths(mask, DEPTH)])[:, :, at]
    named = {f"v{depth + 1}.{i + 1}": float(moved[depth, i]) for depth in range(DEPTH)
             for i in range(count)}  # fmt: skip
    named |= {f"r{depth}.{i + 1}": float(reach[depth, i]) for depth in range(DEPTH + 1)
              for i in range(count)}  # fmt: skip
    named |= {f"m{i + 1}.{j + 1}": float(mask[i, j]) for i in range(count) for j in range(count)}
    named |= {f"n{depth}": float(n) for depth, n in enumerate(effect.moved.tolist(), start=1)}
    ahead = float(count - at)
    named |= {"before": float(effect.before), "ofBefore": float(at)}
    named |= {"after": float(effect.after), "ofAfter": ahead, "ownLayer": float(effect.own_layer)}
    named["own"] = float(moved[max(effect.own_layer - 1, 0), at])
    named[CHANGE] = float(at + 1)
    named["@say"] = float(at * VARIANTS + variant(found, at, blank=blank))
    return named


def variant(found: Leakage, at: int, *, blank: bool) -> int:
    """Which of the sentences on a changed token is true."""
    effect = change_effect(found, at)
    if blank:
        return 3 if effect.own_layer else 4
    if at == 0:
        return 2
    return int(bool(effect.before))


def picture(found: Leakage, tokens: Sequence[str], *, blank: bool) -> LeakPayload:
    """The data that `lessons/masking/leak.js` draws."""
    return {
        "tokens": tokens,
        "depths": DEPTH,
        "blank": blank,
        "every": shades(found.moved).numpy(),
        "marks": MARKS,
        "variants": VARIANTS,
    }


def shades(moved: Float[Tensor, "*shape"]) -> Float[Tensor, "*shape"]:
    """A change on a log scale: 100 % gives 1, 10^LIGHTEST or less gives 0.1, no change gives 0."""
    scaled = 1 - moved.clamp(10.0**LIGHTEST, 1).log10() / LIGHTEST
    return torch.where(moved > 0, scaled.clamp(min=0.1), 0.0)


def swept(rows: Sequence[dict[str, float]]) -> npt.NDArray[np.float64]:
    """The numbers at every position of a slider, one row per position."""
    return np.array([list(row.values()) for row in rows])


METHOD = (
    f"The number in a box is how far an output moves, ‖change‖ / ‖output‖. It is measured on an "
    f"untrained GPT of {DEPTH} layers, so that every path transmits a change; the changed token is "
    "replaced by a word that is not in the text."
)
