"""The picture of the page on positions, and the closer looks."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st
import torch

import ui
from lessons.positions import positions_figures, positions_picture, positions_state, positions_text
from lessons.positions.positions_state import LESSON, SETTINGS
from lmcore.attention import permutation, two_orders
from lmcore.attention.learned_positions import Likeness, likeness
from lmcore.attention.permutation import OrderSpec
from lmcore.attention.two_orders import TwoOrders
from lmcore.models import positions
from lmcore.models.bert import BERT
from lmcore.pretrained.reading import TokenizingModel, VocabularyModel
from lmcore.typed import fold
from lmcore.vocabulary import Vocabulary, split_text
from ui import pretrained

COMPARED = 128
"""Positions whose vectors are compared with one another."""
NONE_HERE = (
    "No model with learned positions is installed; `make run` installs one. Sinusoids are defined "
    "for every place, and their dot products depend on the offset alone; for a learned table this "
    "must be measured."
)
CLAIM = (
    "The UW slide says of learned positions: “No significant improvement; less generalization”. "
    "The second half is what you see here; testing the first takes two training runs that differ "
    "in nothing else. :gray-badge[quoted]"
)


def step_by_step(live: ui.LiveNumbers) -> None:
    """One pair of dimensions, operation by operation, and then all of them."""
    pair = int(live["pair"])
    caption = f"Pair {pair}, dimensions {2 * pair} and {2 * pair + 1}, one operation per row"
    ui.step_table(positions_text.steps(), live, caption=caption)


def every_dimension(spec: TwoOrders) -> None:
    """PE of many positions as a heat map."""
    figure, alt = positions_figures.waves(spec, ui.theme_mode())
    ui.show_figure(
        figure,
        name="positions-waves",
        reading="A column is the vector of a position. Solid: the word in the first order; dashed: "
        "in the second.",
        alt=alt,
    )


def encoder(spec: OrderSpec) -> None:
    """The same words in two orders through one small encoder, with and without positions."""
    result = permutation.shuffle_words(spec)
    with st.container(horizontal=True, vertical_alignment="center"):
        SETTINGS.draw("positions_on")
        orders = (ui.escape_markdown(" ".join(words)) for words in (spec.words, spec.shuffled))
        st.markdown(" → ".join(f"“{order}”" for order in orders))
    st.markdown(" ".join(positions_text.verdict(spec, result)))
    ui.show_figure(
        positions_figures.outputs(spec, result, ui.theme_mode()),
        name="positions-order",
        reading="Each row is a word's output vector. Compare the first picture with the third, "
        "where each word is back in its original place.",
        alt=positions_figures.describe_outputs(spec, result),
    )
    columns = ["word", "place", "now at", "first number", "now", "largest difference"]
    caption = "The first number of each word's output, and the largest difference of all of them"
    ui.table(
        columns, positions_figures.move_rows(spec, result), name="positions-moves", caption=caption
    )
    st.caption(
        f"An encoder of two layers, {permutation.WIDTH} wide, in float64; its weights are random "
        "and untrained: the result holds for any weights."
    )
    trained_encoder(spec)


def four_facts() -> None:
    """Four facts about the lecture's formula, computed now."""
    st.markdown(positions_text.fact_table(positions.encoding_facts()))
    st.caption("Computed now, in float64.")


def source(spec: TwoOrders) -> None:
    """The code that ran, and a snippet that prints the numbers on screen."""
    snippet = positions_text.snippet(spec)
    ui.show_code(
        positions.sinusoids,
        positions.compare_places,
        two_orders.compare_two_orders,
        two_orders.attend,
        permutation.shuffle_words,
        snippet=snippet,
        name="positions",
    )


def draw_picture(spec: TwoOrders, pair: int, live: ui.LiveNumbers, hidden: Sequence[str]) -> None:
    """The main picture: the waves, and the word in both orders."""
    now = positions_picture.current_numbers(spec, pair)
    stage_texts = ui.stage_texts(
        LESSON,
        sentences=[positions_text.sentence(spec, now, ui.quoted)],
        moved=positions_text.moved_sentence(spec, ui.quoted),
        formula=[positions_text.formula()],
        alt=positions_text.describe(spec),
        hidden=hidden,
    )
    how = positions_picture.picture(spec, pair)
    ui.main_picture(
        positions_picture.POSITIONS, live, how, stage_texts, on_event=positions_state.press
    )


def reader(names: dict[str, str]) -> TokenizingModel | None:
    """The chosen trained model, if there is any."""
    if not names:
        return None
    try:
        return pretrained.load(SETTINGS.choice("positions_model"))
    except ValueError as error:
        ui.show_error(error)
        return None


def trained_encoder(spec: OrderSpec) -> None:
    """Draw a trained encoder's similarity of the two orders, if one is installed."""
    model = reader(pretrained.known_models(report=True))
    if model is None or not isinstance(model.network, BERT):
        return
    try:
        texts = [model.read(" ".join(each)).ids for each in (spec.words, spec.shuffled)]
        similarity = permutation.sentence_similarity(model.network, *texts)
    except ValueError:
        st.caption(
            f"{ui.escape_markdown(model.name)} splits the words into other tokens in the other "
            "order."
        )
        return
    sentence = positions_text.sentence_words(
        similarity,
        *(
            ui.escape_markdown(each)
            for each in (model.name, " ".join(spec.words), " ".join(spec.shuffled))
        ),
    )
    st.markdown(f"{sentence} :gray-badge[measured here]")


def learned_or_fixed() -> None:
    """Compare sinusoids with a trained P: the similarity of two places, and where P ends."""
    names = pretrained.known_models(report=True)
    if len(names) > 1:
        SETTINGS.draw("positions_model")
    model = reader(names)
    if model is None:
        st.info(NONE_HERE)
        return
    if model.network.config.positions != "learned":
        st.info(
            f"{ui.escape_markdown(model.name)} was not trained with learned positions. Choose "
            "another model."
        )
        return
    longest = model.network.config.longest
    both = _similarities(model, min(COMPARED, longest))
    _similarity_maps(both, min(COMPARED, longest))
    ui.show_figure(
        positions_figures.offset_curves(both, ui.theme_mode()),
        name="positions-offset",
        reading="Line: mean over all pairs of that offset. Band: minimum to maximum.",
        alt=positions_figures.describe_similarity(both),
    )
    st.markdown(positions_text.learned_words(both, longest) + " :gray-badge[measured here]")
    far_place(model)


def _similarities(model: TokenizingModel, count: int) -> dict[str, Likeness]:
    """The cosines of any two of the first places, by sinusoids and by the trained P."""
    embedding, width = model.network.embedding, model.network.config.width
    learned = embedding.positions(torch.arange(count, device=embedding.token.weight.device)).cpu()
    return {
        f"sinusoids, d = {width}": likeness(positions.sinusoids(torch.arange(count), width)),
        f"{model.name}, learned": likeness(learned),
    }


def _similarity_maps(both: dict[str, Likeness], count: int) -> None:
    sides = zip(st.columns(2), ("fixed", "learned"), both.items(), strict=True)
    for column, side, (name, each) in sides:
        with column:
            st.markdown(f"**{ui.escape_markdown(name)}**")
            ui.show_figure(
                positions_figures.similarity(each, ui.theme_mode()),
                name=f"positions-{side}",
                reading=f"Cosine of any two of the first {count} places.",
                alt=positions_figures.describe_similarity({name: each}),
            )


def far_place(model: TokenizingModel) -> None:
    """The vector of one far place, by sinusoids and by the trained P."""
    SETTINGS.draw("positions_far")
    far = ui.validated_or_previous(
        "positions_far", positions_state.read_far_place, lambda: model.network.config.longest
    )
    wave = positions.sinusoids(torch.tensor(far), model.network.config.width)
    lines = [f"Sinusoids: PE({far}) = {positions_text.vector_start(wave)}"]
    where = model.network.embedding.token.weight.device
    first = torch.zeros(1, 1, dtype=torch.long, device=where)
    try:
        row = model.network.embedding(first, torch.tensor([far], device=where)).position
    except ValueError as error:
        lines.append(
            f"{ui.escape_markdown(model.name)}: no vector. Its error: "
            f"“{ui.escape_markdown(str(error))}”."
        )
    else:
        assert row is not None, "a model with learned positions adds them"
        lines.append(
            f"{ui.escape_markdown(model.name)}: P[{far}] = {positions_text.vector_start(row[0, 0])}"
        )
    st.markdown("\n".join(f"* {line}" for line in lines))
    st.caption(CLAIM)


def words_to_input() -> None:
    """Words → tokens → ids → rows of E, plus the vector of the place."""
    typed = st.session_state["positions_text"]
    trained = reader(pretrained.known_models(report=True))
    model, kind = (
        (untrained_reader(typed), "drawn at random") if trained is None else (trained, "trained")
    )
    try:
        read = model.read(typed, most=permutation.MOST_WORDS)
    except ValueError as error:
        ui.show_error(error)
        return
    embedding, config = model.network.embedding, model.network.config
    where = embedding.token.weight.device
    segments = read.segments[None].to(where) if config.segments > 1 else None
    with torch.no_grad():
        trace = embedding(read.ids[None].to(where), segments=segments)
    st.markdown(
        positions_text.pipeline(
            [ui.escape_markdown(each) for each in read.tokens], read.ids.tolist(), trace
        )
    )
    cut = f" The text is longer; its first {len(read.tokens)} tokens are shown." if read.cut else ""
    st.caption(
        f"{ui.escape_markdown(model.name)}: the id is the token's row in a fixed list of "
        f"{config.vocabulary:,}; E and P are weights, {kind}, each row {config.width} numbers, of "
        f"which the first {positions_text.SHOWN} are shown.{cut}"
    )


def untrained_reader(text: str) -> TokenizingModel:
    """An untrained encoder with the words of the text, for when no trained one is installed."""
    types = Vocabulary(tuple(dict.fromkeys(split_text(fold(text), "word"))) or ("the",))
    return VocabularyModel(
        "a small encoder", permutation.untrained_encoder(len(types), positions=True), types
    )
