"""The sentence, the formula and the description of five methods side by side."""

from __future__ import annotations

from collections.abc import Sequence

from drawing.live import quoted
from lmcore.embeddings.static.ladders import Ladders
from lmcore.embeddings.static.methods import METHODS
from lmcore.embeddings.static.neighbours import NEIGHBOURS


def reading(date: str) -> str:
    """What is right, and where the numbers come from."""
    return (
        "A neighbour is right if the Microworld’s grammar puts both words into one group; an "
        "animal’s singular and plural are one. The ladders are of seed 0, the shares below of all "
        f"planted words, means over three seeds; recorded on {date} with the usual settings. One "
        "small text: the order of the methods holds for it alone."
    )


def sentence(word: str, shares: Sequence[float], *, hidden: bool = False) -> str:
    """How many neighbours of the word are right, and the best and the worst method over all."""
    there = NEIGHBOURS * len(METHODS)
    start = f"“{quoted(word)}”: {{right}} of {there} neighbours are right"
    if hidden:
        return f"{start}. And over all words?"
    best, worst = (shares.index(pick(shares)) for pick in (max, min))
    return (
        f"{start}. Over all words **{METHODS[best]}** is best, =={{share {best}}}==%, "
        f"{METHODS[worst]} has {{share {worst}}}%."
    )


def formula(word: str) -> list[str]:
    """How many neighbours are right, method by method."""
    each = ", ".join(f"{method} {{hits {n}}}" for n, method in enumerate(METHODS))
    return [f"right neighbours / {NEIGHBOURS}", f"{quoted(word)}: {each} of {NEIGHBOURS}"]


def describe(word: str, found: Sequence[Ladders]) -> str:
    """The alt text, as a template."""
    each = "; ".join(
        f"{method}: {', '.join(quoted(near.word) for near in ladders[word])}, {{hits {n}}} right, "
        f"of all words {{share {n}}}%"
        for n, (method, ladders) in enumerate(zip(METHODS, found, strict=True))
    )
    return f"The five nearest words of {quoted(word)} by five methods. {each}."
