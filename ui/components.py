"""The components that draw in the browser, one script each, stored beside their lesson.

All scripts travel once a page, as one library, with the palette of lessons.shared.theme; a
component is then a stub that hands its data to its own script. So a rerun sends numbers only.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st

from lessons.shared.steps import StepRow
from lessons.shared.theme import Mode, palette
from ui.browser_modules import join_modules
from ui.live import LiveNumbers, as_plain_data, pack

FOLDER = Path(__file__).parent / "browser"
ENTRY = FOLDER / "index.js"
FURNITURE = ("sliders", "steps", "table", "save", "beats", "runs", "cells")
PICTURES = (
    "neuron",
    "graph",
    "gates",
    "vanish",
    "letters",
    "pipeline",
    "drift",
    "unrolled",
    "positions",
    "attention",
    "heads",
    "opened",
    "qk",
    "ranking",
    "masking",
    "leak",
    "corruption",
    "losses",
    "chips",
    "tokens",
    "longest",
    "inputs",
    "cloze",
    "generation",
    "slidetree",
    "beam",
)
COMPONENTS = (*FURNITURE, *PICTURES)
READY = "(globalThis.lmlLibrary ??= Promise.withResolvers())"


def script_library() -> str:
    """Every script in one module, with the palette and the style sheet as its `served.js`."""
    style = (FOLDER / "style.css").read_text("utf-8")
    served = (
        f"export const PALETTE = {json.dumps(palette())};\n"
        f"export const STYLE = {json.dumps(style)};\n"
    )
    return join_modules(ENTRY, {FOLDER / "served.js": served})


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
    """Send the scripts; once a page, outside what reruns.

    The server's figures have the colours of `mode`; a page with another theme runs again.
    """
    with st.container(key="library"):
        _load(key="lml-library", data={"mode": mode}, on_changed_change=lambda: None)


def sliders(live: LiveNumbers, *, on_settled: Callable[[dict[str, Any]], None]) -> None:
    """Draw the sliders of `live`; when one is released, `on_settled` gets {name, typed}."""
    key = f"{live.group}-sliders"

    def settled() -> None:
        on_settled(st.session_state[key]["settled"])

    _mount["sliders"](key=key, data=pack(live.moved()), on_settled_change=settled)


def picture(
    kind: str,
    live: LiveNumbers,
    how: Mapping[str, object],
    *,
    on_told: Callable[[Any], None] | None = None,
) -> None:
    """Draw the picture `kind` from `live`, with buttons to save it.

    `how` is what its script needs besides the numbers; `on_told` gets what it reports.
    """
    key = f"{live.group}-{kind}"

    def told() -> None:
        if on_told:
            on_told(st.session_state[key]["told"])

    _mount[kind](key=key, data=pack(live.shown() | dict(how)), on_told_change=told)


def step_table(rows: tuple[StepRow, ...], live: LiveNumbers, *, caption: str) -> None:
    """The step table: name, formula with the numbers in, value, shape; rows open to operands."""
    data = live.shown() | {"rows": [as_plain_data(row) for row in rows], "caption": caption}
    _mount["steps"](key=f"{live.group}-steps", data=pack(data))


def table(
    columns: Sequence[str],
    rows: Sequence[tuple[str, *tuple[float, ...]]],
    *,
    name: str,
    caption: str,
) -> None:
    """Rows of a label and numbers; the first column is the labels'. Saved as CSV in full."""
    data = {
        "columns": columns,
        "labels": [label for label, *_ in rows],
        "numbers": np.array([numbers for _, *numbers in rows], dtype=np.float64).reshape(-1),
        "name": name,
        "caption": caption,
    }
    _mount["table"](key=f"table-{name}", data=pack(data))


def probability_grid(
    name: str, how: Mapping[str, object], *, on_told: Callable[[Any], None] | None = None
) -> None:
    """A grid of probabilities; `on_told` gets [row, column] of the cell that is pressed."""
    key = f"cells-{name}"

    def told() -> None:
        if on_told:
            on_told(st.session_state[key]["told"])

    data = pack({"name": name, "presses": on_told is not None, **how})
    _mount["cells"](key=key, data=data, on_told_change=told)


def save(container: str, *, name: str) -> None:
    """Buttons that save the Plotly figure in the container keyed `container` as SVG or PNG."""
    _mount["save"](key=f"save-{container}", data=pack({"container": container, "name": name}))


def training_runs(group: str, how: Mapping[str, object]) -> None:
    """Draw training runs live; the page runs again when a run pauses or ends."""
    _mount["runs"](key=f"{group}-runs", data=pack(how), on_told_change=lambda: None)


def beat_listener(beat: int, last: int, below: bool, *, on_moved: Callable[[int], None]) -> None:
    """Listen for the arrow keys, report the beat they lead to, and scroll to its subject."""

    def moved() -> None:
        on_moved(int(st.session_state["beats"]["moved"]))

    _mount["beats"](
        key="beats",
        data=pack({"beat": beat, "last": last, "below": below}),
        on_moved_change=moved,
    )
