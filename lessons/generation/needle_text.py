"""The sentences, the formulas and the description of the random walk."""

from __future__ import annotations

from collections.abc import Sequence

from drawing.live import quoted
from lessons.generation.generation_picture import label
from lessons.generation.generation_text import ENDS
from lessons.generation.needle_lines import Walk
from lessons.generation.needle_picture import MOST_LINES, Shown, words_under_needle
from lmcore.decoding.writer import Writer

MOST_FACTORS = 8
"""Factors of the product that are written out; of a longer text the first ones."""
ORDER = (
    "The words lie on the line in the order of their ids, not of their p: a number near 1 is not "
    "a rare word. Temperature, top-k and top-p change this same line before the draw."
)


def sentences(found: Walk, writer: Writer, shown: Shown) -> list[str]:
    """The finding: of the line, of the whole text, or for each word under the needle."""
    widest = found.lines[0].widest.token
    if shown == "line":
        return [
            f"{writer.types:,} words fill a line of length 1; the widest part is "
            f"“{_word(writer, widest)}”, =={{top}}==."
        ]
    if shown == "text":
        return [_whole_text(found, writer)]
    return [_draw(writer, token, widest) for token in words_under_needle(found)]


def _draw(writer: Writer, token: int, widest: int) -> str:
    falls = f"The needle falls at =={{u}}==: the walk takes **{_word(writer, token)}**, p = {{p}}"
    if token == widest:
        return f"{falls}, the word that greedy search takes, too."
    return f"{falls}; greedy search takes **{_word(writer, widest)}**."


def _whole_text(found: Walk, writer: Writer) -> str:
    steps = len(found.lines)
    text = quoted(writer.text([line.drawn.token for line in found.lines]).strip())
    said = f"“{text}”" if text and len(text) <= 60 else "a text"
    needles = "One needle writes" if steps == 1 else f"{steps} needles write"
    return f"{needles} {said}: its p is =={{text}}==."


def formulas(found: Walk, writer: Writer, shown: Shown) -> list[list[str]]:
    """The line's length, the product of the text, or where the needle falls, for each word."""
    if shown == "line":
        return [["Σ p(w | text so far) = **1**", "u is uniform on \\[0, 1)"]]
    if shown == "text":
        return [[_product(found), *(_left_out(found))]]
    return [
        [
            f"Σ p before **{_word(writer, token)}** = {{low}} ≤ u = **{{u}}** < {{high}}",
            "p = {high} − {low} = **[activation|{p}]**",
        ]
        for token in words_under_needle(found)
    ]


def _product(found: Walk) -> str:
    factors = [f"{{p {n}}}" for n in range(min(len(found.lines), MOST_FACTORS, MOST_LINES))]
    rest = " · …" if len(found.lines) > len(factors) else ""
    return f"p = {' · '.join(factors)}{rest} = **[activation|{{text}}]**"


def _left_out(found: Walk) -> Sequence[str]:
    ended = [] if found.end == "stop" else [ENDS[found.end]]
    more = len(found.lines) - MOST_LINES
    return [*([f"{more} more lines are not drawn"] if more > 0 else ()), *ended]


def describe(found: Walk, writer: Writer, prompt: str, shown: Shown) -> str:
    """Alt text, as a template."""
    first = found.lines[0]
    parts = ", ".join(
        f"{_word(writer, part.token)} {{part {n}}}" for n, part in enumerate(first.parts)
    )
    line = f"After “{quoted(prompt)}” the words lie end to end on a line of length 1: {parts}."
    if shown == "line":
        return f"{line} A needle hangs over it."
    if shown == "draw":
        return f"{line} The needle at {{u}} falls on a part from {{low}} to {{high}}."
    steps = "; ".join(
        f"{_word(writer, each.drawn.token)} at {{u {n}}}, p = {{p {n}}}"
        for n, each in enumerate(found.lines[:MOST_LINES])
    )
    return f"A line and a needle for each word of the text: {steps}."


def _word(writer: Writer, token: int) -> str:
    return quoted(label(writer, token))
