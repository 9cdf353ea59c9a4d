"""What each view of a page says and shows is as it was recorded.

From the first example of each page: every text, control, table, chart and question, and the
sentences among which numbers choose. `pytest tests/pages/pictures --record` writes the lines anew;
look at the difference before you commit it.
"""

from functools import lru_cache
from typing import NamedTuple

import pytest
from recording import RECORDED, differences
from test_screen import BUILT, unpacked
from view_lines import view_lines

from benchmarks.offered import Walk, shown_view
from tests.ui.streamlit_internals.pressing import Moment, send


class SeenView(NamedTuple):
    """A view, what stands on it, and the ends of sliders that it refuses."""

    name: str
    lines: list[str]
    refused: list[tuple[str, str, list[str]]]


@lru_cache(maxsize=1)
def views(slug):
    found, known = [], set()
    for app in Walk(slug).views():
        assert not app.exception and not app.error
        found.append(SeenView(shown_view(app), view_lines(app), [*refused(app, known)]))
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
    assert {seen.name: seen.refused for seen in views(slug) if seen.refused} == {}


def ends_of_sliders(app):
    """The name and the lowest and highest position of each slider of the page."""
    for element in app.get("bidi_component"):
        data = unpacked(element.proto.bytes) if element.proto.bytes else {}
        sliders = data.get("sliders", ()) if isinstance(data, dict) else ()
        for slider in (each for each in sliders if isinstance(each, dict)):
            yield from ((slider["name"], f"{slider['positions'][end]:g}") for end in (0, -1))


def refused(app, known):
    """The ends of sliders, not among the known ones, at which the page refuses their number."""
    begun = Moment.of(app)
    for name, typed in [each for each in ends_of_sliders(app) if each not in known]:
        known.add((name, typed))
        begun.go_back(app)
        send(app, {"name": name, "typed": typed})
        if app.exception or app.error:
            yield name, typed, [each.value for each in app.error]
    begun.go_back(app)
