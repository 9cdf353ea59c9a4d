"""Leakage through layers: the numbers and the payload of its picture, and its sentences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, TypeAlias, TypedDict

import numpy as np
import numpy.typing as npt
import torch
from jaxtyping import Bool, Float
from torch import Tensor

from drawing.payload import NumberArray, Script
from lmcore.masking.leakage import DEPTH, Leakage, change_effect, paths

DARKEST = -4
"""log₁₀ of the change at and below which a cell has its lightest shade."""
LONGEST_QUOTED = 14
"""Characters of a token in a sentence."""
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


def sentences(tokens: Sequence[str], quote: Callable[[str], str]) -> list[str]:
    """The sentences about each changed token, in each of the variants, as templates."""
    found = list[str]()
    for token in tokens:
        cut = token if len(token) <= LONGEST_QUOTED else f"{token[: LONGEST_QUOTED - 1]}…"
        word = f"“{quote(cut)}”"
        found += [
            f"Change {word}: of {{ofBefore}} outputs before it, =={{before}}== move, in any of "
            f"{DEPTH} layers. From it on, **{{after}}** of {{ofAfter}} do.",
            f"The future leaks: change {word}, and =={{before}}== of {{ofBefore}} outputs before "
            "it move.",
            f"Change {word}, the first: through {DEPTH} layers, =={{after}}== of {{ofAfter}} "
            "outputs move.",
            f"No place looks at itself. Yet after {{ownLayer}} layers {word} moves its own "
            "prediction by =={own}==: it sees itself through the others.",
            f"{word} never reaches the place that must predict it, which moves by =={{own}}==.",
        ]
    return found


def formula(found: Leakage) -> list[str]:
    """How far a change can reach, layer by layer, as templates."""
    cells = found.moved.numel()
    wrong = int(((found.moved > 0) != found.reach).sum())
    return [
        "reachₗ = reachₗ₋₁ or mask · reachₗ₋₁",
        "outputs that move: " + " → ".join(f"{{n{depth}}}" for depth in range(1, DEPTH + 1)),
        f"paths and measurement agree in **{cells - wrong} of {cells}** cells",
    ]


def describe() -> str:
    """The alt text of the picture, as a template."""
    layers = ", ".join(f"after layer {n}: {{n{n}}}" for n in range(1, DEPTH + 1))
    return (
        f"A change of token {{{CHANGE}}} climbs through {DEPTH} layers along what the mask lets be "
        f"seen. Outputs that move, {layers}. Of {{ofBefore}} outputs before it move {{before}}, "
        "of {ofAfter} from it on {after}."
    )


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
    """A change on a log scale: 100 % gives 1, 10^`DARKEST` or less gives 0.1, no change gives 0."""
    scaled = 1 - moved.clamp(10.0**DARKEST, 1).log10() / DARKEST
    return torch.where(moved > 0, scaled.clamp(min=0.1), 0.0)


def swept(rows: Sequence[dict[str, float]]) -> npt.NDArray[np.float64]:
    """The numbers at every position of a slider, one row per position."""
    return np.array([list(row.values()) for row in rows])


METHOD = (
    f"The number in a box is how far an output moves, ‖change‖ / ‖output‖. It is measured on an "
    f"untrained GPT of {DEPTH} layers, so that every path transmits a change; the changed token is "
    "replaced by a word that is not in the text."
)
