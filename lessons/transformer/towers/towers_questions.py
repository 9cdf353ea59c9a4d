"""What the towers ask."""

from __future__ import annotations

from collections.abc import Sequence

import ui
from lessons.transformer.towers.towers_state import Tower

OF_SECOND = ("total2", "ground2", "floor2", "roof2", "att2", "mlp2", "groundShare2", "mlpShare2")
ASKED = (*OF_SECOND, "ratio")
"""The numbers that the weight of the second tower would give away."""


def towers_questions(towers: Sequence[Tower], live: ui.LiveNumbers) -> list[ui.Question]:
    """How heavy the second tower is; and where most weights of a tower are."""
    k = len(towers)
    last = towers[-1]
    heavier = (
        [] if k == 1 else _lighter(towers, live) if last.sizes.shared else _heavier(towers, live)
    )
    return [*heavier, _largest_part(last.name, live, k)]


def _heavier(towers: Sequence[Tower], live: ui.LiveNumbers) -> list[ui.Question]:
    floors, wide = live["N2"] / live["N1"], live["d2"] / live["d1"]
    ratio = live["ratio"]
    guesses = {ratio, *(float(f"{each:.2g}") for each in (floors, floors * wide, floors * wide**2))}
    if len(guesses) == 1:
        return []
    first, second = (each.name for each in towers)
    return [
        ui.Question(
            "heavier",
            f"{second} has {live['N2']:.0f} floors where {first} has {live['N1']:.0f}, and is "
            f"{live['d2']:,.0f} wide instead of {live['d1']:,.0f}. How many times the weights?",
            f"{ratio:g} ×",
            f"A floor has about 12 d² weights: {live['floor2']:.2f} M instead of "
            f"{live['floor1']:.2f} M. The embeddings grow with d and V alone.",
            hint="A floor is made of matrices d × d.",
            options=tuple(f"{each:g} ×" for each in sorted(guesses)),
            hides=ASKED,
        )
    ]


def _lighter(towers: Sequence[Tower], live: ui.LiveNumbers) -> list[ui.Question]:
    """The second tower has one set of weights for all its floors."""
    first, second = (each.name for each in towers)
    ratio, floors = live["ratio"], live["N2"]
    guesses = sorted({ratio, *(float(f"{each:.2g}") for each in (1 / floors, 0.5, 1))})
    return [
        ui.Question(
            "lighter",
            f"{second} has {floors:.0f} floors where {first} has {live['N1']:.0f}; all of them use "
            f"one set of weights, and its E is {live['e2']:.0f} wide instead of "
            f"{live['e1']:.0f}. How many times the weights?",
            f"{ratio:g} ×",
            f"It stores one floor of {live['floor2']:.2f} M, and embeddings of "
            f"{live['ground2']:.2f} M instead of {live['ground1']:.2f} M.",
            hint="The embeddings are stored, too.",
            options=tuple(f"{each:g} ×" for each in guesses),
            hides=ASKED,
        )
    ]


def _largest_part(name: str, live: ui.LiveNumbers, k: int) -> ui.Question:
    shares = {
        "the embeddings": live[f"groundShare{k}"],
        "the attention": live[f"attShare{k}"],
        "the MLPs": live[f"mlpShare{k}"],
    }
    best = max(shares, key=lambda part: shares[part])
    return ui.Question(
        "part",
        f"Where are most weights of {name}?",
        best,
        f"They have {shares[best]:.0f} % of the weights.",
        hint="An MLP has 8 d² weights, an attention 4 d², E has V times its width.",
        options=tuple(shares),
        hides=tuple(f"{part}{k}" for part in ("groundShare", "mlpShare", "ground", "att", "mlp")),
    )


def stack_questions(live: ui.LiveNumbers) -> list[ui.Question]:
    """How many times the weights of an encoder a decoder has."""
    ratio = live["decoder"] / live["encoder"]
    options = sorted({1.0, round(ratio, 2), 1.5, 2.0})
    return [
        ui.Question(
            "stack-ratio",
            "A decoder has one attention more than an encoder. How many times the weights?",
            f"{round(ratio, 2):g} ×",
            f"{live['decoder']:.3f} M instead of {live['encoder']:.3f} M: the encoder has one "
            "attention and an MLP twice as heavy; the decoder has one attention more.",
            hint="An attention has 4d² weights, the MLP 8d².",
            options=tuple(f"{each:g} ×" for each in options),
            hides=("decoder", "decoders", "stacks"),
        )
    ]
