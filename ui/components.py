"""The components that draw in the browser: one script an idea, in assets/components.

Each is registered once a process. Scripts share `live.js`, which is put before each of them, and
the palette of lmcore.figures.theme, so that colours stay in one place.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import streamlit as st

from lmcore.figures.steps import Step
from lmcore.figures.theme import palette
from ui.live import Live, fields

FOLDER = Path(__file__).parent.parent / "assets" / "components"


def _script(name: str) -> str:
    shared = (FOLDER / "live.js").read_text("utf-8")
    own = (FOLDER / f"{name}.js").read_text("utf-8")
    return f"const PALETTE = {json.dumps(palette())};\n{shared}\n{own}"


def _register(name: str) -> Any:
    return st.components.v2.component(
        f"lml_{name}", js=_script(name), css=(FOLDER / "style.css").read_text("utf-8")
    )


_sliders = _register("sliders")
_steps = _register("steps")
_save = _register("save")
_beats = _register("beats")
_pictures = {name: _register(name) for name in ("neuron", "graph")}


def sliders(live: Live, *, on_settled: Callable[[dict[str, Any]], None]) -> None:
    """Draw the sliders of `live`; when one is let go, `on_settled` gets {name, typed}."""
    key = f"{live.group}-sliders"

    def settled() -> None:
        on_settled(st.session_state[key]["settled"])

    _sliders(key=key, data=live.moved(), on_settled_change=settled)


def picture(
    kind: str,
    live: Live,
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

    with st.container(key=f"figure-{key}"):
        _pictures[kind](key=key, data=live.shown() | dict(how), on_told_change=told)
    save(f"figure-{key}", name=key)


def steps(rows: tuple[Step, ...], live: Live, *, caption: str) -> None:
    """The step table: name, formula with the numbers in, value, shape; rows open to operands."""
    _steps(
        key=f"{live.group}-steps",
        data=live.shown() | {"rows": [fields(row) for row in rows], "caption": caption},
    )


def save(container: str, *, name: str) -> None:
    """Buttons that save the picture in the container keyed `container` as SVG or PNG."""
    _save(key=f"save-{container}", data={"container": container, "name": name})


def beats(beat: int, last: int, on_moved: Callable[[int], None]) -> None:
    """Listen for the arrow keys and report the beat they lead to."""

    def moved() -> None:
        on_moved(int(st.session_state["beats"]["moved"]))

    _beats(key="beats", data={"beat": beat, "last": last}, on_moved_change=moved)
