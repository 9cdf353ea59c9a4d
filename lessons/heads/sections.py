"""The views below the picture of the page on heads; surgery is in `ablation_section`."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st
import torch

import ui
from lessons.heads import figures, picture
from lessons.heads import text as words
from lessons.heads.picture import HeadsSelection
from lessons.heads.state import SETTINGS, HeadsRequest, other_text_heads, pair_in_other_text
from lmcore.attention import ablation, heads
from lmcore.attention.heads import Head, HeadsTrace
from lmcore.numbers import format_number
from ui import pretrained


def open_head(head: str) -> None:
    """Open the head that was pressed in a table."""
    ui.set_controls({"heads_head": head})


def neuron(trace: HeadsTrace, selection: HeadsSelection) -> None:
    """Draw q, k, their products and the softmax, with every number."""
    weights = trace.weights[selection.head]
    query, key = selection.query, selection.key
    place = query if query is not None else int(weights.max(-1).values.argmax())
    key = key if key is not None else int(weights[place].argmax())
    st.markdown(words.neuron(trace, selection.head, place, key, ui.escape_markdown))
    scores = heads.query_scores(trace, selection.head, place)
    payload = picture.meeting_data(scores, trace, selection.head, place, key)

    def follow_key(event: dict[str, int]) -> None:
        followed = {"heads_query": str(place), "heads_key": str(event["key"])}
        ui.set_controls({**followed, "heads_head": str(selection.head)})

    ui.picture(
        picture.QUERY_KEYS, ui.LiveNumbers("heads", (), np.empty(0)), payload, on_event=follow_key
    )


def statistics(trace: HeadsTrace, selection: HeadsSelection) -> None:
    """Statistics of every head, sortable, and the heads that show a pattern most."""
    counted = heads.head_statistics(trace.weights, trace.text)
    SETTINGS.draw("heads_find")
    name = SETTINGS.choice("heads_find")
    st.markdown(picture.pattern_words(counted, name))
    numbers = getattr(counted, name)
    ui.show_figure(
        figures.layer_scatter(numbers, name, selection.head, ui.theme_mode()),
        name="heads-by-layer",
        reading="Each point is one head: its mean over all places of this text. One text suggests "
        "a pattern; a firm claim about a head needs many texts.",
        alt=figures.describe_layer_scatter(numbers, name),
    )
    labels, rows = picture.statistic_rows(counted)
    columns = ["head", *(title for title, _ in picture.COLUMNS.values())]
    helps = ["layer.head, from 0", *(help for _, help in picture.COLUMNS.values())]
    payload: picture.RankingPayload = {
        "columns": columns,
        "helps": helps,
        "labels": labels,
        "numbers": rows.reshape(-1),
        "here": str(selection.head),
        "by": list(picture.COLUMNS).index(name),
        "down": True,
        "name": "head-statistics",
        "caption": "Every head; press a column's title to sort by it, or a head to open it",
    }
    nothing = ui.LiveNumbers("statistics", (), np.empty(0))
    ui.picture(picture.RANKING, nothing, payload, on_event=open_head)


def compare(
    request: HeadsRequest, trace: HeadsTrace, selection: HeadsSelection, models: dict[str, str]
) -> None:
    """The open head in the other text, or in another model, side by side."""
    if len(models) > 1:
        SETTINGS.draw("heads_other_model")
    model = SETTINGS.choice("heads_other_model")
    other = other_text_heads(request, model)
    if other is None:
        st.caption("Type another text above to see the open head in both, side by side.")
        return
    there = Head(*(min(n, most - 1) for n, most in zip(selection.head, other.shape, strict=True)))
    text = st.session_state["heads_other"]
    pair = [
        (
            words.title(request.text, selection.head),
            trace.text.tokens,
            trace.weights[selection.head],
        ),
        (words.title(text, there), other.text.tokens, other.weights[there]),
    ]
    ui.show_figure(
        figures.side_by_side(pair, ui.theme_mode()),
        name="heads-side-by-side",
        reading="One head, two texts. The colour is the weight, from 0 to 1, on both sides.",
        alt=words.describe_pair(pair, selection.query, selection.key),
    )
    if selection.query is None or selection.key is None:
        st.caption("Follow two tokens, by pressing a cell of the map, to rank the heads by them.")
        return
    places = pair_in_other_text(trace, other, selection.query, selection.key)
    if places is None:
        st.caption(
            "The other text lacks one of the two tokens, or that model has a different number of "
            "heads."
        )
        return
    here = selection.query, selection.key
    shift = heads.weight_shifts(trace, other, here, places)
    st.markdown(words.shift(trace, other, here, places, shift, ui.escape_markdown))
    payload = words.shift_table(trace, other, here, places, shift, selection.head)
    nothing = ui.LiveNumbers("shifts", (), np.empty(0))
    ui.picture(picture.RANKING, nothing, payload, on_event=open_head)


def five_steps(request: HeadsRequest, trace: HeadsTrace, selection: HeadsSelection) -> None:
    """Multi-head attention in the five steps of the slide, with the numbers of one token."""
    place = selection.query if selection.query is not None else 0
    network = pretrained.load(request.model).network
    with torch.no_grad():
        rows, now = words.five_steps(network, trace, selection.head, place)
    st.caption(words.five_steps_caption(trace, selection.head, place, ui.escape_markdown))
    live = ui.live_numbers("heads", now, [], {})
    ui.step_table(rows, live, caption="Multi-head attention in five steps")


def bertviz(view: Any, trace: HeadsTrace, selection: HeadsSelection, label: str) -> None:
    """BertViz's own view of the same weights."""
    segments = trace.text.segments.tolist()
    ui.bertviz(
        view,
        list(trace.weights),
        trace.text.tokens,
        alt=picture.describe(trace, label),
        sentence_b=segments.index(1) if 1 in segments else None,
        layer=selection.head.layer,
        heads=(selection.head.head,),
    )


def predict(trace: HeadsTrace, selection: HeadsSelection) -> None:
    """Two questions, answered from what is on screen."""
    place = selection.query if selection.query is not None else 0
    scores = heads.query_scores(trace, selection.head, place)
    best = int(scores.weights.argmax())
    name, key = (ui.escape_markdown(trace.text.tokens[each]) for each in (place, best))
    d_k = len(scores.query)
    ui.check_yourself(
        f"In head {selection.head}, the dot product of q of “{name}” and k of “{key}” is "
        f"{format_number(float(scores.scores[best]))}; a head has d_k = {d_k}. What is "
        "the scaled score?",
        answer=float(scores.scaled[best]),
        because=f"It is divided by √{d_k} = {format_number(d_k**0.5)}.",
        key="heads-scaled",
    )
    layers, each = trace.shape
    ui.check_yourself(
        f"The text has {len(trace.text.tokens)} tokens, the model {layers} × {each} heads. How "
        "many weights are there on this page?",
        answer=float(trace.weights.numel()),
        because="Layers × heads × tokens × tokens: twice the text, four times the weights.",
        key="heads-count",
    )


def source(request: HeadsRequest, trace: HeadsTrace, selection: HeadsSelection) -> None:
    """The code that ran, and a snippet that prints the numbers of the followed pair."""
    snippet = words.snippet(request.model, request.text, request.pair, selection)
    ui.show_code(
        heads.trace_heads,
        heads.query_scores,
        heads.head_statistics,
        ablation.ablation_effects,
        snippet=snippet,
        name="heads",
    )
