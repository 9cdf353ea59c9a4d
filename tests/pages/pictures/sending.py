"""What a page sends to its pictures, and those pictures drawn in Node and read."""

import base64
import json
import re
import subprocess
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from test_screen import opened, put, unpacked

import ui
from drawing.theme import palette
from tests.ui.test_scripts import NODE
from ui.components import COMPONENTS

ROOT = Path(__file__).resolve().parents[3]
MAIN = [name for name, script in COMPONENTS.items() if "mainPicture(" in script.read_text("utf-8")]
DRAWINGS = Path(__file__).parent / "drawings.mjs"


class Sent(NamedTuple):
    """A main picture on a page: its script, its data, what of it is kept, and the sliders."""

    name: str
    data: bytes
    kept: list[bytes]
    sliders: list[bytes]

    @property
    def numbers(self) -> dict[str, Any]:
        """The data, unpacked."""
        return unpacked(self.data)


def sent(app) -> list[Sent]:
    """Every main picture on the page, the first one that of the page itself."""
    every = [(each.proto.id, bytes(each.proto.bytes)) for each in app.get("bidi_component")]
    sliders = [data for key, data in every if key.endswith("-sliders") and data]
    found = []
    for key, data in every:
        names = [name for name in MAIN if key.endswith(f"-{name}")]
        if names and data and "sentences" in unpacked(data):
            its = key.split("-", 2)[-1]
            kept = [each for other, each in every if f"-kept-{its}-" in other]
            found.append(Sent(max(names, key=len), data, kept, sliders))
    return found


class Drawn(NamedTuple):
    """A picture of an example, drawn wide and narrow."""

    example: str
    sent: Sent
    sizes: dict[str, Any]


@lru_cache(maxsize=32)
def drawn_examples(slug: str, labels: tuple[str, ...] = ()) -> list[Drawn]:
    """The pictures of the examples of these labels, or of all, drawn and read by drawings.mjs.

    Each slider is moved to both ends where a picture has it first.
    """
    app, pictures, moved = opened(slug), [], set()
    for preset in ui.lesson(slug).presets:
        if labels and preset.label not in labels:
            continue
        put(app, preset.settings)
        assert not app.exception, preset.label
        pictures += [(preset.label, each) for each in sent(app)]
    asked = {
        "roles": sorted(palette()["light"]),
        "pictures": [
            {
                "script": str(COMPONENTS[each.name].relative_to(ROOT)),
                "data": _text(each.data),
                "keeps": [_text(part) for part in each.kept],
                "sliders": [_text(part) for part in each.sliders],
                "moves": _not_moved_before(each, moved),
            }
            for _, each in pictures
        ],
    }
    if not NODE:
        pytest.skip("there is no Node to draw with")
    made = subprocess.run(
        [NODE, str(DRAWINGS)], input=json.dumps(asked), capture_output=True, text=True, check=False
    )
    assert made.returncode == 0, made.stderr
    readings = json.loads(made.stdout)
    return [Drawn(*each, sizes) for each, sizes in zip(pictures, readings, strict=True)]


def _not_moved_before(sent: Sent, moved: set[tuple[str, str]]) -> list[str]:
    """The picture's sliders that are moved to both ends here: on a page each once a script."""
    every = [slider["name"] for data in sent.sliders for slider in unpacked(data)["sliders"]]
    found = [name for name in every if (sent.name, name) not in moved]
    moved |= {(sent.name, name) for name in found}
    return found


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode()


NUMBER = re.compile(r"(?<![\w₀-₉.])−?\d[\d,]*(?:\.\d+)?(?:×10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?")
