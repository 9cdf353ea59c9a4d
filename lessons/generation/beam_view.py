"""Beam search one expansion at a time, with the outcome of every candidate."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import streamlit as st
import torch

import ui
from drawing.events import Place
from drawing.live import LiveNumbers, Slider, StageTexts, live_numbers, slider_positions
from lessons.generation import beam_picture, beam_text, generation_views
from lessons.generation.beam_picture import POWER, BeamSearchState
from lessons.generation.generation_questions import beam_questions
from lessons.generation.generation_state import EXACT_MODELS, LESSON, SETTINGS, GenerationState
from lmcore import parsing
from lmcore.decoding import beam_tree
from lmcore.decoding.beam import MAX_DIVERSITY, BeamConfig
from lmcore.decoding.beam_tree import SearchTree
from lmcore.decoding.bench import SECONDS_EACH
from lmcore.decoding.strategies import STRATEGIES
from lmcore.decoding.token_by_token import allowed_seconds
from ui import components, compute, widgets

MOST_CACHED = 32
"""Searches that are kept, for all sessions together."""


def beam_search(rows: ui.Rows, scene: GenerationState) -> None:
    """Draw the search on the stage, and in the rail the a that ranks the ended texts."""
    with rows.errors:
        config = _beam_config(scene)
        tree = _tree(scene, config)
        step = widgets.validated_or_previous("beam_at", lambda: _step(tree), lambda: 1)
        power = widgets.validated_or_previous(
            "beam_power", lambda: _power(config), lambda: config.length_penalty
        )
        if not tree.branches:
            st.warning("The filters leave no token that may follow, so there is nothing to search.")
            return
    step = min(step, tree.steps)
    search, live = _live_scores(tree, scene, power)
    with rows.rail:
        hidden = ui.predict_first(beam_questions(search, step))
        _ranking(live, power, config)
        SETTINGS.draw("gen_width", options=generation_views.widths())
        SETTINGS.draw("beam_drawn")
        with ui.more(rows):
            _more(search, scene, step)
    with rows.picture:
        ui.main_picture(
            beam_picture.BEAM,
            live,
            beam_picture.picture(search, step),
            _stage_texts(search, scene, step, hidden),
            on_event=_store_step,
        )


def _stage_texts(
    search: BeamSearchState, scene: GenerationState, step: int, hidden: Sequence[str]
) -> StageTexts:
    steps = range(1, search.tree.steps + 1)
    return ui.stage_texts(
        LESSON,
        sentences=[beam_text.finding(search, each) for each in steps],
        formula=[beam_text.formula(search, each, ui.quoted) for each in steps],
        alt=beam_text.describe(search, step),
        kind="computed" if scene.name in EXACT_MODELS else "measured here",
        hidden=hidden,
    )


def _more(search: BeamSearchState, scene: GenerationState, step: int) -> None:
    """The candidates of the step as a table, and the whole search as a file."""
    components.table(
        beam_picture.COLUMNS,
        beam_picture.rows(search, step),
        name=f"beam-step-{step}",
        caption=f"Candidates of step {step}",
    )
    widgets.save_file(
        beam_tree.export_tree(search.tree, scene.writer, scene.prompt),
        label="Save the whole search as JSON",
        name="beam-search.json",
    )
    st.caption(widgets.escape_markdown(beam_picture.writer_words(scene.writer)))


def _beam_config(scene: GenerationState) -> BeamConfig:
    name = "drawn_beam" if st.session_state["beam_drawn"] == "true" else "beam"
    seconds = allowed_seconds(SECONDS_EACH)
    return STRATEGIES[name].search(
        scene.settings, scene.seed, scene.length, scene.writer.stop, seconds
    )


def _tree(scene: GenerationState, config: BeamConfig) -> SearchTree:
    """The search tree, computed once for all visitors."""
    grow = partial(beam_tree.grow_tree, scene.writer.model, scene.prompt_ids, config)
    return compute.shared_result(
        "search trees", grow, most=MOST_CACHED, says="Searching", apart=True
    )


def _step(tree: SearchTree) -> int:
    step = parsing.parse_integer(str(st.session_state["beam_step"]), "the step of the search")
    if step < 1:
        raise ValueError(f"the step of the search must be 1 or more; got {step}")
    return min(step, tree.steps)


def _power(config: BeamConfig) -> float:
    """The a that the ended texts are ranked by: the search's own, if none was chosen."""
    typed = str(st.session_state["beam_a"])
    if not typed.strip():
        return config.length_penalty
    power = parsing.parse_number(typed, "the length penalty a")
    if not abs(power) <= MAX_DIVERSITY:
        raise ValueError(
            f"the length penalty a must be from {-MAX_DIVERSITY:g} to {MAX_DIVERSITY:g}; "
            f"got {power:g}"
        )
    return power


def _live_scores(
    tree: SearchTree, scene: GenerationState, power: float
) -> tuple[BeamSearchState, LiveNumbers]:
    """The search ranked by every a of the slider, and its numbers."""
    slider = Slider(
        POWER,
        POWER,
        "length penalty a",
        power,
        slider_positions(power, limit=MAX_DIVERSITY),
        "Above 0, long texts are favoured; see when the order of the ended texts changes",
        role="loss",
    )
    powers = torch.tensor(slider.positions)
    search = beam_picture.beam_search_state(tree, scene.writer, powers)
    here = beam_picture.numbers(search, torch.tensor([slider.value], dtype=torch.float64))
    swept = {name: row[None] for name, row in beam_picture.numbers(search, powers).items()}
    return search, live_numbers(
        "beam", {name: row[0] for name, row in here.items()}, [slider], swept
    )


def _ranking(live: LiveNumbers, power: float, config: BeamConfig) -> None:
    """Draw the slider of a, and the button that searches again with this a."""
    components.sliders(
        live, on_settled=lambda moved: widgets.set_controls({"beam_a": moved["typed"]})
    )
    with st.container(key="notes"):
        if power != config.length_penalty:
            st.button(
                "Search again with this a", key="beam-again", on_click=_search_again, args=(power,)
            )
        st.caption(beam_picture.other_power_words(power, config.length_penalty))


def _search_again(power: float) -> None:
    widgets.set_controls(
        {"gen_length_penalty": np.format_float_positional(power, trim="-"), "beam_a": ""}
    )


def _store_step(step: Place) -> None:
    widgets.set_controls({"beam_step": str(step)})
