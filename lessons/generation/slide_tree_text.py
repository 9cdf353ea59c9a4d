"""The sentences, the formulas and the description of the slide's tree."""

from __future__ import annotations

from lessons.generation.slide_tree_picture import edge_name, text_label
from lmcore.decoding.tree import NEXT
from lmcore.decoding.tree_paths import NODES, TEXTS


def describe(width: int) -> str:
    """Alt text, as a template."""
    texts = "; ".join(f"{text_label(text)} {{p{i}}}" for i, text in enumerate(TEXTS))
    return (
        f"The tree of all {len(TEXTS)} texts, with their probabilities: {texts}. Greedy "
        f"search’s text has {{greedyp}}, that of a beam of {width} {{beamp}}."
    )


def sentences(width: int) -> list[str]:
    """The findings between which @say chooses.

    There is one for each text of greedy search, each text of the beam, and each of two cases: the
    beam has found the most probable text, or has not.
    """
    said = list[str]()
    for greedy in map(text_label, TEXTS):
        for beam in map(text_label, TEXTS):
            both = f"Greedy search and a beam of {width} find **{beam}**, =={{beamp}}=="
            each = (
                f"Greedy search finds **{greedy}**, {{greedyp}}. A beam of {width} finds "
                f"**{beam}**, =={{beamp}}=="
            )
            finding = both if greedy == beam else each
            best = "; no text is more probable." if greedy == beam else "."
            said += [
                f"{finding}{best}",
                f"{finding}. The most probable has {{bestp}}; the beam pruned it.",
            ]
    return said


def formulas() -> list[list[str]]:
    """p of the text that the beam finds, between which @formula chooses."""
    return [[_formula(text)] for text in TEXTS]


def _formula(text: tuple[str, ...]) -> str:
    path = (*text, NEXT[-1])[: len(NODES[-1]) + 1]
    names, factors = [], []
    for place, word in enumerate(path):
        before = text[:place]
        names.append(f"p({word}{' | ' + ' '.join(before) if before else ''})")
        factors.append(f"{{{edge_name(NODES.index(before), NEXT.index(word))}}}")
    return (
        f"p({text_label(text)}) = {' · '.join(names)} = {' · '.join(factors)} = "
        "**[activation|{beamp}]**"
    )
