"""A page in its examples and in other states, and the pictures that it draws there."""

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from changes import BOTH_ENDS, HIGHEST, Change, ends_of_sliders, let_go
from sending import (
    SIZES,
    Components,
    Drawn,
    Sent,
    asked_of,
    beside_pictures,
    draw,
    drawn_in_turn,
    sent,
)
from setting_values import other_values, spread
from test_screen import opened, put, unpacked
from view_lines import view_lines

import ui
from ui.lectures.decks import HOME
from ui.lessons import ControlSettings

MOST_EXAMPLES = 4
"""The most examples, besides the first, that are drawn with them."""
HOME_STATES: Mapping[str, ControlSettings] = {"": {}, "Timeline": {"see": "Timeline"}}
"""The states of Home that have a main picture of their own."""


class PageState(NamedTuple):
    """A page in a state: what it sends to its components, and the lines of everything it shows."""

    name: str
    pictures: list[Sent]
    lines: list[str]
    components: Components
    ends: list[Change]
    """What the sliders change at their ends."""


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
        asked.append(asked_of(each, sizes=SIZES, moves=moves, **more))
        begun.add(each.name)
    return draw(pictures, asked)


@cache
def page_states(slug: str) -> list[PageState]:
    """The page with its first example, with some others, and with other values of each setting.

    States that the page refuses are left out.
    """
    labels, every = zip(*examples(slug).items(), strict=True)
    beside = [n for n, each in enumerate(every) if n and each.get("see") == every[0].get("see")]
    states = {labels[n]: every[n] for n in (0, *spread(beside, MOST_EXAMPLES))}
    states |= {f"{name} = {value}": {**every[0], name: value} for name, value in other_values(slug)}
    return opened_in(slug, states, varied=True)


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


def opened_in(
    slug: str, states: Mapping[str, ControlSettings], *, varied: bool = False
) -> list[PageState]:
    """A page in each state.

    If the states are `varied` from the first, those that the page refuses are left out, and the
    sliders of the others are released at the ends that no state before them had; in an example, at
    their highest end too.
    """
    app, found = opened("" if slug == HOME else slug), list[PageState]()
    released = set[tuple[str, str]]()
    for name, settings in states.items():
        if slug == HOME:  # which takes its view from the address alone
            app.query_params.clear()
            app.query_params.update(settings)
        put(app, settings)
        assert not app.exception, name
        if varied and (app.error or app.warning):
            continue
        state = PageState(name, sent(app), view_lines(app), beside_pictures(app), [])
        if varied and not found:  # the views of this state are seen with all their changes
            released |= {*ends_of_sliders(app)}
        elif varied:
            known, ends = (set(), HIGHEST) if " = " not in name else (released, BOTH_ENDS)
            state.ends.extend(let_go(app, slug, known, ends))
            released |= known
        found.append(state)
    return found


def _not_moved_before(sent: Sent, moved: set[tuple[str, str]]) -> list[str]:
    """The picture's sliders that are not in `moved` yet with its script; adds them to `moved`."""
    every = [slider["name"] for data in sent.sliders for slider in unpacked(data)["sliders"]]
    found = [name for name in every if (sent.name, name) not in moved]
    moved |= {(sent.name, name) for name in found}
    return found
