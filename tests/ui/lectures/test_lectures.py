"""The decks as data: every slide in order, and an address that opens the view for it."""

import re
from dataclasses import replace
from urllib.parse import parse_qsl, urlsplit

import pytest

import ui
from ui import contents, lectures
from ui.lectures import decks

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
    assert sum(each.kind == "live" for each in SLIDES) == 286
    assert sum(each.kind == "repeat" for each in SLIDES) == 9


@pytest.mark.parametrize("slide", SLIDES, ids=lambda each: f"{each.deck} {each.number}")
def test_a_slide_opens_an_example_of_a_page_that_is_built(slide):
    assert bool(slide.page) == (slide.kind in ("live", "repeat"))
    if not slide.page:
        assert slide.address() == ""
        return
    parts = urlsplit(slide.address())
    if slide.page == lectures.HOME:
        wanted = ({"see": slide.see} if slide.see else {}) | dict(slide.changes)
        assert (parts.path, dict(parse_qsl(parts.query))) == ("/", wanted)
        return
    assert contents.page(slide.page).built and parts.path == f"/{slide.page}"
    there = ui.lesson(slide.page)
    (preset,) = (each for each in there.presets if each.label == slide.preset)
    settings = {
        **there.defaults,
        **there.looks,
        **dict(parse_qsl(parts.query, keep_blank_values=True)),
    }
    wanted = dict(preset.settings) | ({"see": slide.see} if slide.see else {}) | dict(slide.changes)
    assert {name: str(value) for name, value in settings.items()} == {
        name: str(value) for name, value in wanted.items()
    }


VIEWS = {
    f"{slide.deck} {slide.number}": (
        slide,
        [slide.settings(), *(slide.settings_of_beat(beat) for beat in slide.beats)],
    )
    for slide in SLIDES
    if slide.page and slide.page != lectures.HOME
}
"""A slide's name → the slide, and the settings of its view, then of each of its beats."""
ENCODER = ("Encoder", "Encoders", "BERT")


def test_a_slide_keeps_its_letters_from_its_view_to_its_last_beat():
    for name, (slide, shown) in VIEWS.items():
        default = ui.lesson(slide.page).defaults.get("letters")
        assert len({each.get("letters", default) for each in shown}) == 1, name
    assert VIEWS["uw 9"][1][0]["letters"] == "uw" and VIEWS["feng 28"][1][0]["letters"] == "feng"


def test_a_slide_on_an_encoder_shows_no_causal_model():
    found = []
    for name, (slide, shown) in VIEWS.items():
        if slide.page == "transformer" and set(re.findall(r"\w+", slide.heading)) & {*ENCODER}:
            whole = [ui.lesson(slide.page).defaults | each for each in shown]
            models = {each["tf_model"] for each in whole if each.get("see", "Picture") == "Picture"}
            assert "gpt" not in models, name
            found.append(name)
    assert {"cmu 78", "stonybrook 44", "feng 12"} <= set(found)


def test_a_slide_that_reads_both_ways_does_not_end_on_the_causal_mask():
    both = {n: of for n, of in VIEWS.items() if of[0].preset == "Stony Brook: one way, both"}
    assert "stonybrook 64" in both
    for number in ("cmu 82", "encoders 4"):
        assert (
            VIEWS[number][1][-1]["see"] == "Both sides" and not VIEWS[number][1][-1]["fill_right"]
        )
    for name, (slide, shown) in both.items():
        last = {**ui.lesson(slide.page).defaults, **ui.lesson(slide.page).looks, **shown[-1]}
        assert (last["masking_kind"], last["see"]) != ("causal", "Picture"), name


def test_a_slide_opens_on_what_it_is_about():
    assert VIEWS["uw 22"][1][0]["see"] == "Deep and both ways"
    assert VIEWS["stonybrook 90"][1][0]["see"] == "Random walk"
    assert VIEWS["stonybrook 75"][1][0]["lr_use"] == "LM fine-tuning"
    assert VIEWS["stonybrook 79"][1][0]["lr_use"] == "Embeddings"
    for name, (slide, shown) in VIEWS.items():
        there = ui.lesson(slide.page)
        known = {**there.defaults, **there.looks, "lr_use": ""}
        assert {key for key, _ in slide.changes} <= known.keys(), name
        for each in shown[1:]:
            assert dict(slide.changes).items() <= each.items(), name


def test_a_page_lists_its_slides_by_deck():
    found = lectures.slides_of_page("lstm")
    assert list(found) == ["cmu", "stonybrook", "uw"]
    assert found["cmu"][0].heading == "Disadvantages of RNN LMs"
    assert lectures.slides_of_page("nowhere") == {}


def test_what_is_not_there_is_named():
    with pytest.raises(ValueError, match=r"the deck must be one of cmu, .*got 'nobody'"):
        lectures.lecture("nobody")
    slide = lectures.Slide("cmu", 5, "A Unit", page="neuron", preset="No such")
    with pytest.raises(ValueError, match=r"slide 5 of cmu must be one of .*got .No such."):
        slide.address()


def test_the_notes_speak_of_the_slide_and_its_beats_are_those_of_its_page():
    for slide in SLIDES:
        if slide.kind == "live":
            assert 60 <= len(slide.notes) <= 400 and slide.words, (slide.deck, slide.number)
        if slide.beats:
            assert list(slide.beats) == sorted(set(slide.beats))
            assert slide.beats[-1] <= len(ui.lesson(slide.page).beats)


def test_the_next_slide_is_the_next_that_has_a_view():
    there = lectures.lecture("cmu")
    assert there.onward(2).number == 4  # slide 3 only opens a section
    assert there.back(4).number == 2
    assert there.back(2) is None
    assert there.onward(len(there.slides)) is None


@pytest.mark.parametrize("deck", contents.DECKS)
def test_the_sections_hold_every_slide_once_in_order(deck):
    there = lectures.lecture(deck)
    sections = there.sections()
    assert [slide for each in sections for slide in each.slides] == list(there.slides)
    assert len({each.title for each in sections}) == len(sections)


def test_a_slide_that_is_presented_goes_back_to_its_last_beat():
    slide = lectures.Slide(
        "cmu", 5, "A Unit", page="neuron", preset="CMU slide: A Unit Illustrated", beats=(2, 3)
    )
    assert dict(parse_qsl(urlsplit(slide.shown()).query)) == {
        "deck": "cmu",
        "slide": "5",
        "present": "1",
        "beat": "0",
    }
    last = dict(parse_qsl(urlsplit(slide.shown(last=True)).query))
    third = ui.lesson("neuron").beats[2]
    assert last == {**ui.lesson("neuron").address(third), "deck": "cmu", "slide": "5"} | {
        "present": "1",
        "beat": "3",
    }


def test_a_still_has_another_name_once_its_view_shows_something_else(monkeypatch):
    slide = lectures.lecture("cmu").slide(5)
    there = ui.lesson("neuron")
    changed = [replace(each, settings={**each.settings, "w": "9"}) for each in there.presets]
    before = slide.still_name()
    monkeypatch.setattr(decks, "lesson", lambda slug: replace(there, presets=tuple(changed)))
    assert slide.still_name() != before


def test_a_still_keeps_its_name_when_a_setting_is_new_or_renamed(monkeypatch):
    slide = next(
        s for s in SLIDES if s.page == "neuron" and ui.lesson("neuron").differs(s.settings())
    )
    there, before = ui.lesson("neuron"), slide.still_name()
    old = next(iter(there.differs(slide.settings())))

    def rename(settings):
        return {("another" if name == old else name): value for name, value in settings.items()}

    changed = replace(
        there,
        defaults={**rename(there.defaults), "new": 3},
        looks=rename(there.looks),
        presets=tuple(
            replace(each, settings={**rename(each.settings), "new": 3}) for each in there.presets
        ),
        renamed={old: "another", "a later name": "another"},
    )
    monkeypatch.setattr(decks, "lesson", lambda slug: changed)
    assert slide.still_name() == before


def test_a_slide_whose_still_is_not_there_has_none(monkeypatch, tmp_path):
    slide = lectures.lecture("cmu").slide(5)
    assert slide.still() == slide.still_name()
    monkeypatch.setattr(decks, "STILLS", tmp_path)
    assert slide.still() == ""


@pytest.mark.parametrize("suffix", ["", "-dark"])
def test_nearly_every_still_is_there(suffix):
    """The stills of new views are taken before a release."""
    wanted = {name for slide in SLIDES if (name := slide.still_name())}
    there = {file.stem for file in decks.STILLS.glob("*.webp")}
    missing = {name for name in wanted if f"{name}{suffix}" not in there}
    assert len(missing) <= len(wanted) / 20, "run python -m benchmarks.lecture_stills"


def test_what_is_served_whole_and_in_part_adds_up():
    live = [each for each in SLIDES if each.kind == "live"]
    found = lectures.coverage(SLIDES)
    assert found.taught == len(live)
    assert found.whole + found.part == sum(bool(each.page) for each in live) >= 270
    assert found.part == sum(bool(each.missing) for each in live)


@pytest.mark.parametrize("page", ["home", *(each.slug for each in contents.PAGES)])
def test_no_setting_of_a_page_has_the_name_of_a_place_in_a_lecture(page):
    there = ui.lesson(page)
    assert not {*there.defaults, *there.looks} & set(decks.PLACE)
