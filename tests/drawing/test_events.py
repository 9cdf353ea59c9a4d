"""An event of a component is accepted by its type alone; others are dropped and counted."""

import logging
import math
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typing_extensions import TypedDict

from drawing import events
from drawing.events import Moved, Name, Place, PlaceOrNone, Real, event_type, guarded, read_event
from ui.components import KeyPress


class Told(TypedDict, total=False):
    step: Real
    word: Name
    at: tuple[Place, Place]


LONG = "x" * 1_000_000
HOSTILE = [
    -1, -(10**400), 10**400, math.nan, math.inf, 1e308, None, True, "shown-page", LONG, [], [[]],
    {},    {"name": "shown-page"}, {"name": LONG, "typed": "1"}, {"step": math.nan}, {"step": "1"},
    {"at": [0]}, {"at": [0, -1]}, {"word": 3}, {"word": LONG}, {"name": "a", "typed": {}}, [LONG],
]  # fmt: skip
"""What any visitor can send; tests/pages/offers/test_offered.py sends it to every handler."""


def dropped():
    return events.REFUSED._value.get()


@pytest.mark.parametrize("kind", [Place, PlaceOrNone, Real, Name, Moved, KeyPress, Told])
def test_a_value_is_of_the_type_or_a_value_error(kind):
    for value in HOSTILE:
        try:
            read = read_event(kind, value)
        except ValueError:
            continue
        assert (kind, read) in [(PlaceOrNone, -1), (Real, -1), (Name, "shown-page"), (Told, {})]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
)


@given(JSON)
def test_no_value_does_more_than_be_dropped(value):
    heard, before = [], dropped()

    def handle(event: Told) -> None:
        heard.append(event)

    guarded(handle)(value)
    assert len(heard) + dropped() - before == 1
    assert all(each.keys() <= {"step", "word", "at"} for each in heard)


def test_what_does_not_fit_the_page_is_dropped_without_a_line_in_the_log(caplog):
    words, before = ["a"], dropped()

    def handle(word: Place) -> None:
        words.append(words[word])

    with caplog.at_level(logging.DEBUG):
        for event in (7, -1, "0", LONG):
            guarded(handle)(event)
    assert words == ["a"] and dropped() == before + 4 and not caplog.records
    guarded(handle)(0)
    assert words == ["a", "a"] and dropped() == before + 4


def test_what_a_typed_dictionary_does_not_have_is_left_out():
    known = {"event": "beat", "value": 2, "turn": 17.25}
    assert read_event(KeyPress, known | {"more": 1}) == known


def test_a_handler_must_say_what_it_takes():
    def anything(event):
        pass

    def any_type(event: Any) -> None:
        pass

    def last(lane: str, event: Place) -> None:
        pass

    for handle in (anything, any_type):
        with pytest.raises(TypeError, match="the event must have a type"):
            event_type(handle)
    assert event_type(partial(last, "gpt")) == Place
