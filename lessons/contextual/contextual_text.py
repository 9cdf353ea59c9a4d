"""The sentences, the formulas and the description of the map of a layer."""

from __future__ import annotations

from lmcore.contextual.clouds import OWN, Contexts


def layer_sentences(word: str) -> list[str]:
    """The findings between which @say chooses: one point, two clouds, or clouds that overlap."""
    numbers = "cosine **{within}** within a sense, =={between}== between the senses"
    return [
        f"At layer **{{layer}}** every **{word}** has the same vector: {{count}} occurrences are "
        "one point, at cosine =={between}==.",
        f"At layer **{{layer}}**, **{word}** falls into two clouds: {numbers}.",
        f"At layer **{{layer}}** the two senses of **{word}** overlap: {numbers}.",
    ]


def layer_formulas() -> list[list[str]]:
    """The cosine and the nearest centroid with their numbers, the same for every sentence."""
    parts = [
        "cos(u, v) = u·v / (‖u‖ ‖v‖): mean within a sense [activation|{within}], between senses "
        "**[score|{between}]**",
        "nearest centroid: {right} of {count} right = **{accuracy}**; senses shuffled: {chance}",
    ]
    return [parts, parts, parts]


def describe_layer(contexts: Contexts, model: str) -> str:
    """The alt text of the picture, as a template."""
    known = sum(each.sense != OWN for each in contexts.occurrences)
    own = len(contexts.occurrences) - known
    typed = f" and {own} typed" if own else ""
    return (
        f"The vectors of “{contexts.word}” in {known} sentences{typed}, by {model} at layer "
        f"{{layer}}: {contexts.glosses[0]} and {contexts.glosses[1]}. Cosine within a sense "
        "{within}, between senses {between}; the nearest centroid is right for {right}."
    )
