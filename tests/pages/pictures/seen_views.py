"""Each view of a page from its first example, and what its sliders and widgets change there."""

from functools import cache
from itertools import groupby
from typing import NamedTuple

from recording import heads
from sending import Components, Drawn, Sent, beside_pictures, drawn_in_turn, sent
from test_screen import unpacked
from view_lines import view_lines

from benchmarks.offered import LEAVES, Walk, shown_view
from tests.pages.offers.answers import given_away
from tests.ui.streamlit_internals.pressing import Moment, offered, press, send, session_values


class Change(NamedTuple):
    """A slider released at an end, or an option pressed: the page's lines and errors afterwards."""

    what: str
    moved: bool
    lines: list[str]
    wrong: list[str]
    components: Components
    pictures: list[Sent]


class SeenView(NamedTuple):
    """A view: its lines, its changes by sliders and widgets, and the answers that it gives away."""

    name: str
    lines: list[str]
    ends: list[Change]
    pressed: list[Change]
    given_away: list[str]
    components: Components
    pictures: list[Sent]


@cache
def views(slug, everything=False):
    """Every view of a page, with the presses that its record names.

    With `everything`, all widgets are pressed whose options `page_states` does not vary, and in a
    view with another picture than the first view's all that are there. Those that change something
    are kept.
    """
    recorded = None if everything else heads("states", slug)
    found, moved, asked, tried = [], set(), set(), {}
    for app in Walk(slug).views():
        assert not app.exception and not app.error
        name, lines, drawn, pictures = (
            shown_view(app),
            view_lines(app),
            beside_pictures(app),
            sent(app),
        )
        script = pictures[0].name if pictures else ""
        keys = {each.key for each in offered(app)}
        if not found:
            tried = {"": {*keys}, script: {*keys}}
        known = tried.setdefault(script, {*LEAVES, "see-shown"})
        ends = [*let_go(app, moved)]
        wanted = [
            each
            for each in sides(app)
            if (
                f"{name}: {each.key}, {each.option}" in recorded
                if recorded
                else each.key not in known
            )
        ]
        options = [*pressed(app, wanted)]
        if everything:
            data = [each.data for each in pictures]
            options = [
                each
                for each in options
                if each.lines != lines or each.wrong or [its.data for its in each.pictures] != data
            ]
        known |= keys
        tried[""] |= keys
        answered = [*given_away(app, slug, asked)]
        found.append(SeenView(name, lines, ends, options, answered, drawn, pictures))
    return found


@cache
def drawn_views(slug: str, everything: bool = False) -> list[tuple[str, list[Drawn]]]:
    """The main picture of each view of a page, and in each state that changes it, by view."""
    known, asked = set[bytes](), []
    for seen in views(slug, everything):
        for picture in seen.pictures[:1]:
            every = [
                (seen.name, seen.pictures),
                *((each.what, each.pictures) for each in (*seen.ends, *seen.pressed)),
            ]
            for what, pictures in every:
                for each in pictures[:1]:
                    if each.name == picture.name and (each.data not in known or each is picture):
                        known.add(each.data)
                        asked.append((seen.name, what, each))
    made = drawn_in_turn([(what, each) for _, what, each in asked])
    by_view = groupby(zip(asked, made, strict=True), lambda each: each[0][0])
    return [(name, [drawn for _, drawn in several]) for name, several in by_view]


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


def sides(app):
    """The first and the last of the options that each choice and switch offers."""
    for _, several in groupby(offered(app), lambda each: each.key):
        first, *others = [each for each in several if each.option != "pressed"] or [None]
        if first:
            yield from (first, *others[-1:])


def pressed(app, wanted):
    """The change by each press."""
    begun = Moment.of(app)
    for each in wanted:
        begun.go_back(app)
        press(app, each)
        yield change(app, f"{each.key}, {each.option}", True)
    begun.go_back(app)


def change(app, what, moved):
    wrong = [each.value for each in app.error] + [each.message for each in app.exception]
    return Change(what, moved, view_lines(app), wrong, beside_pictures(app), sent(app))
