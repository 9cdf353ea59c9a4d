"""The theme's colours: they are legible, differ from each other, and are written nowhere else."""

import re
from itertools import combinations
from pathlib import Path

import pytest

from drawing import theme

ROOT = Path(__file__).resolve().parents[2]
MODES = ("light", "dark")
HEX = re.compile(r"#(?:[0-9a-fA-F]{8}|[0-9a-fA-F]{6}|[0-9a-fA-F]{3,4})\b")
# The exceptions. Marks on a heat map, whose colours are the same in both themes, are white with
# dark ink. A component that cannot read its background colour assumes white.
MARKS = {
    "lessons/neuron/neuron_figures.py": {"#ffffff", "#11161d"},
    "theme.js": {"#ffffff"},
    "saving.js": {"#ffffff"},
}


def luminance(colour):
    """Relative luminance, WCAG 2.2."""
    shares = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    linear = [s / 12.92 if s <= 0.04045 else ((s + 0.055) / 1.055) ** 2.4 for s in shares]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    """Contrast ratio from 1 to 21, WCAG 2.2."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_black_on_white_has_the_largest_contrast():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") < 4.5 < contrast("#767676", "#ffffff")


@pytest.mark.parametrize("mode", MODES)
def test_every_colour_of_a_theme_reads_as_text_on_its_background(mode):
    colours = {role: shades[mode] for role, shades in theme.ROLES.items()}
    colours |= {f"series {i}": colour for i, colour in enumerate(theme.SERIES[mode])}
    colours |= {"ink": theme.INK[mode], "quiet": theme.QUIET[mode]}
    for name, colour in colours.items():
        assert contrast(colour, theme.BACKGROUND[mode]) >= 4.5, name


@pytest.mark.parametrize("mode", MODES)
def test_no_two_series_look_the_same(mode):
    assert all(one != other for one, other in combinations(theme.SERIES[mode], 2))
    assert len(set(theme.DASHES)) == len(theme.DASHES) == len(theme.SERIES[mode])


def test_the_palette_of_the_components_is_the_theme():
    for mode, colours in theme.palette().items():
        assert colours.items() >= {role: c[mode] for role, c in theme.ROLES.items()}.items()
        assert colours["background"] == theme.BACKGROUND[mode]
        assert colours["ink"] == theme.INK[mode] and colours["quiet"] == theme.QUIET[mode]


def test_streamlits_own_theme_has_the_same_background_and_ink():
    config = (ROOT / ".streamlit" / "config.toml").read_text("utf-8")
    for mode in MODES:
        part = config.split(f"[theme.{mode}]")[1].split("[theme")[0]
        assert f'backgroundColor = "{theme.BACKGROUND[mode]}"' in part
        assert f'textColor = "{theme.INK[mode]}"' in part


def test_colours_stand_in_the_theme_only():
    sources = [ROOT / "app.py"]
    for folder in ("assets", "lmcore", "drawing", "ui", "lessons", "pages"):
        sources += [p for p in ROOT.glob(f"{folder}/**/*") if p.suffix in (".py", ".js", ".css")]
    assert len(sources) > 300
    for path in sources:
        if path.name == "theme.py":
            continue
        found = set(HEX.findall(path.read_text("utf-8")))
        allowed = MARKS.get(path.relative_to(ROOT).as_posix(), MARKS.get(path.name, set()))
        assert found <= allowed, path


def test_a_figure_has_the_colours_of_its_theme_and_the_height_asked_for():
    for mode in MODES:
        layout = theme.figure(mode, height=123).layout
        assert layout.paper_bgcolor == layout.plot_bgcolor == theme.BACKGROUND[mode]
        assert layout.font.color == theme.INK[mode]
        assert layout.height == 123


def test_the_diverging_scale_of_a_script_has_a_middle():
    scale = theme.diverging_colours()
    assert len(scale) == theme.COLOURS and len(scale) % 2 == 1
    assert len(set(scale)) == len(scale)


def test_in_the_dark_theme_0_is_near_the_background_and_both_ends_stand_out():
    fills, inks = theme.diverging_scale("dark")
    middle = theme.COARSE // 2
    background = theme.BACKGROUND["dark"]
    from_background = [contrast(fill, background) for fill in fills]
    assert from_background[middle] < 1.3
    assert min(from_background[0], from_background[-1]) > 7
    for way in (from_background[: middle + 1][::-1], from_background[middle:]):
        assert way == sorted(way)
    for fill, ink in zip(fills, inks, strict=True):
        assert contrast(fill, ink) >= 4.4, fill


@pytest.mark.parametrize("mode", MODES)
def test_many_series_differ_in_colour_or_dash(mode):
    lines = [tuple(theme.series_line(mode, i).values()) for i in range(36)]
    assert len({*lines}) == 36
    assert lines[:6] == [*zip(theme.SERIES[mode], theme.DASHES, strict=True)]
