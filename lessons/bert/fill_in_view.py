"""The picture of a gap, its controls and its closer looks."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import streamlit as st

import ui
from drawing import microworld
from drawing.live import StageTexts
from drawing.payload import LOSSES
from lessons.bert import bert_picture, bert_state, bert_text, fill_in_text
from lessons.bert.bert_picture import Gap
from lessons.bert.bert_questions import fill_in_questions
from lessons.bert.bert_state import LESSON, OWN, SETTINGS, FillInState
from lmcore.masked_lm import cloze
from lmcore.masking import receptive_field
from lmcore.shipped import models
from ui import guide, pretrained

Parts = Mapping[str, Callable[[], None] | None]
"""The closer looks of a picture; None for one that the picture itself shows."""
TALL, DOCKED = 100, 68
"""Heights of the text, in pixels."""


def show(rows: ui.Rows) -> Parts:
    """Draw the gap on the stage, and its controls beside it."""
    with rows.errors:
        scene = ui.validated_or_previous("fill", bert_state.read_state, bert_state.default_state)
        if scene.text.in_microworld:
            ui.offer_similar_words(st.session_state["fill_text"], store_text, english_offer())
    with rows.rail:
        hidden = ui.predict_first(fill_in_questions(scene))
        asked = OWN in (*hidden, *hidden_by_beat())
        controls(rows, scene, asked=asked)
    with rows.picture:
        draw(scene, hidden)
    return {
        "Per-position loss": lambda: per_position(scene),
        "What can change it": lambda: who_moves_it(scene),
        "Input pipeline": lambda: pipeline(scene),
        "BERT’s training": ui.SeparateView(training_cost),
        "Code": lambda: source(scene),
    }


def english_offer() -> tuple[str, Callable[[], None]] | None:
    """The button that has the English model fill in the text; None if it is not installed."""
    if pretrained.ENGLISH not in bert_state.available_models():
        return None
    label = f"Fill it in as real English: {bert_text.share_found()} of held-out words right"
    return label, bert_state.read_as_english


def hidden_by_beat() -> tuple[str, ...]:
    """The numbers that the current beat hides."""
    beat = guide.beat(LESSON)
    return beat.hide if beat else ()


def controls(rows: ui.Rows, scene: FillInState, *, asked: bool) -> None:
    """The text, which side is read, and the model; a text whose word is asked for is not shown."""
    if asked:
        st.caption("The text is shown here again once you have answered.")
    else:
        SETTINGS.draw("fill_text", height=DOCKED if ui.presenting() else TALL)
    if scene.text.in_microworld:
        ui.microworld_popover(
            lambda word: replace_word(scene, word), doing="Press a word: it stands at the gap"
        )
        SETTINGS.draw("fill_reads")
    with st.container(key="notes"):
        for sentence in notes(scene):
            st.caption(sentence)
    if len(bert_state.available_models()) > 1:
        SETTINGS.draw("fill_model")
    with ui.more(rows):
        SETTINGS.draw("fill_several")
        if scene.text.in_microworld:
            st.caption(bert_text.types_words())
            return
        st.caption("Examples of the slides, for a model of real English:")
        for n, example in enumerate(bert_text.EXAMPLES):
            st.button(
                ui.escape_markdown(example), key=f"fill-example-{n}", on_click=ui.set_controls,
                args=({"fill_text": example, "fill_at": ""},), type="tertiary",
            )  # fmt: skip


def notes(scene: FillInState) -> list[str]:
    """Notes on what the model and the controls cannot do with this text."""
    said = []
    if scene.model == pretrained.ENGLISH:
        said.append(f"It finds {bert_text.share_found()} of held-out words, each masked alone.")
    if scene.text.reading.cut:
        said.append(f"The text is longer; its first {cloze.LONGEST} tokens are shown.")
    if st.session_state["fill_reads"] == "left" and not scene.left:
        said.append("Only a gap in a text of the microworld can be read from the left alone.")
    return said


def store_text(text: str) -> None:
    """Write a text into its field. For callbacks."""
    ui.set_controls({"fill_text": text, "fill_at": ""})


def replace_word(scene: FillInState, word: str) -> None:
    """Put a word at the first gap, else at the last word. For callbacks."""
    place = scene.places[0] if scene.places else scene.text.maskable[-1]
    text = microworld.replace_place(" ".join(scene.text.tokens[1:-1]), place, word)
    ui.set_controls({"fill_text": text, "fill_at": scene.covered or str(place)})


def draw(
    scene: FillInState, hidden: tuple[str, ...] = (), sentence: str = "", *, fixed: bool = False
) -> None:
    """The text with its gaps, and what may fill them.

    `sentence` replaces the finding; with `fixed` no word can be pressed.
    """
    asked = OWN in (*hidden, *hidden_by_beat())
    found = bert_picture.gaps(scene.text, scene.trace, scene.both, scene.word, asked=asked)
    said = fill_in_text.texts(scene, found, asked=asked)
    if asked:
        hidden = (*hidden, *bert_picture.bar_names(found, scene.trace, scene.word))
    stage_texts = ui.stage_texts(
        LESSON,
        sentences=[sentence or said.sentence],
        formula=[said.formula],
        alt=said.alt,
        kind="measured here",
        hidden=hidden,
    )
    now = bert_picture.numbers(scene.text, scene.trace, scene.both, found, scene.word)
    live = ui.LiveNumbers("fill", tuple(now), np.array(list(now.values())))
    shown = payload(scene, found, said.marked, stage_texts, asked=asked)
    if fixed:
        shown["pressable"] = []
    ui.main_picture(
        bert_picture.CLOZE,
        live,
        shown,
        stage_texts,
        on_event=bert_state.store_covered,
    )


def payload(
    scene: FillInState, found: list[Gap], marked: str, stage_texts: StageTexts, *, asked: bool
) -> bert_picture.ClozePayload:
    """The data of `lessons/bert/cloze.js` other than the numbers."""
    text = scene.text
    return {
        "words": list(text.tokens),
        "covered": list(scene.places),
        "pressable": [i for i in text.maskable if i not in text.typed],
        "at": scene.covered,
        "several": SETTINGS.switch("fill_several"),
        "left": scene.left,
        "asked": asked,
        "gaps": [
            bert_picture.gap_payload(each, scene.trace, scene.word, left=scene.left)
            for each in found
        ],
        "bars": {
            "ours": f"English: {bert_text.share_found()} right"
            if scene.model == pretrained.ENGLISH
            else scene.name,
            "exact": "exact answer" if scene.trace.exact is not None else "",
            "both": "from both sides" if scene.left else "",
            "own": "covered word",
        },
        "marked": "" if marked in stage_texts["hidden"] else marked,
    }


def per_position(scene: FillInState) -> None:
    """Every place, and which of them add a term."""
    trace = scene.trace
    st.latex(bert_text.PREDICTED_PROBABILITY)
    st.latex(bert_text.DEFINED)
    if formula := bert_text.loss_formula(trace):
        st.latex(formula)
    live = ui.live_numbers("fill_terms", bert_picture.terms(scene.text, trace), [], {})
    ui.picture(LOSSES, live, bert_picture.terms_table(scene.text))
    if rows := bert_picture.covered_rows(scene.text, trace):
        columns = bert_picture.COVERED_COLUMNS[: len(rows[0])]
        ui.table(columns, rows, name="fill-terms", caption="Covered words: loss and divergence")
    st.caption(
        "Only covered places add a term. In training 15 % are chosen; of these, one in ten is "
        "unchanged and one in ten is replaced. The Masking page draws such texts under Corruption."
    )


def who_moves_it(scene: FillInState) -> None:
    """Draw each word's influence on the prediction, in this model and in our GPT."""
    trace = scene.both
    if not trace.places:
        st.caption("Cover a word to see which others can change its prediction.")
        return
    place = trace.places[0]
    word = int(trace.log_q[0].argmax())
    if place not in scene.text.typed:
        word = int(scene.text.reading.ids[place])
    corrupted = trace.corrupted
    found = {scene.reader.name: receptive_field.influence(scene.network, corrupted, place, word)}
    if scene.text.in_microworld:
        gpt = bert_state.gpt_network()
        ids = scene.text.reading.ids.clone()
        ids[list(scene.text.typed)] = word
        found["our small GPT"] = receptive_field.influence(gpt, ids, place, word)
    hidden = ["____" if i in trace.places else t for i, t in enumerate(scene.text.tokens)]
    grid = bert_picture.reach_grid(hidden, found, place)
    ui.probability_grid("reach", grid)
    named = {ui.escape_markdown(name): row for name, row in found.items()}
    st.markdown(bert_text.reach_words(named, place, scene.text.tokens))
    st.caption(
        "Each cell: its share of the norms of ∂ log ŷ[w]/∂x_j, how strongly a change to the vector "
        f"of place j changes the probability of “{ui.escape_markdown(scene.word(word))}”. An "
        f"exact 0 means that no path leads there. A BERT reads both ways; a GPT’s causal mask "
        f"admits only earlier words."
    )


def pipeline(scene: FillInState) -> None:
    """From the tokens to the loss, each tensor with its shape."""
    trace, places = scene.both, scene.places
    row = cloze.cover_places(scene.text, places)
    seen = cloze.trace_text(scene.network, row)
    known = bool((~trace.terms.isnan()).any())
    live = ui.live_numbers("fill_pipeline", bert_picture.pipeline(seen, places, trace.loss), [], {})
    rows = bert_picture.pipeline_steps(scene.network.config, seen, places, term=known)
    ui.step_table(rows, live, caption="From tokens to loss")
    rest = len(scene.text.tokens) - len(places)
    st.caption(bert_text.PIPELINE.format(rest=rest))


def training_cost() -> None:
    """Draw BERT's training corpus and time as quoted, and the numbers computed from them."""
    st.markdown(bert_text.TRAINING)
    live = ui.live_numbers("fill_training", bert_picture.training_numbers(), [], {})
    ui.step_table(
        bert_picture.TRAINING_STEPS, live, caption="BERT’s training: quoted, and computed from it"
    )
    st.caption(bert_picture.TRAINING_SOURCES)


def source(scene: FillInState) -> None:
    """Show the code that ran, and a snippet that prints the predictions on screen."""
    text = str(st.session_state["fill_text"])
    at = bert_picture.format_places(bert_state.parse_places(scene.covered))
    snippet = bert_text.snippet(scene.model, text, at, left=scene.left)
    ui.show_code(
        cloze.fill, cloze.posterior, receptive_field.influence, snippet=snippet, name="fill-in"
    )
    if scene.model in ("encoder", "english"):
        st.caption(f"The weights: lmcore/shipped/weights/{models.path(scene.model).name}.")
