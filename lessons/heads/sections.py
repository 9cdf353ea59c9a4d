"""The views below the picture of the page on heads, but for surgery, which has its own file."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st
import torch

import ui
from lessons.heads import figures as maps
from lessons.heads import picture as figures
from lessons.heads import text as words
from lessons.heads.picture import HeadsSelection
from lessons.heads.texts import HeadsRequest, other_text_heads, pair_in_other_text
from lmcore.attention import heads
from lmcore.attention.heads import Head, HeadsTrace
from ui import pretrained, settings


def open_head(head: str) -> None:
    """A head was pressed in a table."""
    ui.set_controls({"heads_head": head})


def neuron(seen: HeadsTrace, at: HeadsSelection) -> None:
    """q, k, their product, and what the softmax makes of it, with every number."""
    weights = seen.weights[at.head]
    place = at.query if at.query is not None else int(weights.max(-1).values.argmax())
    key = at.key if at.key is not None else int(weights[place].argmax())
    st.markdown(words.neuron(seen, at.head, place, key, ui.escape_markdown))
    how = figures.meeting_data(heads.query_scores(seen, at.head, place), seen, at.head, place, key)

    def told(to: dict[str, int]) -> None:
        found = {"heads_query": str(place), "heads_key": str(to["key"])}
        ui.set_controls({**found, "heads_head": str(at.head)})

    ui.picture("qk", ui.LiveNumbers("heads", (), np.empty(0)), how, on_told=told)


def statistics(seen: HeadsTrace, at: HeadsSelection) -> None:
    """What tells heads apart, each sortable, and the heads that show a pattern most."""
    counted = heads.head_statistics(seen.weights, seen.text)
    settings.pills("heads_find", "Find heads that", figures.PATTERNS)
    name = settings.allowed_value("heads_find", figures.PATTERNS)
    st.markdown(figures.pattern_words(counted, name))
    numbers = getattr(counted, name)
    ui.show_figure(
        maps.layer_scatter(numbers, name, at.head, ui.theme_mode()),
        name="heads-by-layer",
        reading="A point is a head: its mean over all places of this text. It is a habit in this "
        "text, not yet a skill: that takes many texts.",
        alt=maps.describe_layer_scatter(numbers, name),
    )
    labels, rows = figures.statistic_rows(counted)
    columns = ["head", *(title for title, _ in figures.COLUMNS.values())]
    helps = ["layer.head, from 0", *(help for _, help in figures.COLUMNS.values())]
    how = {
        "columns": columns,
        "helps": helps,
        "labels": labels,
        "numbers": rows.reshape(-1),
        "here": str(at.head),
        "by": list(figures.COLUMNS).index(name),
        "down": True,
        "name": "head-statistics",
        "caption": "Every head; press a column's title to sort by it, a head to open it",
    }
    ui.picture("ranking", ui.LiveNumbers("statistics", (), np.empty(0)), how, on_told=open_head)


def compare(
    asked: HeadsRequest, seen: HeadsTrace, at: HeadsSelection, models: dict[str, str]
) -> None:
    """The open head in the other text, or in another model, side by side."""
    if len(models) > 1:
        choices = {"": "the same", **models}
        settings.pills("heads_other_model", "The other text is read by", choices)
    model = settings.allowed_value("heads_other_model", ("", *models))
    other = other_text_heads(asked, model)
    if other is None:
        st.caption("Type another text above: the open head is then shown in both, side by side.")
        return
    there = Head(*(min(n, most - 1) for n, most in zip(at.head, other.shape, strict=True)))
    text = st.session_state["heads_other"]
    pair = [
        (words.title(asked.text, at.head), seen.text.tokens, seen.weights[at.head]),
        (words.title(text, there), other.text.tokens, other.weights[there]),
    ]
    ui.show_figure(
        maps.side_by_side(pair, ui.theme_mode()),
        name="heads-side-by-side",
        reading="One head, two texts. The colour is the weight, from 0 to 1, on both sides.",
        alt=words.describe_pair(pair, at.query, at.key),
    )
    if at.query is None or at.key is None:
        st.caption("Follow two tokens, by pressing a cell of the map, to rank the heads by them.")
        return
    places = pair_in_other_text(seen, other, at.query, at.key)
    if places is None:
        st.caption("The two tokens do not both stand in the other text, or its heads are others.")
        return
    here, shift = (at.query, at.key), heads.weight_shifts(seen, other, (at.query, at.key), places)
    st.markdown(words.shift(seen, other, here, places, shift, ui.escape_markdown))
    how = words.shift_table(seen, other, here, places, shift, at.head)
    ui.picture("ranking", ui.LiveNumbers("shifts", (), np.empty(0)), how, on_told=open_head)


def five_steps(asked: HeadsRequest, seen: HeadsTrace, at: HeadsSelection) -> None:
    """Multi-head attention in the five steps of the slide, with the numbers of one token."""
    place = at.query if at.query is not None else 0
    network = pretrained.load(asked.model).network
    with torch.no_grad():
        rows, now = words.five_steps(network, seen, at.head, place)
    st.caption(words.five_steps_caption(seen, at.head, place, ui.escape_markdown))
    live = ui.live_numbers("heads", now, [], {})
    ui.step_table(rows, live, caption="Multi-head attention in five steps")


def bertviz(view: Any, seen: HeadsTrace, at: HeadsSelection, label: str) -> None:
    """BertViz's own view of the same weights."""
    segments = seen.text.segments.tolist()
    ui.bertviz(
        view,
        list(seen.weights),
        seen.text.tokens,
        alt=figures.describe(seen, label),
        sentence_b=segments.index(1) if 1 in segments else None,
        layer=at.head.layer,
        heads=(at.head.head,),
    )
