"""The mask and its weights on the stage, and the views of the chosen mask."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np
import streamlit as st
import torch

import ui
from drawing.events import Moved
from lessons.masking import masking_controls, masking_picture, masking_state, masking_text
from lessons.masking.masking_questions import masking_questions
from lessons.masking.masking_state import LESSON, MaskingState
from lmcore.corpora.microworld import microworld
from lmcore.masking import autoregressive_or_autoencoding, mask_pairs, under_mask
from lmcore.masking.mask_pairs import MaskPair
from lmcore.models import attention, masks
from lmcore.models.bert import BERT
from lmcore.numbers import format_number
from lmcore.recurrence import receptive_field
from lmcore.shipped import models
from lmcore.vocabulary import Vocabulary
from ui import compute

Views = Mapping[str, Callable[[], None] | None]


def show(rows: ui.Rows, current: MaskingState, see: str) -> Views:
    """Draw the chosen mask and its weights, or both masks, on the stage; return its views."""
    compares = see == masking_state.COMPARE
    query = chosen_query(rows, current)
    live = slider_numbers(current)
    with rows.rail:
        hidden = ui.predict_first(masking_questions(current, query))
        if live.sliders:
            ui.sliders(live, on_settled=store_slider)
        masking_controls.show_controls(rows, current, compares=compares, notes=notes(current))
    with rows.picture:
        draw(current, query, live, hidden, compares=compares)
    return {
        "Step by step": lambda: step_by_step(current.pair, query),
        "Output and next word": lambda: output(current, query),
        "Both ways, one way": lambda: readers(current, query),
        "Code": lambda: source(current),
    }


def chosen_query(rows: ui.Rows, current: MaskingState) -> int:
    """The query that is followed, from 0; one beyond the text is its last."""
    with rows.errors:
        query = ui.validated_or_previous(
            "masking_at", lambda: masking_state.read_place("masking_at"), lambda: 0
        )
    return min(query, len(current.pair.queries) - 1)


def slider_numbers(current: MaskingState) -> ui.LiveNumbers:
    """Every number of the picture now, and at every value of the mask's slider."""
    shown = current.pair.chosen
    names, table = masking_picture.numbers(current.pair)
    known = masking_picture.slider(current.choice, shown)
    if known is None:
        return ui.LiveNumbers("masking", names, table[shown.at])
    setting, label, spoken, look_for = known
    values = np.array(shown.values, dtype=np.float64)
    slider = ui.Slider(setting, label, spoken, values[shown.at], values, look_for, role="mask")
    table = np.concatenate([table, values[:, None]], axis=1)
    return ui.LiveNumbers("masking", (*names, setting), table[shown.at], (slider,), table[None])


def store_slider(event: Moved) -> None:
    """Store the number of the mask that was dragged or typed."""
    ui.set_controls({event["name"]: event["typed"]})


def draw(
    current: MaskingState,
    query: int,
    live: ui.LiveNumbers,
    hidden: tuple[str, ...],
    *,
    compares: bool,
) -> None:
    """The picture, its sentence and its formula."""
    pair, choice = current.pair, current.choice
    order = "" if choice is None else masking_text.reading_order(choice, len(pair.queries))
    share = masking_picture.share_of(pair, compares=compares)
    sentences = (
        masking_text.compared(pair, ui.quoted, share)
        if compares
        else masking_text.sentences(pair, ui.quoted, order=order)
    )
    stage_texts = ui.stage_texts(
        LESSON,
        sentences=sentences,
        moved=masking_text.moved(pair, query, ui.quoted) if live.sliders else "",
        formula=masking_text.formulas(pair, len(masking_picture.VARIANTS)),
        alt=masking_text.describe(pair, query, compares=compares),
        kind="measured here" if current.trained else "computed",
        hidden=hidden,
    )
    how = masking_picture.picture(
        pair, query, paints=choice is not None and not compares, compares=compares
    )
    ui.main_picture(masking_picture.MASKING, live, how, stage_texts, on_event=store_event)


def store_event(event: masking_picture.PressedQuery | masking_picture.PaintedMask) -> None:
    """Store the query that was chosen, or the painted mask."""
    if event["name"] == "painted":
        ui.set_controls({"masking_kind": "painted", "masking_painted": event["value"]})
    else:
        ui.set_controls({"masking_at": str(event["value"])})


def notes(current: MaskingState) -> list[str]:
    """Notes on this mask that the picture does not show."""
    pair, choice = current.pair, current.choice
    found = []
    if current.batch is not None and current.effect is not None:
        pads = len(pair.queries) - current.batch.lengths[current.batch_index]
        found.append(masking_text.padding_words(current.effect, current.batch_index, pads))
    if choice is not None and choice.kind == "permutation":
        found.append(masking_text.stream_words(choice))
    if current.where.layer:
        found.append(masking_text.DEEPER)
    return found


def step_by_step(pair: MaskPair, query: int) -> None:
    """The softmax of one query, key by key."""
    chosen = mask_pairs.softmax_steps(pair.chosen, query)
    alike = pair.chosen.name != "cross"
    other = pair.other.now.weights[0, query] if alike else None
    name = masking_picture.NAMES[pair.chosen.name]
    st.latex(masking_picture.softmax_formula(chosen, query))
    columns = ["key", "q·k/√d_k", "masked", "e^masked", f"α, {name.lower()}"]
    columns += [f"α, {masking_picture.NAMES[pair.other.name].lower()}"] if alike else []
    ui.table(
        columns,
        masking_picture.step_rows(pair.chosen.keys, chosen, other),
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
            "Both looks belong to one run: the decoder looks at its own words, then at the source. "
            "There is no second output to compare."
        )
        return
    moved = mask_pairs.differences(pair)
    ui.show_figure(
        masking_picture.difference_bars(moved, pair.queries, ui.theme_mode()),
        name="masking-outputs",
        reading="Distance of each place's vector after the last layer from the vector under the "
        f"other mask ({masking_picture.NAMES[pair.other.name].lower()}), relative to its length.",
        alt=masking_picture.describe_differences(moved, pair.queries),
    )
    if model.vocabulary is None:
        st.caption("This model is untrained: its next-word probabilities are meaningless.")
        return
    _next_words_table(pair, model.vocabulary, query)
    st.caption(ui.escape_markdown(next_words(current, query)))


def _next_words_table(pair: MaskPair, vocabulary: Vocabulary, query: int) -> None:
    one, other = (each.now.logits[0, query] for each in (pair.chosen, pair.other))
    candidates = under_mask.compare_next_tokens(one, other)
    columns = [
        "next word",
        *(f"p, {masking_picture.NAMES[x.name].lower()}" for x in (pair.chosen, pair.other)),
    ]
    rows = zip(
        vocabulary.decode(candidates.ids),
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
    names = [masking_picture.NAMES[each.name].lower() for each in (pair.chosen, pair.other)]
    return (
        f"“{current.words.tokens[query + 1]}” comes next. Its probability: "
        f"{format_number(chances[0])} ({names[0]}), {format_number(chances[1])} "
        f"({names[1]}). {sentence}"
    )


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
    st.latex(
        masking_picture.readers_formula(
            current.words.tokens, min(at, len(current.words.tokens) - 1)
        )
    )
    if model.vocabulary is None or model.neural is None or len(current.words.ids) < 2:
        st.caption(
            "Choose the small GPT under More, and a text of the microworld, to see the "
            "probabilities."
        )
        return
    columns = chances(current)
    ui.table(
        ["word", *columns],
        masking_picture.readers_rows(
            pair.queries[1:] if current.batch is None else current.words.tokens[1:], columns
        ),
        name="masking-readers",
        caption="p of each word, for a model that reads from the left and one that reads both "
        "sides",
    )
    st.markdown(masking_picture.readers_words(columns))


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
    """The encoder that comes with the app, if its weights are installed."""
    if not models.has_weights("encoder"):
        return None
    network, vocabulary, *_ = compute.shared_result(
        "encoder", partial(models.encoder), most=1, says="Loading"
    )
    return network, vocabulary


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
    snippet = masking_text.snippet(current.pair, current.where, model=current.model.name, ids=ids)
    ui.show_code(
        masks.causal, attention.apply_mask, attention.softmax, snippet=snippet, name="masking"
    )
