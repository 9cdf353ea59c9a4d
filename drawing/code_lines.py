"""Code as a picture: its lines as they ran, and faults that are put back into it one at a time."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Mapping, Sequence
from typing import Literal, NamedTuple, TypedDict

import numpy as np

from drawing.live import LiveNumbers, Slider, quoted
from drawing.payload import Script
from lmcore.numbers import format_number

Kind = Literal["stops", "runs", "missing"]
COUNTED = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
LONGEST = 130
"""The most characters of an error that are drawn; its first line is longer now and then."""


class CodeFault(NamedTuple):
    """A fault of a slide's code, where it stands in the corrected code, and what it does there."""

    right: str
    """The part of the corrected code that the slide has wrong; it occurs there once."""
    put: str
    """What stands there with the fault; empty if it is left out."""
    was: str
    """The slide's wording, once a line."""
    stops: str
    """A part of the line at which it stops, if that is another line."""
    kind: Kind
    happens: str
    """The error as Python prints it, or a sentence."""
    explains: str
    """What is right."""
    numbers: tuple[str, float, float] | None = None
    """Of one that runs: what it measures, what comes out, and what should."""


class CodeSpot(TypedDict):
    """A fault in a line of the corrected code, and what it does when it alone is put back."""

    line: int
    start: int
    end: int
    put: str
    was: str
    stops: int
    """The line at which it stops; −1 if it runs."""
    kind: str
    head: str
    """The kind of the error; empty if it runs."""
    says: str
    right: str
    of: str
    """What its two numbers measure; empty if it has none."""


class CodeFaultsPayload(TypedDict):
    """The lines of the corrected code, and the faults in them."""

    lines: list[str]
    spots: list[CodeSpot]


COUNTS = ("stops", "runs", "missing")
CODE_FAULTS = Script(
    "code_faults",
    CodeFaultsPayload,
    ("fault", *COUNTS, "wrong #", "right #", "end *", "@say"),
)


def code_lines(thing: Callable[..., object] | type) -> list[str]:
    """The code of a class, or the body of a function, without docstrings and types."""
    (node,) = ast.parse(textwrap.dedent(inspect.getsource(thing))).body
    bare = _Bare().visit(node)
    parts = [bare] if isinstance(bare, ast.ClassDef) else bare.body
    return [line for each in parts for line in ast.unparse(each).splitlines() if line]


class _Bare(ast.NodeTransformer):
    """Takes docstrings and types away, which say nothing about what a line does."""

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        node.body = _without_docstring(node.body)
        return self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.body = _without_docstring(node.body)
        node.returns = None
        return self.generic_visit(node)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node


def _without_docstring(body: list[ast.stmt]) -> list[ast.stmt]:
    first = body[0]
    told = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    return body[1:] if told else body


def picture(lines: Sequence[str], faults: Sequence[CodeFault]) -> CodeFaultsPayload:
    """The data of `drawing/code_faults.js` other than the numbers.

    Raises:
        ValueError: if a fault has no place in the code, or several.
    """
    return {"lines": list(lines), "spots": [_spot(lines, fault) for fault in faults]}


def _spot(lines: Sequence[str], fault: CodeFault) -> CodeSpot:
    line = place_in(lines, fault.right)
    start = lines[line].index(fault.right)
    stops = place_in(lines, fault.stops) if fault.stops else line
    head, _, says = fault.happens.partition(": ")
    return {
        "line": line,
        "start": start,
        "end": start + len(fault.right),
        "put": fault.put,
        "was": fault.was,
        "stops": stops if fault.kind == "stops" else -1,
        "kind": fault.kind,
        "head": head if fault.kind == "stops" else "",
        "says": first_line(says) if fault.kind == "stops" else fault.happens,
        "right": fault.explains,
        "of": fault.numbers[0] if fault.numbers else "",
    }


def first_line(message: str) -> str:
    """The first line of an error, cut where it is long."""
    line = message.splitlines()[0]
    return line if len(line) <= LONGEST else line[:LONGEST].rstrip() + " …"


def place_in(lines: Sequence[str], part: str) -> int:
    """The only line with that part.

    Raises:
        ValueError: if it stands nowhere, or twice.
    """
    found = [n for n, line in enumerate(lines) for _ in range(line.count(part))]
    if len(found) != 1:
        raise ValueError(f"{part!r} must stand in the code once; got {len(found)} times")
    return found[0]


def count_kinds(faults: Sequence[CodeFault]) -> dict[str, int]:
    """How many faults there are of each kind."""
    return {kind: sum(fault.kind == kind for fault in faults) for kind in COUNTS}


def numbers(
    group: str, faults: Sequence[CodeFault], chosen: int, ends: Mapping[str, float]
) -> LiveNumbers:
    """The numbers with the fault `chosen` put back, from 1; with 0, those of the corrected code.

    `ends` has what the corrected code ends with, each under a name "end …".
    """
    found: dict[str, float] = {"fault": chosen, **count_kinds(faults)}
    for n, fault in enumerate(faults):
        if fault.numbers:
            found |= {f"wrong {n}": fault.numbers[1], f"right {n}": fault.numbers[2]}
    found |= {**ends, "@say": chosen}
    names = tuple(found)
    now = np.array(list(found.values()), dtype=np.float64)
    positions = np.arange(len(faults) + 1, dtype=np.float64)
    table = np.tile(now, (len(positions), 1))
    for name in ("fault", "@say"):
        table[:, names.index(name)] = positions
    how = "0: the corrected code; from 1 on, one fault of the slide is put back alone, and it runs"
    slider = Slider("fault", "fault", "fault put back", float(chosen), positions, how, role="loss")
    return LiveNumbers(group, names, now, (slider,), [table])


def sentences(faults: Sequence[CodeFault]) -> list[str]:
    """What all faults do, and each alone, in the order of @say."""
    return [headline(faults), *(_alone(n, fault) for n, fault in enumerate(faults))]


def headline(faults: Sequence[CodeFault]) -> str:
    """How many faults there are, and how many of them stop the code."""
    found = count_kinds(faults)
    said = [
        f"=={COUNTED[found['stops']]} {_verb(found['stops'], 'stop')}== with an error",
        f"=={COUNTED[found['runs']]} {_verb(found['runs'], 'run')}== and "
        f"{_verb(found['runs'], 'give')} wrong numbers",
    ]
    if found["missing"]:
        said.append("the end is missing")
    return f"**{COUNTED[len(faults)].capitalize()} faults**: {', '.join(said)}."


def _verb(count: int, verb: str) -> str:
    return f"{verb}s" if count == 1 else verb


def _alone(n: int, fault: CodeFault) -> str:
    if fault.kind == "stops":
        head, _, says = fault.happens.partition(": ")
        return f"It **stops**: =={head}==. {quoted(_sentence(first_line(says)))}"
    if fault.numbers:
        what = quoted(fault.numbers[0])
        return f"It **runs**: {what} is =={{wrong {n}}}==, not {{right {n}}}."
    return quoted(_sentence(fault.happens))


def _sentence(text: str) -> str:
    return text if text.endswith(("…", ".")) else f"{text}."


def describe(lines: Sequence[str], faults: Sequence[CodeFault]) -> str:
    """The alt text."""
    found = count_kinds(faults)
    listed = "; ".join(_told(fault) for fault in faults)
    code = quoted(" ⏎ ".join(line.strip() for line in lines))
    return (
        f"Corrected code, {len(lines)} lines: {code}. {len(faults)} of its places are wrong on "
        f"the slide, {found['stops']} stop with an error. {quoted(listed)}."
    )


def _told(fault: CodeFault) -> str:
    instead = fault.put or "nothing"
    if fault.kind == "stops":
        return f"{instead} in place of {fault.right}: {first_line(fault.happens)}"
    if fault.numbers:
        of, wrong, right = fault.numbers
        return (
            f"{instead} in place of {fault.right}: {of} {format_number(wrong)}, not "
            f"{format_number(right)}"
        )
    return f"{instead} in place of {fault.right}: {fault.happens}"
