"""Every example's picture is drawn without a browser, and read as one who measures it would.

The page is opened in AppTest; what it sends to its main pictures is drawn in Node by the scripts
themselves, wide and narrow, and with each slider at either end (drawings.mjs). Letters are all of
one width there, and each role of the palette has a colour of its own: what depends on fonts, and
what overlaps, is seen in Chromium alone.

`recorded/` has the drawing of the first example of each script as it was read: each text, bar,
point and line with its place and its role, and what each key does there; and what of it each
setting changes. `pytest tests/pages/pictures --record` writes it anew; look at the difference
before you commit it.
"""

import pytest
from recording import RECORDED, differences, value
from sending import NUMBER, SIZES, Drawn, drawn_examples, drawn_states
from test_screen import BUILT, unpacked

import ui
from ui.lectures.decks import HOME

SAID = ("said", "formula", "alt")
PICTURED = [HOME, *BUILT]


@pytest.fixture
def drawn(slug, walking, request):
    """The drawings of a page's examples; the sample is those that are recorded, and the first."""
    if walking or request.config.getoption("--record"):
        return drawn_examples(slug)
    first = [each.label for each in ui.lesson(slug).presets[:1]]
    return drawn_examples(slug, tuple(dict.fromkeys([*first, *recorded_labels(slug)])))


def recorded_labels(slug):
    """The examples whose drawings are recorded: each begins with the example, script and size."""
    for path in sorted(RECORDED.glob(f"{slug}-*.txt")):
        yield path.read_text("utf-8").split("\n", 1)[0].removeprefix("== ").rsplit(", ", 2)[0]


def readings(drawn):
    """Each drawing with where it is: the example, the size, and the slider at an end."""
    for example, sent, sizes in drawn:
        for size, found in sizes.items():
            yield f"{example}, {sent.name}, {size}", found
            for end in found.get("ends", ()):
                yield f"{example}, {sent.name}, {size}, {end['moved']} = {end['at']:g}", end


@pytest.mark.parametrize("slug", PICTURED)
def test_every_example_is_drawn_wide_and_narrow_with_each_slider_at_either_end(slug, drawn):
    wrong = {
        where: found.get("error") or found["wrong"]
        for where, found in readings(drawn)
        if "error" in found or found["wrong"]
    }
    assert wrong == {}
    for where, found in readings(drawn):
        assert found["texts"], where
        assert found["alt"], where


def sliders_of(drawn):
    """The numbers that sliders set: they stand beside those."""
    every = {data for _, sent, _ in drawn for data in sent.sliders}
    return {slider["name"] for data in every for slider in unpacked(data)["sliders"]}


def is_drawn(number, shown):
    """Whether a number stands on the drawing, there perhaps with fewer digits or as a share."""
    return any(
        abs(abs(number) * scale - abs(other)) <= max(near, 5e-4 * abs(other))
        for other, near in shown
        for scale in (1, 100)
    )


@pytest.mark.parametrize("slug", PICTURED)
def test_every_number_that_sentence_and_formula_name_is_drawn(slug, drawn):
    missing, set_by_hand = {}, sliders_of(drawn)
    for where, found in readings(drawn):
        shown = [value(token) for token in NUMBER.findall("  ".join(found["texts"]))]
        for name, number in found["numbers"].items():
            if number is not None and name not in set_by_hand and not is_drawn(number, shown):
                missing.setdefault(name, (number, where, found["said"], found["formula"]))
    assert missing == {}


def as_text(drawn: Drawn) -> str:
    parts = []
    for size in SIZES:
        found = drawn.sizes[size]
        said = [f"{each}: {found[each]}" for each in SAID]
        head = f"== {drawn.state}, {drawn.sent.name}, {size}"
        parts.append("\n".join([head, *said, *found["lines"], *found.get("keys", ())]))
    return "\n\n".join(parts) + "\n"


@pytest.mark.parametrize("slug", PICTURED)
def test_the_first_drawing_of_each_script_is_as_recorded(slug, drawn, request):
    first = {}
    for each in drawn:
        first.setdefault(each.sent.name, each)
    for name, each in first.items():
        path = RECORDED / f"{slug}-{name}.txt"
        record = request.config.getoption("--record")
        assert differences(path, as_text(each), record=record) == [], name
    assert set(recorded_scripts(slug)) == first.keys(), "a script draws no more"


def recorded_scripts(slug):
    return [path.stem.removeprefix(f"{slug}-") for path in RECORDED.glob(f"{slug}-*.txt")]


@pytest.mark.parametrize("slug", PICTURED)
def test_what_an_example_or_a_setting_changes_in_the_drawing_is_as_recorded(slug, request):
    """Of each setting other values than the first example's, one at a time."""
    first, *others = drawn_states(slug)
    base, parts = first.sizes["wide"], []
    known = set(base["lines"])
    for each in others:
        found = each.sizes["wide"]
        assert "error" not in found and not found["wrong"], each.state
        assert found["stale"] == [], f"{each.state}: another drawing was there before"
        said = [f"{kind}: {found[kind]}" for kind in SAID if found[kind] != base[kind]]
        if changed := said + [each for each in found["lines"] if each not in known]:
            parts.append("\n".join([f"== {each.state}", *changed]))
    path = RECORDED / "changes" / f"{slug}.txt"
    now = "\n\n".join(parts) + "\n"
    assert differences(path, now, record=request.config.getoption("--record")) == []
