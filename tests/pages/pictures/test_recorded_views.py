"""What each view of a page says and shows is as it was recorded.

From the first example of each page: every text, control, table, chart and question, and the
sentences among which numbers choose. `pytest tests/pages/pictures --record` writes the lines anew;
look at the difference before you commit it.
"""

from functools import cache
from typing import NamedTuple

import pytest
from recording import RECORDED, differences
from test_screen import BUILT, unpacked
from view_lines import view_lines

from benchmarks.offered import Walk, shown_view
from tests.ui.streamlit_internals.pressing import Moment, send, session_values


class LetGo(NamedTuple):
    """A slider let go at a position: whether that changed a setting, and what was wrong."""

    name: str
    position: str
    moved: bool
    wrong: list[str]


class SeenView(NamedTuple):
    """A view, what is on it, and what became of each end of its sliders."""

    name: str
    lines: list[str]
    ends: list[LetGo]


@cache
def views(slug):
    found, known = [], set()
    for app in Walk(slug).views():
        assert not app.exception and not app.error
        found.append(SeenView(shown_view(app), view_lines(app), [*let_go(app, known)]))
    return found


@pytest.mark.parametrize("slug", BUILT)
def test_what_each_view_says_and_shows_is_as_recorded(slug, request):
    """A line that several views have is written once."""
    parts, known = [], set()
    for seen in views(slug):
        lines = [line for line in dict.fromkeys(seen.lines) if line not in known]
        known.update(lines)
        parts.append("\n".join([f"== {seen.name}", *lines]))
    now = "\n\n".join(parts) + "\n"
    path = RECORDED / "views" / f"{slug}.txt"
    assert differences(path, now, record=request.config.getoption("--record")) == []


@pytest.mark.parametrize("slug", BUILT)
def test_a_slider_may_be_let_go_at_either_end(slug):
    ends = [each for seen in views(slug) for each in seen.ends]
    assert [each for each in ends if each.wrong] == []
    assert not ends or any(each.moved for each in ends)


def ends_of_sliders(app):
    """The name and the lowest and highest position of each slider of the page."""
    for element in app.get("bidi_component"):
        data = unpacked(element.proto.bytes) if element.proto.bytes else {}
        sliders = data.get("sliders", ()) if isinstance(data, dict) else ()
        for slider in (each for each in sliders if isinstance(each, dict)):
            yield from ((slider["name"], f"{slider['positions'][end]:g}") for end in (0, -1))


def settings_of(app):
    return {name: value for name, value in session_values(app).items() if isinstance(value, str)}


def let_go(app, known):
    """What became of the ends of sliders that are not among the known ones."""
    begun = Moment.of(app)
    for name, position in [each for each in ends_of_sliders(app) if each not in known]:
        known.add((name, position))
        begun.go_back(app)
        before = settings_of(app)
        send(app, {"name": name, "typed": position})
        moved = settings_of(app) != before
        wrong = [each.value for each in app.error] + [each.message for each in app.exception]
        yield LetGo(name, position, moved, wrong)
    begun.go_back(app)
