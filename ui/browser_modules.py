"""Joins the ES modules of all scripts into one, without Node, so a page loads them once.

A script imports by name what it uses, from a path relative to its own file. Here each module
becomes a function that returns what the module exports, in an order in which every module comes
after those that it imports.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

IMPORT = re.compile(r"""^import (?:\{([^}]*)\}|(\w+)) from "(\.[^"]*)";\n""", re.MULTILINE)
EXPORT = re.compile(
    r"^export (default )?((?:async )?function\*?|const|let|class) (\w+)", re.MULTILINE
)
LEFT_OVER = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Module:
    """One script: its text without imports and exports, and the parsed imports and exports."""

    path: Path
    body: str
    imports: tuple[tuple[Path, str], ...]
    """From which module, and what: `{ html, drawSvg }` or `{ default: neuron }`."""
    exports: tuple[str, ...]
    """As the fields of an object: `html`, `default: neuron`."""


def join_modules(entry: Path, generated: Mapping[Path, str] | None = None) -> str:
    """The text of one ES module with the default export of `entry`.

    `generated` holds modules that are not on disk, by the path at which they are imported.

    Raises:
        ValueError: if a module uses a form of import or export that no script here uses, imports a
            name that is not exported, or is part of an import cycle.
    """
    modules = _modules_in_order(entry.resolve(), generated or {})
    numbers = {module.path: f"module{i}" for i, module in enumerate(modules)}
    scopes = [_scope(module, numbers) for module in modules]
    return "\n".join([*scopes, f"export default {numbers[entry.resolve()]}.default;\n"])


def _scope(module: Module, numbers: Mapping[Path, str]) -> str:
    imports = [f"const {names} = {numbers[path]};" for path, names in module.imports]
    returned = f"return {{ {', '.join(module.exports)} }};"
    number = numbers[module.path]
    lines = [
        f"// {module.path.parent.name}/{module.path.name}",
        f"const {number} = (() => {{",
        *imports,
        module.body,
        returned,
        "})();",
    ]
    return "\n".join(lines)


def _modules_in_order(entry: Path, generated: Mapping[Path, str]) -> list[Module]:
    """Every module that `entry` needs, each after those that it imports."""
    done: dict[Path, Module] = {}

    def visit(path: Path, above: tuple[Path, ...]) -> None:
        if path in above:
            circle = " → ".join(each.name for each in (*above[above.index(path) :], path))
            raise ValueError(f"scripts must not import each other in a circle; got {circle}")
        if path in done:
            return
        module = read_module(path, generated.get(path) or path.read_text("utf-8"))
        for imported, names in module.imports:
            visit(imported, (*above, path))
            _check_names(module, done[imported], names)
        done[path] = module

    visit(entry, ())
    return list(done.values())


def _check_names(module: Module, source: Module, names: str) -> None:
    exported = {field.partition(":")[0] for field in source.exports}
    asked = {name.partition(":")[0].strip() for name in names.strip("{} ").split(",")}
    if missing := asked - exported:
        raise ValueError(
            f"{module.path.name} must import what {source.path.name} exports; "
            f"got {', '.join(sorted(missing))}"
        )


def read_module(path: Path, text: str) -> Module:
    """The module at `path`, whose text is `text`."""
    imports = tuple(
        ((path.parent / source).resolve(), f"{{ {_names(several, one)} }}")
        for several, one, source in IMPORT.findall(text)
    )
    exports = tuple(
        f"default: {name}" if default else name for default, _, name in EXPORT.findall(text)
    )
    body = EXPORT.sub(r"\2 \3", IMPORT.sub("", text))
    if left := LEFT_OVER.search(body):
        raise ValueError(
            "a script must import { names } or one default from a relative path and export "
            f"declarations; got {left[0]!r} in {path.name}"
        )
    return Module(path, body.strip(), imports, exports)


def _names(several: str, one: str) -> str:
    if one:
        return f"default: {one}"
    names = [name.strip() for name in several.split(",")]
    return ", ".join(name.replace(" as ", ": ") for name in names if name)
