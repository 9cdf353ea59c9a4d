"""The components that draw in the browser, one script each, stored beside their lesson.

All scripts are sent once per page, as one library, with the palette of drawing.theme. A component
is then a stub that passes its data to its own script, so a rerun sends only numbers.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, TypedDict

import numpy as np
import streamlit as st
from pydantic import Field
from typing_extensions import TypedDict as EventDict

from drawing.events import Moved, event_type, guarded
from drawing.live import SLIDERS, LiveNumbers, Shown, StageTexts, pack
from drawing.payload import Kept, NumberArray, Payload, Script, check_names
from drawing.probability_grid import CELLS, DescribedGrid, NamedGrid
from drawing.run_text import RUNS, RunsPayload
from drawing.steps import StepRow
from drawing.theme import Mode, palette
from ui.browser_modules import join_modules
from ui.visitors import current_visitor

FOLDER = Path(__file__).parent / "browser"
ENTRY = FOLDER / "index.js"
DRAWING = FOLDER.parent.parent / "drawing"
LESSONS = DRAWING.parent / "lessons"
COMPONENT = re.compile(r"^export default function (\w+)", re.MULTILINE)


def component_scripts() -> dict[str, Path]:
    """The script of each component by its name: those that export a function of that name.

    Raises:
        ValueError: if two scripts export the same name.
    """
    scripts = sorted((*DRAWING.glob("*.js"), *FOLDER.glob("*.js"), *LESSONS.glob("*/*.js")))
    exported = {
        path: COMPONENT.search(path.read_text("utf-8")) for path in scripts if path != ENTRY
    }
    named = dict[str, Path]()
    for path, found in exported.items():
        if found and (other := named.setdefault(found[1], path)) != path:
            raise ValueError(f"{found[1]} must be exported once; got {other} and {path}")
    return named


COMPONENTS = component_scripts()


class StepsPayload(Shown):
    """The step table: its rows, whose templates are filled with the numbers."""

    rows: Sequence[StepRow]
    caption: str


class TablePayload(TypedDict):
    """A table of numbers, row by row, with a label before each row."""

    columns: Sequence[str]
    labels: list[str]
    numbers: NumberArray
    name: str
    caption: str


class SavePayload(TypedDict):
    """The container whose figure is saved, and the name of the file."""

    container: str
    name: str


class KeysPayload(TypedDict):
    """What the keys of a page do: in a tour or in presenter mode they turn the beats."""

    mode: str
    """present, tour or nothing."""
    beat: int
    """The current beat, from 1; 0 before the first."""
    last: int
    steps: Sequence[int]
    """The beats that the keys turn to, in order."""
    asked: str
    """The question that is open; empty if none is."""
    verdict: Literal["", "right", "wrong"]
    """The verdict on its answer; empty if there is none."""
    answered: float
    """`turn` of the last key press that the page has answered; 0 before the first."""


class KeyPress(EventDict):
    """A key that was pressed: the beat that it leads to, or by how many examples it moves."""

    event: Literal["beat", "leave", "present", "example"]
    value: Annotated[int, Field(ge=-1, le=1000)]
    turn: Annotated[float, Field(ge=0, allow_inf_nan=False)]
    """When it was pressed, in milliseconds since the page was loaded."""


class FindPayload(TypedDict):
    """The button of the search."""

    look: Literal["button", "field", "none"]
    """What is pressed; without either there are the keys."""


class KeptPayload(TypedDict):
    """A large, rarely changing part of a picture's data, sent once and then named by its hash."""

    of: str
    """The picture, and the name of the bytes among its data."""
    key: str
    kept: bytes


class SaverPayload(TypedDict):
    """The page whose picture is saved."""

    name: str


class PathPayload(TypedDict):
    """The pages of the path for self-study."""

    pages: Sequence[str]


STEPS = Script("steps", StepsPayload)
TABLE = Script("table", TablePayload)
SAVE = Script("save", SavePayload)
KEYS = Script("keys", KeysPayload)
FIND = Script("find", FindPayload)
KEPT = Script("kept", KeptPayload)
SAVER = Script("saver", SaverPayload)
PATH = Script("path", PathPayload)
READY = "(globalThis.lmlLibrary ??= Promise.withResolvers())"


def script_library(entry: Path = ENTRY) -> str:
    """The script `entry` and all that it needs in one module.

    Two of its modules are written here: `registry.js` has the components, `served.js` the palette
    and the styles, those of all pages before those of each lesson.
    """
    styles = [DRAWING / "style.css", FOLDER / "lectures.css", *sorted(LESSONS.glob("*/*.css"))]
    style = "\n".join(path.read_text("utf-8") for path in styles)
    served = (
        f"export const PALETTE = {json.dumps(palette())};\n"
        f"export const STYLE = {json.dumps(style)};\n"
    )
    imports = [
        f'import {name} from "{os.path.relpath(path, FOLDER)}";\n'
        if path.parent != FOLDER
        else f'import {name} from "./{path.name}";\n'
        for name, path in COMPONENTS.items()
    ]
    registry = f"{''.join(imports)}\nexport const components = {{ {', '.join(COMPONENTS)} }};\n"
    return join_modules(entry, {FOLDER / "registry.js": registry, DRAWING / "served.js": served})


def component_stub(name: str) -> str:
    """The script of the component `name`: it waits for the library and draws with it."""
    return f"""export default async function(component) {{
  const {{ draw }} = await {READY}.promise;
  return draw("{name}", component);
}}"""


_load = st.components.v2.component("lml_library", js=script_library())
_mount = {
    name: st.components.v2.component(f"lml_{name}", js=component_stub(name)) for name in COMPONENTS
}


def send_scripts(mode: Mode) -> None:
    """Send the scripts, once per page, outside any part that reruns.

    The server's figures have the colours of `mode`; if the page's theme differs, its script runs
    again.
    """
    data = {"mode": mode, "key": current_visitor().key}
    with st.container(key="library"):
        _load(key="lml-library", data=data, on_changed_change=lambda: None)


def sliders(live: LiveNumbers, *, on_settled: Callable[[Moved], None]) -> None:
    """Draw the sliders of `live`; when one of them is released, `on_settled` receives it."""
    key = f"{live.group}-sliders"
    names = {slider.name for slider in live.sliders}

    def settled(moved: Moved) -> None:
        if moved["name"] not in names:
            raise LookupError("a slider must be on screen")
        on_settled(moved)

    data = pack(live.slider_data())
    _mount[SLIDERS.name](key=key, data=data, on_settled_change=_heard(key, "settled", settled))


def picture(
    script: Script[Payload],
    live: LiveNumbers,
    how: Payload,
    *,
    on_event: Callable[[Any], None] | None = None,
) -> None:
    """Draw the picture of `script` from `live`, with buttons to save it.

    `how` is the script's data other than the numbers; `on_event` receives what it reports.
    """
    key = f"{live.group}-{script.name}"
    _check_event(script, on_event)
    data = pack({**live.frame_data(), **how})
    _mount[script.name](key=key, data=data, on_event_change=_heard(key, "event", on_event))


def main_picture(
    script: Script[Payload],
    live: LiveNumbers,
    how: Payload,
    texts: StageTexts,
    *,
    on_event: Callable[[Any], None] | None = None,
) -> None:
    """Draw the main picture of a page, with its sentence and its formula; it fills its box.

    `how` is the script's data other than the numbers; `on_event` receives what it reports.

    Raises:
        ValueError: if a number's name is not one that the script declares.
        TypeError: if `on_event` takes a type other than what the script reports.
    """
    key = f"{live.group}-{script.name}"
    check_names(script.name, script.numbers, live.names)
    _check_event(script, on_event)
    data = pack({**live.frame_data(), **_without_kept(key, how), **texts})
    heard = _heard(key, "event", on_event)
    _mount[script.name](key=key, data=data, on_event_change=heard, height="stretch")


def _check_event(script: Script[Payload], handle: Callable[[Any], None] | None) -> None:
    """Check that `handle` takes what the script reports, where that is declared."""
    if script.event is None or handle is None:
        return
    taken = event_type(handle)
    if taken != script.event:
        raise TypeError(f"what hears {script.name} must take {script.event}; got {taken}")


def _heard(key: str, event: str, handle: Callable[[Any], None] | None) -> Callable[[], None]:
    """The callback for an event of the component with that key."""
    if handle is None:
        return lambda: None
    received = guarded(handle)
    return lambda: received(st.session_state[key].get(event))


def _without_kept(picture: str, how: Mapping[str, object]) -> dict[str, object]:
    """Send the kept parts of a picture; returns the rest, with the keys of these parts."""
    kept = {name: each for name, each in how.items() if isinstance(each, Kept) and each}
    for name, each in kept.items():
        data: KeptPayload = {"of": f"{picture} {name}", "key": each.key, "kept": each}
        _mount[KEPT.name](key=f"kept-{picture}-{name}", data=pack(data))
    rest = {name: each for name, each in how.items() if name not in kept}
    return {**rest, "keys": {name: [f"{picture} {name}", each.key] for name, each in kept.items()}}


def draw(
    script: Script[Payload],
    data: Payload,
    *,
    key: str,
    height: Literal["content", "stretch"] = "content",
) -> None:
    """Draw the component of `script`, which reports nothing."""
    _mount[script.name](key=key, data=pack(data), height=height)


def find(look: Literal["button", "field", "none"]) -> None:
    """The search for pages, slides and words: Ctrl K, and a button or what looks like a field."""
    data: FindPayload = {"look": look}
    draw(FIND, data, key="find")


def saver(name: str) -> None:
    """Buttons that save the main picture of the page."""
    data: SaverPayload = {"name": name}
    _mount[SAVER.name](key="saver", data=pack(data))


def path_marks(pages: Sequence[str]) -> None:
    """How many of these pages the browser has stored as done, and a button that clears this."""
    data: PathPayload = {"pages": pages}
    _mount[PATH.name](key="path-marks", data=pack(data))


def key_listener(how: KeysPayload, *, on_pressed: Callable[[KeyPress], None]) -> None:
    """Listen for the keys of the page."""
    heard = _heard("keys", "pressed", on_pressed)
    _mount[KEYS.name](key="keys", data=pack(how), on_pressed_change=heard)


def step_table(rows: tuple[StepRow, ...], live: LiveNumbers, *, caption: str) -> None:
    """The step table: name, formula with its numbers, value, shape; rows open to operands."""
    data: StepsPayload = {**live.frame_data(), "rows": rows, "caption": caption}
    _mount[STEPS.name](key=f"{live.group}-steps", data=pack(data))


def table(
    columns: Sequence[str],
    rows: Sequence[tuple[str, *tuple[float, ...]]],
    *,
    name: str,
    caption: str,
) -> None:
    """Rows of a label and numbers; the first column is the labels'. Saved as CSV in full."""
    data: TablePayload = {
        "columns": columns,
        "labels": [label for label, *_ in rows],
        "numbers": np.array([numbers for _, *numbers in rows], dtype=np.float64).reshape(-1),
        "name": name,
        "caption": caption,
    }
    _mount[TABLE.name](key=f"table-{name}", data=pack(data))


def probability_grid(name: str, how: DescribedGrid) -> None:
    """A grid of probabilities, saved under that name."""
    data: NamedGrid = {"name": name, **how}
    _mount[CELLS.name](key=f"cells-{name}", data=pack(data))


def save(container: str, *, name: str) -> None:
    """Buttons that save the Plotly figure in the container keyed `container` as SVG or PNG."""
    data: SavePayload = {"container": container, "name": name}
    _mount[SAVE.name](key=f"save-{container}", data=pack(data))


def training_runs(group: str, how: RunsPayload) -> None:
    """Draw training runs live; the page runs again when a run pauses or ends.

    The visitor's own have buttons that control them.
    """
    _mount[RUNS.name](key=f"{group}-runs", data=pack(how), on_event_change=lambda: None)
