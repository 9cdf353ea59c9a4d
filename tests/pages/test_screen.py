"""Functions that read back as text what a page shows; and tests that every page opens.

The other page tests import these functions. AppTest cannot read a component, but the bytes sent
to it can be unpacked, and its templates filled in as its script does.
"""

import json
import re
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import ui
from drawing.live import SLOT, LiveNumbers, pack
from tests.sampled import sampled
from tests.ui.streamlit_internals.names import share_between_app_tests
from ui.contents import PAGES
from ui.guide import OTHER_SETTINGS
from ui.server.guard import LISTS

ROOT = Path(__file__).resolve().parents[2]
BUILT = [page.slug for page in PAGES if page.built]
share_between_app_tests()
KINDS = ("title", "markdown", "caption", "latex", "error", "warning", "info", "code", "subheader")


def opened(slug=None, **address):
    """Home, or the page of that name, opened at an address."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)  # a loaded machine is slow
    if slug:
        app.switch_page(f"pages/{slug}.py")
    for name, value in address.items():
        app.query_params[name] = value
    return app.run()


def by_key(widgets, key):
    """The widget with that key, or with a key that `ui.fresh_key` made from it."""
    made = re.compile(re.escape(key) + r"(-\d+)?")
    return next(widget for widget in widgets if made.fullmatch(widget.key or ""))


def choose(app, key, option):
    """Press a pill or a segment; the key `see` means the bar of views."""
    return by_key(app.button_group, "see-shown" if key == "see" else key).set_value(option).run()


def put(app, settings):
    """Set controls by name, as a preset does."""
    for name, value in settings.items():
        app.session_state[name] = value
    return app.run()


def held(app, name, default):
    """A control's value; one that was never drawn has its default."""
    return app.session_state[name] if name in app.session_state else default  # noqa: SIM401


def unpacked(data):
    """The data a component gets, as `unpack` of packing.js reads it."""
    length = int.from_bytes(data[:4], "little")
    numbers = np.frombuffer(data[4 + length :], dtype="<f8")

    def arrays(found):
        if isinstance(place := found.get("bytes"), list):
            return numbers.tobytes()[place[0] : sum(place)]
        if isinstance(place := found.get("at"), list):
            start, count = place
            return numbers[start : start + count]
        return found

    return json.loads(data[4 : 4 + length], object_hook=arrays)


def drawn(app, key):
    """The data of the component with that key."""
    found = [e for e in app.get("bidi_component") if e.proto.id.endswith(f"-{key}")]
    assert len(found) == 1, f"{key}: {[e.proto.id for e in app.get('bidi_component')]}"
    data = unpacked(found[0].proto.bytes)
    kept = {name: drawn(app, f"kept-{key}-{name}")["kept"] for name in data.pop("keys", ())}
    return data | kept


def texts(data):
    """Every string of a component's data, at any depth."""
    if isinstance(data, str):
        return [data]
    inside = data.values() if isinstance(data, dict) else data if isinstance(data, list) else ()
    return [text for each in inside for text in texts(each)]


def in_pictures(app):
    """All text that components show, with the numbers filled into the templates."""
    said = []
    for element in app.get("bidi_component"):
        if not element.proto.bytes:
            continue
        data = unpacked(element.proto.bytes)
        live = LiveNumbers(
            data.get("group", ""), tuple(data.get("names", ())), data.get("now", _NONE)
        )
        if "sentences" in data:
            data |= told(data)
        said += [live.fill(text) if "now" in data else text for text in texts(data)]
        said += [f"{number:.6g}" for number in data.get("numbers", ())]
    return said


_NONE = np.empty(0)
MARKS = re.compile(r"(?<!\\)\[[a-z][\w-]*\|((?:[^\[\]\\]|\\.)*)\]|==|\*\*")


def told(data):
    """The sentence and the formula of a main picture that its numbers choose, without marks.

    Where no number chooses, the picture's script does: then all texts are returned.
    """
    numbers = dict(zip(data["names"], data["now"], strict=True))

    def among(texts, name):
        return [texts[int(numbers[name])]] if name in numbers and texts else texts

    formulas = [part for row in among(data["formula"], "@formula") for part in row]
    sentences = among(data["sentences"], "@say")
    chosen = [*sentences, *formulas]
    while any(MARKS.search(text) for text in chosen):
        chosen = [MARKS.sub(r"\1", text) for text in chosen]
    plain = [text.replace("\\[", "[").replace("\\]", "]") for text in chosen]
    return {"sentences": plain[: len(sentences)], "formula": plain[len(sentences) :], "moved": ""}


def said(app):
    """All text of the page, including the text in components."""
    own = [element.value for kind in KINDS for element in getattr(app, kind)]
    return "\n".join([*own, *in_pictures(app)])


NUMBER = re.compile(r"[−-]?\d[\d,]*(?:\.\d+)?")


def numbers_of(app):
    """The absolute value of each number on a page: in its texts or component data."""
    found = [np.array([value(text) for text in NUMBER.findall(said(app))])]
    for element in app.get("bidi_component"):
        found += inside(unpacked(element.proto.bytes) if element.proto.bytes else {})
    return np.abs(np.concatenate(found))


def inside(data):
    """Every number of a component's data, at any depth."""
    if isinstance(data, np.ndarray):
        return [data.astype(float)]
    if isinstance(data, int | float):
        return [np.array([float(data)])]
    parts = data.values() if isinstance(data, dict) else data if isinstance(data, list) else ()
    return [each for part in parts for each in inside(part)]


def value(text):
    """The value of a written number."""
    return float(text.replace("−", "-").replace(",", ""))


def fine(app):
    """Assert no exception, one title, and a number for every slot in the pictures' texts."""
    assert not app.exception, [each.message for each in app.exception]
    assert len(app.title) == 1
    assert open_braces(app) == []
    return app


def open_braces(app):
    """The texts of main pictures that would show a brace, because no number fills a slot."""
    found = []
    for element in app.get("bidi_component"):
        data = unpacked(element.proto.bytes) if element.proto.bytes else {}
        if "sentences" not in data:
            continue
        known = {"moved", "label", *data["names"]}
        formulas = [part for row in data["formula"] for part in row]
        for text in (*data["sentences"], *formulas, data["moved"], data["alt"]):
            unknown = {slot[0] for slot in SLOT.findall(text)} - known
            found += [text] if unknown or re.search(r"(?<!\\)[{}]", SLOT.sub("", text)) else []
    return found


def test_the_reader_of_screens_fills_templates_from_what_travels():
    app = opened("neuron")
    shown = said(app)
    assert SLOT.search("\n".join(in_pictures(app))) is None
    assert "0.1·0.3" in shown


def test_every_built_page_is_looked_at_by_these_tests():
    assert set(BUILT) | LISTS == {path.stem for path in (ROOT / "pages").glob("*.py")}
    assert {"neuron", "backprop"} <= set(BUILT)


def test_home_opens_with_one_title_and_nothing_wrong():
    app = fine(opened())
    assert not app.error and not app.warning


@pytest.mark.parametrize("slug", BUILT)
def test_a_page_opens_with_its_title_its_promise_its_objectives_and_nothing_wrong(slug):
    app, page = fine(opened(slug)), ui.contents.page(slug)
    assert not app.error and not app.warning
    assert app.title[0].value == page.title
    assert page.promise in [element.value for element in app.markdown]
    assert any(element.value.startswith(", ".join(page.objectives)) for element in app.caption)


@pytest.mark.parametrize("slug", sampled(BUILT, BUILT[::4]))
def test_a_page_opens_as_well_under_its_own_entry_in_presenter_mode(slug, walking):
    """The sample is the last beat of one page in four."""
    beats = list(enumerate(ui.lesson(slug).beats, start=1))
    for beat, script in beats if walking else beats[-1:]:
        app = fine(opened(slug, present="1", beat=str(beat)))
        assert not app.error
        assert script.say in [element.value for element in app.markdown]
        for name, value in script.settings.items():
            assert app.session_state[name] == value, (beat, name)
        assert script.say in [element.value for element in fine(app.run()).markdown]


@pytest.mark.parametrize("slug", BUILT)
def test_the_sentence_of_a_beat_stands_over_its_own_settings_only(slug, walking):
    """The sample is the last beat that does not ask, and the first beat."""
    lesson = ui.lesson(slug)
    beats = list(enumerate(lesson.beats, start=1))
    sample = [*[each for each in beats if not each[1].hide][-1:], *beats[:1]]
    for beat, script in beats if walking else sample:
        other = next(p.settings for p in lesson.presets if p.settings != script.settings)
        app = put(opened(slug, present="1", beat=str(beat)), other)
        said = [element.value for element in fine(app).markdown]
        assert script.say not in said, beat
        assert (OTHER_SETTINGS in said) == bool(script.hide), beat
        by_key(app.button, "beat-again").click().run()
        assert script.say in [element.value for element in fine(app).markdown], beat


@pytest.mark.parametrize(
    ("slug", "beat"),
    [
        *((slug, "999") for slug in BUILT),
        *(("neuron", beat) for beat in ("-1", "1e3", "²", "x", "")),
    ],
)
def test_a_beat_that_is_not_there_leads_to_one_that_is(slug, beat):
    app = fine(opened(slug, present="1", beat=beat))
    assert any(each.say in [m.value for m in app.markdown] for each in ui.lesson(slug).beats)


@pytest.mark.parametrize("slug", BUILT)
def test_presenter_mode_is_entered_and_left_by_its_buttons(slug):
    app = opened(slug)
    app.button(key="present-start").click().run()
    assert fine(app).query_params["present"] in ("1", ["1"])
    app.button(key="present-stop").click().run()
    assert "present" not in fine(app).query_params
    assert "beat" not in app.query_params


def test_the_button_that_goes_back_to_the_example_can_be_pressed_after_the_first_change():
    app = opened("neuron")
    assert by_key(app.button, "again").disabled
    put(app, {"b": "0.5"})
    assert not by_key(app.button, "again").disabled
    app = by_key(app.button, "again").click().run()
    assert by_key(app.button, "again").disabled
    assert app.session_state["b"] == ui.lesson("neuron").defaults["b"]


@pytest.mark.parametrize(
    "text", ["{x} of 282", "{[term|x].kept} of 282", "{@[term|loss].kept}", "{x", "x}", "{}"]
)
def test_a_brace_that_no_number_fills_is_seen(text):
    told = {"sentences": [text], "formula": [[text]], "moved": "{moved} {label}", "alt": "{y}"}
    sent = SimpleNamespace(proto=SimpleNamespace(bytes=pack({"names": ["y"], **told})))
    assert open_braces(SimpleNamespace(get=lambda kind: [sent])) == [text, text]
