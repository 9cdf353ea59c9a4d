"""Writes ui/browser/payloads.d.ts: the types of what pictures send to their scripts, as TypeScript.

    make payloads

The types stand beside the pictures, as typed dictionaries and frozen dataclasses. A test fails
where the file is not what they say, and `tsc` where a script reads a field that they do not have.
"""

from __future__ import annotations

import importlib
import pkgutil
import types
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import (
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

import lessons
import ui
from lessons.shared.payload import Script
from ui.components import COMPONENTS, FOLDER
from ui.lectures.handouts import PrintedView
from ui.live import Shown, Told
from ui.runs import RunMessage

PATH = FOLDER / "payloads.d.ts"
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
    for kind in (Shown, Told, RunMessage, PrintedView, *(script.payload for script in scripts())):
        _collect(kind, found)
    interfaces = [_interface(found[name]) for name in sorted(found)]
    return HEAD + "\n".join([*interfaces, _scripts()])


def scripts() -> list[Script[Any]]:
    """Every script that a module of the lessons or of `ui` declares."""
    found: list[Script[Any]] = []
    for package in (lessons, ui):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            values = vars(importlib.import_module(module.name)).values()
            found += [each for each in values if isinstance(each, Script) and each not in found]
    return found


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
    given: dict[str, set[str]] = {}
    for script in scripts():
        kind = typescript(script.payload)
        shared = COMPONENTS[script.name].parent == FOLDER
        # A lesson's script is sent live numbers beside its payload.
        given.setdefault(script.name, set()).add(kind if shared else f"{kind} & {Shown.__name__}")
    lines = [f"  {name}: {' | '.join(sorted(kinds))};" for name, kinds in sorted(given.items())]
    said = "/** What each script gets, by its name. */"
    return "\n".join([said, "export interface Scripts {", *lines, "}", ""])


if __name__ == "__main__":
    PATH.write_text(declarations(), "utf-8")
