"""The sentences, the formula and the description of one training example as areas."""

from __future__ import annotations

from lmcore.embeddings.static.methods import VectorConfig


def sentences(config: VectorConfig) -> list[str]:
    """The findings between which @say chooses: of the text's own words, or of another number."""
    scored = config.negatives + 1
    return [
        f"In 2003 an example took {{thousands}} thousand products, in 2013 =={{skip}}==: it scores "
        f"{scored} words, not {{types}}.",
        "With {types} words, 2003 needs {thousands} thousand products an example; 2013 still "
        "=={skip}==.",
    ]


MOVED = (
    "|V| {moved<} → =={moved}==: 2003 needs {thousands<} → **{thousands} thousand** products, 2013 "
    "still {skip}."
)


def formula(config: VectorConfig) -> list[str]:
    """The products of an example, with their numbers."""
    d, scored = config.dimensions, config.negatives + 1
    return [
        "2003: N d H + H |V| = {inside} + {above} = **[weight|{thousands}]** thousand",
        f"2013: (k + 1) d = {scored} · {d} = **[weight|{{skip}}]**",
        "**[score|{ratio}]** to 1",
    ]


def describe(config: VectorConfig) -> str:
    """The alt text, as a template."""
    return (
        "Two networks, each product an equal area. 2003: {hidden} for the hidden layer, {scores} "
        f"for a score of each of {{types}} words. 2013, skip-gram: {{skip}} for {config.negatives} "
        "noise words and one word of the text."
    )
