"""A lesson's presets and beats are complete settings, and name only settings that exist."""

import pytest

from ui import contents, lessons
from ui.lessons import lesson

BUILT = [page.slug for page in contents.PAGES if page.built]
ONE = """
[defaults]
x = "1"
flag = "no"
[looks]
view = "first"
[[preset]]
label = "Home"
help = "where it starts"
[[preset]]
label = "Away"
help = "elsewhere"
settings = {{ x = "2" }}
[[beat]]
say = "Look."
settings = {{ {beat} }}
"""


@pytest.fixture
def written(tmp_path, monkeypatch):
    """A function that writes and reads a test lesson, whose only beat has the given settings."""
    (tmp_path / "ours").mkdir()
    monkeypatch.setattr(lessons, "FOLDER", tmp_path)

    def write(beat, text=ONE):
        (tmp_path / "ours" / "lesson.toml").write_text(text.format(beat=beat), "utf-8")
        return lesson.__wrapped__("ours")

    return write


@pytest.mark.parametrize("slug", BUILT)
def test_every_preset_and_beat_sets_what_is_shown_completely(slug):
    here = lesson(slug)
    assert not here.defaults.keys() & here.looks.keys()
    for preset in here.presets:
        assert here.defaults.keys() <= preset.settings.keys()
    for beat in here.beats:
        assert beat.settings.keys() == here.defaults.keys() | here.looks.keys()


@pytest.mark.parametrize("slug", BUILT)
def test_presets_have_labels_of_their_own_and_differ(slug):
    presets = lesson(slug).presets
    assert len({preset.label for preset in presets}) == len(presets)
    assert all(preset.help and preset.label for preset in presets)
    assert len({repr(preset.settings) for preset in presets}) == len(presets)


@pytest.mark.parametrize("slug", BUILT)
def test_the_first_preset_is_what_the_page_opens_on(slug):
    here = lesson(slug)
    first = here.presets[0]
    assert {name: first.settings[name] for name in here.defaults} == here.defaults
    assert here.address(first) == {}


@pytest.mark.parametrize("slug", BUILT)
def test_settings_have_the_type_of_their_default(slug):
    here = lesson(slug)
    opens = {**here.defaults, **here.looks}
    for each in (*here.presets, *here.beats):
        for name, value in each.settings.items():
            assert type(value) is type(opens[name]), name


def test_an_address_says_only_what_differs(written):
    here = written("")
    home, away = here.presets
    assert here.address(home) == {}
    assert here.address(away) == {"x": "2"}


def test_a_beat_may_stand_on_a_preset_and_change_it(written):
    (beat,) = written('preset = "Away", view = "second"').beats
    assert beat.settings == {"x": "2", "flag": "no", "view": "second"}


def test_a_preset_opens_the_first_view_unless_it_names_another(written):
    assert written("").presets[1].settings["view"] == "first"


ON_EVERY_DESK = {"see", "ask"}
"""The open view and question: all pages share these names; a page forgets them when it is left."""


def test_no_two_pages_call_a_setting_alike():
    used = [name for slug in BUILT for name in {**lesson(slug).defaults, **lesson(slug).looks}]
    own = [name for name in used if name not in ON_EVERY_DESK]
    assert len(own) == len(set(own))


@pytest.mark.parametrize("where", ["beat", "preset"])
def test_a_setting_without_a_default_is_refused(written, where):
    text = ONE if where == "beat" else ONE.replace('x = "2"', "speed = 3")
    with pytest.raises(
        ValueError,
        match=r"lessons/ours/lesson.toml must only set \['flag', 'view', 'x'\]; got \['speed'\]",
    ):
        written("speed = 3" if where == "beat" else "", text)


def test_the_beats_of_backprop_stand_on_presets_of_that_name():
    programs = [beat.settings["program"] for beat in lesson("backprop").beats]
    presets = {preset.settings["program"] for preset in lesson("backprop").presets}
    # One step of gradient descent moves the slope of the regression, and nothing else.
    (learned,) = set(programs) - presets
    assert learned.replace("β = 1.3", "β = 0.5") in presets
    assert len(set(programs)) == 6


def test_a_lesson_may_have_no_examples_and_no_beats(written):
    here = written("", "[defaults]\nx = '1'\n")
    assert (here.presets, here.beats, here.looks, here.renamed) == ((), (), {}, {})


def test_a_setting_keeps_the_names_that_it_had(written):
    here = written("", f"{ONE}[renamed]\ny = 'x'\n")
    assert here.renamed == {"y": "x"}


@pytest.mark.parametrize("line", ["flag = 'x'", "y = 'z'"], ids=["to a setting", "from none"])
def test_a_name_that_leads_nowhere_is_refused(written, line):
    with pytest.raises(ValueError, match=r"lessons/ours/lesson.toml: renamed must lead from"):
        written("", f"[defaults]\nx = '1'\nflag = 'no'\n[renamed]\n{line}\n")
