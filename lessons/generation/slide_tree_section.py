"""The slide's tree by hand: drag an edge, and see what greedy search, beams and luck make of it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import streamlit as st
import torch

from lessons.generation import slide_tree_picture as figures
from lessons.generation.slide_tree_picture import Shown
from lmcore import parsing
from lmcore.decoding import tree_paths
from lmcore.decoding.tree import NEXT, Tree
from lmcore.decoding.tree_paths import NODES, STREAM
from lmcore.vocabulary import START
from ui import components, settings, widgets
from ui.live import Live, Slider, follow

DEFAULTS = {
    "tree_edges": tree_paths.written(tree_paths.tensor(Tree())),
    "tree_width": "2",
    "tree_texts": "100",
    "tree_seed": "1",
}
WIDTHS = {"1": "1", "2": "2", "3": "3", "4": "4"}
REFUSED = "tree-refused"
"""What was wrong with a typed edge, told where the tree is drawn."""
NUMBER_OF_TEXTS = "texts"
"""The slider that is no edge."""


class _Read(NamedTuple):
    """What the controls describe, checked."""

    shown: Shown
    seed: int


def slide_tree() -> None:
    """The tree with all its texts, editable; beside them what is drawn from it."""
    settings.keep(DEFAULTS)
    if late := st.session_state.pop(REFUSED, None):
        widgets.refuse(late)
    widgets.expect("tree_width", tuple(WIDTHS))
    found = widgets.last_good("tree", _read, _opening)
    live = _live(found.shown)
    left, right = st.columns([2, 5], gap="medium")
    with left:
        _controls(found)
        components.sliders(live, on_settled=lambda moved: _moved(found, moved))
    read = dict(zip(live.names, live.now.tolist(), strict=True))
    with right:
        components.picture("slidetree", live, figures.picture(found.shown.width, read))
        widgets.notice(*figures.notice(found.shown.width, read), key="notice-tree")
        components.table(
            figures.columns(found.shown.drawn),
            figures.rows(read),
            name="slide-tree",
            caption="All texts of the tree",
        )
        st.caption(figures.WHOSE)
        st.caption(figures.STEADY)


def _controls(found: _Read) -> None:
    settings.chosen("tree_width", "Beam width, beginnings", WIDTHS)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        settings.typed("tree_seed", "Seed", "The same seed draws the same stream of texts")
        st.button(
            "Another seed",
            key="tree-again",
            on_click=lambda: widgets.put({"tree_seed": str(found.seed + 1)}),
        )
        if not figures.is_the_slides(found.shown.edges):
            st.button(
                "The slide’s edges",
                key="tree-back",
                on_click=lambda: widgets.put({"tree_edges": DEFAULTS["tree_edges"]}),
            )


def _read() -> _Read:
    """The tree, the width, and what is drawn.

    Raises:
        ValueError: naming what cannot be.
    """
    state = st.session_state
    edges = tree_paths.read(str(state["tree_edges"]))
    count = parsing.whole(state["tree_texts"], "the number of texts")
    seed = parsing.whole(state["tree_seed"], "the seed")
    if seed < 0:
        raise ValueError(f"the seed must be 0 or more; got {seed}")
    tree_paths.luck(seed, count)
    width = int(settings.among("tree_width", WIDTHS))
    return _Read(Shown(edges, width, count, tree_paths.luck(seed)), seed)


def _opening() -> _Read:
    seed, count = int(DEFAULTS["tree_seed"]), int(DEFAULTS["tree_texts"])
    edges = tree_paths.read(DEFAULTS["tree_edges"])
    width = int(DEFAULTS["tree_width"])
    return _Read(Shown(edges, width, count, tree_paths.luck(seed)), seed)


def _live(shown: Shown) -> Live:
    """The sliders, a slider an edge and one for how many texts, with their whole sweep."""
    sliders = [_edge(shown, node, edge) for node in range(len(NODES)) for edge in range(len(NEXT))]
    sizes = np.unique(np.round(np.geomspace(1, STREAM, 4 * figures.POSITIONS)))
    sizes = sizes[np.linspace(0, len(sizes) - 1, figures.POSITIONS).round().astype(int)]
    sizes[np.abs(sizes - shown.drawn).argmin()] = shown.drawn
    sliders.append(
        Slider(
            NUMBER_OF_TEXTS,
            "n",
            "texts drawn",
            float(shown.drawn),
            sizes,
            "The shares come to the probabilities as n grows",
            role="score",
            heading="Random walks",
        )
    )
    positions = torch.tensor(np.array([slider.positions for slider in sliders]))
    return follow("tree", figures.now(shown), sliders, figures.swept(shown, positions))


def _edge(shown: Shown, node: int, edge: int) -> Slider:
    value = float(shown.edges[node, edge])
    positions = np.linspace(0, 1, figures.POSITIONS)
    positions[np.abs(positions - value).argmin()] = value
    before = " ".join((START, *NODES[node]))
    return Slider(
        figures.edge_name(node, edge),
        NEXT[edge],
        f"probability of {NEXT[edge]} after {before}",
        value,
        positions,
        "The others of this node give way in their proportion",
        role=figures.ROLES[node],
        heading=f"After {before}",
    )


def _moved(found: _Read, moved: dict[str, Any]) -> None:
    """A slider came to rest, or a number was typed."""
    name, typed = str(moved["name"]), str(moved["typed"])
    if name == NUMBER_OF_TEXTS:
        widgets.put({"tree_texts": typed})
        return
    node, edge = int(name[1]), int(name[2])
    try:
        to = torch.tensor([parsing.number(typed, "the probability")], dtype=torch.float64)
        edges = tree_paths.moved(found.shown.edges, node, edge, to)[0]
    except ValueError as error:
        st.session_state[REFUSED] = error
        return
    widgets.put({"tree_edges": tree_paths.written(edges)})
