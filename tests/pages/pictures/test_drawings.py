"""Every example's picture is drawn without a browser, and read as one who measures it would.

The page is opened in AppTest; what it sends to its main pictures is drawn in Node by the scripts
themselves, wide and narrow, and with each slider at either end (drawings.mjs). Letters are all of
one width there, and each role of the palette has a colour of its own: what depends on fonts, and
what overlaps, is seen in Chromium alone.

`recorded/` has the drawing of the first example of each script as it was read: each text, bar,
point and line with its place and its role. `pytest tests/pages/pictures --record` writes it anew;
look at the difference before you commit it.
"""

import re
from pathlib import Path

import pytest
from sending import NUMBER, Drawn, drawn_examples
from test_screen import BUILT, unpacked

import ui

RECORDED = Path(__file__).parent / "recorded"
SIZES = ("wide", "narrow")


@pytest.fixture
def drawn(slug, walking, request):
    """The drawings of a page's examples; the sample is those that are recorded, and the first."""
    if walking or request.config.getoption("--record"):
        return drawn_examples(slug)
    first = ui.lesson(slug).presets[0].label
    return drawn_examples(slug, tuple({first: None} | dict.fromkeys(recorded_labels(slug))))


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


@pytest.mark.parametrize("slug", BUILT)
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


def value(token):
    """A printed number, and half a unit of its last digit."""
    digits, _, power = token.replace(",", "").replace("−", "-").partition("×10")
    raised = int(power.translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789"))) if power else 0
    decimals = len(digits.partition(".")[2])
    return float(digits) * 10.0**raised, 0.51 * 10.0 ** (raised - decimals)


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


@pytest.mark.parametrize("slug", BUILT)
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
        head = [f"said: {found['said']}", f"formula: {found['formula']}", f"alt: {found['alt']}"]
        parts.append(
            "\n".join([f"== {drawn.example}, {drawn.sent.name}, {size}", *head, *found["lines"]])
        )
    return "\n\n".join(parts) + "\n"


def differs(line, other):
    """Whether two lines differ by more than the last digits, which another processor may change."""
    words, others = NUMBER.sub("#", line), NUMBER.sub("#", other)
    if words != others:
        return True
    quoted = [m.span() for m in re.finditer(r'"[^"]*"', line)]
    for one, two in zip(NUMBER.finditer(line), NUMBER.finditer(other), strict=True):
        (a, half), (b, _) = value(one[0]), value(two[0])
        is_text = any(start <= one.start() < end for start, end in quoted) or line[:1].isalpha()
        if abs(a - b) > (max(3 * half, 0.002 * abs(a)) if is_text else 1.5):
            return True
    return False


@pytest.mark.parametrize("slug", BUILT)
def test_the_first_drawing_of_each_script_is_as_recorded(slug, drawn, request):
    first = {}
    for each in drawn:
        first.setdefault(each.sent.name, each)
    for name, each in first.items():
        path, now = RECORDED / f"{slug}-{name}.txt", as_text(each)
        if request.config.getoption("--record"):
            path.parent.mkdir(exist_ok=True)
            path.write_text(now, "utf-8")
        lines, before = now.splitlines(), path.read_text("utf-8").splitlines()
        others = [pair for pair in zip(before, lines, strict=False) if differs(*pair)]
        assert others == [], name
        assert len(lines) == len(before), name
    assert set(recorded_scripts(slug)) == first.keys(), "a script draws no more"


def recorded_scripts(slug):
    return [path.stem.removeprefix(f"{slug}-") for path in RECORDED.glob(f"{slug}-*.txt")]
