"""All colours of the app. A colour means the same on every page, in both themes.

Roles follow Okabe & Ito's colour-blind-safe hues, each darkened for white and lightened for the
dark theme until text in it is readable (contrast ≥ 4.5, WCAG 2.2 AA; a test checks this).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal

import plotly.graph_objects as go
from plotly.colors import sample_colorscale

Mode = Literal["light", "dark"]

BACKGROUND = {"light": "#ffffff", "dark": "#11161d"}
INK = {"light": "#1b2430", "dark": "#e8edf3"}
QUIET = {"light": "#5a6572", "dark": "#a3adb9"}
"""Axes, captions and other secondary text."""
SHADE = {"light": "#d9dee4", "dark": "#38424e"}
"""Rules and grids, and the background of a hovered word in BertViz."""
GROUND = {"light": "#f1f4f8", "dark": "#0b0f14"}
"""The page around its stage and its controls."""
ALERT = {"light": "#fdecea", "dark": "#4a1d1a"}
"""The background of a refusal."""
MARK = "#f6ec7a"
"""The background of the number that a sentence names; its text is INK of the light theme."""

ROLES: dict[str, dict[Mode, str]] = {
    "input": {"light": "#0067a5", "dark": "#56b4e9"},
    "weight": {"light": "#8f5600", "dark": "#e9a93a"},
    "score": {"light": "#8a3b6e", "dark": "#e3a1c8"},
    "activation": {"light": "#00735a", "dark": "#35c79c"},
    "gradient": {"light": "#bf3f00", "dark": "#ff9466"},
    "loss": {"light": "#5145a8", "dark": "#b4abf7"},
    "query": {"light": "#0067a5", "dark": "#56b4e9"},
    "key": {"light": "#8f5600", "dark": "#e9a93a"},
    "value": {"light": "#00735a", "dark": "#35c79c"},
    "mask": {"light": "#5a6572", "dark": "#a3adb9"},
}

SERIES: dict[Mode, tuple[str, ...]] = {
    "light": ("#00735a", "#0067a5", "#8f5600", "#bf3f00", "#5a6572", "#5145a8"),
    "dark": ("#35c79c", "#56b4e9", "#e9a93a", "#ff9466", "#a3adb9", "#b4abf7"),
}
"""For series without a role; each also has its own dash pattern."""
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")


def series_line(mode: Mode, i: int) -> dict[str, str]:
    """The colour and the dash pattern of the i-th series; they differ together for the first 36."""
    return {
        "color": SERIES[mode][i % len(SERIES[mode])],
        "dash": DASHES[(i + i // len(SERIES[mode])) % len(DASHES)],
    }


SEQUENTIAL = "Cividis"
"""For probabilities; always from 0 to 1."""
DIVERGING = "RdBu_r"
"""For signed values; always symmetric about 0."""
DIVERGING_DARK = ("#8ccbff", "#2f80c3", "#1d2630", "#c9503a", "#ffad94")
"""`DIVERGING` for the dark theme, with a middle near the background."""


STEPS = 256
"""The number of distinguishable colours of a scale that are computed."""
COARSE = 41
"""The number of colours sent for the cells of a table, which also show their numbers."""

ColourScale = tuple[list[str], list[str]]
"""The colours of a scale from its low end to its high one, and the ink that reads on each."""


def probability_colours(probability: float) -> tuple[str, str]:
    """The colour of a probability on the sequential scale, and the ink that reads on it.

    Raises:
        ValueError: if it is not from 0 to 1.
    """
    if not 0 <= probability <= 1:
        raise ValueError(f"a probability must be from 0 to 1; got {probability:g}")
    return _scale()[round(probability * (STEPS - 1))]


@lru_cache(maxsize=1)
def _scale() -> tuple[tuple[str, str], ...]:
    places = [i / (STEPS - 1) for i in range(STEPS)]
    colours = sample_colorscale(SEQUENTIAL, places, colortype="tuple")
    return tuple((_hex(colour), _ink(colour)) for colour in colours)


def sequential_scale() -> ColourScale:
    """The sequential scale, from 0 to 1."""
    pairs = [probability_colours(i / (COARSE - 1)) for i in range(COARSE)]
    return [fill for fill, _ in pairs], [ink for _, ink in pairs]


def diverging_colours() -> list[str]:
    """The diverging scale, from −1 to 1, as colours at even distances."""
    places = [i / (COLOURS - 1) for i in range(COLOURS)]
    return [str(colour) for colour in sample_colorscale(DIVERGING, places)]


@lru_cache(maxsize=2)
def diverging_scale(mode: Mode = "light") -> ColourScale:
    """The diverging scale, symmetric about 0; 0 is near the background of `mode`."""
    places = [i / (COARSE - 1) for i in range(COARSE)]
    scale = DIVERGING if mode == "light" else list(DIVERGING_DARK)
    colours = sample_colorscale(scale, places, colortype="tuple")
    return [_hex(colour) for colour in colours], [_ink(colour) for colour in colours]


def _hex(colour: tuple[float, ...]) -> str:
    return "#" + "".join(f"{round(255 * share):02x}" for share in colour)


def _ink(colour: tuple[float, ...]) -> str:
    linear = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour)
    light = sum(share * part for share, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
    # Where black and white are equally readable, both just pass; no grey would.
    return "#000000" if (light + 0.05) / 0.05 > 1.05 / (light + 0.05) else "#ffffff"


def palette() -> dict[Mode, dict[str, str]]:
    """Every role in both themes, for components that draw in the browser."""
    return {mode: _in_mode(mode) for mode in ("light", "dark")}


def page_colours() -> str:
    """The colours of the page around its components, as CSS properties that follow the theme."""
    named = {
        "ground": GROUND,
        "card": BACKGROUND,
        "rule": SHADE,
        "ink": INK,
        "on-ink": BACKGROUND,
        "soft": QUIET,
        "alert": ALERT,
    }
    lines = [f"--{name}: light-dark({of['light']}, {of['dark']});" for name, of in named.items()]
    return f":root, .stApp {{ {' '.join(lines)} }}"


def _in_mode(mode: Mode) -> dict[str, str]:
    roles = {role: colours[mode] for role, colours in ROLES.items()}
    roles |= {f"series-{i}": colour for i, colour in enumerate(SERIES[mode], start=1)}
    ground = {"ink": INK[mode], "quiet": QUIET[mode], "background": BACKGROUND[mode]}
    return roles | ground | {"line": SHADE[mode], "mark": MARK, "onMark": INK["light"]}


def figure(
    mode: Mode, traces: Sequence[Mapping[str, Any]] = (), *, height: int = 380, **layout: Any
) -> go.Figure:
    """A figure in the house style; its axes must have titles.

    Everything given here, as Plotly's own dictionaries, is validated once and together; each
    `add_trace` or `update_…` afterwards costs some milliseconds.
    """
    axis = {"zeroline": True, "zerolinecolor": QUIET[mode], "gridwidth": 1}
    axes = {name: axis | layout.pop(name, {}) for name in ("xaxis", "yaxis")}
    style = {
        "height": height,
        "margin": {"l": 56, "r": 16, "t": 32, "b": 48},
        "font": {"size": 14, "color": INK[mode]},
        "paper_bgcolor": BACKGROUND[mode],
        "plot_bgcolor": BACKGROUND[mode],
        "legend": {"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"},
        "hovermode": "closest",
        "dragmode": False,
    }
    return go.Figure(data=list(traces), layout=style | axes | layout)


def whiskers(
    middle: Sequence[float], low: Sequence[float], high: Sequence[float], mode: Mode
) -> dict[str, Any]:
    """The bars of a range around each number, as Plotly's `error_y`."""
    return {
        "type": "data",
        "symmetric": False,
        "array": [h - m for m, h in zip(middle, high, strict=True)],
        "arrayminus": [m - each for m, each in zip(middle, low, strict=True)],
        "color": INK[mode],
        "thickness": 2,
        "width": 8,
    }


COLOURS = 41
"""Colours of the diverging scale where a script draws it."""
