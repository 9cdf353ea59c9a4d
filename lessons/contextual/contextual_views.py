"""The views under the picture of contextual vectors, and its controls under More."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

import ui
from lessons.contextual import (
    bilm_view,
    contextual_picture,
    contextual_questions,
    contextual_state,
    contextual_text,
    fans_view,
    mix_view,
    persons_view,
    probes_view,
    reach_view,
    senses_view,
    typed_view,
)
from lessons.contextual.contextual_state import ENGLISH, LESSON, SETTINGS, ContextualState, Shown
from lessons.contextual.elmo import mixtures_view, sums_view, tagger_view
from lessons.contextual.probing import choices_view, pipeline_view
from lmcore.contextual import bilm, clouds, mixing
from ui import guide
from ui.widgets import address_value

TYPED = "Type a context"


def occurrences(rows: ui.Rows, now: ContextualState) -> None:
    """Draw the occurrences of the word on the stage, and the layer and the word in the rail."""
    seen = contextual_state.shown(now)
    live = contextual_state.live_numbers(now, seen)
    with rows.rail:
        hidden = ui.predict_first(contextual_questions.questions(now, seen))
        ui.sliders(live, on_settled=contextual_state.store_slider)
        SETTINGS.draw("ct_model", "ct_word")
        with ui.more(rows):
            more_controls()
    with rows.picture:
        texts = ui.stage_texts(
            LESSON,
            sentences=contextual_text.layer_sentences(now.word),
            formula=contextual_text.layer_formulas(),
            alt=contextual_text.describe_layer(seen.contexts, seen.how["model"]),
            kind="computed",
            hidden=hidden,
        )
        ui.main_picture(
            contextual_picture.CONTEXTUAL,
            live,
            seen.how,
            texts,
            on_event=contextual_state.store_event,
        )


PICTURES: dict[str, Callable[[ui.Rows, ContextualState], None]] = {
    "Eight words": fans_view.show,
    "Seven senses": senses_view.show,
    "Two readers": sums_view.show,
    "Layers by task": mixtures_view.show,
    "In a tagger": tagger_view.show,
    pipeline_view.NAME: pipeline_view.show,
    choices_view.NAME: choices_view.show,
}
"""The views that are pictures of their own: name → what draws them on the stage."""


def lacks() -> dict[str, str]:
    """Why a picture cannot be shown on this server; an empty reason means that it can."""
    return {**dict.fromkeys(PICTURES, ""), "Seven senses": senses_view.missing()}


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
        **dict.fromkeys(PICTURES),
        "Their plane": ui.SeparateView(lambda: persons_view.persons_view(now, seen)),
        "Mix layers": ui.SeparateView(mix_view.mix_view),
        "Probes": ui.SeparateView(probes_view.probes_view),
        "Which layer?": ui.SeparateView(probes_view.combinations_view),
        "The biLM": ui.SeparateView(bilm_view.bilm_view),
        "Three models": ui.SeparateView(reach_view.reach_view),
        "Tagger, λ": ui.SeparateView(probes_view.tagger_view),
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
