"""Writes ui/browser/payloads.d.ts: the types of what pictures send to their scripts, as TypeScript.

    make payloads

The types stand beside the pictures, as typed dictionaries and frozen dataclasses. A test fails
where the file is not what they say, and `tsc` where a script reads a field that they do not have.
"""

from __future__ import annotations

import types
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import (
    Any,
    Literal,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

import numpy as np

from lessons.attention.picture import ATTENTION
from lessons.backprop.picture import GRAPH
from lessons.bert.picture import CLOZE
from lessons.feedforward.picture import DRIFT, PIPELINE
from lessons.generation.beam_picture import BEAM
from lessons.generation.picture import CARDS, STEPPING
from lessons.generation.slide_tree_picture import SLIDE_TREE
from lessons.heads.picture import HEADS, OPENED, QUERY_KEYS, RANKING
from lessons.lstm.figures import LETTERS
from lessons.lstm.picture import GATES, VANISH
from lessons.masking.corruption_picture import CORRUPTION
from lessons.masking.leakage_picture import LEAK
from lessons.masking.picture import MASKING
from lessons.neuron.picture import NEURON
from lessons.positions.picture import POSITIONS
from lessons.shared.payload import CHIPS, LOSSES, Script
from lessons.shared.probability_grid import CELLS
from lessons.shared.run_text import RUNS
from lessons.shared.unrolled_picture import UNROLLED
from lessons.tokens.picture import INPUTS, LONGEST, TOKENS
from ui.components import BEATS, SAVE, STEPS, TABLE
from ui.live import SLIDERS, Shown
from ui.runs import RunMessage

PATH = Path(__file__).parent.parent / "ui" / "browser" / "payloads.d.ts"
FURNITURE: tuple[Script[Any], ...] = (SLIDERS, STEPS, TABLE, SAVE, BEATS, RUNS, CELLS)
PICTURES: tuple[Script[Any], ...] = (
    NEURON,
    GRAPH,
    GATES,
    VANISH,
    LETTERS,
    PIPELINE,
    DRIFT,
    UNROLLED,
    POSITIONS,
    ATTENTION,
    HEADS,
    OPENED,
    QUERY_KEYS,
    RANKING,
    MASKING,
    LEAK,
    CORRUPTION,
    LOSSES,
    CHIPS,
    TOKENS,
    LONGEST,
    INPUTS,
    CLOZE,
    CARDS,
    STEPPING,
    SLIDE_TREE,
    BEAM,
)
"""Scripts that are sent live numbers beside their payload."""
HEAD = """// What pictures send to their scripts. Written by `make payloads`, from types in Python;
// a test fails where it is not what they say.

"""
SIMPLE = {
    str: "string",
    bool: "boolean",
    int: "number",
    float: "number",
    bytes: "Uint8Array",
    type(None): "null",
}


def declarations() -> str:
    """The whole of payloads.d.ts.

    Raises:
        TypeError: if a type has no counterpart in a script.
        ValueError: if two types have the same name.
    """
    found: dict[str, type] = {}
    for kind in (Shown, RunMessage, *(script.payload for script in (*FURNITURE, *PICTURES))):
        _collect(kind, found)
    interfaces = [_interface(found[name]) for name in sorted(found)]
    return HEAD + "\n".join([*interfaces, _scripts()])


def typescript(kind: Any) -> str:
    """The TypeScript of a Python type, as it arrives through `ui.live.pack`."""
    if kind in SIMPLE:
        return SIMPLE[kind]
    if is_typeddict(kind) or is_dataclass(kind):
        return str(kind.__name__)
    origin, inside = get_origin(kind), get_args(kind)
    if origin is np.ndarray:
        return "Float64Array"
    if origin is Literal:
        return " | ".join(f'"{each}"' for each in inside)
    if origin in (Union, types.UnionType):
        return " | ".join(dict.fromkeys(map(typescript, inside)))
    if origin is tuple and inside[-1] is not Ellipsis:
        return f"[{', '.join(map(typescript, inside))}]"
    if origin in (list, tuple, Sequence):
        of = typescript(inside[0])
        return f"({of})[]" if " | " in of else f"{of}[]"
    if origin in (dict, Mapping):
        return f"Record<{typescript(inside[0])}, {typescript(inside[1])}>"
    raise TypeError(f"a payload must be of types that a script can read; got {kind}")


def fields_of(kind: type) -> Iterator[tuple[str, Any, bool]]:
    """Each field of a payload: its name, its type, and whether it may be missing."""
    hints = get_type_hints(kind, include_extras=True)
    names = [each.name for each in fields(kind)] if is_dataclass(kind) else list(hints)
    for name in names:
        optional = get_origin(hints[name]) is NotRequired
        yield name, get_args(hints[name])[0] if optional else hints[name], optional


def _collect(kind: Any, found: dict[str, type]) -> None:
    """Every payload that is part of `kind`, by its name."""
    if not (is_typeddict(kind) or is_dataclass(kind)):
        for part in get_args(kind):
            _collect(part, found)
        return
    name = kind.__name__
    if found.setdefault(name, kind) is not kind:
        raise ValueError(f"the names of payloads must differ; {name} occurs twice")
    for _, each, _ in fields_of(kind):
        _collect(each, found)


def _interface(kind: type) -> str:
    lines = [
        f"  {name}{'?' if optional else ''}: {typescript(each)};"
        for name, each, optional in fields_of(kind)
    ]
    return "\n".join([f"export interface {kind.__name__} {{", *lines, "}", ""])


def _scripts() -> str:
    """What each script gets; one that is sent different payloads gets either."""
    given: dict[str, list[str]] = {}
    for script in FURNITURE:
        given[script.name] = [typescript(script.payload)]
    for script in PICTURES:
        both = f"{typescript(script.payload)} & {Shown.__name__}"
        given.setdefault(script.name, []).append(both)
    lines = [f"  {name}: {' | '.join(kinds)};" for name, kinds in given.items()]
    said = "/** What each script gets, by its name. */"
    return "\n".join([said, "export interface Scripts {", *lines, "}", ""])


if __name__ == "__main__":
    PATH.write_text(declarations(), "utf-8")
