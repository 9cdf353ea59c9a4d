"""The index of a lecture, and a page that is part of one."""

import pytest
from test_screen import ROOT, AppTest, drawn, fine, opened, said

import ui
from ui import lectures
from ui.lectures import index


def opened_index(**address):
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
    app.switch_page("pages/lectures.py")
    for name, value in address.items():
        app.query_params[name] = value
    return fine(app.run())


@pytest.mark.parametrize("deck", lectures.lectures())
def test_the_index_has_every_slide_in_its_section_and_says_how_many_are_live(deck):
    there = lectures.lecture(deck)
    app = opened_index(deck=deck)
    assert not app.error
    data = drawn(app, "slides")
    cards = [card for section in data["sections"] for card in section["slides"]]
    assert [card["number"] for card in cards] == [slide.number for slide in there.slides]
    assert [card["path"] for card in cards] == [slide.link() for slide in there.slides]
    assert all(card["path"] or card["nothing"] for card in cards)
    assert [each["chosen"] for each in data["decks"]].index(True) == list(
        lectures.lectures()
    ).index(deck)
    assert index.summary(there) in said(app)
    live = sum(section["live"] for section in data["sections"])
    assert f"Of {live} slides to teach" in said(app)


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ({"deck": "nobody"}, "deck in the address must be one of cmu, "),
        ({"deck": "cmu", "at": "95"}, "the slide in the address must be one of CMU 11-411, from 1"),
        ({"deck": "cmu", "at": "<b>"}, "got '<b>'"),
        ({"at": "3"}, "deck in the address must be one of cmu, "),
    ],
)
def test_an_index_that_is_not_there_is_said_and_the_first_deck_is_shown(address, message):
    app = opened_index(**address)
    assert message in app.error[0].value.replace("\\", "")
    assert drawn(app, "slides")["decks"][0]["chosen"]


def test_a_page_that_is_a_slide_shows_its_place_and_the_way_on():
    app = fine(opened("neuron", deck="cmu", slide="5"))
    data, there = drawn(app, "lecture"), lectures.lecture("cmu")
    assert (data["at"], data["heading"]) == (5, there.slide(5).heading)
    assert (data["back"], data["onward"]) == (there.slide(4).link(), there.slide(6).link())
    assert data["notes"] == there.slide(5).notes
    assert len(data["slides"]) == len(there.slides)


def test_in_presenter_mode_the_keys_turn_the_beats_of_the_slide_alone():
    slide = next(each for each in lectures.lecture("stonybrook").slides if each.beats)
    app = fine(
        opened(
            slide.page,
            **slide.settings(),
            deck="stonybrook",
            slide=str(slide.number),
            present="1",
            beat="0",
        )
    )
    assert drawn(app, "keys")["steps"] == list(slide.beats)
    whole = fine(opened(slide.page, present="1", beat="1"))
    last = len(ui.lesson(slide.page).beats)
    assert drawn(whole, "keys")["steps"] == list(range(1, last + 1))


@pytest.mark.parametrize(
    "address", [{"deck": "nobody", "slide": "1"}, {"deck": "cmu"}, {"deck": "cmu", "slide": "1e1"}]
)
def test_a_place_that_is_not_there_is_said_on_the_page_and_it_is_no_slide(address):
    app = fine(opened("neuron", **address))
    assert "in the address must be" in app.error[0].value.replace("\\", "")
    assert not [e for e in app.get("bidi_component") if e.proto.id.endswith("-lecture")]


def test_a_page_lists_all_its_slides_each_with_its_place():
    data = drawn(fine(opened("lstm")), "slide-links")
    slides = [slide for each in data["lectures"] for slide in each["slides"]]
    served = [s for found in lectures.slides_of_page("lstm").values() for s in found]
    assert [slide["path"] for slide in slides] == [each.link() for each in served]


def test_a_slide_of_home_is_on_its_stage_and_the_lecture_goes_on():
    home = [s for s in lectures.lecture("stonybrook").slides if s.page == lectures.HOME]
    app = fine(opened(see="Timeline", deck="stonybrook", slide=str(home[0].number), present="1"))
    assert drawn(app, "rivers-rivers")["marks"]
    assert drawn(app, "lecture")["onward"]
    assert drawn(app, "keys")["mode"] == "present"


def test_home_says_what_can_be_put_on_its_stage():
    app = fine(opened(see="Timetable"))
    assert "see in the address must be one of Timeline" in app.error[0].value.replace("\\", "")
