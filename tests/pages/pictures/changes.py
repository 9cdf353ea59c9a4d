"""What a page shows after a slider is released or something is pressed, and what is set by that."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from sending import Components, Sent, beside_pictures, sent
from setting_values import settings_table
from test_screen import unpacked
from view_lines import view_lines

import ui
from tests.ui.streamlit_internals.pressing import Moment, send, written_by_callbacks

BOTH_ENDS = (0, -1)
HIGHEST = (-1,)


class Change(NamedTuple):
    """A slider released at an end, an option pressed: the page's lines and errors afterwards."""

    what: str
    sets: list[str]
    """The settings that the event sets, in words, also those that had this value before."""
    lines: list[str]
    wrong: list[str]
    components: Components
    pictures: list[Sent]


def change(app, slug: str, what: str, written: dict[str, Any]) -> Change:
    """The page after something was done, with what callbacks have written into its session."""
    wrong = [each.value for each in app.error] + [each.message for each in app.exception]
    lesson = ui.lesson(slug)
    settings = {*settings_table(slug).table, *lesson.defaults, *lesson.looks}
    sets = [f"sets {name} = {value!r}" for name, value in written.items() if name in settings]
    return Change(what, sets, view_lines(app), wrong, beside_pictures(app), sent(app))


def let_go(
    app, slug: str, known: set[tuple[str, str]], ends: Sequence[int] = BOTH_ENDS
) -> Iterator[Change]:
    """The change by each end of a slider that is not in `known`; adds these to it."""
    begun = Moment.of(app)
    for name, position in ends_of_sliders(app, ends):
        if (name, position) in known:
            continue
        known.add((name, position))
        begun.go_back(app)
        with written_by_callbacks() as written:
            send(app, {"name": name, "typed": position})
        yield change(app, slug, f"{name} = {position}", written)
    begun.go_back(app)


def ends_of_sliders(app, ends: Sequence[int] = BOTH_ENDS) -> list[tuple[str, str]]:
    """The name of each slider of the page, with its lowest and with its highest position."""
    every = [unpacked(each.proto.bytes) for each in app.get("bidi_component") if each.proto.bytes]
    sliders = [
        slider
        for data in every
        for slider in (data.get("sliders", ()) if isinstance(data, dict) else ())
        if isinstance(slider, dict)
    ]
    return [(each["name"], f"{each['positions'][end]:g}") for each in sliders for end in ends]
