"""The sentences, the formula and the description of E learned and E frozen."""

from __future__ import annotations


def sentences() -> list[str]:
    """What freezing costs at a snapshot, as templates; the number @say chooses."""
    rows = "{frozen} of {words} words are nearest to one of their own group; learned, {learned}."
    return [
        f"**Frozen**, E costs =={{gap}}== nats more after {{step}} steps. But {rows}",
        f"After {{step}} steps **frozen** E costs no more, and {rows}",
    ]


def formula() -> list[str]:
    """The loss of the slide, the weights that learn, and both losses."""
    return [
        "[loss|L] = −log ŷ of the next word",
        "learned: θ = [input|E], W, b, U",
        "frozen: θ = W, b, U",
        "{loss 1} − {loss 0} = **{gap}** nats",
    ]


def describe() -> str:
    """The alt text, as a template."""
    return (
        "Two fields of words, by their groups; a word is filled if the word with the nearest row "
        "of E is of its own group: with E learned {learned} of {words}, frozen {frozen}. Below, "
        "the validation loss of both runs over the steps: after {step} steps {loss 0} and {loss 1} "
        "nats."
    )
