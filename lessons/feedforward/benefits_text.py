"""The sentences and formulas of the picture of the two benefits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drawing.live import quoted

if TYPE_CHECKING:
    from lessons.feedforward.benefits_view import Benefits

PAIR = ("cat", "dog")
ALIKE = 0.1
"""Two probabilities that differ by less are called alike."""


def sentence(asked: Benefits) -> str:
    """What the benefit on screen is."""
    return _rows(asked) if asked.stage == "rows" else _predicts(asked)


def _predicts(asked: Benefits) -> str:
    before = "“dog gets” was never read: counting" if asked.never else "After “dog gets” counting"
    text = f"{before} gives fed {{count 1 0}}, the network =={{net 1 0}}=="
    if asked.best != "fed":
        return f"{text}; it prefers {quoted(asked.best)}."
    like = abs(float(asked.expected[1, 0] - asked.expected[0, 0])) < ALIKE
    return f"{text}, nearly as much as after “cat gets”." if like else f"{text}."


def _rows(asked: Benefits) -> str:
    first, centre = (quoted(word) for word in (asked.words[0], asked.centre))
    place = f"is nearest to {centre} of {{size}} words, with a cosine of {{near}}."
    if asked.words[0] in asked.company:
        return f"Nobody told it: =={first}== {place}"
    if asked.company:
        return f"Here the second benefit is weak: =={first}== {place}"
    return f"=={first}== {place}"


def formula(asked: Benefits) -> list[str]:
    """How both are computed."""
    if asked.stage == "rows":
        rows, numbers = asked.shape
        table = f"[input|E]: {rows} rows of {numbers} numbers, learned by predicting the next word"
        first, centre = (quoted(word) for word in (asked.words[0], asked.centre))
        return [table, f"cos(E\\[{centre}\\], E\\[{first}\\]) = **{{near}}**"]
    counting = "counting: count(dog gets fed) ÷ count(dog gets) = 0 ÷ 0, taken as 0"
    cat, dog = PAIR
    alike = f"cos(E\\[{dog}\\], E\\[{cat}\\]) = **{{pair}}**"
    return [*([counting] if asked.never else []), alike]


def describe(asked: Benefits) -> str:
    """Alt text: the predictions of both models, or the nearest words."""
    if asked.stage == "rows":
        near = ", ".join(asked.words[:6])
        return f"The rows nearest to that of {asked.centre}: {near}; the first has {{near}}."
    return (
        "The probability of fed: counted {count 0 0} after cat gets and {count 1 0} after dog "
        "gets; by the network {net 0 0} and {net 1 0}."
    )


def method_words(texts: int) -> str:
    """How the trigram is counted, and what the networks have read."""
    return (
        f"The trigram is counted in {texts:,} training texts, without smoothing. The networks have "
        "read the same texts; a dot is a word, and its cosine compares its row of E with the row "
        "of the word."
    )
