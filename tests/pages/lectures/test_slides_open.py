"""Slides that open another view than their example; test_deep_links opens every example."""

import pytest
from test_screen import by_key, fine, opened

from ui import contents, lectures

ELSEWHERE = {
    slide.address(): slide
    for deck in contents.DECKS
    for slide in lectures.lecture(deck).slides
    if slide.see and slide.page != lectures.HOME
}


@pytest.mark.parametrize("slide", ELSEWHERE.values(), ids=ELSEWHERE)
def test_a_slide_opens_its_view_of_the_example(slide):
    app = fine(opened(slide.page, **slide.settings()))
    looks = by_key(app.button_group, "see-shown")
    assert slide.see in looks.options
    assert looks.value == slide.see
