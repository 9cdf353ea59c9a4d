"""The furniture pages share. Only this package, pages/, app.py and serve.py know Streamlit."""

from ui import models, settings
from ui.bertviz_frame import bertviz
from ui.components import cells, picture, sliders, steps, table
from ui.components import runs as training_runs
from ui.frame import home, neighbours, page
from ui.lessons import lesson
from ui.live import Live, Slider, follow, grid
from ui.runs import MOST as MOST_RUNS
from ui.runs import pool
from ui.widgets import (
    check,
    code,
    errata,
    expect,
    fresh_key,
    heard,
    last_good,
    mode,
    notice,
    plain,
    presets,
    put,
    refuse,
    refuse_later,
    remembered,
    save_file,
    sections,
    show,
    slide_says,
)

__all__ = [
    "MOST_RUNS",
    "Live",
    "Slider",
    "bertviz",
    "cells",
    "check",
    "code",
    "errata",
    "expect",
    "follow",
    "fresh_key",
    "grid",
    "heard",
    "home",
    "last_good",
    "lesson",
    "mode",
    "models",
    "neighbours",
    "notice",
    "page",
    "picture",
    "plain",
    "pool",
    "presets",
    "put",
    "refuse",
    "refuse_later",
    "remembered",
    "save_file",
    "sections",
    "settings",
    "show",
    "slide_says",
    "sliders",
    "steps",
    "table",
    "training_runs",
]
