"""The two masks and the views below them, on the tab about attention masks."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import streamlit as st
import torch

import ui
from lessons.masking import leakage_picture, state
from lessons.masking import picture as figures
from lessons.masking import text as words
from lessons.masking.state import MaskingState
from lmcore.corpora.microworld import microworld
from lmcore.masking import autoregressive_or_autoencoding, leakage, mask_pairs, under_mask
from lmcore.masking.mask_pairs import MaskPair
from lmcore.masking.under_mask import MaskText
from lmcore.models import attention, masks
from lmcore.models.bert import BERT
from lmcore.numbers import format_number
from lmcore.recurrence import receptive_field
from lmcore.shipped import models
from lmcore.vocabulary import Vocabulary
from ui import compute
from ui.live import LiveNumbers


def escaped_pair(pair: MaskPair) -> MaskPair:
    """The same pair with its words escaped for Markdown."""
    chosen = replace(pair.chosen, keys=tuple(map(ui.escape_markdown, pair.chosen.keys)))
    return MaskPair(tuple(map(ui.escape_markdown, pair.queries)), pair.other, chosen)


def no_live_numbers(group: str) -> LiveNumbers:
    """For a picture whose numbers follow no slider."""
    return LiveNumbers(group, (), np.empty(0))


def step_by_step(pair: MaskPair, query: int) -> None:
    """The softmax of one query, key by key."""
    chosen = mask_pairs.softmax_steps(pair.chosen, query)
    alike = pair.chosen.name != "cross"
    other = pair.other.now.weights[0, query] if alike else None
    name = figures.NAMES[pair.chosen.name]
    st.latex(figures.softmax_formula(chosen, query))
    columns = ["key", "q·k/√d_k", "masked", "e^masked", f"α, {name.lower()}"]
    columns += [f"α, {figures.NAMES[pair.other.name].lower()}"] if alike else []
    ui.table(
        columns,
        figures.step_rows(pair.chosen.keys, chosen, other),
        name="masking-steps",
        caption=f"The row of query {query + 1}, “{pair.queries[query]}”, key by key",
    )
    context = pair.chosen.now.context[0, query].tolist()
    shown = ", ".join(format_number(each) for each in context[:6])
    st.markdown(
        f"Output of the head: z = Σ α·v = [{shown}, …], {len(context)} numbers."
        + (" All are 0: there was nothing to average." if not any(context) else "")
    )


def output(current: MaskingState, query: int) -> None:
    """How far the outputs differ, and the next-word probabilities under each mask."""
    pair, model = current.pair, current.model
    if pair.chosen.name == "cross":
        st.markdown(
            "Both grids belong to one run: the decoder looks at its own words, then at the source. "
            "There is no second output to compare."
        )
        return
    moved = mask_pairs.differences(pair)
    ui.show_figure(
        figures.difference_bars(moved, pair.queries, ui.theme_mode()),
        name="masking-outputs",
        reading="Distance of each place's vector after the last layer from the vector under the "
        f"other mask ({figures.NAMES[pair.other.name].lower()}), relative to its length.",
        alt=figures.describe_differences(moved, pair.queries),
    )
    if model.vocabulary is None:
        st.caption("This model is untrained: its next-word probabilities are meaningless.")
        return
    one, other = (each.now.logits[0, query] for each in (pair.chosen, pair.other))
    candidates = under_mask.compare_next_tokens(one, other)
    columns = [
        "next word",
        *(f"p, {figures.NAMES[x.name].lower()}" for x in (pair.chosen, pair.other)),
    ]
    rows = zip(
        model.vocabulary.decode(candidates.ids),
        candidates.one.tolist(),
        candidates.other.tolist(),
        strict=True,
    )
    ui.table(
        columns,
        [*rows],
        name="masking-next",
        caption=f"What may follow “{pair.queries[query]}”, the most probable under the chosen mask",
    )
    st.caption(ui.escape_markdown(next_words(current, query)))


def next_words(current: MaskingState, query: int) -> str:
    """The probability of the word that does come next, under both masks."""
    pair, ids = current.pair, current.words.ids
    trained = "with the causal mask" if current.model.network.config.causal else "without a mask"
    sentence = (
        f"{current.model.label}: trained on the microworld {trained}; under any other mask its "
        "predictions are unreliable."
    )
    if query + 1 >= len(ids):
        return sentence
    chances = [
        float(each.now.logits[0, query].double().softmax(-1)[ids[query + 1]])
        for each in (pair.chosen, pair.other)
    ]
    names = [figures.NAMES[each.name].lower() for each in (pair.chosen, pair.other)]
    return (
        f"“{current.words.tokens[query + 1]}” comes next. Its probability: "
        f"{format_number(chances[0])} ({names[0]}), {format_number(chances[1])} "
        f"({names[1]}). {sentence}"
    )


def leak(current: MaskingState) -> None:
    """Which outputs change when one token is changed."""
    pair = current.pair
    square = pair.chosen.name != "cross"
    mask = (pair.chosen if square else pair.other).now.mask[0]
    state.SETTINGS.draw("masking_blank")
    blank = state.SETTINGS.switch("masking_blank")
    tokens = pair.queries
    ids = torch.tensor(under_mask.number_words([MaskText(tokens, ())])[0].ids)
    measured = leakage.leakage(mask, ids, blank=blank)
    place = ui.validated_or_previous(
        "masking_change", lambda: state.read_place("masking_change"), lambda: 0
    )
    at = min(place, len(tokens) - 1)

    def store_change(place: Any) -> None:
        ui.set_controls({"masking_change": str(int(place))})

    ui.picture(
        leakage_picture.LEAK,
        no_live_numbers("leak"),
        leakage_picture.picture(measured, mask, tokens, at, blank=blank),
        on_event=store_change,
    )
    st.markdown(
        " ".join(
            leakage_picture.notice(
                measured, [ui.escape_markdown(t) for t in tokens], at, blank=blank
            )
        )
    )
    st.caption(leakage_picture.caption(figures.NAMES[pair.chosen.name].lower(), square=square))


def readers(current: MaskingState, query: int) -> None:
    """Draw the predictions of an auto-regressive model and an auto-encoder for the same text."""
    pair, model = current.pair, current.model
    if pair.chosen.name == "cross":
        st.markdown(
            "Cross-attention belongs to another model, which also reads a source. Choose another "
            "mask to see the probability of each word."
        )
        return
    at = max(query, 1)
    st.latex(figures.readers_formula(current.words.tokens, min(at, len(current.words.tokens) - 1)))
    if model.vocabulary is None or model.neural is None or len(current.words.ids) < 2:
        st.caption(
            "Choose the small GPT above, and a text of the microworld, to see the probabilities."
        )
        return
    columns = chances(current)
    ui.table(
        ["word", *columns],
        figures.readers_rows(
            pair.queries[1:] if current.batch is None else current.words.tokens[1:], columns
        ),
        name="masking-readers",
        caption="p of each word, for a model that reads from the left and one that reads both "
        "sides",
    )
    st.markdown(figures.readers_words(columns))


def chances(current: MaskingState) -> dict[str, torch.Tensor]:
    """p of each word by every reader that can read the text."""
    ids, neural = current.words.ids, current.model.neural
    assert neural is not None
    columns = {}
    try:
        exact = receptive_field.context_probabilities(microworld(), ids)
        columns["from the left: the grammar"] = exact.left
        columns["both ways: the grammar"] = exact.both
    except ValueError:
        st.caption("The grammar cannot produce this text, so it has no probabilities for it.")
    if current.model.network.config.causal:
        columns["from the left: small GPT"] = (
            autoregressive_or_autoencoding.left_to_right_probabilities(neural, ids)
        )
    if (loaded := encoder()) is not None:
        network, vocabulary = loaded
        columns["both ways: small BERT"] = autoregressive_or_autoencoding.masked_probabilities(
            network, vocabulary, ids
        )
    return columns


def encoder() -> tuple[BERT, Vocabulary] | None:
    """The encoder that comes with the app, if its weights are there."""
    if not models.has_weights("encoder"):
        return None
    network, vocabulary, *_ = compute.shared_result(
        "encoder", (), models.encoder, most=1, says="Loading"
    )
    return network, vocabulary


def draw(current: MaskingState, query: int) -> None:
    """The picture, and its notice."""
    pair = current.pair
    paints = current.choice is not None
    options = figures.MaskPictureOptions(query, paints)
    ui.picture(
        figures.MASKING,
        no_live_numbers("masking"),
        figures.picture(pair, options),
        on_event=store_event,
    )
    show_notice(current, query)


def show_notice(current: MaskingState, query: int) -> None:
    """The notice, and which model computed the numbers."""
    pair, cross = current.pair, current.pair.chosen.name == "cross"
    trained = current.model.vocabulary is not None and not cross
    visibility = mask_pairs.query_visibility(pair, query)
    sentences = words.notice(escaped_pair(pair), query, visibility, current.where.layer)
    if current.batch is not None:
        effect = mask_pairs.padding_effect(
            current.model.network, current.batch, current.batch_index, pair
        )
        pads = len(pair.queries) - current.batch.lengths[current.batch_index]
        sentences = [words.padding_words(effect, current.batch_index, pads), *sentences]
    if current.choice is not None and current.choice.kind == "permutation":
        sentences = [words.order_words(current.choice, len(pair.queries)), *sentences]
    ui.notice(*sentences, kind="measured here" if trained else "computed")
    sentence = words.model_words(trained=trained, cross=cross, filler=current.filler)
    st.caption(ui.escape_markdown(sentence))


def store_event(event: dict[str, Any]) -> None:
    """Store the query that was chosen, the number that was dragged, or the painted mask."""
    names = {"query": "masking_at", "known": "masking_prefix", "window": "masking_window"}
    if event["name"] == "painted":
        ui.set_controls({"masking_kind": "painted", "masking_painted": str(event["value"])})
    else:
        ui.set_controls({names[str(event["name"])]: str(event["value"])})


def predict(current: MaskingState) -> None:
    """Questions that the numbers on screen answer."""
    pair = current.pair
    place = min(3, len(pair.queries))
    mask = pair.chosen.now.mask[0]
    visibility = mask_pairs.query_visibility(pair, place - 1)
    ui.check_yourself(
        f"How many places can token {place}, “{ui.escape_markdown(pair.queries[place - 1])}”, see?",
        answer=float(visibility.sees),
        because=words.sees_words(escaped_pair(pair), place - 1),
        key="masking-sees",
    )
    ui.check_yourself(
        f"How many of the {mask.numel()} weights does this mask make exactly 0?",
        answer=float((~mask).sum()),
        because="One for each −∞ in the grid.",
        key="masking-zeros",
    )
    if pair.chosen.name != "cross":
        ui.check_yourself(
            f"Through {leakage.DEPTH} layers, how many tokens can move the last output?",
            answer=float(leakage_picture.receptive_field(leakage.paths(mask, leakage.DEPTH))),
            because="Follow the paths in the leakage test: each layer applies the mask once more.",
            key="masking-reach",
        )


def source(current: MaskingState) -> None:
    """The code that ran, and a snippet that prints the grids."""
    if current.batch is not None:
        ids = [
            under_mask.pad_batch(current.batch.texts, current.batch.filler)[1][
                current.batch_index
            ].tolist()
        ]
    else:
        ids = [list(each.ids) for each in (current.source, current.words) if each is not None]
    snippet = words.snippet(current.pair, current.where, model=current.model.name, ids=ids)
    ui.show_code(
        masks.causal, attention.apply_mask, attention.softmax, snippet=snippet, name="masking"
    )
