"""The corruption of masked language modelling: its picture and its views."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
import streamlit as st

import ui
from drawing.live import LiveNumbers, StageTexts
from drawing.payload import CHIPS, LOSSES, LossesPayload
from lessons.masking import corruption_picture, corruption_state, corruption_text, noises_text
from lessons.masking.corruption_state import CorruptionState
from lessons.masking.masking_questions import corruption_questions
from lessons.masking.masking_state import LESSON, SETTINGS
from lmcore.corruption import corruption, draws, masked_loss
from lmcore.corruption.bart_noise import NoiseTrace
from lmcore.corruption.rates import (
    DRAWS,
    NAMES,
    OF_SPANS,
    RepeatedDrawsTrace,
    expected_shares,
    repeat_draws,
)
from lmcore.corruption.spans import lengths, mean_length
from lmcore.corruption.text import LONGEST
from lmcore.numbers import format_number
from ui import compute, pretrained


def show(rows: ui.Rows) -> Mapping[str, Callable[[], None] | None]:
    """Draw the corrupted text and the numbers that decide it on the stage; return the views."""
    with rows.errors:
        pretrained.known_models(report=True)
        typed = str(LESSON.defaults["corrupt_text"])
        current = ui.validated_or_previous(
            "corrupt", corruption_state.read_state, lambda: corruption_state.default_state(typed)
        )
    live = corruption_state.slider_numbers(current)
    with rows.rail:
        hidden = ui.predict_first(corruption_questions(current))
        controls(rows, current, live)
    drawing = corruption_picture.picture(
        current.text, current.config, current.trace, current.drawn.draws, current.by_hand
    )
    with rows.picture:
        ui.main_picture(
            corruption_picture.CORRUPTION,
            live,
            drawing,
            _stage_texts(current, live, drawing, hidden),
            on_event=corruption_state.store_choice_by_hand,
        )
    return {
        "Loss": lambda: loss(current, live, drawing),
        "Many draws": lambda: many_draws(current),
        "Words and spans": lambda: words_and_spans(current),
        "RoBERTa packing": packing,
        "Masked or causal": lambda: masked_or_causal(current, live),
        "Corruption code": lambda: source(current),
    }


def _stage_texts(
    current: CorruptionState,
    live: LiveNumbers,
    drawing: corruption_picture.CorruptionPayload,
    hidden: Sequence[str],
) -> StageTexts:
    measured = current.text.network is not None and live["n_chosen"] > 0
    return ui.stage_texts(
        LESSON,
        sentences=corruption_text.SENTENCES,
        moved=corruption_text.MOVED,
        formula=[corruption_text.formula(with_model=measured)],
        alt=corruption_text.describe(current.text.tokens, drawing["standing"]),
        kind="set by hand" if current.by_hand else "computed",
        hidden=hidden,
    )


def controls(rows: ui.Rows, current: CorruptionState, live: LiveNumbers) -> None:
    """Draw the shares, the text, the unit of choice, and under More the source of replacements."""
    ui.sliders(live, on_settled=corruption_state.store_share)
    st.button(
        "Draw again",
        on_click=corruption_state.draw_again,
        icon=":material/casino:",
        width="stretch",
        help="New numbers for every word. Dragging a share moves a threshold and draws nothing",
    )
    SETTINGS.draw("corrupt_text")
    if corruption_state.is_refused_by_encoder(current):
        st.button("A text that the encoder knows", on_click=corruption_state.put_known)
    if current.text.cut:
        st.caption(f"The text is longer; its first {LONGEST} tokens are shown.")
    SETTINGS.draw("corrupt_unit")
    with ui.more(rows):
        st.caption(ui.escape_markdown(corruption_text.UNIT_WORDS[current.config.unit]))
        SETTINGS.draw("corrupt_from", "corrupt_model", "corrupt_least")
        st.caption(
            ui.escape_markdown(
                f"Seed {current.config.seed}. Random tokens come from {current.text.stock.whose}. "
                f"{corruption_text.MORE}"
            )
        )


def loss(current: CorruptionState, live: LiveNumbers, drawing: LossesPayload) -> None:
    """Draw which places add a term to the loss, and the terms under the chosen model."""
    text, trace = current.text, current.trace
    if text.network is None:
        st.markdown(corruption_text.NO_MODEL)
    else:
        measured = masked_loss.masked_loss(text.network, text.ids, trace.corrupted, trace.chosen)
        terms = measured.terms[0][trace.chosen[0]].tolist()
        if terms:
            st.latex(corruption_text.DEFINED)
            st.latex(corruption_text.masked_formula(terms, float(measured.loss[0])))
            gradient_arrival(current)
    ui.picture(LOSSES, live, drawing)


def gradient_arrival(current: CorruptionState) -> None:
    """The share of the gradient that reaches the places without a term."""
    text, trace, network = current.text, current.trace, current.text.network
    assert network is not None
    if not corruption_picture.follows_sliders(text) or network.config.positions != "learned":
        return
    norms = masked_loss.gradient_at_places(network, text.ids, trace.corrupted, trace.chosen)
    sentence = corruption_text.gradient_words(text.tokens, norms.tolist(), trace.chosen[0].tolist())
    st.markdown(f"{sentence} :gray-badge[measured here]")


def many_draws(current: CorruptionState) -> None:
    """The shares that come out of many draws, beside the expected ones."""
    count = OF_SPANS if current.config.unit == "span" else DRAWS
    text, config = replace(current.text, network=None), current.config
    draw = partial(repeat_draws, text, config, count)
    repeated = compute.unshared_result(draw, of=(text, config), says="Drawing", apart=True)
    expected = expected_shares(current.text, current.config)
    columns, rows = corruption_picture.rate_rows(repeated, expected)
    shares = zip(NAMES, repeated.mean.tolist(), strict=True)
    caption = "Of the words of the text: chosen, masked, random, kept"
    ui.table(columns, rows, name="corrupt-rates", caption=caption)
    ui.show_figure(
        corruption_picture.converging(repeated, expected, ui.theme_mode()),
        name="corrupt-converging",
        reading="The share so far, after more and more draws; dotted: the expected share.",
        alt="; ".join(f"{name} {format_number(share)}" for name, share in shares),
    )
    st.caption(
        ui.escape_markdown(corruption_text.many_words(repeated, current.text, current.config))
    )
    if int(repeated.drawn.sum()):
        _random_tokens(current, repeated)


def _random_tokens(current: CorruptionState, repeated: RepeatedDrawsTrace) -> None:
    """Which tokens were inserted at random, and where they come from."""
    counted = [] if current.text.stock.counts is None else ["unigram"]
    ui.table(
        ["random token", "uniform", *counted, f"drawn here, {current.config.source}"],
        corruption_picture.replacement_rows(current.text, repeated),
        name="corrupt-types",
        caption="The most frequent types: their probability as a random token, and their share",
    )
    put = f"{int(repeated.drawn.sum()):,}"
    st.caption(
        ui.escape_markdown(
            f"{put} random tokens were inserted, from {current.text.stock.whose}: "
            f"{corruption_text.SOURCE_WORDS[current.config.source]}."
        )
    )


def words_and_spans(current: CorruptionState) -> None:
    """The words of the text with their pieces, and the spans in the order they are drawn."""
    text = current.text
    joined = [" ".join(text.tokens[place] for place in places) for places in text.words]
    cut = [word for word in joined if " " in word]
    named = ", ".join(map(ui.escape_markdown, cut))
    st.markdown(
        f"{len(joined)} words; cut into pieces: {named or 'none'}. With *Whole words* all pieces "
        f"of a word share one first number; each piece has its own second one."
    )
    chances = lengths()
    spans = current.drawn.spans
    ui.show_figure(
        corruption_picture.span_lengths(chances, [span.drawn for span in spans], ui.theme_mode()),
        name="corrupt-spans",
        reading="SpanBERT: geometric, p = 0.2, cut off after 10 words and scaled to sum to 1; "
        f"{format_number(mean_length(chances))} words on average (quoted: 3.8).",
        alt=f"A span of 1 word has probability {format_number(float(chances[0]))}, falling to "
        f"{format_number(float(chances[-1]))} at 10.",
    )
    if not spans:
        st.caption("Choose *Spans* beside the stage to see those of this text.")
        return
    rows = [
        (f"{n}: {joined[span.first]}", span.drawn, span.words, len(span.places))
        for n, span in enumerate(spans, start=1)
    ]
    columns = ["span, from", "words drawn", "words in the text", "tokens it takes"]
    ui.table(columns, rows, name="corrupt-in-spans", caption="Spans, in the order they are drawn")
    st.caption("A span that overlaps an earlier one takes only the remaining tokens.")


def masked_or_causal(current: CorruptionState, live: LiveNumbers) -> None:
    """How many tokens a batch of BERT's size predicts."""
    ui.step_table(
        corruption_picture.batch_steps(), live, caption="Predicted tokens per text and per batch"
    )
    st.markdown(corruption_text.waste_words(current.config.rates))
    st.caption(
        f"Quoted: a text of {corruption_picture.LENGTH} tokens and a batch of "
        f"{corruption_picture.TEXTS} (Devlin et al. 2019, "
        "appendix A.2), and their claim that the gain outweighs the cost. The rest is "
        "computed."
    )


def source(current: CorruptionState) -> None:
    """The code that ran, and a snippet that prints the corrupted text."""
    name = None if current.text.network is None else st.session_state["corrupt_model"]
    snippet = corruption_text.snippet(current.typed, current.config, current.by_hand, model=name)
    functions = (corruption.draw_corruption, corruption.apply_draws, draws.change_rate)
    ui.show_code(*functions, snippet=snippet, name="corruption")


def bart(noises: Mapping[str, NoiseTrace]) -> None:
    """The same text, corrupted in five ways, in words."""
    rows = corruption_picture.noise_rows(noises)
    nothing = LiveNumbers("noise", (), np.empty(0))
    ui.picture(CHIPS, nothing, corruption_picture.chips([rows]))
    st.caption(f"Computed here. {noises_text.NOTE} Under a \\[MASK]: what it stands for.")


def packing() -> None:
    """Documents packed into inputs of one length, which a slider sets."""
    left, right = st.columns([2, 5], gap="medium")
    with left:
        SETTINGS.draw("corrupt_pack", "corrupt_pack_across")
        packed = ui.validated_or_previous(
            "corrupt_pack", corruption_state.read_packing, corruption_state.default_packing
        )
        live = corruption_state.length_numbers(packed)
        ui.sliders(live, on_settled=corruption_state.store_length)
    with right:
        views = [corruption_picture.packing_rows(each) for each in packed.every]
        ui.picture(CHIPS, live, corruption_picture.chips(views, "at"))
    at = packed.length - packed.lengths[0]
    st.markdown(corruption_text.packing_words(packed.every[at], packed.other[at]))
