"""The sentences, the formulas and the description of the seven senses of “great”."""

from __future__ import annotations

from lmcore.contextual.great_senses import GREAT_SENSES, WORD

COUNT = ("no", "one", "two", "three", "four", "five", "six", "seven")[len(GREAT_SENSES)]


def sentences() -> list[str]:
    """The findings between which @say chooses: one point, or seven, and how near one sense is."""
    read = f"Layer **{{layer}}** has read the sentences: {COUNT} points, mean cosine =={{mean}}=="
    return [
        f"{COUNT.capitalize()} senses of **{WORD}**, **one vector**: the mean cosine is "
        "=={mean}==.",
        f"{read}; two uses in one sense are nearer, {{same}}.",
        f"{read}; two uses in one sense are no nearer, {{same}}.",
    ]


def formulas() -> list[list[str]]:
    """Of the static vector, and of the contextual ones."""
    return [
        [
            f"static: {WORD} ↦ E\\[{WORD}\\], whatever stands around it",
            f"cos(E\\[{WORD}\\], E\\[{WORD}\\]) = **[input|{{mean}}]**",
        ],
        [
            "contextual: hₖ = f(all words of the sentence, k)",
            f"{COUNT} senses **[input|{{mean}}]**",
            "two uses in one sense {same}",
        ],
    ]


def describe() -> str:
    """The alt text, as a template."""
    first = "; ".join(f"{each.gloss}: {each.sentence}" for each in GREAT_SENSES)
    return (
        f"Seven sentences with {WORD}, a sense each: {first} A line leads from each to its vector "
        "at layer {layer} on a plane, which shows {share} of the variance. Mean cosine {mean}."
    )
