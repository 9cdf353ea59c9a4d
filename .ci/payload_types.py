"""Writes drawing/payloads.d.ts: what pictures send to their scripts and hear, as TypeScript.

    make payloads

The types stand beside the pictures, as typed dictionaries and frozen dataclasses, and so do the
names of live numbers. A test fails where the file is not what they say, and `tsc` where a script
reads a field or looks a number up that they do not have.
"""

from __future__ import annotations

import importlib
import pkgutil
import types
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import (
    Annotated,
    Any,
    Literal,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

import numpy as np
from typing_extensions import is_typeddict  # it knows typing's TypedDict and its own

import drawing
import lessons
import ui
from drawing.live import Shown, StageTexts
from drawing.payload import NumberName, Script
from ui.components import COMPONENTS, DRAWING, FOLDER
from ui.lectures.handouts import PrintedView
from ui.runs import RunMessage

PATH = DRAWING / "payloads.d.ts"
HEAD = """// What pictures send to their scripts, and hear from them. Written by `make payloads`,
// from types in Python; a test fails where it is not what they say.

declare const number: unique symbol;

/** The name of a number, taken from a payload. */
export type NumberName = string & { readonly [number]: true };

"""
SIMPLE = {
    str: "string",
    bool: "boolean",
    int: "number",
    float: "number",
    bytes: "Uint8Array",
    type(None): "null",
    NumberName: "NumberName",
}


def declarations() -> str:
    """The whole of payloads.d.ts.

    Raises:
        TypeError: if a type has no counterpart in a script.
        ValueError: if two types have the same name.
    """
    found: dict[str, type] = {}
    payloads = [kind for script in scripts() for kind in (script.payload, script.event)]
    for kind in (Shown, StageTexts, RunMessage, PrintedView, *payloads):
        _collect(kind, found)
    interfaces = [_interface(found[name]) for name in sorted(found)]
    return HEAD + "\n".join([*interfaces, _scripts(), _numbers(), _events()])


def scripts() -> list[Script[Any]]:
    """Every script that a module declares."""
    found: list[Script[Any]] = []
    for package in (drawing, ui, lessons):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            values = vars(importlib.import_module(module.name)).values()
            found += [each for each in values if isinstance(each, Script) and each not in found]
    return found


def typescript(kind: Any) -> str:
    """The TypeScript of a Python type, as it arrives through `drawing.live.pack`."""
    origin, inside = get_origin(kind), get_args(kind)
    if origin is Annotated and kind != NumberName:
        return typescript(inside[0])
    if kind in SIMPLE:
        return SIMPLE[kind]
    if is_typeddict(kind) or is_dataclass(kind):
        return str(kind.__name__)
    if origin is np.ndarray:
        return "Float64Array"
    if origin is Literal:
        return " | ".join(f'"{each}"' for each in inside)
    if origin in (Union, types.UnionType):
        return " | ".join(dict.fromkeys(map(typescript, inside)))
    if origin in (list, tuple, Sequence):
        return _list_type(origin, inside)
    if origin in (dict, Mapping):
        return f"Record<{typescript(inside[0])}, {typescript(inside[1])}>"
    raise TypeError(f"a payload must be of types that a script can read; got {kind}")


def _list_type(origin: Any, inside: tuple[Any, ...]) -> str:
    if origin is tuple and inside[-1] is not Ellipsis:
        return f"[{', '.join(map(typescript, inside))}]"
    of = typescript(inside[0])
    return f"({of})[]" if " | " in of else f"{of}[]"


def fields_of(kind: type) -> Iterator[tuple[str, Any, bool]]:
    """Each field of a payload: its name, its type, and whether it may be missing."""
    hints = get_type_hints(kind, include_extras=True)
    names = [each.name for each in fields(kind)] if is_dataclass(kind) else list(hints)
    may_be_missing = getattr(kind, "__optional_keys__", ())
    for name in names:
        marked = get_origin(hints[name]) is NotRequired
        its = get_args(hints[name])[0] if marked else hints[name]
        yield name, its, marked or name in may_be_missing


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
    for script in scripts():
        kind = typescript(script.payload)
        # A lesson's script is sent live numbers beside its payload.
        its = f"{kind} & {Shown.__name__}" if _of_lesson(script) else kind
        given.setdefault(script.name, []).append(its)
    said = "What each script gets, by its name."
    return _by_script("Scripts", said, {name: sorted(kinds) for name, kinds in given.items()})


def _numbers() -> str:
    """The names of the live numbers of each script of a lesson."""
    given: dict[str, list[str]] = {}
    for script in filter(_of_lesson, scripts()):
        names = [_name_type(pattern) for pattern in script.numbers] or ["string"]
        given.setdefault(script.name, []).extend(names)
    said = "The names of each picture's numbers; any text where its script declares none."
    return _by_script("Numbers", said, given)


def _events() -> str:
    """What each script of a lesson reports."""
    given: dict[str, list[str]] = {}
    for script in filter(_of_lesson, scripts()):
        kind = "unknown" if script.event is None else typescript(script.event)
        given.setdefault(script.name, []).append(kind)
    return _by_script(
        "Events", "What each picture reports; unknown where that is not declared.", given
    )


def _of_lesson(script: Script[Any]) -> bool:
    return COMPONENTS[script.name].parent != FOLDER


def _name_type(pattern: str) -> str:
    """The type of the names that fit a pattern of `Script.numbers`."""
    if "#" not in pattern and "*" not in pattern:
        return f'"{pattern}"'
    return f"`{pattern.replace('#', '${number}').replace('*', '${string}')}`"


def _by_script(name: str, said: str, given: Mapping[str, list[str]]) -> str:
    """An interface with a field for each script: one of several types."""
    lines = [f"  {each}: {' | '.join(dict.fromkeys(given[each]))};" for each in sorted(given)]
    return "\n".join([f"/** {said} */", f"export interface {name} {{", *lines, "}", ""])


if __name__ == "__main__":
    PATH.write_text(declarations(), "utf-8")
