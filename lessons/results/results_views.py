"""The views under the picture of results."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

import ui
from lessons.results import (
    costs_view,
    gains_view,
    leads_view,
    missing_view,
    reading_view,
    sizes_view,
    tables_view,
)
from lessons.results.cases import in_use_view, languages_view, paper_view, scale_view
from lessons.results.results_plot import Plot
from lessons.results.results_state import ResultsState

PICTURES: dict[str, Callable[[ui.Rows], None]] = {
    "Missing points": missing_view.show,
    "Leads": leads_view.show,
    "Sizes": sizes_view.show,
    paper_view.NAME: paper_view.show,
    scale_view.NAME: scale_view.show,
    in_use_view.NAME: in_use_view.show,
    languages_view.NAME: languages_view.show,
}
"""The views that are pictures of their own."""


def more_controls(plot: Plot) -> None:
    """Draw the slide and the notes of the table."""
    st.caption(f"{plot.table.slide}.")
    for note in plot.table.notes:
        st.caption(note)


def views(now: ResultsState) -> dict[str, Callable[[], None] | None]:
    """The views in the order of the bar."""
    return {
        **dict.fromkeys(PICTURES),
        "Table": lambda: tables_view.table_view(now),
        "Averages": ui.SeparateView(tables_view.averages_view),
        "Error reduction": ui.SeparateView(gains_view.error_view),
        "Ablations": ui.SeparateView(gains_view.ablations_view),
        "Time line": ui.SeparateView(gains_view.timeline_view),
        "CO₂ and price": ui.SeparateView(costs_view.costs_view),
        "This server": ui.SeparateView(costs_view.server_view),
        "Reading": ui.SeparateView(reading_view.reading_view),
        "Code": lambda: reading_view.source(now),
    }
