"""Collects what a page sends to its pictures, and draws and reads these pictures in Node."""

import base64
import json
import re
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from test_screen import unpacked
from view_lines import MAIN

from drawing.theme import palette
from tests.ui.test_scripts import NODE
from ui.components import COMPONENTS

ROOT = Path(__file__).resolve().parents[3]
HERE = Path(__file__).parent
SIZES = ("wide", "narrow")
UNSEEN = ("find", "kept", "keys", "lecture", "own", "save", "saver")
"""Components of the page's menu and those that show nothing."""
CARRIERS = ("weights",)
"""Components that bring data for a picture, and show nothing."""


class Sent(NamedTuple):
    """A main picture on a page: its script, its data, its kept data, and the page's sliders."""

    name: str
    data: bytes
    kept: list[tuple[str, bytes]]
    """What arrives apart and is kept in the browser: the script that keeps it, and the data."""
    sliders: list[bytes]

    @property
    def numbers(self) -> dict[str, Any]:
        """The data, unpacked."""
        return unpacked(self.data)


Components = Mapping[tuple[str, str], bytes]
"""The data of each component of a page, by the name of its script and its key."""


def components(app) -> Components:
    """Every component on the page that has data."""
    every = [each.proto for each in app.get("bidi_component")]
    return {
        (each.component_name.removeprefix("lml_"), each.id.split("-", 2)[-1]): bytes(each.bytes)
        for each in every
        if each.bytes
    }


def beside_pictures(app) -> Components:
    """The tables, sliders and other components beside the main pictures."""
    return {its: data for its, data in components(app).items() if its[0] not in (*MAIN, *UNSEEN)}


def sent(app) -> list[Sent]:
    """Every main picture on the page; the first is the picture of the page itself."""
    every = components(app)
    sliders = [data for (name, _), data in every.items() if name == "sliders"]
    found = []
    for (name, key), data in every.items():
        if name in MAIN and "sentences" in unpacked(data):
            kept = [
                (keeper, each)
                for (keeper, other), each in every.items()
                if keeper in CARRIERS or other.startswith(f"kept-{key}-")
            ]
            found.append(Sent(name, data, kept, sliders))
    return found


class Drawn(NamedTuple):
    """A picture of a page in a state, drawn wide and narrow."""

    state: str
    sent: Sent
    sizes: dict[str, Any]


def drawn_in_turn(pictures: Sequence[tuple[str, Sent]]) -> list[Drawn]:
    """Each picture with the name of its state, drawn fresh, and in place of the one before."""
    return draw(pictures, [asked_of(each, sizes=SIZES, again=True) for _, each in pictures])


def keeps(sent: Sent) -> list[Any]:
    """What arrives apart from a picture, for Node."""
    return [{"script": script_of(keeper), "data": text(part)} for keeper, part in sent.kept]


def presses(sent: Sent) -> list[Any]:
    """What some parts of a picture send when they are pressed."""
    found = draw([("", sent)], [asked_of(sent, sizes=("wide",), press=True)])
    return [value for _, *events in found[0].sizes["wide"]["presses"] for _, value in events]


def asked_of(sent: Sent, *, moves: Sequence[str] = (), **more: Any) -> Any:
    """What drawings.mjs is asked for: a picture, its sliders that are moved, and what is done."""
    return {
        "script": script_of(sent.name),
        "data": text(sent.data),
        "keeps": keeps(sent),
        "sliders": [text(part) for part in sent.sliders],
        "moves": list(moves),
        **more,
    }


def draw(pictures: Sequence[tuple[str, Sent]], asked: Sequence[Any]) -> list[Drawn]:
    """Each picture with the name of its state, drawn and read by drawings.mjs as it is asked."""
    made = in_node("drawings.mjs", pictures=asked)
    return [Drawn(*each, sizes) for each, sizes in zip(pictures, made, strict=True)]


def in_node(script: str, **given: Any) -> Any:
    """What a script of this folder finds with the palette and what is given."""
    if not NODE:
        pytest.skip("there is no Node to draw with")
    made = subprocess.run(
        [NODE, str(HERE / script)],
        input=json.dumps({"roles": sorted(palette()["light"]), **given}),
        capture_output=True,
        text=True,
        check=False,
    )
    assert made.returncode == 0, f"{made.returncode}: {made.stderr}"
    return json.loads(made.stdout)


def script_of(name: str) -> str:
    """The path of a component's script in the project."""
    return str(COMPONENTS[name].relative_to(ROOT))


def text(data: bytes) -> str:
    """Bytes for a script in Node."""
    return base64.b64encode(data).decode()


NUMBER = re.compile(
    r"(?<![\w₀-₉.])−?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:×10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+|e[-+]\d+)?"
)
