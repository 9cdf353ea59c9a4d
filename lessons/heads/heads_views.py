"""The picture of the page on heads, and its views.

Surgery is in `ablation_view`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st
import torch

import ui
from drawing.bertviz import MOST_LINES
from lessons.heads import heads_figures, heads_picture, heads_row, heads_text
from lessons.heads.heads_picture import FollowedKey, HeadsSelection, head_name
from lessons.heads.heads_row import QueryRow
from lessons.heads.heads_state import (
    SETTINGS,
    HeadsRequest,
    HeadsResult,
    open_head,
    other_text_heads,
    pair_in_other_text,
)
from lmcore.attention import ablation, heads
from lmcore.attention.heads import Head, HeadsTrace
from ui import pretrained

NOTHING = ui.LiveNumbers(heads_picture.GROUP, (), np.empty(0))
"""For scripts that follow no slider."""


def send_weights(result: HeadsResult) -> None:
    """Send all weights to the browser; Streamlit sends them only once while they do not change."""
    ui.picture(heads_picture.WEIGHTS, NOTHING, result.weights)


def neuron(trace: HeadsTrace, shown: QueryRow, selection: HeadsSelection) -> None:
    """Draw q, k, their products and the softmax, with every number."""
    head, place = selection.head, shown.place
    key = shown.focus(head.layer * trace.shape[1] + head.head)
    st.markdown(heads_text.neuron(trace, head, place, key, ui.escape_markdown))
    scores = heads.query_scores(trace, head, place)
    payload = heads_picture.meeting_data(scores, trace, head, place, key)

    def follow_key(event: FollowedKey) -> None:
        followed = {"heads_query": str(place), "heads_key": str(event["key"])}
        ui.set_controls({**followed, "heads_head": str(head)})

    ui.picture(heads_picture.QUERY_KEYS, NOTHING, payload, on_event=follow_key)


def statistics(trace: HeadsTrace, selection: HeadsSelection) -> None:
    """Statistics of every head, sortable, and the heads that show a pattern most."""
    counted = heads.head_statistics(trace.weights, trace.text)
    SETTINGS.draw("heads_find")
    name = SETTINGS.choice("heads_find")
    st.markdown(heads_picture.pattern_words(counted, name))
    numbers = getattr(counted, name)
    ui.show_figure(
        heads_figures.layer_scatter(numbers, name, selection.head, ui.theme_mode()),
        name="heads-by-layer",
        reading="Each point is one head: its mean over all places of this text. One text suggests "
        "a pattern; a firm claim about a head needs many texts.",
        alt=heads_figures.describe_layer_scatter(numbers, name),
    )
    every, rows = heads_picture.statistic_rows(counted)
    columns = ["head", *(title for title, _ in heads_picture.COLUMNS.values())]
    helps = ["layers and heads count from 0", *(help for _, help in heads_picture.COLUMNS.values())]
    payload: heads_picture.RankingPayload = {
        "columns": columns,
        "helps": helps,
        "labels": [head_name(head) for head in every],
        "heads": [str(head) for head in every],
        "numbers": rows.reshape(-1),
        "here": str(selection.head),
        "by": list(heads_picture.COLUMNS).index(name),
        "down": True,
        "name": "head-statistics",
        "caption": "Every head; press a column's title to sort by it, or a head to open it",
    }
    nothing = ui.LiveNumbers("statistics", (), np.empty(0))
    ui.picture(heads_picture.RANKING, nothing, payload, on_event=open_head)


def compare(
    request: HeadsRequest, trace: HeadsTrace, selection: HeadsSelection, models: dict[str, str]
) -> None:
    """The open head in the other text, or in another model, side by side."""
    if len(models) > 1:
        SETTINGS.draw("heads_other_model")
    model = SETTINGS.choice("heads_other_model")
    other = other_text_heads(request, model)
    if other is None:
        st.caption("Type a text under *Compared with* to see the open head in both, side by side.")
        return
    there = Head(*(min(n, most - 1) for n, most in zip(selection.head, other.shape, strict=True)))
    text = st.session_state["heads_other"]
    pair = [
        (
            heads_text.title(request.text, selection.head),
            trace.text.tokens,
            trace.weights[selection.head],
        ),
        (heads_text.title(text, there), other.text.tokens, other.weights[there]),
    ]
    ui.show_figure(
        heads_figures.side_by_side(pair, ui.theme_mode()),
        name="heads-side-by-side",
        reading="One head, two texts. The colour is the weight, from 0 to 1, on both sides.",
        alt=heads_text.describe_pair(pair, selection.query, selection.key),
    )
    if selection.query is None or selection.key is None:
        st.caption("Press a square of the open head, and the heads are ranked by its two tokens.")
        return
    _ranked_by_shift(trace, other, selection.head, (selection.query, selection.key))


def _ranked_by_shift(
    trace: HeadsTrace, other: HeadsTrace, head: Head, here: tuple[int, int]
) -> None:
    """How much the weight between two tokens differs in the other text, head by head."""
    places = pair_in_other_text(trace, other, *here)
    if places is None:
        st.caption(
            "The other text lacks one of the two tokens, or that model has a different number of "
            "heads."
        )
        return
    shift = heads.weight_shifts(trace, other, here, places)
    st.markdown(heads_text.shift(trace, other, here, places, shift, ui.escape_markdown))
    payload = heads_text.shift_table(trace, other, here, places, shift, head)
    nothing = ui.LiveNumbers("shifts", (), np.empty(0))
    ui.picture(heads_picture.RANKING, nothing, payload, on_event=open_head)


def five_steps(
    request: HeadsRequest, trace: HeadsTrace, selection: HeadsSelection, place: int
) -> None:
    """Multi-head attention in the five steps of the slide, with the numbers of one token."""
    network = pretrained.load(request.model).network
    with torch.no_grad():
        rows, now = heads_text.five_steps(network, trace, selection.head, place)
    st.caption(heads_text.five_steps_caption(trace, selection.head, place, ui.escape_markdown))
    live = ui.live_numbers("five", now, [], {})
    ui.step_table(rows, live, caption="Multi-head attention in five steps")


def lacking_views(trace: HeadsTrace) -> dict[str, str]:
    """View → the reason why it cannot draw this many weights; empty if it can."""
    weights = {"head": trace.weights[0].numel(), "model": trace.weights.numel()}
    return {
        f"BertViz {view} view": f"it draws a line for every weight, and there are {count:,}: "
        f"{MOST_LINES:,} are possible. Take a shorter text"
        if count > MOST_LINES
        else ""
        for view, count in weights.items()
    }


def bertviz(view: Any, trace: HeadsTrace, selection: HeadsSelection, label: str) -> None:
    """BertViz's own view of the same weights."""
    segments = trace.text.segments.tolist()
    ui.bertviz(
        view,
        list(trace.weights),
        trace.text.tokens,
        alt=heads_row.describe_largest(trace, label),
        sentence_b=segments.index(1) if 1 in segments else None,
        layer=selection.head.layer,
        heads=(selection.head.head,),
    )


def source(
    request: HeadsRequest, trace: HeadsTrace, selection: HeadsSelection, shown: QueryRow
) -> None:
    """The code that ran, and a snippet that prints the numbers of the marked pair."""
    head = selection.head
    pair = shown.place, shown.focus(head.layer * trace.shape[1] + head.head)
    snippet = heads_text.snippet(request.model, request.text, request.pair, head, pair)
    ui.show_code(
        heads.trace_heads,
        heads.query_scores,
        heads.head_statistics,
        ablation.ablation_effects,
        snippet=snippet,
        name="heads",
    )
