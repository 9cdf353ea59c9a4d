"""What all pages share on screen. lmcore/ and drawing/ do not use Streamlit."""

from drawing.live import LiveNumbers, Slider, live_numbers, quoted, slider_positions
from ui import models
from ui.bertviz_frame import bertviz
from ui.components import (
    main_picture,
    path_marks,
    picture,
    probability_grid,
    sliders,
    step_table,
    table,
)
from ui.desk import (
    Rows,
    SeparateView,
    bare_page,
    examples,
    folded_away,
    folded_view,
    folded_view_named,
    home,
    look_closer,
    more,
    page,
    rows,
    stage_texts,
)
from ui.guide import example_on_screen, presenting
from ui.lessons import lesson
from ui.microworld import microworld_popover, offer_similar_words
from ui.questions import Question, predict_first
from ui.runs import MOST_RUNS as MOST_RUNS
from ui.runs import pool
from ui.widgets import (
    changed_value,
    errata,
    escape_markdown,
    fresh_key,
    save_file,
    set_controls,
    show_code,
    show_error,
    show_error_later,
    show_figure,
    text_area,
    theme_mode,
    validated_or_previous,
)

__all__ = [
    "MOST_RUNS",
    "LiveNumbers",
    "Question",
    "Rows",
    "SeparateView",
    "Slider",
    "bare_page",
    "bertviz",
    "changed_value",
    "errata",
    "escape_markdown",
    "example_on_screen",
    "examples",
    "folded_away",
    "folded_view",
    "folded_view_named",
    "fresh_key",
    "home",
    "lesson",
    "live_numbers",
    "look_closer",
    "main_picture",
    "microworld_popover",
    "models",
    "more",
    "offer_similar_words",
    "page",
    "path_marks",
    "picture",
    "pool",
    "predict_first",
    "presenting",
    "probability_grid",
    "quoted",
    "rows",
    "save_file",
    "set_controls",
    "show_code",
    "show_error",
    "show_error_later",
    "show_figure",
    "slider_positions",
    "sliders",
    "stage_texts",
    "step_table",
    "table",
    "text_area",
    "theme_mode",
    "validated_or_previous",
]
