"""The view “Type a context”: where a typed sentence lies, and its nearest neighbours."""

from __future__ import annotations

import streamlit as st

import ui
from lessons.contextual.contextual_state import SETTINGS, ContextualState, Shown, shown_layer
from lmcore.contextual.clouds import OWN, nearest_occurrences
from lmcore.vocabulary import join_tokens

NEAREST = 6


def typed_view(now: ContextualState, seen: Shown) -> None:
    """Draw the field for typed contexts, and the neighbours of each."""
    SETTINGS.draw("ct_own")
    layer = shown_layer(now, seen)
    typed = [i for i, each in enumerate(seen.contexts.occurrences) if each.sense == OWN]
    if not typed:
        st.info(f"Type a sentence with “{now.word}”, and leave the field: its vector is a star.")
        return
    for place in typed:
        neighbours_part(seen, layer, place)


def neighbours_part(seen: Shown, layer: int, place: int) -> None:
    """One typed context with the occurrences nearest to it at a layer."""
    texts = seen.contexts.occurrences
    near = nearest_occurrences(seen.clouds, layer, place)
    known = [each for each in near if texts[each.place].sense != OWN]
    text = ui.escape_markdown(join_tokens(texts[place].words, "word"))
    st.markdown(f"“{text}” {verdict(seen, layer, place)}")
    ui.table(
        ["nearest sentence", "cosine"],
        [
            (
                f"{join_tokens(texts[i].words, 'word')} ({seen.contexts.glosses[texts[i].sense]})",
                cosine,
            )
            for i, cosine in known[:NEAREST]
        ],
        name=f"typed-{place}",
        caption=f"Nearest sentences at layer {layer}",
    )


def verdict(seen: Shown, layer: int, place: int) -> str:
    """To which sense a typed context is nearer, by its mean cosine with either."""
    senses, cosines = seen.clouds.senses, seen.clouds.cosines[layer, place]
    one, other = (float(cosines[senses == sense].mean()) for sense in (0, 1))
    first, second = seen.contexts.glosses
    if abs(one - other) < 1e-9:
        return f"is as near to **{first}** as to **{second}** at layer {layer}."
    nearer, further = (first, second) if one > other else (second, first)
    high, low = max(one, other), min(one, other)
    return (
        f"is nearer to **{nearer}** at layer {layer}: mean cosine {high:.3f}, with {further} "
        f"{low:.3f}."
    )
