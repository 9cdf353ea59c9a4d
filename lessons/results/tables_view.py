"""The views “Table” and “Averages”: every table as printed, and its recomputed numbers."""

from __future__ import annotations

import streamlit as st

import ui
from lessons.results.quoted_table import SortedTable, again, check_table, draw_quoted, quoted_table
from lessons.results.results_state import AS_PLOTTED, SETTINGS, ResultsState
from lmcore.dataframes import Table
from lmcore.results.recomputed import Check, failed_checks, recompute
from lmcore.results.tables import ResultTable, load_results

RULES = {
    "glue": "The average of GLUE is the plain mean of **nine** numbers: MNLI counts twice, matched "
    "and mismatched, and WNLI is left out.",
    "albert": "ALBERT’s average is the mean of **five** tasks. A SQuAD has two numbers, F1 and "
    "exact match; their mean counts as one task.",
    "elmo": "“Increase” is a difference of two scores in points. “Relative” is the share of the "
    "baseline’s **errors** that it removes: 100 · increase / (100 − baseline).",
    "rounding": "A table rounded to one decimal should be the full table, rounded. Both numbers of "
    "the Transformer for English to French were published: **41.0** in the conference paper of "
    "2017, **41.8** in the later arXiv version.",
    "abstract": "BERT’s abstract prints each score with its gain, so score − gain is the best one "
    "before. Of the four, one is in a table of the decks: MultiNLI of GPT.",
    "twice": "Five numbers of BERT are printed twice. SST-2 is from two different runs. 80.5 is "
    "the official score of GLUE’s leaderboard, 82.1 the plain mean of nine columns.",
}


def table_view(now: ResultsState) -> None:
    """Show a table as printed; its headings sort it."""
    SETTINGS.draw("re_list")
    chosen = SETTINGS.choice("re_list")
    table = load_results(now.table if chosen == AS_PLOTTED else chosen)
    SETTINGS.draw("re_filter")
    order = round(SETTINGS.number("re_sort"))
    shown = quoted_table(table, order=order, containing=SETTINGS.text("re_filter"))
    st.markdown(table_finding(table, len(shown["rows"])))
    draw_quoted(shown, store_sort)
    st.caption(f"Quoted: {table.source}; {table.slide}.")
    for note in table.notes:
        st.caption(note)


def store_sort(event: SortedTable) -> None:
    """Store the column whose heading was pressed."""
    ui.set_controls({"re_sort": str(event["sort"])})


def table_finding(table: ResultTable, shown: int) -> str:
    """How many rows of a table are shown, and which numbers cannot be reproduced."""
    rows = f"**{table.title}**: {shown} of {len(table.rows)} rows."
    failed = list(failed_checks(table.name).values())
    if not failed:
        return f"{rows} Press a heading to sort."
    marked = "; ".join(f"{c.row}, {c.quantity}: {c.printed}, {again(c)}" for c in failed)
    return f"{rows} Press a heading to sort. Marked: {ui.escape_markdown(marked)}."


def averages_view() -> None:
    """Show printed averages, gains and roundings beside the recomputed ones."""
    SETTINGS.draw("re_check")
    kind = SETTINGS.choice("re_check")
    checks = recompute(kind)
    st.markdown(RULES[kind])
    st.markdown(checks_finding(checks))
    draw_quoted(check_table(checks, kind))
    tables = dict.fromkeys(load_results(check.table) for check in checks)
    st.caption(
        f"Quoted: {'; '.join(f'{t.source}, {t.slide}' for t in tables)}. Computed: the rest."
    )


def checks_finding(checks: Table[Check]) -> str:
    """How many printed numbers can be reproduced, and which cannot."""
    printed = [check for check in checks if check.agrees is not None]
    wrong = [check for check in printed if not check.agrees]
    lead = f"**{len(printed) - len(wrong)} of {len(printed)}** come out as printed."
    if not wrong:
        return lead
    cells = "; ".join(
        f"**{ui.escape_markdown(check.row)}**, {check.quantity}: printed {check.printed}, "
        f"**{again(check)}**"
        for check in wrong
    )
    return f"{lead} Not so: {cells}."
