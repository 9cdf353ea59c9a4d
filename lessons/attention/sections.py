"""What stands below the step table: saturation, similarities, the slide's code, checks, code.

Each view is given what the table shows: what attention was given, how, and the query, from 1.
"""

from __future__ import annotations

import inspect
from dataclasses import replace

import streamlit as st

from lessons.attention import figures
from lessons.attention import text as words
from lmcore.attention import saturation, similarity, slide_attention, step_table
from lmcore.attention.step_table import AttentionConfig, AttentionInputs, StepTable
from lmcore.models import attention as mathematics
from ui import components, settings, widgets
from ui.compute import shared_results

WIDTHS = (3, 3, 4)
"""Of the columns of the slide's faults."""


def saturation_view(
    given: AttentionInputs, how: AttentionConfig, table: StepTable, query: int
) -> None:
    """Random q and k: what d_k does to a softmax; and this row, with the scale and without."""
    says = "Drawing queries and keys"
    found = shared_results.shared_result("saturation", (), saturation.saturation, most=1, says=says)
    pairs = figures.saturation_pairs(found)
    for column, (name, title, pair, log) in zip(st.columns(len(pairs)), pairs, strict=True):
        with column:
            widgets.show_figure(
                figures.saturation_curves(pair, title, widgets.theme_mode(), log=log),
                name=f"attention-{name}",
                reading=figures.READINGS[name],
                alt=figures.describe_curves(pair, title),
            )
    st.markdown(figures.saturation_words(found))
    plain = step_table.compute_step_table(given, step_table.unscaled_config(how))
    st.caption(f"The row of query {query}: its weights, and the slope of each by its own score.")
    components.table(
        ["key", "α", "∂α/∂s", "α, not scaled", "∂α/∂s, not scaled"],
        figures.slope_rows(given.tokens, table, plain, query - 1),
        name="attention-slopes",
        caption="Weights and slopes of this row, scaled and not",
    )


def similarities(given: AttentionInputs, how: AttentionConfig, query: int) -> None:
    """Four similarities as weights, with a softmax over the keys or without."""
    settings.toggle("attention_soft", "Softmax over the keys")
    soft = st.session_state["attention_soft"] != "false"
    found = similarity.attend_by_similarity(
        given.query[query - 1], given.key, given.value, normalised=soft, d_k=how.d_k
    )
    widgets.show_figure(
        figures.similarity_bars(found, given.tokens, widgets.theme_mode()),
        name="attention-similarities",
        reading=f"How much of each value goes into z of query {query}, by each similarity.",
        alt=figures.describe_similarity_bars(found, given.tokens),
    )
    st.markdown(figures.average_words(found, given.value))
    components.table(
        figures.similarity_columns(*given.value.shape),
        figures.similarity_rows(found),
        name="attention-similarities",
        caption="Similarity with each key, sum of the weights, and z",
    )
    st.caption(figures.SIMILARITY_WORDS)
    widgets.errata(["X68"])


def slide_code() -> None:
    """The slide's class put right, and what each of its faults does."""
    found = slide_attention.compare_with_pytorch()
    st.markdown(figures.compared_words(found.difference))
    for column, head in zip(st.columns(WIDTHS), figures.FAULTS, strict=True):
        column.markdown(f"**{head}**")
    for fault in found.faults:
        slide, right, happened = st.columns(WIDTHS, vertical_alignment="center")
        slide.code(fault.slide, language="python", wrap_lines=True)
        right.code(fault.right, language="python", wrap_lines=True)
        happened.markdown(widgets.escape_markdown(fault.happened))
    widgets.errata(["X32", "X33"])
    st.caption("The class put right, which ran:")
    st.code(inspect.getsource(slide_attention.SelfAttention), language="python", wrap_lines=True)


def predict(given: AttentionInputs, how: AttentionConfig, table: StepTable, query: int) -> None:
    """Predict, then reveal."""
    at = query - 1
    best = int(table.weights[at].argmax())
    wider = replace(how, scaled=True, d_k=min(4 * how.d_k, step_table.LARGEST_D_K))
    place = f"α of key {best + 1} for query {query}"
    widgets.check_yourself(
        f"The scores stay and d_k becomes {wider.d_k}. What is {place}?",
        answer=float(step_table.compute_step_table(given, wider).weights[at, best]),
        because="A larger d_k divides by more: the numbers come nearer, and so do the weights.",
        key="attention-wider",
    )
    widgets.check_yourself(
        f"Add 10 to every score of query {query}. What is {place} then?",
        answer=float(table.weights[at, best]),
        because="A softmax knows only differences, and these stay.",
        key="attention-shift",
    )
    widgets.check_yourself(
        f"What is the first number of z for query {query}?",
        answer=float(table.context[at, 0]),
        because="Each v[1] times its weight, added up.",
        key="attention-output",
    )


def source(
    given: AttentionInputs, how: AttentionConfig, table: StepTable, query: int, made: str
) -> None:
    """A snippet that prints this row, with the lines `made` for Q, K and V; and what ran."""
    difference = step_table.max_deviation(given, how, table)
    st.markdown(figures.deviation_words(difference))
    snippet = words.snippet(how, query, made)
    widgets.show_code(
        *(mathematics.attention, mathematics.softmax, mathematics.apply_mask),
        snippet=snippet,
        name="attention",
    )
