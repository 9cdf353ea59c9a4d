"""What each view of a page says and shows is as it was recorded.

Recorded from the first example of each page: every text, control, table, chart and question, and
the sentences that numbers choose from. Also recorded is what changes with another example, another
value of a setting, an option of a view, and either end of its sliders. The changes are made one at
a time in one session, so that leftovers from before a change appear. `pytest tests/pages/pictures
--record` writes the lines anew; look at the difference before you commit it.
"""

from functools import cache
from typing import NamedTuple

import pytest
from recording import RECORDED, differences
from sending import opened_in, page_states
from test_screen import BUILT, unpacked
from view_lines import view_lines

from benchmarks.offered import Walk, shown_view
from tests.pages.offers.answers import given_away
from tests.ui.streamlit_internals.pressing import Moment, offered, press, send, session_values
from ui.lessons import lesson


class Change(NamedTuple):
    """A slider released at an end, or an option pressed: the page's lines and errors afterwards."""

    what: str
    moved: bool
    lines: list[str]
    wrong: list[str]


class SeenView(NamedTuple):
    """A view: its lines, its changes by sliders and widgets, and the answers that it gives away."""

    name: str
    lines: list[str]
    ends: list[Change]
    pressed: list[Change]
    given_away: list[str]


@cache
def views(slug):
    found, moved, tried, asked = [], set(), set(), set()
    for app in Walk(slug).views():
        assert not app.exception and not app.error
        if not found:
            tried |= {each.key for each in offered(app)}  # `page_states` varies these
        name, lines = shown_view(app), view_lines(app)
        ends, options = [*let_go(app, moved)], [*pressed(app, tried)]
        found.append(SeenView(name, lines, ends, options, [*given_away(app, slug, asked)]))
    return found


@pytest.mark.parametrize("slug", BUILT)
def test_what_each_view_says_and_shows_is_as_recorded(slug, request):
    """A line that several views share is written once."""
    parts, known = [], set()
    for seen in views(slug):
        lines = [line for line in dict.fromkeys(seen.lines) if line not in known]
        known.update(lines)
        parts.append("\n".join([f"== {seen.name}", *lines]))
    now = "\n\n".join(parts) + "\n"
    path = RECORDED / "views" / f"{slug}.txt"
    assert differences(path, now, record=request.config.getoption("--record")) == []


@pytest.mark.parametrize("slug", BUILT)
def test_no_view_answers_what_it_asks(slug):
    """Asked are all questions of every view."""
    assert [each for seen in views(slug) for each in seen.given_away] == []


@pytest.mark.parametrize("slug", BUILT)
def test_what_each_example_asks_is_as_recorded(slug, request):
    """Every question of every example, with its answer and its reason."""
    known = {each.name: each.lines for each in page_states(slug)}
    examples = {each.label: each.settings for each in lesson(slug).presets}
    left = {label: each for label, each in examples.items() if label not in known}
    known |= {each.name: each.lines for each in opened_in(slug, left)}
    parts = []
    for label in examples:
        asked = [line for line in known[label] if line.startswith("question ")]
        parts.append("\n".join([f"== {label}", *asked]))
    path = RECORDED / "questions" / f"{slug}.txt"
    now = "\n\n".join(parts) + "\n"
    assert differences(path, now, record=request.config.getoption("--record")) == []


def news(lines, known):
    return [each for each in dict.fromkeys(lines) if each not in known]


@pytest.mark.parametrize("slug", BUILT)
def test_what_changes_on_the_page_is_as_recorded(slug, request):
    first, *states = page_states(slug)
    parts = {each.name: news(each.lines, first.lines) for each in states}
    for seen in views(slug):
        for each in (*seen.ends, *seen.pressed):
            parts[f"{seen.name}: {each.what}"] = news(each.lines, seen.lines)
    now = "\n\n".join("\n".join([f"== {name}", *lines]) for name, lines in parts.items()) + "\n"
    path = RECORDED / "states" / f"{slug}.txt"
    assert differences(path, now, record=request.config.getoption("--record")) == []


@pytest.mark.parametrize("slug", BUILT)
def test_a_slider_may_be_let_go_at_either_end(slug):
    ends = [each for seen in views(slug) for each in seen.ends]
    assert [each for each in ends if each.wrong] == []
    assert not ends or any(each.moved for each in ends)


@pytest.mark.parametrize("slug", BUILT)
def test_an_option_of_each_widget_may_be_pressed(slug):
    every = [each for seen in views(slug) for each in seen.pressed]
    assert [each for each in every if each.wrong] == []


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
    return Change(what, moved, view_lines(app), wrong)
