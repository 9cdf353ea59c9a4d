"""The picture of every example is drawn without a browser, and the drawing is measured.

The page is opened in AppTest. The scripts themselves draw in Node what the page sends to its main
pictures, wide and narrow, and with each slider at either end and at two places in between
(drawings.mjs). There all letters have one width, and each role of the palette has a colour of its
own. So what depends on fonts, and what overlaps, can be checked in Chromium alone.

`recorded/` has the drawing of the first example of each script: each text, bar, point and line with
its position and its role, and what each key and some presses do. It also has what each slider, each
setting, some drags and the pointer change in the drawing. `pytest tests/pages/pictures --record`
writes it anew; look at the difference before you commit it.
"""

import re
from collections import Counter
from itertools import pairwise

import pytest
from page_states import drawn_examples, drawn_states, examples
from recording import RECORDED, differences, heads, value
from seen_views import drawn_views
from sending import NUMBER, SIZES, Drawn
from test_screen import BUILT, unpacked

from ui.lectures.decks import HOME

SAID = ("said", "formula", "alt")
PICTURED = [HOME, *BUILT]
TIME = re.compile(r"\b\d{13}\b")
MOST_LINES = 40
"""The most lines of a drawing that are recorded of a drag."""
A_MOVE = 16
"""From so many pixels on, a handle has moved, and not only something in it."""

UNSEEN = 1e-9
"""A number below it has no size in a drawing."""

DERIVED = {
    "descent": ("left", "share", "least"),
    "rnn": ("grammar", "own"),
    "generation": ("times",),
    "language_model": ("cost", "dearest"),
    "attention": ("gap", "ratio"),
}
"""By page, numbers that a sentence derives from drawn ones: ratios, differences, −log p and parts
of a loss; and a loss that is drawn as a line without its number."""

REMEMBERED = {("transformer", "Standardizing"): "the camera stays where a number was open"}
"""A page and its state from which the way back to the first example leaves something on purpose."""


@pytest.fixture
def drawn(slug, walking, request):
    """The drawings of all examples of a page; without `--walks`, of the sample alone."""
    return drawn_examples(slug) if walking else drawn_examples(slug, sample(slug, request))


def sample(slug, request):
    """The page's first example, and the first with each script, whose drawings are recorded."""
    every = list(examples(slug))
    if request.config.getoption("--record"):
        every_one = drawn_examples(slug)
        firsts = [*{each.sent.name: each.state for each in reversed(every_one)}.values()]
        firsts += [each.state for each in every_one if each.sizes["wide"].get("stops")]
    else:
        firsts = recorded_labels(slug)
    recorded = {*every[:1], *firsts}
    return tuple(each for each in every if each in recorded)


def recorded_labels(slug):
    """The examples whose drawings or sliders are recorded: a head begins with the example."""
    for path in sorted(RECORDED.glob(f"{slug}-*.txt")):
        yield path.read_text("utf-8").split("\n", 1)[0].removeprefix("== ").rsplit(", ", 2)[0]
    yield from (each.rsplit(", ", 2)[0] for each in heads("ends", slug))


def readings(drawn):
    """Each drawing with its label: the example, script and size, and the slider at an end."""
    for example, sent, sizes in drawn:
        for size, found in sizes.items():
            yield f"{example}, {sent.name}, {size}", found
            for stop in found.get("stops", ()):
                yield f"{example}, {sent.name}, {size}, {stop['moved']} = {stop['at']:g}", stop


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


@pytest.mark.parametrize("slug", PICTURED)
def test_a_handle_moves_the_way_in_which_it_is_dragged(slug, drawn):
    """From each stop of its slider to the next, where it moves at all."""
    wrong = []
    for state, its, sizes in drawn:
        for size, found in sizes.items():
            for low, high in pairwise(found.get("stops", ())):
                if low["moved"] == high["moved"] and low["handle"] and high["handle"]:
                    pixels = high["handle"]["at"] - low["handle"]["at"]
                    if abs(pixels) > A_MOVE and pixels * high["handle"]["per"] < 0:
                        wrong.append((state, its.name, size, low["moved"], pixels))
    assert wrong == []


def sliders_of(drawn):
    """The names of the numbers that sliders set; the sliders show these numbers."""
    every = {data for _, sent, _ in drawn for data in sent.sliders}
    return {slider["name"] for data in every for slider in unpacked(data)["sliders"]}


def is_drawn(number, shown):
    """Whether the drawing shows a number, perhaps with fewer digits or in percent."""
    return any(
        abs(abs(number) * scale - abs(other)) <= max(near, 5e-4 * abs(other))
        for other, near in shown
        for scale in (1, 100)
    )


@pytest.mark.parametrize("slug", PICTURED)
def test_every_number_that_the_sentence_names_is_drawn_or_in_the_formula(slug, drawn):
    """A count may be drawn as that many marks, and a number of no visible size not at all."""
    missing, named = {}, 0
    spared = {*sliders_of(drawn), *DERIVED.get(slug, ())}
    for where, found in readings(drawn):
        every = "  ".join([*found["texts"], found["formula"]])
        shown = [value(token) for token in NUMBER.findall(every)]
        named += len(found["numbers"])
        for name, number in found["numbers"].items():
            if number is None or number == round(number) or abs(number) < UNSEEN:
                continue
            if name not in spared and not is_drawn(number, shown):
                missing.setdefault(name, (number, where, found["said"], found["formula"]))
    assert missing == {}
    assert named, "no sentence names a number"


@pytest.mark.parametrize("slug", PICTURED)
def test_a_picture_that_becomes_narrow_is_as_one_drawn_narrow(slug, drawn):
    stale = [(state, its.name, sizes["narrow"]["resized"]) for state, its, sizes in drawn]
    assert [each for each in stale if each[-1]] == []


@pytest.mark.parametrize("slug", PICTURED)
def test_a_picture_with_a_side_that_becomes_shorter_is_as_one_drawn_so(slug, drawn):
    stale = [(state, its.name, sizes["wide"].get("resized", [])) for state, its, sizes in drawn]
    assert [each for each in stale if each[-1]] == []


@pytest.mark.parametrize("slug", PICTURED)
def test_what_the_pointer_shows_is_as_recorded_and_goes_when_it_leaves(slug, drawn, request):
    parts = []
    for state, its, sizes in drawn:
        if found := sizes["wide"].get("pointed"):
            assert (found["stays"], found["sent"]) == ([], []), (state, its.name)
            parts.append("\n".join([f"== {state}, {its.name}", *found["shows"]]))
    path = RECORDED / "pointed" / f"{slug}.txt"
    now = "\n\n".join(parts) + "\n"
    assert differences(path, now, record=request.config.getoption("--record")) == []


@pytest.mark.parametrize("slug", PICTURED)
def test_what_a_drag_changes_is_as_recorded(slug, drawn, request):
    """Each handle is dragged a bit to the right and up, and so are some other parts."""
    parts = []
    for state, its, sizes in drawn:
        for each in sizes["wide"].get("drags", ()):
            moved = [f"{when}: {each[when]}" for when in ("held", "released", "sent")]
            news = each["news"][:MOST_LINES]
            parts.append("\n".join([f"== {state}, {its.name}, {each['name']}", *moved, *news]))
    path = RECORDED / "drags" / f"{slug}.txt"
    now = "\n\n".join(parts) + "\n"
    assert differences(path, now, record=request.config.getoption("--record")) == []


def as_text(drawn: Drawn) -> str:
    parts = []
    for size in SIZES:
        found = drawn.sizes[size]
        said = [f"{each}: {found[each]}" for each in SAID]
        head = f"== {drawn.state}, {drawn.sent.name}, {size}"
        pressed = [
            f"press {part}: sends {TIME.sub('…', str(sent))}"
            for part, *sent in found.get("presses", ())
        ]
        parts.append("\n".join([head, *said, *found["lines"], *found.get("keys", ()), *pressed]))
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


@pytest.mark.parametrize("slug", PICTURED)
def test_what_a_slider_changes_in_the_drawing_is_as_recorded(slug, request):
    """Draws with the numbers that the browser takes from the table of a slider."""
    parts = []
    for state, its, sizes in drawn_examples(slug, sample(slug, request)):
        known = set(sizes["wide"]["lines"])
        for end in sizes["wide"]["stops"]:
            said = [f"{kind}: {end[kind]}" for kind in SAID]
            head = f"== {state}, {its.name}, {end['moved']} = {end['at']:g}"
            lines = [each for each in end["lines"] if each not in known]
            parts.append("\n".join([head, *said, *lines]))
    path = RECORDED / "ends" / f"{slug}.txt"
    record = request.config.getoption("--record")
    if parts or path.exists():
        assert differences(path, "\n\n".join(parts) + "\n", record=record) == []


def recorded_scripts(slug):
    return [path.stem.removeprefix(f"{slug}-") for path in RECORDED.glob(f"{slug}-*.txt")]


@pytest.mark.parametrize("slug", PICTURED)
def test_what_an_example_or_a_setting_changes_in_the_drawing_is_as_recorded(slug, request):
    """Draws other values of each setting than the first example's, one at a time."""
    first, *others = drawn_states(slug)
    base, parts = first.sizes["wide"], []
    known = set(base["lines"])
    for each in others:
        found = each.sizes["wide"]
        assert wrong(each) == [], each.state
        if (slug, each.state) not in REMEMBERED:
            assert stale(each) == [], f"{each.state}: another drawing was there before"
        said = [f"{kind}: {found[kind]}" for kind in SAID if found[kind] != base[kind]]
        lines = [each for each in found["lines"] if each not in known]
        if changed := said + lines + words_on_phones(each, first):
            parts.append("\n".join([f"== {each.state}", *changed]))
    path = RECORDED / "changes" / f"{slug}.txt"
    now = "\n\n".join(parts) + "\n"
    assert differences(path, now, record=request.config.getoption("--record")) == []


@pytest.mark.parametrize("slug", BUILT)
def test_what_a_slider_or_an_option_changes_in_the_drawing_of_a_view_is_as_recorded(
    slug, request, everything
):
    """Draws each view of the page, and what is then pressed or moved there, one at a time."""
    parts = []
    for view, (first, *others) in drawn_views(slug, everything):
        known = set(first.sizes["wide"]["lines"])
        for each in (first, *others):
            assert wrong(each) == [], (view, each.state)
            assert stale(each) == [], f"{view}, {each.state}: another drawing was there before"
            assert each.sizes["narrow"]["resized"] == [], (
                f"{view}, {each.state}: it was wide before"
            )
        for each in others:
            found = each.sizes["wide"]
            said = [f"{kind}: {found[kind]}" for kind in SAID]
            lines = [line for line in found["lines"] if line not in known]
            narrow = words_on_phones(each, first)
            parts.append("\n".join([f"== {view}: {each.state}", *said, *lines, *narrow]))
    path = RECORDED / "view_changes" / f"{slug}.txt"
    now = "\n\n".join(parts) + "\n"
    assert differences(path, now, record=request.config.getoption("--record")) == []


def words_on_phones(drawn, first):
    """The texts of a narrow drawing that the first one has not, and the other way round."""
    now, before = (Counter(each.sizes["narrow"]["texts"]) for each in (drawn, first))
    parts = {"on a phone, new": now - before, "on a phone, gone": before - now}
    return [f"{name}: {' | '.join(each.elements())}" for name, each in parts.items() if each]


def wrong(drawn):
    """The errors, and what is undefined or off its axis, in either size."""
    every = drawn.sizes.values()
    return [
        line for found in every for line in (found.get("error"), *found.get("wrong", ())) if line
    ]


def stale(drawn):
    """What differs where another state was drawn before, in either size."""
    return [line for found in drawn.sizes.values() for line in found.get("stale", [])]
