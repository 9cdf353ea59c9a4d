"""The sentences, the formula and the description of the rows of contextual embeddings."""

from __future__ import annotations

from drawing.live import quoted
from lessons.transfer.uses.first_vector_picture import SLIDE, Embedded


def formula(found: Embedded) -> list[str]:
    """The shape of the result, and the model that ran here."""
    return [f"emb, by {quoted(found.model)}, has the shape 1 × **{{tokens}}** × {{width}}"]


def sentences(found: Embedded) -> list[str]:
    """Whose vector each row is, in the order of @say."""
    start, end = found.tokens[0], found.tokens[-1]
    first = quoted(found.tokens[1]) if len(found.tokens) > 1 else ""
    said = [
        f"The slide prints {_row(0)}, the vector of **{quoted(start)}**. The first word, "
        f"“{first}”, is **{_row(1)}**."
    ]
    for place, token in enumerate(found.tokens[1:], start=1):
        if place == len(found.tokens) - 1:
            said.append(f"{_row(place)}, the last row, is the vector of **{quoted(end)}**.")
        elif place == 1:
            said.append(f"=={_row(1)}== is the first word, **{quoted(token)}**; {_row(0)} is not.")
        else:
            said.append(f"{_row(place)} is the vector of token {place}, **{quoted(token)}**.")
    return said


def _row(place: int) -> str:
    return quoted(SLIDE.replace("[0][0]", f"[0][{place}]"))


def describe(found: Embedded) -> str:
    """The alt text, as a template."""
    rows = ", ".join(f"{_row(place)} {quoted(token)}" for place, token in enumerate(found.tokens))
    return (
        f"The slide’s snippet, with the text that it lacks, beside its result: {len(found.tokens)} "
        f"rows of {found.width} numbers, of which the first are drawn. {rows}. Row {{row}} is "
        "printed."
    )
