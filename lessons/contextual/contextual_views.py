"""The views under the picture of contextual vectors, its controls under More, and its questions."""

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
from lmcore.models.lstm import layer_parameters
from ui import guide
from ui.widgets import address_value

TYPED = "Type a context"
ELMO_HIDDEN, ELMO_WIDTH = 4096, 512
"""ELMo's LSTM: its hidden state, and the projection that is also its input."""


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


def questions(now: ContextualState, seen: Shown) -> list[ui.Question]:
    """What the page asks: a static cosine, the vectors of a word, which model sees what, a size."""
    return [
        ui.Question(
            "static",
            f"At layer 0, what is the cosine between “{now.word}” in two different sentences?",
            1.0,
            "Layer 0 is a table with one row per word: both occurrences are the same row.",
            hint="What has layer 0 read besides the word itself?",
            hides=("between",),
        ),
        ui.Question(
            "vectors",
            "A biLM has L = 2 layers in each direction. How many vectors has a word in Rₖ?",
            5.0,
            "xₖ, and one vector per direction and layer: 2L + 1.",
            hint="Do not forget the embedding xₖ.",
        ),
        ui.Question(
            "sees",
            "“The animal didn’t cross the street because it was too wide.” In which model can the "
            "vector of “it” depend on “wide” and “animal” at once, within one layer?",
            "BERT",
            "A GPT sees nothing to the right. In ELMo one direction sees “animal”, the other "
            "“wide”; they only stand side by side.",
            options=("GPT", "ELMo", "BERT"),
        ),
        ui.Question(
            "size",
            f"An LSTM layer as large as ELMo’s, dₓ = {ELMO_WIDTH} and dₕ = {ELMO_HIDDEN:,}: how "
            "many parameters, with one bias per gate?",
            float(layer_parameters(ELMO_WIDTH, ELMO_HIDDEN, biases=1)),
            "4 (dₕ (dₕ + dₓ) + dₕ), before the projection: one layer, one direction.",
            hint="Four gates, each a matrix over [h; x] and a bias.",
        ),
    ]


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
