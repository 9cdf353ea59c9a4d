"""The view “Three models”: ELMo, GPT and BERT in columns, and what each sees, by gradients."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple, TypedDict

import numpy as np
import streamlit as st
import torch

import ui
from drawing.payload import NumberArray, Script
from lessons.contextual.bilm_view import Sentence, default_sentence, read_sentence
from lessons.contextual.contextual_state import SETTINGS, our_bilm
from lessons.contextual.recorded_text import best_layer, scores_of
from lmcore.contextual.layers import BiLMLayers
from lmcore.contextual.reach import bilm_reach, transformer_reach
from lmcore.contextual.record import load_record
from lmcore.pretrained.reading import TokenizingModel
from lmcore.vocabulary import END, START
from ui import compute, pretrained


class Column(NamedTuple):
    """One model: its name, and what joins the two directions or the layers."""

    model: str
    name: str
    how: str
    trained: str


COLUMNS = (
    Column(
        "bilm",
        "ELMo",
        "two LSTMs, put end to end",
        "next word and word before, summed; shared E and U",
    ),
    Column("gpt", "GPT", "a Transformer with a causal mask", "the next word"),
    Column("encoder", "BERT", "a Transformer without a mask", "masked words, from both sides"),
)


class ReachPayload(TypedDict):
    """Which words each vector depends on: 1 if the gradient is not 0, row by row."""

    words: Sequence[str]
    at: int
    models: Sequence[str]
    hows: Sequence[str]
    left: NumberArray
    """For →h_{k,L}."""
    right: NumberArray
    """For ←h_{k,L}."""
    gpt: NumberArray
    bert: NumberArray
    alt: str


REACH = Script("reach", ReachPayload)


class Reaches(NamedTuple):
    """The four matrices of gradients' norms over the words of a sentence."""

    left: torch.Tensor
    right: torch.Tensor
    gpt: torch.Tensor
    bert: torch.Tensor


def measure_reach(
    bilm: BiLMLayers, gpt: TokenizingModel, bert: TokenizingModel, words: tuple[str, ...]
) -> Reaches:
    """The gradient of each word's vector with respect to each embedding, in each model."""
    ids = torch.tensor(bilm.vocabulary.encode((START, *words, END)))
    left, right = (each[1:-1, 1:-1] for each in bilm_reach(bilm.network, ids))
    found = []
    for model in (gpt, bert):
        reading = model.read(" ".join(words))
        inside = (~reading.special).nonzero()[:, 0]
        reach = transformer_reach(model.network, reading.ids)
        found.append(reach[inside][:, inside])
    return Reaches(left, right, *found)


def reach_view() -> None:
    """Draw the three columns with the words each vector depends on, and what follows from it."""
    sentence = ui.validated_or_previous("bi_text", read_sentence, default_sentence)
    reaches = reaches_of(sentence)
    st.markdown(
        f"Which words can change the vector of “{sentence.word}”? A line is drawn where the "
        "gradient of the last layer’s vector by that word’s embedding is **not 0**. Press another "
        "word."
    )
    live = ui.LiveNumbers("reach", ("none",), np.zeros(1))
    ui.picture(REACH, live, reach_picture(sentence, reaches))
    for column, fact in zip(st.columns(3), facts(), strict=True):
        with column:
            st.markdown(fact)
    one, other = st.columns([3, 2])
    with one:
        SETTINGS.draw("bi_text")
    with other:
        SETTINGS.draw("bi_at")


def reaches_of(sentence: Sentence) -> Reaches:
    """The reach of every word of a sentence, measured once for all visitors."""
    gpt, bert = (pretrained.load(name) for name in ("gpt", "encoder"))
    return compute.shared_result(
        "reach of words",
        partial(measure_reach, our_bilm(), gpt, bert, sentence.words),
        most=64,
        says="Measuring gradients",
    )


def reach_picture(sentence: Sentence, reaches: Reaches) -> ReachPayload:
    """The data of `lessons/contextual/reach.js`."""
    seen = [(each > 0).double().numpy() for each in reaches]
    counts = ", ".join(
        f"{name} {int(matrix[sentence.at].sum())}"
        for name, matrix in zip(("→h", "←h", "GPT", "BERT"), seen, strict=True)
    )
    return {
        "words": sentence.words,
        "at": sentence.at,
        "models": [column.name for column in COLUMNS],
        "hows": [column.how for column in COLUMNS],
        "left": seen[0],
        "right": seen[1],
        "gpt": seen[2],
        "bert": seen[3],
        "alt": f"Of {len(sentence.words)} words, the vector of {sentence.word} depends on so many: "
        f"{counts}.",
    }


def facts() -> list[str]:
    """What each model is trained on, and how well its vector of “it” reveals who is meant."""
    record = load_record()
    lines = []
    for column in COLUMNS:
        best = best_layer(scores_of(record, column.model, "reference"))
        lines.append(
            f"**{column.name}**: {column.how}. Trained on {column.trained}. In our small one a "
            f"linear probe of “it” tells which noun is meant in **{best.accuracy:.2f}** of "
            f"{best.words} texts; chance is ½."
        )
    return lines
