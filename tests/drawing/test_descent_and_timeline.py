"""The curve of a descent and the timeline: axes, values and words."""

import pytest

from drawing.theme import QUIET, ROLES, SERIES
from lessons.backprop.backprop_figures import descent_curve, describe_descent
from lessons.home.timeline import TimelineMark, timeline
from lmcore.graph import descend, parse_program

PATH = descend(parse_program("a = 3\nL = a*a"), learning_rate=0.25, names=["a"], steps=2)
MARKS = [
    TimelineMark(1913, "Counts", "language models", "one"),
    TimelineMark(2003, "First", "both", "two"),
    TimelineMark(2003, "Second with a long label", "language models", "three"),
    TimelineMark(2017, "Attention", "language models", "four"),
]
modes = pytest.mark.parametrize("mode", ["light", "dark"])


@modes
def test_a_descent_is_drawn_from_before_the_first_step(mode):
    figure = descent_curve(PATH, "L", mode)
    (line,) = figure.data
    assert list(line.x) == [0, 1, 2]
    assert list(line.y) == [9, 2.25, 0.5625]  # a halves at every step: 3, 1.5, 0.75
    assert line.line.color == ROLES["loss"][mode]
    assert figure.layout.xaxis.title.text == "step"
    assert figure.layout.yaxis.title.text.endswith("L")


def test_the_words_of_a_descent_name_its_ends_and_its_steps():
    assert describe_descent(PATH, "L") == (
        "L goes from 9 to 0.5625 in 2 steps of gradient descent."
    )


def places(figure):
    return {
        text: (x, y)
        for trace in figure.data
        for text, x, y in zip(trace.text, trace.x, trace.y, strict=True)
    }


@modes
def test_a_kind_of_event_has_a_colour_and_a_shape_of_its_own(mode):
    figure = timeline(MARKS, 2026, mode)
    assert [trace.name for trace in figure.data] == ["both", "language models"]
    assert [trace.marker.color for trace in figure.data] == list(SERIES[mode][:2])
    assert len({trace.marker.symbol for trace in figure.data}) == 2
    assert figure.data[0].error_y.color == QUIET[mode]


def test_events_stand_in_the_order_of_their_years_with_all_their_words():
    figure = timeline(MARKS, 2026, "light")
    at = places(figure)
    assert set(at) == {f"{mark.label} {mark.year}" for mark in MARKS}
    across = [at[f"{mark.label} {mark.year}"][0] for mark in MARKS]
    assert across == sorted(across)
    assert {row[0] for trace in figure.data for row in trace.customdata} == {m.note for m in MARKS}


def test_two_events_of_one_year_do_not_stand_on_each_other():
    at = places(timeline(MARKS, 2026, "light"))
    assert at["First 2003"] != at["Second with a long label 2003"]


def test_the_years_stand_on_a_logarithmic_axis_that_says_so():
    axis = timeline(MARKS, 2026, "light").layout.xaxis
    assert axis.title.text == "year, on a logarithmic scale of years ago"
    assert list(axis.tickvals) == sorted(axis.tickvals)
    low, high = axis.range
    assert all(low < tick < high for tick in axis.tickvals)


def test_the_timeline_still_stands_in_later_years():
    for today in (2023, 2040):
        assert len(places(timeline(MARKS, today, "light"))) == len(MARKS)
