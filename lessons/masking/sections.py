"""The views of the Masks page: what is on screen below the two masks."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import streamlit as st
import torch

import ui
from lessons.masking import leakage_picture as leaks
from lessons.masking import picture as figures
from lessons.masking import state
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
from ui import settings
from ui.compute import shared_results
from ui.live import LiveNumbers


def escaped_pair(pair: MaskPair) -> MaskPair:
    """The same with words that Markdown shows as they were typed."""
    chosen = replace(pair.chosen, keys=tuple(map(ui.escape_markdown, pair.chosen.keys)))
    return MaskPair(tuple(map(ui.escape_markdown, pair.queries)), pair.other, chosen)


def no_live_numbers(group: str) -> LiveNumbers:
    """Of a picture whose numbers travel with it."""
    return LiveNumbers(group, (), np.empty(0))


def step_by_step(pair: MaskPair, query: int) -> None:
    """One query's row of the softmax."""
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


def output(scene: MaskingState, query: int) -> None:
    """How far the outputs are apart, and what each mask makes of the next word."""
    pair, model = scene.pair, scene.model
    if pair.chosen.name == "cross":
        st.markdown(
            "Both grids are of one run: the decoder looks at its own words, then at the source. "
            "There is no second output to compare with."
        )
        return
    moved = mask_pairs.differences(pair)
    ui.show_figure(
        figures.difference_bars(moved, pair.queries, ui.theme_mode()),
        name="masking-outputs",
        reading="How far the vector of each place, after the last layer, is from that under the "
        f"other mask ({figures.NAMES[pair.other.name].lower()}), relative to its length.",
        alt=figures.describe_differences(moved, pair.queries),
    )
    if model.vocabulary is None:
        st.caption("This model is untrained: what it would say next is worth nothing.")
        return
    one, other = (each.now.logits[0, query] for each in (pair.chosen, pair.other))
    found = under_mask.compare_next_tokens(one, other)
    columns = [
        "next word",
        *(f"p, {figures.NAMES[x.name].lower()}" for x in (pair.chosen, pair.other)),
    ]
    rows = zip(
        model.vocabulary.decode(found.ids), found.one.tolist(), found.other.tolist(), strict=True
    )
    ui.table(
        columns,
        [*rows],
        name="masking-next",
        caption=f"What may follow “{pair.queries[query]}”, the most probable under the chosen mask",
    )
    st.caption(ui.escape_markdown(next_words(scene, query)))


def next_words(scene: MaskingState, query: int) -> str:
    """The chance of the word that does come next, under both masks."""
    pair, ids = scene.pair, scene.words.ids
    trained = "with the causal mask" if scene.model.network.config.causal else "without a mask"
    said = f"{scene.model.label}: trained on the microworld {trained}; under any other it guesses."
    if query + 1 >= len(ids):
        return said
    chances = [
        float(each.now.logits[0, query].double().softmax(-1)[ids[query + 1]])
        for each in (pair.chosen, pair.other)
    ]
    names = [figures.NAMES[each.name].lower() for each in (pair.chosen, pair.other)]
    return (
        f"“{scene.words.tokens[query + 1]}” is what comes next. Its chance: "
        f"{format_number(chances[0])} ({names[0]}), {format_number(chances[1])} ({names[1]}). {said}"
    )


def leak(scene: MaskingState) -> None:
    """Change one token and see which outputs move."""
    pair = scene.pair
    square = pair.chosen.name != "cross"
    mask = (pair.chosen if square else pair.other).now.mask[0]
    settings.toggle("masking_blank", "Start each output from a blank: it must predict its word")
    blank = st.session_state["masking_blank"] == "true"
    tokens = pair.queries
    ids = torch.tensor(under_mask.number_words([MaskText(tokens, ())])[0].ids)
    found = leakage.leakage(mask, ids, blank=blank)
    place = ui.validated_or_previous(
        "masking_change", lambda: state.read_place("masking_change"), lambda: 0
    )
    at = min(place, len(tokens) - 1)

    def told(to: Any) -> None:
        ui.set_controls({"masking_change": str(int(to))})

    ui.picture(
        "leak",
        no_live_numbers("leak"),
        leaks.picture(found, mask, tokens, at, blank=blank),
        on_told=told,
    )
    st.markdown(
        " ".join(leaks.notice(found, [ui.escape_markdown(t) for t in tokens], at, blank=blank))
    )
    st.caption(leaks.caption(figures.NAMES[pair.chosen.name].lower(), square=square))


def readers(scene: MaskingState, query: int) -> None:
    """What an auto-regressor and an auto-encoder may predict of the same text."""
    pair, model = scene.pair, scene.model
    if pair.chosen.name == "cross":
        st.markdown(
            "Cross-attention is of another model, which reads a source as well. Choose any other "
            "mask to see the chances of a word."
        )
        return
    at = max(query, 1)
    st.latex(figures.readers_formula(scene.words.tokens, min(at, len(scene.words.tokens) - 1)))
    if model.vocabulary is None or model.neural is None or len(scene.words.ids) < 2:
        st.caption("Choose the small GPT above, and a text of the microworld, to see the chances.")
        return
    columns = chances(scene)
    ui.table(
        ["word", *columns],
        figures.readers_rows(
            pair.queries[1:] if scene.batch is None else scene.words.tokens[1:], columns
        ),
        name="masking-readers",
        caption="p of each word: to one who reads from the left, and to one who reads both ways",
    )
    st.markdown(figures.readers_words(columns))


def chances(scene: MaskingState) -> dict[str, torch.Tensor]:
    """p of each word to every reader that can read the text."""
    ids, neural = scene.words.ids, scene.model.neural
    assert neural is not None
    columns = {}
    try:
        exact = receptive_field.context_probabilities(microworld(), ids)
        columns["from the left: the grammar"] = exact.left
        columns["both ways: the grammar"] = exact.both
    except ValueError:
        st.caption("The grammar never says this text, so it has no chances for it.")
    if scene.model.network.config.causal:
        columns["from the left: small GPT"] = (
            autoregressive_or_autoencoding.left_to_right_probabilities(neural, ids)
        )
    if (found := encoder()) is not None:
        network, vocabulary = found
        columns["both ways: small BERT"] = autoregressive_or_autoencoding.masked_probabilities(
            network, vocabulary, ids
        )
    return columns


def encoder() -> tuple[BERT, Vocabulary] | None:
    """The encoder that comes with the app, if it is there."""
    if not models.has_weights("encoder"):
        return None
    network, vocabulary, *_ = shared_results.shared_result(
        "encoder", (), models.encoder, most=1, says="Loading"
    )
    return network, vocabulary


def draw(scene: MaskingState, query: int) -> None:
    """The picture, and what is to be noticed in it."""
    pair = scene.pair
    paints = scene.choice is not None
    told = figures.MaskPictureOptions(query, paints)
    ui.picture(
        "masking",
        no_live_numbers("masking"),
        figures.picture(pair, told),
        on_told=store_event,
    )
    show_notice(scene, query)


def show_notice(scene: MaskingState, query: int) -> None:
    """What is to be noticed, and whose numbers these are."""
    pair, cross = scene.pair, scene.pair.chosen.name == "cross"
    trained = scene.model.vocabulary is not None and not cross
    found = mask_pairs.query_visibility(pair, query)
    said = words.notice(escaped_pair(pair), query, found, scene.where.layer)
    if scene.batch is not None:
        effect = mask_pairs.padding_effect(scene.model.network, scene.batch, scene.one, pair)
        pads = len(pair.queries) - scene.batch.lengths[scene.one]
        said = [words.padding_words(effect, scene.one, pads), *said]
    if scene.choice is not None and scene.choice.kind == "permutation":
        said = [words.order_words(scene.choice, len(pair.queries)), *said]
    ui.notice(*said, kind="measured here" if trained else "computed")
    whose = words.model_words(trained=trained, cross=cross, filler=scene.filler)
    st.caption(ui.escape_markdown(whose))


def store_event(to: dict[str, Any]) -> None:
    """The query was moved, a number was dragged, or a cell was painted."""
    names = {"query": "masking_at", "known": "masking_prefix", "window": "masking_window"}
    if to["name"] == "painted":
        ui.set_controls({"masking_kind": "painted", "masking_painted": str(to["value"])})
    else:
        ui.set_controls({names[str(to["name"])]: str(to["value"])})


def predict(scene: MaskingState) -> None:
    pair = scene.pair
    place = min(3, len(pair.queries))
    mask = pair.chosen.now.mask[0]
    found = mask_pairs.query_visibility(pair, place - 1)
    ui.check_yourself(
        f"How many places can token {place}, “{ui.escape_markdown(pair.queries[place - 1])}”, see?",
        answer=float(found.sees),
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
            answer=float(leaks.receptive_field(leakage.paths(mask, leakage.DEPTH))),
            because="Follow the paths in the leakage test: each layer looks one mask further.",
            key="masking-reach",
        )


def source(scene: MaskingState) -> None:
    if scene.batch is not None:
        ids = [under_mask.pad_batch(scene.batch.texts, scene.batch.filler)[1][scene.one].tolist()]
    else:
        ids = [list(each.ids) for each in (scene.source, scene.words) if each is not None]
    snippet = words.snippet(scene.pair, scene.where, model=scene.model.name, ids=ids)
    ui.show_code(
        masks.causal, attention.apply_mask, attention.softmax, snippet=snippet, name="masking"
    )
