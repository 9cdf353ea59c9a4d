"""The typed text of a program, made readable for Python's parser, with the way back to it.

`^` becomes `**`, `×` and `·` become `*`, a decimal comma outside brackets becomes a point, and so
on; every character keeps the place where it was typed, so that an error can name the line and
column of the typed text.
"""

from __future__ import annotations

import ast
import keyword
import re
import unicodedata
from dataclasses import dataclass

from lmcore.typed import fold_numbers

MAX_CHARACTERS = 2_000
MAX_NESTING = 40

ALLOWED = (
    "numbers, names, + − × ÷ ^ @, parentheses and the functions "
    "exp, log, sigmoid, tanh, relu, max and sum"
)

# Spaces round the operators: `a*·b` must not turn into the power `a**b`.
_SPELLINGS = {
    "^": " ** ",
    "·": " * ",
    "⋅": " * ",
    "×": " * ",
    "÷": " / ",
}
_SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_SUBSCRIPTS = "₀₁₂₃₄₅₆₇₈₉"
_SIGNS = frozenset("+-*/@()[]=,.;_ \t")
_CLOSING = {")": "(", "]": "["}


@dataclass(frozen=True, slots=True)
class ProgramSource:
    """A program's text twice: as typed, and tidied for `ast.parse`."""

    typed: str
    tidy: str
    origin: tuple[int, ...]
    """Where each character of `tidy_program` was typed, and its end: one entry more."""
    lines: tuple[tuple[int, str], ...]
    """The lines of `tidy_program`, each with the index of its first character."""

    def position(self, index: int) -> tuple[int, int]:
        """Line and column, both from 1, of a character of the typed text."""
        before = self.typed[:index]
        return before.count("\n") + 1, index - before.rfind("\n")

    def typed_index(self, line: int, byte: int) -> int:
        """Where the parser's place (line from 1, UTF-8 byte from 0) was typed."""
        start, text = self.lines[line - 1]
        characters = byte if text.isascii() else len(text.encode()[:byte].decode(errors="ignore"))
        return self.origin[min(start + characters, len(self.tidy))]

    def span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        """The place of `node` in the typed text: its start, and its end (not included)."""
        end_line, end_byte = node.end_lineno or node.lineno, node.end_col_offset or 0
        start = self.typed_index(node.lineno, node.col_offset)
        return start, self.typed_index(end_line, end_byte)

    def excerpt(self, node: ast.expr | ast.stmt) -> str:
        """What was typed for `node`, cut to 30 characters."""
        start, end = self.span(node)
        return shorten(self.typed[start:end])

    def error(self, index: int, text: str) -> ValueError:
        """`text` with the line and column of the typed character `index` in front."""
        line, column = self.position(index)
        return ValueError(f"line {line}, column {column}: {text}")


def shorten(text: str) -> str:
    """`text` on one line, cut to 30 characters."""
    text = " ".join(text.split())
    return text if len(text) <= 30 else f"{text[:29]}…"


def tidy_program(program: str) -> ProgramSource:
    """The program without comments and indentation, in Python's spelling.

    Raises:
        ValueError: if it is too long, holds a character no program needs, or its brackets do
            not pair up or go too deep.
    """
    if len(program) > MAX_CHARACTERS:
        raise ValueError(
            f"a program must have at most {MAX_CHARACTERS} characters; got {len(program)}"
        )
    typed = program.replace("\r\n", "\n").replace("\r", "\n")
    pieces = _spelled(typed)
    text = "".join(piece for piece, _ in pieces)
    origin = (*(index for piece, index in pieces for _ in piece), len(typed))
    starts = [0, *(index + 1 for index, character in enumerate(text) if character == "\n")]
    lines = tuple(zip(starts, text.split("\n"), strict=True))
    source = ProgramSource(typed, text, origin, lines)
    _check_characters(source)
    _check_brackets(source)
    return source


def _spelled(typed: str) -> list[tuple[str, int]]:
    """Each character that counts, in Python's spelling, and where it was typed."""
    pieces: list[tuple[str, int]] = []
    start = 0
    for line in typed.split("\n"):
        code = line.partition("#")[0]
        margin = len(code) - len(code.lstrip())
        spelt = [fold_numbers(character) for character in code]
        pieces += [
            (_SPELLINGS.get(character, character), start + column)
            for column, character in enumerate(_with_points(spelt)[margin:], margin)
        ]
        pieces.append(("\n", start + len(line)))
        start += len(line) + 1
    return pieces


def _with_points(line: list[str]) -> list[str]:
    """The characters of a line, a comma between two digits outside brackets as a point."""
    depth, spelt = 0, list(line)
    for column, character in enumerate(line):
        depth += (character in "([") - (character in ")]") if character else 0
        around = "".join(line[max(column - 1, 0) : column + 2])
        if character == "," and not depth and re.fullmatch(r"\d,\d", around):
            spelt[column] = "."
    return spelt


def parse_source(source: ProgramSource) -> ast.Module:
    """The syntax tree of a tidied program; nothing in it is ever run.

    Raises:
        ValueError: if Python's parser rejects it.
    """
    try:
        return ast.parse(source.tidy)
    except SyntaxError as error:
        raise _not_readable(source, error) from None
    except (RecursionError, MemoryError, ValueError):
        raise ValueError(
            f"an expression must nest at most {MAX_NESTING} deep; got one too deep to read"
        ) from None


def _not_readable(source: ProgramSource, error: SyntaxError) -> ValueError:
    line = min(max(error.lineno or 1, 1), len(source.lines))
    start, text = source.lines[line - 1]
    index = source.origin[start + min(max((error.offset or 1) - 1, 0), len(text))]
    typed_line = source.typed.split("\n")[source.position(index)[0] - 1].partition("#")[0]
    hint = ""
    if "decimal literal" in error.msg:
        hint = " (a product needs its sign: 2*b)"
    elif reserved := [word for word in re.findall(r"\w+", text) if keyword.iskeyword(word)]:
        hint = f" ({reserved[0]} is a word of Python's own: take another name)"
    return source.error(index, f"a line must read like d = 2*b; got '{shorten(typed_line)}'{hint}")


def _check_characters(source: ProgramSource) -> None:
    for index, character in enumerate(source.tidy):
        if character in _SUPERSCRIPTS:
            digit = _SUPERSCRIPTS.index(character)
            raise source.error(
                source.origin[index],
                f"a power must be written with ^, such as a^{digit}; got '{character}'",
            )
        if character in _SUBSCRIPTS:
            digit = _SUBSCRIPTS.index(character)
            raise source.error(
                source.origin[index],
                f"a number in a name must be a plain digit, such as x{digit}; got '{character}'",
            )
        if character.isalnum() or character in _SIGNS or character == "\n":
            continue
        if not unicodedata.category(character).startswith("M"):  # the hat of a decomposed ŷ
            raise source.error(
                source.origin[index],
                f"a program must hold only {ALLOWED}; got {source.typed[source.origin[index]]!r}",
            )


def _check_brackets(source: ProgramSource) -> None:
    opened: list[tuple[str, int]] = []
    for character, index in zip(source.tidy, source.origin, strict=False):
        if character in "([":
            opened.append((character, index))
            if len(opened) > MAX_NESTING:
                raise source.error(
                    index, f"brackets must nest at most {MAX_NESTING} deep; got {len(opened)}"
                )
        elif character in _CLOSING and (not opened or opened.pop()[0] != _CLOSING[character]):
            raise source.error(
                index,
                f"every {character} must close a {_CLOSING[character]}; got one that does not",
            )
    if opened:
        character, index = opened[0]
        raise source.error(index, f"every {character} must be closed; got one that is not")
