"""The decks as data: every slide in its order, and an address that opens what serves it."""

from urllib.parse import parse_qsl, urlsplit

import pytest

import ui
from ui import contents, lectures

SLIDES = [slide for deck in contents.DECKS for slide in lectures.lecture(deck).slides]
KINDS = {"live", "repeat", "title", "section", "agenda", "closing", "other"}


@pytest.mark.parametrize("deck", contents.DECKS)
def test_a_deck_has_its_slides_in_order(deck):
    found = lectures.lecture(deck).slides
    assert [each.number for each in found] == list(range(1, len(found) + 1))
    assert found[0].kind == "title"
    assert {each.kind for each in found} <= KINDS
    assert all(each.heading and each.heading == each.heading.strip() for each in found)


def test_there_are_as_many_slides_as_the_decks_have():
    live = [each for each in SLIDES if each.kind == "live"]
    assert len(live) == 286
    assert sum(each.builds for each in live) == 471
    assert sum(each.kind == "repeat" for each in SLIDES) == 9


@pytest.mark.parametrize("slide", SLIDES, ids=lambda each: f"{each.deck} {each.number}")
def test_a_slide_opens_an_example_of_a_page_that_is_built(slide):
    assert bool(slide.page) == (slide.kind in ("live", "repeat"))
    if not slide.page:
        assert slide.address() == ""
        return
    parts = urlsplit(slide.address())
    if slide.page == lectures.HOME:
        assert slide.address() == "/"
        return
    assert contents.page(slide.page).built and parts.path == f"/{slide.page}"
    there = ui.lesson(slide.page)
    (preset,) = (each for each in there.presets if each.label == slide.preset)
    settings = {
        **there.defaults,
        **there.looks,
        **dict(parse_qsl(parts.query, keep_blank_values=True)),
    }
    wanted = dict(preset.settings) | ({"see": slide.see} if slide.see else {})
    assert {name: str(value) for name, value in settings.items()} == {
        name: str(value) for name, value in wanted.items()
    }


def test_a_page_lists_its_slides_by_deck():
    found = lectures.slides_of_page("lstm")
    assert list(found) == ["cmu", "stonybrook", "uw"]
    assert found["cmu"][0].heading == "Disadvantages of RNN LMs"
    assert lectures.slides_of_page("nowhere") == {}


@pytest.mark.parametrize("page", [each.slug for each in contents.PAGES])
def test_every_page_serves_a_slide(page):
    assert lectures.slides_of_page(page)


def test_what_is_not_there_is_named():
    with pytest.raises(ValueError, match=r"the deck must be one of cmu, .*got 'nobody'"):
        lectures.lecture("nobody")
    slide = lectures.Slide("cmu", 5, "A Unit", page="neuron", preset="No such")
    with pytest.raises(ValueError, match=r"slide 5 of cmu must be one of .*got .No such."):
        slide.address()
