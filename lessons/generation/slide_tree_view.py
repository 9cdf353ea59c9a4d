"""The slide's tree: drag an edge, and see what greedy search, beams and sampling find."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import streamlit as st
import torch

import ui
from drawing.events import Moved
from drawing.live import LiveNumbers, Slider, live_numbers
from lessons.generation import slide_tree_picture, slide_tree_text
from lessons.generation.generation_questions import tree_questions
from lessons.generation.generation_state import LESSON, SETTINGS
from lessons.generation.slide_tree_picture import SlideTreeState
from lmcore import parsing
from lmcore.decoding import tree_paths
from lmcore.decoding.tree import NEXT
from lmcore.decoding.tree_paths import NODES, STREAM
from lmcore.numbers import format_number
from lmcore.vocabulary import START
from ui import components, widgets

REFUSED = "tree-refused"
"""The key of the error about a typed edge, shown where the tree is drawn."""
NUMBER_OF_TEXTS = "texts"
"""The name of the slider that is not an edge."""


class _SlideTreeSettings(NamedTuple):
    """The validated settings of the view."""

    shown: SlideTreeState
    seed: int


def slide_tree(rows: ui.Rows) -> None:
    """Draw the tree with all its texts on the stage, and its controls in the rail."""
    with rows.errors:
        if late := st.session_state.pop(REFUSED, None):
            widgets.show_error(late[0])
            st.caption(widgets.escape_markdown(f"Still showing the last valid setting: {late[1]}."))
        found = widgets.validated_or_previous("tree", _read, _opening)
    width, live = found.shown.width, _live_numbers(found.shown)
    read = dict(zip(live.names, live.now.tolist(), strict=True))
    with rows.rail:
        hidden = ui.predict_first(tree_questions(read))
        components.sliders(live, on_settled=lambda moved: _store_slider(found, moved))
        _controls(found)
        with ui.more(rows):
            components.table(
                slide_tree_picture.columns(found.shown.sample_count),
                slide_tree_picture.rows(read),
                name="slide-tree",
                caption="All texts of the tree",
            )
            st.caption(slide_tree_picture.EDGE_SOURCES)
            st.caption(slide_tree_picture.STEADY)
    with rows.picture:
        stage_texts = ui.stage_texts(
            LESSON,
            sentences=slide_tree_text.sentences(width),
            formula=slide_tree_text.formulas(),
            alt=slide_tree_text.describe(width),
            hidden=hidden,
        )
        ui.main_picture(
            slide_tree_picture.SLIDE_TREE, live, slide_tree_picture.picture(width), stage_texts
        )


def _controls(found: _SlideTreeSettings) -> None:
    SETTINGS.draw("tree_width")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        SETTINGS.draw("tree_seed")
        st.button(
            "Another",
            key="tree-again",
            help="The next seed",
            on_click=lambda: widgets.set_controls({"tree_seed": str(found.seed + 1)}),
        )
        if not slide_tree_picture.is_the_slides(found.shown.edges):
            st.button(
                "The slide’s edges",
                key="tree-back",
                on_click=lambda: widgets.set_controls(
                    {"tree_edges": SETTINGS.defaults["tree_edges"]}
                ),
            )


def _read() -> _SlideTreeSettings:
    """The tree, the width, and what is drawn.

    Raises:
        ValueError: naming the setting whose value is invalid.
    """
    state = st.session_state
    edges = tree_paths.parse_edges(str(state["tree_edges"]))
    count = parsing.parse_integer(state["tree_texts"], "the number of texts")
    seed = parsing.parse_integer(state["tree_seed"], "the seed")
    if seed < 0:
        raise ValueError(f"the seed must be 0 or more; got {seed}")
    tree_paths.uniform_draws(seed, count)
    width = int(SETTINGS.choice("tree_width"))
    return _SlideTreeSettings(
        SlideTreeState(edges, width, count, tree_paths.uniform_draws(seed)), seed
    )


def _opening() -> _SlideTreeSettings:
    given = SETTINGS.defaults
    seed, count = int(given["tree_seed"]), int(given["tree_texts"])
    edges = tree_paths.parse_edges(given["tree_edges"])
    width = int(given["tree_width"])
    return _SlideTreeSettings(
        SlideTreeState(edges, width, count, tree_paths.uniform_draws(seed)), seed
    )


def _live_numbers(shown: SlideTreeState) -> LiveNumbers:
    """One slider per edge and one for the number of texts, with their whole sweep."""
    sliders = [_edge(shown, node, edge) for node in range(len(NODES)) for edge in range(len(NEXT))]
    sizes = np.unique(np.round(np.geomspace(1, STREAM, 4 * slide_tree_picture.POSITIONS)))
    sizes = sizes[np.linspace(0, len(sizes) - 1, slide_tree_picture.POSITIONS).round().astype(int)]
    sizes[np.abs(sizes - shown.sample_count).argmin()] = shown.sample_count
    sliders.append(
        Slider(
            NUMBER_OF_TEXTS,
            "n",
            "texts drawn",
            float(shown.sample_count),
            sizes,
            "The shares approach the probabilities as n grows",
            role="score",
            heading="Random walks",
        )
    )
    positions = torch.tensor(np.array([slider.positions for slider in sliders]))
    return live_numbers(
        "tree",
        slide_tree_picture.current_numbers(shown),
        sliders,
        slide_tree_picture.swept_numbers(shown, positions),
    )


def _edge(shown: SlideTreeState, node: int, edge: int) -> Slider:
    value = float(shown.edges[node, edge])
    positions = np.linspace(0, 1, slide_tree_picture.POSITIONS)
    positions[np.abs(positions - value).argmin()] = value
    before = " ".join((START, *NODES[node]))
    return Slider(
        slide_tree_picture.edge_name(node, edge),
        NEXT[edge],
        f"probability of {NEXT[edge]} after {before}",
        value,
        positions,
        "The other edges of this node change in proportion",
        role=slide_tree_picture.ROLES[node],
        heading=f"After {before}",
    )


def _store_slider(found: _SlideTreeSettings, moved: Moved) -> None:
    """Store a slider's value once it is released or typed."""
    name, typed = str(moved["name"]), str(moved["typed"])
    if name == NUMBER_OF_TEXTS:
        widgets.set_controls({"tree_texts": typed})
        return
    node, edge = int(name[1]), int(name[2])
    try:
        to = torch.tensor([parsing.parse_number(typed, "the probability")], dtype=torch.float64)
        edges = tree_paths.move_edge(found.shown.edges, node, edge, to)[0]
    except ValueError as error:
        before = " ".join((START, *NODES[node]))
        kept = (
            f"{NEXT[edge]} after {before} is {format_number(float(found.shown.edges[node, edge]))}"
        )
        st.session_state[REFUSED] = error, kept
        return
    widgets.set_controls({"tree_edges": tree_paths.format_edges(edges)})
