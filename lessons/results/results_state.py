"""The settings of the page on results, read and stored, and the plot they describe."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st

import ui
from drawing.events import Moved
from lessons.results import leads_picture, missing_picture, sizes_picture
from lessons.results.cases import in_use_picture, languages_picture, paper_picture
from lessons.results.results_picture import ComparedPlaces, Pair, swept_numbers
from lessons.results.results_plot import OPENINGS, Plot, axis_labels, make_plot
from lmcore import parsing
from lmcore.checks import check_between
from lmcore.results.recomputed import CHECKS
from lmcore.results.tables import NAMES, load_results
from ui.settings import Between, Bound, Choice, SettingsTable, Text
from ui.widgets import address_value

LESSON = ui.lesson("results")
LONGEST = 9
"""Maximum length of a slider’s label, in characters."""
MOST = 20
"""An upper bound on the rows of a table."""
CHECK_LABELS = {
    "glue": "GLUE",
    "albert": "ALBERT",
    "elmo": "ELMo",
    "rounding": "Rounded table",
    "abstract": "BERT’s abstract",
    "twice": "Printed twice",
}
assert CHECK_LABELS.keys() == CHECKS.keys()
LINES = {"bleu": "BLEU EN-DE", "glue": "GLUE average", "squad": "SQuAD v1.1 F1"}
"""The scores that the time line can show."""
CARD_LABELS = {
    "attention": "Attention",
    "elmo": "ELMo’s training",
    "gpt2": "GPT-2’s release",
    "multilingual": "Languages, pictures",
    "clip": "CLIP",
    "parrots": "Stochastic parrots",
    "benchmarks": "GLUE and SQuAD",
    "uses": "In use",
}
AS_PLOTTED = "plotted"


def table_labels() -> dict[str, str]:
    """The title of every table; first comes the table in the picture."""
    titles = {name: load_results(name).title for name in NAMES}
    return {AS_PLOTTED: "as in the picture", **titles}


def use_labels() -> dict[str, str]:
    """The name of every use."""
    return {key: use.name for key, use in in_use_picture.USES.items()}


def first_gap() -> None:
    """Go to the first test, for another model. For callbacks."""
    ui.set_controls({"re_gain": "1"})


MOST_GAPS = max(len(missing_picture.gains(model)) for model in missing_picture.MODELS)
SETTINGS = SettingsTable(
    LESSON,
    {
        "re_table": Choice(OPENINGS),
        "re_chosen": Between(1, MOST, whole=True),
        "re_with": Between(1, MOST, whole=True),
        "re_task": Between(1, MOST, whole=True),
        "re_list": Choice(table_labels, "Table"),
        "re_filter": Text("Filter", "Rows and cells that contain this text", longest=60),
        "re_sort": Between(-MOST, MOST, whole=True),
        "re_check": Choice(CHECK_LABELS, "What is recomputed"),
        "re_before": Text("Score before, %", "From 0 to below 100"),
        "re_after": Text("Score after, %", "From 0 to 100"),
        "re_line": Choice(LINES, "Score"),
        "re_factor": Text("Grows by the factor", "Above 1"),
        "re_months": Text("in months", "Above 0"),
        "re_watts": Text("Power, W", "Of all its processors and the computer around them"),
        "re_hours": Text("Time, hours", "3.5 days are 84 hours"),
        "re_overhead": Text("Overhead (PUE)", "1.58: average data centre of 2018"),
        "re_lbs": Text("lbs CO₂e per kWh", "0.954: electricity of the United States, 2018"),
        "re_core": Text("Power of a busy core, W", "An assumption: 5 to 15 W are usual on servers"),
        "re_card": Choice(CARD_LABELS, "Card"),
        "re_story": Choice(sizes_picture.STORIES, "Models"),
        "re_test": Choice(sizes_picture.TESTS, "Text"),
        "re_beside": Between(1, len(load_results("co2").rows), whole=True),
        "re_use": Choice(use_labels, "Use"),
        "re_language": Choice(languages_picture.names, "Language"),
        "re_paper": Choice(paper_picture.PAPERS, "The apple"),
        "re_version": Choice(leads_picture.VERSIONS, "Version"),
        "re_gaps": Choice(missing_picture.MODELS, "Model", then=first_gap),
        "re_gain": Between(1, MOST_GAPS, whole=True),
        "re_shown": Between(1, sizes_picture.MOST, whole=True),
        "see": Bound(),
    },
)


def seen() -> str:
    """The view that is open, before its bar has been drawn."""
    return address_value("see", "Picture")


@dataclass(frozen=True, slots=True)
class ResultsState:
    """What the controls describe: a table on two axes, and what is compared."""

    table: str
    x: str
    y: str
    pair: Pair

    def plot(self) -> Plot:
        """The table on its axes.

        Raises:
            ValueError: as `make_plot`.
        """
        return make_plot(self.table, self.x, self.y)


def read_state() -> ResultsState:
    """The state of the controls.

    Raises:
        ValueError: naming what is wrong.
    """
    state = st.session_state
    given = ResultsState(
        SETTINGS.choice("re_table"),
        state["re_x"],
        state["re_y"],
        Pair(*(int(SETTINGS.number(f"re_{name}")) - 1 for name in ("chosen", "with", "task"))),
    )
    check_pair(given.plot(), given.pair)
    return given


def check_pair(plot: Plot, pair: Pair) -> None:
    """Raises ValueError if the plot does not draw both names, or has no such task."""
    for name, place in (("chosen", pair.chosen), ("compared with", pair.reference)):
        check_between(f"the row {name}", place + 1, 1, len(plot.names))
        if place not in plot.drawn:
            raise ValueError(
                f"the row {name} must have both numbers; got {plot.names[place]}, which has none "
                "on an axis"
            )
    if plot.form == "tasks":
        check_between("the task", pair.task + 1, 1, len(plot.order))


def default_state() -> ResultsState:
    """The page's example."""
    opens = {**LESSON.defaults, **LESSON.looks}
    pair = Pair(*(int(opens[f"re_{name}"]) - 1 for name in ("chosen", "with", "task")))
    return ResultsState(opens["re_table"], opens["re_x"], opens["re_y"], pair)


def live_numbers(plot: Plot, pair: Pair) -> ui.LiveNumbers:
    """The numbers of the pair, and along the slider through the rows or the tasks."""
    names, rows = swept_numbers(plot, pair)
    at = pair.position(plot)
    axis = plot.x or plot.y
    what = "task" if axis is None else next(iter(plot.table.heading.split(",")))
    along = "in the order of the table" if axis is None else f"by {axis.axis}"
    slider = ui.Slider(
        "place",
        what if len(what) < LONGEST else "row",
        f"{what}, {along}",
        float(at + 1),
        rows[:, 0].copy(),
        help=f"Which {what} is compared, {along}",
        role="weight",
    )
    return ui.LiveNumbers("results", names, rows[at], (slider,), [rows])


# --- controls -------------------------------------------------------------------------------------


def draw_axes(now: ResultsState) -> None:
    """Draw the choice of the table and of its two axes."""
    table = load_results(now.table)
    titles = {name: load_results(name).title for name in OPENINGS}
    _select("re_table", "Table", titles, now.table)
    _select("re_x", "Across →", axis_labels(table), now.x)
    if now.plot().form != "tasks":
        ups = {key: measure.axis for key, measure in table.measures.items()}
        _select("re_y", "Up ↑" if now.plot().form == "scatter" else "Bars", ups, now.y)


def _select(name: str, label: str, options: Mapping[str, str], value: str) -> None:
    key = ui.fresh_key(f"{name}-shown", value)
    st.selectbox(
        label,
        list(options),
        format_func=options.__getitem__,
        key=key,
        on_change=_selected,
        args=(name, key),
        width=230 if ui.presenting() else "stretch",
    )


def _selected(name: str, key: str) -> None:
    value = ui.changed_value(f"{name}-shown", key)
    if value is None:
        return
    if name == "re_table":
        open_table(value)
        return
    ui.set_controls({name: value})
    state = st.session_state
    plot = make_plot(SETTINGS.choice("re_table"), state["re_x"], state["re_y"])
    keep_drawn(plot)


def open_table(name: str) -> None:
    """Show a table with its default axes and pair. For callbacks."""
    opens = OPENINGS[name]
    pair = {"re_chosen": str(opens.chosen), "re_with": str(opens.reference), "re_task": "1"}
    ui.set_controls({"re_table": name, "re_x": opens.x, "re_y": opens.y, **pair})


def keep_drawn(plot: Plot) -> None:
    """Replace a chosen name or reference that the new axes do not draw."""
    ends = {"re_chosen": plot.drawn[-1], "re_with": plot.drawn[0]}
    for name, place in ends.items():
        if int(SETTINGS.number(name)) - 1 not in plot.drawn:
            ui.set_controls({name: str(place + 1)})
    ui.set_controls({"re_task": "1"})


def store_slider(moved: Moved) -> None:
    """Store a released slider's value, or the number typed beside it."""
    try:
        plot = read_state().plot()
        position = parsing.parse_integer(moved["typed"], "the place on the slider")
        check_between("the place on the slider", position, 1, len(plot.order))
        name = "re_task" if plot.form == "tasks" else "re_chosen"
        ui.set_controls({name: str(plot.order[position - 1] + 1)})
    except ValueError as error:
        ui.show_error_later(error)


def store_place(setting: str, what: str, most: int, moved: Moved) -> None:
    """Store the released place of a slider that counts from 1."""
    try:
        place = parsing.parse_integer(moved["typed"], what)
        check_between(what, place, 1, most)
        ui.set_controls({setting: str(place)})
    except ValueError as error:
        ui.show_error_later(error)


def store_event(event: ComparedPlaces) -> None:
    """Store what the picture reports: the new choice or the new reference."""
    if "chosen" in event:
        ui.set_controls({"re_chosen": str(event["chosen"] + 1)})
    if "reference" in event:
        ui.set_controls({"re_with": str(event["reference"] + 1)})
