"""Collects what a page sends to its pictures, and draws and reads these pictures in Node."""

import base64
import json
import re
import subprocess
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from setting_values import other_values, spread
from test_screen import opened, put, unpacked
from view_lines import MAIN, view_lines

import ui
from drawing.theme import palette
from tests.ui.test_scripts import NODE
from ui.components import COMPONENTS
from ui.lectures.decks import HOME
from ui.lessons import ControlSettings

ROOT = Path(__file__).resolve().parents[3]
HERE = Path(__file__).parent
SIZES = ("wide", "narrow")
MOST_EXAMPLES = 4
"""The most examples, besides the first, that are drawn with them."""
UNSEEN = ("find", "kept", "keys", "lecture", "own", "save", "saver")
"""Components of the page's menu and those that show nothing."""
CARRIERS = ("weights",)
"""Components that bring data for a picture, and show nothing."""
HOME_STATES: Mapping[str, ControlSettings] = {"": {}, "Timeline": {"see": "Timeline"}}
"""The states of Home that have a main picture of their own."""


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


class PageState(NamedTuple):
    """A page in a state: what it sends to its components, and the lines of everything it shows."""

    name: str
    pictures: list[Sent]
    lines: list[str]
    components: Components


class Drawn(NamedTuple):
    """A picture of a page in a state, drawn wide and narrow."""

    state: str
    sent: Sent
    sizes: dict[str, Any]


def examples(slug: str) -> Mapping[str, ControlSettings]:
    """The settings of a page's examples; Home has none, and each of its pictures counts as one."""
    return {each.label: each.settings for each in ui.lesson(slug).presets} or HOME_STATES


@cache
def drawn_examples(slug: str, labels: tuple[str, ...] = ()) -> list[Drawn]:
    """The pictures of the examples with these labels, or of all, drawn and read by drawings.mjs.

    Each slider is moved to both ends, and to two places in between, in the first picture of a
    script that has it. In the first picture of a script each key and some parts are pressed, and
    the pointer goes over some parts.
    """
    every = examples(slug)
    states = {label: every[label] for label in labels or every}
    moved = set[tuple[str, str]]()
    asked, begun = [], set[str]()
    pictures = [(each.name, its) for each in opened_in(slug, states) for its in each.pictures]
    for _, each in pictures:
        moves = _not_moved_before(each, moved)
        first = each.name not in begun
        more = {"keys": first, "point": first, "press": first}
        asked.append(_asked(each, sizes=SIZES, moves=moves, **more))
        begun.add(each.name)
    return _draw(pictures, asked)


@cache
def page_states(slug: str) -> list[PageState]:
    """The page with its first example, with some others, and with other values of each setting.

    States that the page refuses are left out.
    """
    labels, every = zip(*examples(slug).items(), strict=True)
    beside = [n for n, each in enumerate(every) if n and each.get("see") == every[0].get("see")]
    states = {labels[n]: every[n] for n in (0, *spread(beside, MOST_EXAMPLES))}
    states |= {f"{name} = {value}": {**every[0], name: value} for name, value in other_values(slug)}
    return opened_in(slug, states, refused=True)


@cache
def drawn_states(slug: str) -> list[Drawn]:
    """The main picture of the page in each state of `page_states`.

    Each is drawn fresh, and in place of the picture before. Repeated data is left out.
    """
    pictures, known = list[tuple[str, Sent]](), set[bytes]()
    for state in page_states(slug):
        for each in state.pictures[:1]:
            if each.data not in known and not (pictures and each.name != pictures[0][1].name):
                pictures.append((state.name, each))
                known.add(each.data)
    return drawn_in_turn(pictures)


def drawn_in_turn(pictures: Sequence[tuple[str, Sent]]) -> list[Drawn]:
    """Each picture with the name of its state, drawn fresh, and in place of the one before."""
    return _draw(pictures, [_asked(each, sizes=SIZES, again=True) for _, each in pictures])


def opened_in(
    slug: str, states: Mapping[str, ControlSettings], *, refused: bool = False
) -> list[PageState]:
    """A page in each state; `refused` leaves out the states that the page refuses."""
    app, found = opened("" if slug == HOME else slug), list[PageState]()
    for name, settings in states.items():
        if slug == HOME:  # which takes its view from the address alone
            app.query_params.clear()
            app.query_params.update(settings)
        put(app, settings)
        assert not app.exception, name
        if not (refused and (app.error or app.warning)):
            found.append(PageState(name, sent(app), view_lines(app), beside_pictures(app)))
    return found


def keeps(sent: Sent) -> list[Any]:
    """What arrives apart from a picture, for Node."""
    return [{"script": script_of(keeper), "data": text(part)} for keeper, part in sent.kept]


def presses(sent: Sent) -> list[Any]:
    """What some parts of a picture send when they are pressed."""
    found = _draw([("", sent)], [_asked(sent, sizes=("wide",), press=True)])
    return [value for _, *events in found[0].sizes["wide"]["presses"] for _, value in events]


def _asked(sent: Sent, *, moves: Sequence[str] = (), **more: Any) -> Any:
    return {
        "script": script_of(sent.name),
        "data": text(sent.data),
        "keeps": keeps(sent),
        "sliders": [text(part) for part in sent.sliders],
        "moves": list(moves),
        **more,
    }


def _draw(pictures: Sequence[tuple[str, Sent]], asked: Sequence[Any]) -> list[Drawn]:
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


def _not_moved_before(sent: Sent, moved: set[tuple[str, str]]) -> list[str]:
    """The picture's sliders that are not in `moved` yet with its script; adds them to `moved`."""
    every = [slider["name"] for data in sent.sliders for slider in unpacked(data)["sliders"]]
    found = [name for name in every if (sent.name, name) not in moved]
    moved |= {(sent.name, name) for name in found}
    return found


def script_of(name: str) -> str:
    """The path of a component's script in the project."""
    return str(COMPONENTS[name].relative_to(ROOT))


def text(data: bytes) -> str:
    """Bytes for a script in Node."""
    return base64.b64encode(data).decode()


NUMBER = re.compile(
    r"(?<![\w₀-₉.])−?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:×10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+|e[-+]\d+)?"
)
