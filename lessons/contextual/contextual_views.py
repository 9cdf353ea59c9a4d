"""The views under the picture of contextual vectors, and its controls under More."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

import ui
from lessons.contextual import (
    bilm_view,
    mix_view,
    persons_view,
    probes_view,
    reach_view,
    typed_view,
)
from lessons.contextual.contextual_state import ENGLISH, LESSON, SETTINGS, ContextualState, Shown
from lmcore.contextual import bilm, clouds, mixing
from ui import guide
from ui.widgets import address_value

TYPED = "Type a context"


def more_controls() -> None:
    """Draw the field for typed contexts, unless the view that has it is open."""
    if address_value("see", "Picture") == TYPED:
        st.caption("Own contexts are typed in the open view.")
    else:
        SETTINGS.draw("ct_own")


def hidden_by_beat() -> tuple[str, ...]:
    """The numbers that the current beat asks for."""
    beat = guide.beat(LESSON)
    return tuple(beat.hide) if beat else ()


def views(now: ContextualState, seen: Shown) -> dict[str, Callable[[], None] | None]:
    """The views in the order of the bar."""
    return {
        "Eight words": lambda: persons_view.persons_view(now, seen),
        "Mix layers": ui.SeparateView(mix_view.mix_view),
        "Probes": ui.SeparateView(probes_view.probes_view),
        "Which layer?": ui.SeparateView(probes_view.combinations_view),
        "The biLM": ui.SeparateView(bilm_view.bilm_view),
        "Three models": ui.SeparateView(reach_view.reach_view),
        "In a tagger": ui.SeparateView(probes_view.tagger_view),
        TYPED: lambda: typed_view.typed_view(now, seen),
        "Code": lambda: source(now),
    }


def source(now: ContextualState) -> None:
    """Show the code that ran, and a snippet that prints the numbers of this page."""
    kind = "english" if now.model == ENGLISH else "microworld"
    snippet = f"""from lmcore.contextual.clouds import find_word, {kind}_contexts, trace_clouds
from lmcore.contextual.record import layered_model

own = [find_word(text, {now.word!r}) for text in {list(now.own)!r}]
occurrences = [*{kind}_contexts({now.word!r}).occurrences, *own]
clouds = trace_clouds(layered_model({now.model!r}), occurrences)
print(clouds.to_frame().round(4))
"""
    ui.show_code(
        clouds.trace_clouds,
        clouds.nearest_centroid_accuracy,
        clouds.project_layers,
        bilm.BiLM.read,
        mixing.mix_layers,
        snippet=snippet,
        name="contextual",
    )
