"""The sentences, the formula and the description of the same words in another order."""

from __future__ import annotations

from collections.abc import Sequence


def sentences(readers: Sequence[str]) -> list[str]:
    """Which readers notice the order, as templates; the first reader is the bag of words."""
    bag = readers[0]
    return [
        f"In another order the **{bag}** changes its answer by =={{moved 0}}==, exactly; every "
        "other reader by {least} or more.",
        f"In another order =={{still}}== of {len(readers)} readers keep their answer; the others "
        "change it by {least} or more.",
        "This order is the text’s own: **no answer** changes.",
    ]


def formula() -> list[str]:
    """Why the bag of words cannot notice the order."""
    return [
        "Bag DNN: h = tanh(W · [input|Σ E(x)] + b): a sum is the same in every order",
        "change: largest |Δp| = **{moved 0}**",
    ]


def describe(text: str, readers: Sequence[str]) -> str:
    """The alt text, as a template."""
    said = "; ".join(f"{name} by {{moved {n}}}" for n, name in enumerate(readers))
    return (
        f"{text} Lines lead from each word to its place in another order. Below, each reader’s "
        f"first guess for the gap in both orders. Largest change of a probability: {said}."
    )
