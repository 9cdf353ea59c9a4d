"""What each view of a page says and shows is as it was recorded.

From the first example of each page: every text, control, table, chart and question, and the
sentences among which numbers choose. `pytest tests/pages/pictures --record` writes the lines anew;
look at the difference before you commit it.
"""

import re
from functools import lru_cache
from typing import NamedTuple

import pytest
from recording import RECORDED, differences
from sending import settings_table
from test_screen import BUILT, unpacked
from view_lines import view_lines

from benchmarks.offered import Walk, shown_view
from ui.settings import Between, Bound


class SeenView(NamedTuple):
    """A view, what stands on it, and how far each slider goes."""

    name: str
    lines: list[str]
    sliders: list[tuple[str, float, float]]


@lru_cache(maxsize=1)
def views(slug):
    found = []
    for app in Walk(slug).views():
        assert not app.exception and not app.error
        found.append(SeenView(shown_view(app), view_lines(app), [*sliders_of(app)]))
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
def test_a_slider_goes_as_far_as_its_setting_may(slug):
    """And no further: an address may say what the slider can, and the other way round."""
    table, wrong = settings_table(slug).table, {}
    for seen in views(slug):
        for name, low, high in seen.sliders:
            setting = table.get(name)
            rule = setting.rule if isinstance(setting, Bound) else setting
            if isinstance(rule, Between) and (low, high) != (rule.low, rule.high):
                wrong[name] = (low, high), rule
    assert wrong == {}


def sliders_of(app):
    """The name, the lowest and the highest position of each slider of the page."""
    for each in (*app.slider, *app.number_input):
        yield re.sub(r"(-shown)?(-\d+)?$", "", each.key or ""), each.min, each.max
    for element in app.get("bidi_component"):
        data = unpacked(element.proto.bytes) if element.proto.bytes else {}
        sliders = data.get("sliders", ()) if isinstance(data, dict) else ()
        for slider in (each for each in sliders if isinstance(each, dict)):
            yield slider["name"], min(slider["positions"]), max(slider["positions"])
