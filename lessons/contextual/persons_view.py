"""The view “Their plane”: Person A and Person B, and which English words fall into two clouds."""

from __future__ import annotations

from functools import partial

import streamlit as st

import ui
from lessons.contextual import contextual_figures
from lessons.contextual.contextual_picture import SEPARABLE
from lessons.contextual.contextual_state import (
    MODELS,
    ContextualState,
    Shown,
    layered_model,
    shown_layer,
)
from lmcore.contextual.clouds import english_contexts, noise_accuracy
from lmcore.contextual.persons import WORDS, PersonVectors, trace_persons
from lmcore.contextual.record import load_record
from lmcore.corpora.microworld_rules import LINES
from lmcore.vocabulary import join_tokens
from ui import compute

WIDTH = 384
"""The numbers in a vector of MiniLM."""


def persons_view(now: ContextualState, seen: Shown) -> None:
    """Draw the eight words by both persons at the layer shown, and the table of all words."""
    layer = shown_layer(now, seen)
    found = compute.shared_result(
        "eight words",
        partial(_persons, now.model),
        most=len(MODELS),
        says="Reading Person A and Person B",
    )
    st.markdown(finding(found, layer, MODELS[now.model]))
    for column, name, lines in zip(st.columns(2), "AB", LINES, strict=True):
        with column:
            text = " ".join(join_tokens(line.split(), "word") for line in lines)
            st.caption(f"Person {name}: “{text}”")
    ui.show_figure(
        contextual_figures.persons_figure(found, layer, ui.theme_mode()),
        name="persons",
        reading="Circle: Person A; square: Person B; a line joins the two occurrences of a word. "
        "The slider of the layer moves them.",
        alt="; ".join(
            f"{word}: cosine {float(cosine):.3f}"
            for word, cosine in zip(WORDS, found.cosines[layer], strict=True)
        ),
    )
    english_part()


def _persons(model: str) -> PersonVectors:
    return trace_persons(layered_model(model))


def finding(found: PersonVectors, layer: int, model: str) -> str:
    """How far apart the two occurrences of the eight words are."""
    if layer == 0:
        return (
            f"At layer **0** of {model} the eight words are **eight points**: whoever speaks, the "
            "cosine of a word with itself is 1."
        )
    cosines = found.cosines[layer]
    far, near = int(cosines.argmin()), int(cosines.argmax())
    return (
        f"At layer **{layer}** of {model} the eight words are **sixteen points**. Mean cosine of a "
        f"word by A and by B: **{float(cosines.mean()):.3f}**; lowest for **{WORDS[far]}**, "
        f"{float(cosines[far]):.3f}, highest for **{WORDS[near]}**, {float(cosines[near]):.3f}."
    )


def english_part() -> None:
    """The accuracy of the nearest centroid for every English word, in every layer of MiniLM."""
    record = load_record()
    best = {word: max(layers) for word, layers in record.english.items()}
    parted = [word for word in WORDS if best[word] >= SEPARABLE]
    st.markdown(
        f"**In English**, with seven sentences a sense, the nearest centroid is right for at least "
        f"{SEPARABLE:.0%} of the sentences, in some layer of MiniLM, for **{len(parted)} of the "
        f"{len(WORDS)}** words."
    )
    depth, texts = len(record.english[WORDS[0]]), len(english_contexts(WORDS[0]).occurrences)
    ui.table(
        ["word", *(f"layer {layer}" for layer in range(depth))],
        [(word, *layers) for word, layers in record.english.items()],
        name="english-words",
        caption="Accuracy of the nearest centroid, each sentence left out in turn",
    )
    st.caption(
        f"{texts} sentences a word, written for this page; recorded on {record.date}. Vectors of "
        f"pure noise would give {noise_accuracy(texts, WIDTH):.2f}."
    )
