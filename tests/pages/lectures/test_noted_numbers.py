"""Decimals in the speaker's notes are numbers of the view that the slide opens, or of its beats."""

import re
from collections.abc import Mapping

import numpy as np
import pytest
from test_screen import fine, numbers_of, opened, value

from tests.sampled import sampled
from ui import contents, lectures

DECIMAL = re.compile(r"(?<![\w.,−-])[−-]?\d[\d,]*\.\d+(?![\d.])")
AFTER_A_MOVE = {("uw", 37): {"attention_scale": "true"}}
"""Slides whose notes give numbers before and after a change of settings → the changed ones."""


def noted_views():
    """(Page, settings) of each view whose slides have decimals in their notes → these slides."""
    found = {}
    for deck in contents.DECKS:
        for slide in lectures.lecture(deck).slides:
            if slide.page and slide.page != lectures.HOME and DECIMAL.search(slide.notes):
                found.setdefault((slide.page, tuple(slide.settings().items())), []).append(slide)
    return found


VIEWS = noted_views()


@pytest.mark.parametrize(
    ("at", "slides"),
    sampled(VIEWS.items(), list(VIEWS.items())[::2], "lectures"),
    ids=[f"{s[0].deck} {s[0].number}" for s in VIEWS.values()],
)
def test_the_decimals_of_notes_are_numbers_of_the_view(at, slides):
    page, settings = at
    numbers = shown(page, dict(settings))
    for slide in slides:
        left = unseen(slide.notes, numbers)
        for stop in stops(slide) if left else ():
            left = unseen(" ".join(left), shown(page, stop))
        assert left == [], slide.number


def stops(slide):
    """The settings at the beats of a slide, and after the change that its notes speak of."""
    yield from (dict(slide.settings_of_beat(beat)) for beat in slide.beats)
    if moved := AFTER_A_MOVE.get((slide.deck, slide.number)):
        yield dict(slide.settings()) | moved


def test_a_decimal_that_no_number_rounds_to_is_seen():
    notes = "p(are) is 0.3689 and −2.971 the sum, of 1,024.5 in all."
    assert unseen(notes, np.array([0.36891, 2.9714, 1024.46])) == []
    assert unseen(notes, np.array([0.3690, 2.9704, 1024.6])) == ["0.3689", "−2.971", "1,024.5"]


def unseen(notes, numbers):
    """The decimals in notes that no number rounds to; signs are ignored, as words may give them."""
    return [
        text
        for text in DECIMAL.findall(notes)
        if not np.isclose(numbers, abs(value(text)), rtol=0, atol=0.501 * place(text)).any()
    ]


def shown(page: str, settings: Mapping[str, str]):
    return numbers_of(fine(opened(page, **settings)))


def place(text):
    """The value of one unit of the last digit."""
    return 10.0 ** -len(text.split(".")[1])
