"""Each view of a page from its first example, and what its sliders and widgets change there."""

from functools import cache
from typing import NamedTuple

from sending import Components, beside_pictures
from test_screen import unpacked
from view_lines import view_lines

from benchmarks.offered import Walk, shown_view
from tests.pages.offers.answers import given_away
from tests.ui.streamlit_internals.pressing import Moment, offered, press, send, session_values


class Change(NamedTuple):
    """A slider released at an end, or an option pressed: the page's lines and errors afterwards."""

    what: str
    moved: bool
    lines: list[str]
    wrong: list[str]
    components: Components


class SeenView(NamedTuple):
    """A view: its lines, its changes by sliders and widgets, and the answers that it gives away."""

    name: str
    lines: list[str]
    ends: list[Change]
    pressed: list[Change]
    given_away: list[str]
    components: Components


@cache
def views(slug):
    found, moved, tried, asked = [], set(), set(), set()
    for app in Walk(slug).views():
        assert not app.exception and not app.error
        if not found:
            tried |= {each.key for each in offered(app)}  # `page_states` varies these
        name, lines, drawn = shown_view(app), view_lines(app), beside_pictures(app)
        ends, options = [*let_go(app, moved)], [*pressed(app, tried)]
        answered = [*given_away(app, slug, asked)]
        found.append(SeenView(name, lines, ends, options, answered, drawn))
    return found


def ends_of_sliders(app):
    """The name of each slider of the page, with its lowest and with its highest position."""
    for element in app.get("bidi_component"):
        data = unpacked(element.proto.bytes) if element.proto.bytes else {}
        sliders = data.get("sliders", ()) if isinstance(data, dict) else ()
        for slider in (each for each in sliders if isinstance(each, dict)):
            yield from ((slider["name"], f"{slider['positions'][end]:g}") for end in (0, -1))


def settings_of(app):
    return {name: value for name, value in session_values(app).items() if isinstance(value, str)}


def let_go(app, known):
    """The change by each end of a slider that is not in `known`."""
    begun = Moment.of(app)
    for name, position in [each for each in ends_of_sliders(app) if each not in known]:
        known.add((name, position))
        begun.go_back(app)
        before = settings_of(app)
        send(app, {"name": name, "typed": position})
        yield change(app, f"{name} = {position}", settings_of(app) != before)
    begun.go_back(app)


def pressed(app, known):
    """The change by one option of each choice and switch that is not in `known`."""
    begun = Moment.of(app)
    unseen = [each for each in offered(app) if each.key not in known and each.option != "pressed"]
    for key, each in {each.key: each for each in unseen}.items():
        known.add(key)
        begun.go_back(app)
        press(app, each)
        yield change(app, f"{key}, {each.option}", True)
    begun.go_back(app)


def change(app, what, moved):
    wrong = [each.value for each in app.error] + [each.message for each in app.exception]
    return Change(what, moved, view_lines(app), wrong, beside_pictures(app))
