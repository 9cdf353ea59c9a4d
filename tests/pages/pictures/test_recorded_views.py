"""What each view of a page says and shows is as it was recorded.

Recorded from the first example of each page, or the first that has the view: every text, control,
table, chart and question, and the sentences that numbers choose from. Also recorded is what changes
with another example, another value of a setting, an option or a press in a view, and either end of
its sliders. The changes are made one at a time in one session, so that leftovers from before a
change appear. `pytest tests/pages/pictures --record` writes the lines anew; look at the difference
before you commit it.
"""

from collections import defaultdict

import pytest
from page_states import opened_in, page_states
from recording import RECORDED, differences
from seen_views import views
from sending import in_node, script_of, text
from test_screen import BUILT

from ui.lessons import lesson


@pytest.mark.parametrize("slug", BUILT)
def test_what_each_view_says_and_shows_is_as_recorded(slug, request, everything):
    """A line that several views share is written once."""
    parts, known = [], set()
    for seen in views(slug, everything):
        lines = [line for line in dict.fromkeys(seen.lines) if line not in known]
        known.update(lines)
        parts.append("\n".join([f"== {seen.name}", *lines]))
    now = "\n\n".join(parts) + "\n"
    path = RECORDED / "views" / f"{slug}.txt"
    assert differences(path, now, record=request.config.getoption("--record")) == []


@pytest.mark.parametrize("slug", BUILT)
def test_no_view_answers_what_it_asks(slug, everything):
    """Asked are all questions of every view."""
    assert [each for seen in views(slug, everything) for each in seen.given_away] == []


@pytest.mark.parametrize("slug", BUILT)
def test_what_each_example_says_shows_and_asks_is_as_recorded(slug, request, everything):
    """Every line that no view has, and no example before; and every question of every example."""
    seen = {each.name: each.lines for each in page_states(slug)}
    labels = {each.label: each.settings for each in lesson(slug).presets}
    left = {label: each for label, each in labels.items() if label not in seen}
    seen |= {each.name: each.lines for each in opened_in(slug, left)}
    known = {line for each in views(slug, everything) for line in each.lines}
    parts = []
    for label in labels:
        lines = [line for line in seen[label] if line not in known or line.startswith("question ")]
        parts.append("\n".join([f"== {label}", *dict.fromkeys(lines)]))
        known.update(lines)
    path = RECORDED / "examples" / f"{slug}.txt"
    now = "\n\n".join(parts) + "\n"
    assert differences(path, now, record=request.config.getoption("--record")) == []


def news(change, known):
    return [*change.sets, *(each for each in dict.fromkeys(change.lines) if each not in known)]


@pytest.mark.parametrize("slug", BUILT)
def test_what_changes_on_the_page_is_as_recorded(slug, request, everything):
    first, *states = page_states(slug)
    known = {*first.lines}
    parts = {each.name: [*dict.fromkeys(each.lines)] for each in states}
    parts = {name: [line for line in lines if line not in known] for name, lines in parts.items()}
    for state in states:
        parts |= {f"{state.name}: {each.what}": news(each, state.lines) for each in state.ends}
    for seen in views(slug, everything):
        for each in (*seen.ends, *seen.pressed):
            parts[f"{seen.name}: {each.what}"] = news(each, seen.lines)
    now = "\n\n".join("\n".join([f"== {name}", *lines]) for name, lines in parts.items()) + "\n"
    path = RECORDED / "states" / f"{slug}.txt"
    assert differences(path, now, record=request.config.getoption("--record")) == []


@pytest.mark.parametrize("slug", BUILT)
def test_a_slider_may_be_let_go_at_either_end(slug, everything):
    every = [*views(slug, everything), *page_states(slug)]
    ends = [each for seen in every for each in seen.ends]
    assert [each for each in ends if each.wrong] == []
    assert not ends or any(each.sets for each in ends)


@pytest.mark.parametrize("slug", BUILT)
def test_an_option_of_each_widget_may_be_pressed(slug, everything):
    every = [each for seen in views(slug, everything) for each in seen.pressed]
    assert [each for each in every if each.wrong] == []


@pytest.mark.parametrize("slug", BUILT)
def test_what_is_beside_a_picture_is_drawn_in_place_as_it_is_drawn_afresh(slug, everything):
    """In all states and views of the page; drawn in place of the state before."""
    shown = [*page_states(slug), *views(slug, everything)]
    shown += [each for seen in views(slug, everything) for each in (*seen.ends, *seen.pressed)]
    states = defaultdict[tuple[str, str], dict[bytes, None]](dict)
    for its, data in (each for state in shown for each in state.components.items()):
        states[its][data] = None
    several = {its: [text(each) for each in data] for its, data in states.items() if len(data) > 1}
    given = [{"script": script_of(name), "states": data} for (name, _), data in several.items()]
    found = in_node("in_place.mjs", components=given)
    assert {its: each for its, each in zip(several, found, strict=True) if any(each)} == {}
