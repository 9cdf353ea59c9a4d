"""The furniture the pages share. Only this package, pages/ and app.py know Streamlit."""

from ui.components import picture, save, sliders, steps
from ui.frame import device_badge, home, neighbours, page
from ui.furniture import (
    check,
    code,
    last_good,
    mode,
    notice,
    plain,
    presets,
    put,
    refuse,
    sections,
    show,
    slide_says,
)
from ui.lessons import lesson
from ui.live import Live, Slider, follow, grid
from ui.present import beats, presenting

__all__ = [
    "Live",
    "Slider",
    "beats",
    "check",
    "code",
    "device_badge",
    "follow",
    "grid",
    "home",
    "last_good",
    "lesson",
    "mode",
    "neighbours",
    "notice",
    "page",
    "picture",
    "plain",
    "presenting",
    "presets",
    "put",
    "refuse",
    "save",
    "sections",
    "show",
    "slide_says",
    "sliders",
    "steps",
]
