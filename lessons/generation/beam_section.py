"""Beam search one expansion at a time, with every candidate and what became of it."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import streamlit as st
import torch

from lessons.generation import beam_picture as figures
from lessons.generation.beam_picture import POWER, Found
from lessons.generation.state import Scene
from lmcore import parsing
from lmcore.decoding import beam_tree
from lmcore.decoding.beam import STRONGEST, Beams
from lmcore.decoding.beam_tree import SearchTree
from lmcore.decoding.bench import SECONDS_EACH
from lmcore.decoding.strategies import STRATEGIES
from lmcore.decoding.writing import allowed
from ui import components, settings, widgets
from ui.compute import shared_results
from ui.live import Live, Slider, follow, grid

DEFAULTS = {"beam_step": "2", "beam_a": "", "beam_drawn": "false"}
GIVEN = ("tree", "grammar")
"""Models whose every probability is given, not learnt."""
KEPT = 32
"""Searches that are kept, for all sessions together."""


def beam_search(scene: Scene) -> None:
    """The tree, the candidates of one step, the ended texts, and what another a makes of them."""
    settings.keep(DEFAULTS)
    widgets.expect("beam_drawn", ("true", "false"))
    settings.switched("beam_drawn", "Draw the candidates, with the page’s seed: beam + sampling")
    how = _how(scene)
    tree = _tree(scene, how)
    if not tree.branches:
        st.warning("The filters leave no token that may follow: there is nothing to search.")
        return
    step = widgets.last_good("beam_at", lambda: _step(tree), lambda: 1)
    step = min(step, tree.steps)
    power = widgets.last_good("beam_power", lambda: _power(how), lambda: how.length_penalty)
    slider = Slider(
        POWER,
        POWER,
        "length penalty a",
        power,
        grid(power, limit=STRONGEST),
        "Above 0 long texts gain; see when the order of the ended texts changes",
        role="loss",
    )
    found, live = _following(tree, scene, slider)
    components.picture("beam", live, figures.picture(found, step), on_told=_told)
    _ranking(live, power, how)
    given = scene.name in GIVEN
    widgets.notice(
        *figures.notice(found, step),
        kind="computed" if given else "measured here",
        key="notice-beam",
    )
    widgets.save_file(
        beam_tree.exported(tree, scene.writer, scene.prompt),
        label="Save the whole search as JSON",
        name="beam-search.json",
    )
    st.caption(widgets.plain(figures.whose(scene.writer)))


def _how(scene: Scene) -> Beams:
    stop = () if scene.writer.end is None else (scene.writer.end,)
    name = "drawn_beam" if st.session_state["beam_drawn"] == "true" else "beam"
    seconds = allowed(SECONDS_EACH)
    return STRATEGIES[name].search(scene.settings, scene.seed, scene.length, stop, seconds)


def _tree(scene: Scene, how: Beams) -> SearchTree:
    """The search; the same one is done once for everybody."""
    asked = (scene.name, scene.writer.name, tuple(scene.prompt.tolist()), repr(how))
    grow = partial(beam_tree.grown, scene.writer.model, scene.prompt, how)
    return shared_results.kept("search trees", asked, grow, most=KEPT, says="Searching", apart=True)


def _step(tree: SearchTree) -> int:
    step = parsing.whole(str(st.session_state["beam_step"]), "the step of the search")
    if step < 1:
        raise ValueError(f"the step of the search must be 1 or more; got {step}")
    return min(step, tree.steps)


def _power(how: Beams) -> float:
    """The a that the ended texts are ranked by: the search's own, if none was chosen."""
    typed = str(st.session_state["beam_a"])
    if not typed.strip():
        return how.length_penalty
    power = parsing.number(typed, "the length penalty a")
    if not abs(power) <= STRONGEST:
        raise ValueError(
            f"the length penalty a must be from {-STRONGEST:g} to {STRONGEST:g}; got {power:g}"
        )
    return power


def _following(tree: SearchTree, scene: Scene, slider: Slider) -> tuple[Found, Live]:
    powers = torch.tensor(slider.positions)
    found = figures.found(tree, scene.writer, powers)
    here = figures.numbers(found, torch.tensor([slider.value], dtype=torch.float64))
    swept = {name: row[None] for name, row in figures.numbers(found, powers).items()}
    return found, follow("beam", {name: row[0] for name, row in here.items()}, [slider], swept)


def _ranking(live: Live, power: float, how: Beams) -> None:
    """The slider of a, and the search with it."""
    components.sliders(live, on_settled=lambda moved: widgets.put({"beam_a": moved["typed"]}))
    with st.container(horizontal=True, vertical_alignment="center"):
        if power != how.length_penalty:
            st.button("Search again with this a", key="beam-again", on_click=_again, args=(power,))
        st.caption(figures.another(power, how.length_penalty))


def _again(power: float) -> None:
    widgets.put({"gen_length_penalty": np.format_float_positional(power, trim="-"), "beam_a": ""})


def _told(step: Any) -> None:
    widgets.put({"beam_step": str(int(step))})
