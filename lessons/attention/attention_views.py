"""The picture of the page, and the closer looks.

Each view receives the inputs, the configuration of attention, and the query, counted from 1.
"""

from __future__ import annotations

import inspect
from functools import partial

import streamlit as st

import ui
from lessons.attention import (
    attention_figures,
    attention_picture,
    attention_state,
    attention_text,
    cell_text,
)
from lessons.attention.attention_state import SETTINGS
from lmcore.attention import saturation, similarity, slide_attention, step_table
from lmcore.attention.step_table import AttentionConfig, AttentionInputs, StepTable
from lmcore.models import attention
from ui import compute

WIDTHS = (3, 3, 4)
"""Relative widths of the columns that compare the slide's code with the correct code."""


def saturation_view(
    inputs: AttentionInputs, config: AttentionConfig, table: StepTable, query: int
) -> None:
    """Draw the effect of d_k on a softmax of random q·k, and this row scaled and unscaled."""
    says = "Drawing queries and keys"
    curves = compute.shared_result("saturation", partial(saturation.saturation), most=1, says=says)
    pairs = attention_figures.saturation_pairs(curves)
    for column, (name, title, pair, log) in zip(st.columns(len(pairs)), pairs, strict=True):
        with column:
            ui.show_figure(
                attention_figures.saturation_curves(pair, title, ui.theme_mode(), log=log),
                name=f"attention-{name}",
                reading=attention_figures.READINGS[name],
                alt=attention_figures.describe_curves(pair, title),
            )
    st.markdown(attention_figures.saturation_words(curves))
    plain = step_table.compute_step_table(inputs, step_table.unscaled_config(config))
    st.caption(f"The row of query {query}: its weights, and the slope of each by its own score.")
    ui.table(
        ["key", "α", "∂α/∂s", "α, not scaled", "∂α/∂s, not scaled"],
        attention_figures.slope_rows(inputs.tokens, table, plain, query - 1),
        name="attention-slopes",
        caption="Weights and slopes of this row, scaled and not",
    )


def similarities(inputs: AttentionInputs, config: AttentionConfig, query: int) -> None:
    """Four similarities as weights, with a softmax over the keys or without."""
    SETTINGS.draw("attention_soft")
    soft = st.session_state["attention_soft"] != "false"
    attentions = similarity.attend_by_similarity(
        inputs.query[query - 1], inputs.key, inputs.value, normalised=soft, d_k=config.d_k
    )
    ui.show_figure(
        attention_figures.similarity_bars(attentions, inputs.tokens, ui.theme_mode()),
        name="attention-similarities",
        reading=f"How much of each value goes into z of query {query}, by each similarity.",
        alt=attention_figures.describe_similarity_bars(attentions, inputs.tokens),
    )
    st.markdown(attention_figures.average_words(attentions, inputs.value))
    ui.table(
        attention_figures.similarity_columns(*inputs.value.shape),
        attention_figures.similarity_rows(attentions),
        name="attention-similarities",
        caption="Similarity with each key, sum of the weights, and z",
    )
    st.caption(attention_figures.SIMILARITY_WORDS)
    ui.errata(["X68"])


def slide_code() -> None:
    """The slide's class, corrected, and what each of its faults does."""
    comparison = slide_attention.compare_with_pytorch()
    st.markdown(attention_figures.compared_words(comparison.difference))
    for column, head in zip(st.columns(WIDTHS), attention_figures.FAULTS, strict=True):
        column.markdown(f"**{head}**")
    for fault in comparison.faults:
        slide, right, happened = st.columns(WIDTHS, vertical_alignment="center")
        slide.code(fault.slide, language="python", wrap_lines=True)
        right.code(fault.right, language="python", wrap_lines=True)
        happened.markdown(ui.escape_markdown(fault.happened))
    ui.errata(["X32", "X33"])
    st.caption("The corrected class, as it ran:")
    st.code(inspect.getsource(slide_attention.SelfAttention), language="python", wrap_lines=True)


def source(
    inputs: AttentionInputs, config: AttentionConfig, table: StepTable, query: int, code: str
) -> None:
    """The code that ran, and a snippet that prints this row; the lines `code` make Q, K and V."""
    difference = step_table.max_deviation(inputs, config, table)
    st.markdown(attention_figures.deviation_words(difference))
    snippet = attention_text.snippet(config, query, code)
    ui.show_code(
        *(attention.attention, attention.softmax, attention.apply_mask),
        snippet=snippet,
        name="attention",
    )


def step_by_step(
    current: attention_state.AttentionState, table: StepTable, live: ui.LiveNumbers
) -> None:
    """The table of every number, the opened cell multiplied out, and the steps of one key."""
    inputs, config, view, *_ = current
    with st.container(horizontal=True, vertical_alignment="bottom"):
        SETTINGS.draw("attention_mode")
        st.caption(attention_text.d_k_words(inputs, config))
    lines = [cell_text.output_line(inputs, table, view.query)]
    lines += cell_text.cell_lines(inputs, config, table, view)
    payload: attention_picture.AttentionPayload = {
        **attention_picture.picture(inputs, config, table, view),
        "lines": [{"role": line.role, "text": line.text} for line in lines],
        "alt": attention_text.alt_text(inputs, view),
    }
    ui.picture(attention_picture.ATTENTION, live, payload, on_event=attention_state.open_cell)
    ui.step_table(
        attention_text.steps(inputs, config, view),
        live,
        caption=f"Query {view.query}, one operation per row",
    )


def edit() -> None:
    """Fields for the words and the matrices, one row per word."""
    source = SETTINGS.choice("attention_from")
    names = attention_state.MATRIX_SETTINGS[source]
    SETTINGS.draw("attention_words")
    which = "X has" if source == "x" else "Each matrix has"
    st.caption(
        attention_state.fitted_words() or f"{which} one row a word, and grows with the words."
    )
    for column, name in zip(st.columns(len(names)), names, strict=True):
        with column:
            matrix_text(f"attention_{name}", name if len(name) == 1 else f"W^{name[1]}")


def matrix_text(name: str, label: str) -> None:
    """A matrix as text, one row per line; in the address semicolons separate its rows."""
    rows = [row.strip() for row in str(st.session_state[name]).replace("\n", ";").split(";")]
    key = ui.fresh_key(f"{name}-shown", "\n".join(rows))

    def store_matrix() -> None:
        if (text := ui.changed_value(f"{name}-shown", key)) is not None:
            lines = [row.strip() for row in text.splitlines()]
            st.session_state[name] = "; ".join(line for line in lines if line)

    ui.text_area(
        label,
        key=key,
        height=150,
        on_change=store_matrix,
        help="One row per line, with spaces between the numbers",
    )
