"""The sentence, the formula and the description of the view “Text to rows”."""

from __future__ import annotations

from collections.abc import Sequence

from drawing.live import quoted
from lessons.tokens.tokens_text import ROLES, SYMBOLS
from lmcore.numbers import subscript
from lmcore.tokenization.inputs import InputTrace
from lmcore.tokenization.rules import CONTINUATION_MARK


def sentence(trace: InputTrace, at: int) -> str:
    """How many rows go in, and the number of one that is framed."""
    return f"{{words}} words, **{{rows}} rows**. {moved(trace, at)}"


def moved(trace: InputTrace, at: int) -> str:
    """The sum of the framed number, also while it is dragged."""
    names = [*trace.rows][:-1]
    parts = " + ".join(f"[{ROLES[name]}|{{{name}:p}}]" for name in names)
    token = quoted(trace.reading.tokens[at])
    return f"Dimension {{tokens_dim}} of **{token}**: {parts} = =={{input}}==."


def formula(trace: InputTrace, at: int, *, asked: bool) -> list[str]:
    """Which rows are added; while the rows are asked for, in general."""
    names = [*trace.rows][:-1]
    general = {"token": "id", "position": "place", "segment": "sentence"}
    if asked:
        rows = " + ".join(f"[{ROLES[name]}|{SYMBOLS[name]}\\[{general[name]}\\]]" for name in names)
        return [f"x = {rows}"]
    read = trace.reading
    index = {
        "token": f"{int(read.ids[at]):,}",
        "position": str(at),
        "segment": "AB"[int(read.segments[at])],
    }
    rows = " + ".join(f"[{ROLES[name]}|{SYMBOLS[name]}\\[{index[name]}\\]]" for name in names)
    added = " + ".join(f"[{ROLES[name]}|{{{name}:p}}]" for name in names)
    return [f"x{subscript(at)} = {rows}", f"dimension {{tokens_dim}}: {added} = **{{input}}**"]


def describe(trace: InputTrace, at: int) -> str:
    """The alt text, as a template."""
    read = trace.reading
    return (
        f"The tokens {quoted(' '.join(read.tokens))}, each with its row number and the rows of the "
        f"tables as colours. In dimension {{tokens_dim}} of {quoted(read.tokens[at])} the sum is "
        "{input}."
    )


def note(trace: InputTrace, model: str) -> str:
    """Which model's tables these are, and which of their numbers are drawn."""
    return (
        f"The tables are those of {model}, of {trace.output.shape[1]} numbers a row; its tokenizer "
        "splits the text. All strips have one scale: blue is below 0, red above. A LayerNorm "
        "follows the sum. [PAD] fills up to a multiple of 4; attention leaves it out."
    )


def word_of(tokens: Sequence[str], span: range) -> str:
    """The word that pieces make."""
    return "".join(tokens[place].removeprefix(CONTINUATION_MARK) for place in span)
