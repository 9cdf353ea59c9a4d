"""The Fill in tab of the BERT page: press a word to read the predictions for it."""

from __future__ import annotations

import numpy as np
import streamlit as st

import ui
from lessons.bert import picture as figures
from lessons.bert import state
from lessons.bert import text as words
from lessons.bert.state import FillInState
from lessons.shared.payload import LOSSES
from lmcore.masked_lm import cloze
from lmcore.masking import receptive_field
from lmcore.models.gpt import GPT
from lmcore.shipped import models
from ui import pretrained
from ui.lessons import Lesson
from ui.live import LiveNumbers

ERRATA = ("X13", "X14", "X28", "X58", "X75", "X81", "X82", "X83")


def tab(lesson: Lesson) -> None:
    """Controls left; the text and its likeliest words right."""
    top = st.container(key="presets")
    left, right = st.columns([2, 5], gap="medium")
    with right:  # errors are shown beside the controls, not below them
        state.SETTINGS.check("fill_")
        first = [str(lesson.defaults[f"fill_{name}"]) for name in ("model", "text", "at")]
        scene = ui.validated_or_previous(
            "fill", state.read_state, lambda: state.fill_in_state(*first)
        )
    with left:
        controls(scene)
    with right:
        draw(scene)
    parts = {
        "Per-position loss": lambda: per_position(scene),
        "What can change it": lambda: who_moves_it(scene),
        "Input pipeline": lambda: pipeline(scene),
        "BERT’s training": training_cost,
        "Check yourself": lambda: predict(scene),
        "Code": lambda: source(scene),
        "Slide check": lambda: ui.errata(ERRATA),
    }
    ui.sections(parts, key="fill_see")
    with top:
        ui.presets(lesson.part("bert_tab", "fill", "fill_"))


def controls(scene: FillInState) -> None:
    """The text, the model, and examples for models that know their words."""
    state.SETTINGS.draw("fill_text")
    if scene.text.reading.cut:
        st.caption(f"The text is longer; its first {cloze.LONGEST} tokens are shown.")
    state.SETTINGS.draw("fill_model")
    if not scene.text.in_microworld:
        st.caption("Examples of the slides, for a model of real English:")
        for n, example in enumerate(words.EXAMPLES):
            st.button(
                ui.escape_markdown(example), key=f"fill-example-{n}", on_click=ui.set_controls,
                args=({"fill_text": example, "fill_at": ""},), type="tertiary",
            )  # fmt: skip
    elif scene.model == "encoder":
        st.caption(
            f"A small BERT that knows the {words.usable_type_count()} words of the microworld; "
            "other words are refused."
        )


def draw(scene: FillInState) -> None:
    """Draw the chips, the cards, and the notice."""
    bare = scene.network.head is None
    why = words.NO_HEAD.format(name=scene.reader.name).replace("`", "") if bare else ""
    drawing = figures.picture(scene.text, scene.covered, scene.traces, scene.word, why)
    ui.picture(figures.CLOZE, no_live_numbers("fill"), drawing, on_event=state.store_covered)
    if (trace := scene.trace) is None:
        ui.notice("This model **cannot fill in words**: it has no head for this task.")
        return
    st.caption(words.BARS if trace.exact is not None else words.BARS_ALONE)
    if trace.exact is None and trace.places:
        st.info(words.no_truth(scene.text), icon=":material/info:")
    said = words.notice(scene.text, trace, lambda i: ui.escape_markdown(scene.word(i)))
    ui.notice(*said, kind="measured here")


def no_live_numbers(group: str) -> LiveNumbers:
    """Live numbers of a picture that needs none: its data has all it draws."""
    return LiveNumbers(group, (), np.empty(0))


def per_position(scene: FillInState) -> None:
    """Every place, and which of them add a term."""
    trace = scene.trace
    st.latex(words.PREDICTED_PROBABILITY)
    st.latex(words.DEFINED)
    if trace is None:
        st.caption("Without a head there is no loss.")
        return
    if formula := words.loss_formula(trace):
        st.latex(formula)
    live = ui.live_numbers("fill_terms", figures.terms(scene.text, trace), [], {})
    ui.picture(LOSSES, live, figures.terms_table(scene.text))
    if rows := figures.covered_rows(scene.text, trace):
        columns = figures.COVERED_COLUMNS[: len(rows[0])]
        ui.table(columns, rows, name="fill-terms", caption="Covered words: loss and divergence")
    st.caption(
        "Only covered places add a term. In training 15 % are chosen; of these, one in ten is "
        "unchanged and one in ten is replaced. The Masking page draws such texts under Corruption."
    )


def who_moves_it(scene: FillInState) -> None:
    """Draw each word's influence on the prediction, in this model and in our GPT."""
    trace = scene.trace
    if trace is None or not trace.places:
        st.caption("Cover a word to see which others can change its prediction.")
        return
    place = trace.places[0]
    word = int(trace.log_q[0].argmax())
    if place not in scene.text.typed:
        word = int(scene.text.reading.ids[place])
    corrupted = trace.corrupted
    found = {scene.reader.name: receptive_field.influence(scene.network, corrupted, place, word)}
    if scene.text.in_microworld:
        gpt = gpt_network()
        ids = scene.text.reading.ids.clone()
        ids[list(scene.text.typed)] = word
        found["our small GPT"] = receptive_field.influence(gpt, ids, place, word)
    hidden = ["____" if i in trace.places else t for i, t in enumerate(scene.text.tokens)]
    grid = figures.reach_grid(hidden, found, place)
    ui.probability_grid("reach", grid)
    named = {ui.escape_markdown(name): row for name, row in found.items()}
    st.markdown(words.reach_words(named, place, scene.text.tokens))
    st.caption(
        "Each cell: its share of the norms of ∂ log ŷ[w]/∂x_j, how strongly a change to the vector "
        f"of place j changes the probability of “{ui.escape_markdown(scene.word(word))}”. An "
        f"exact 0 means that no path leads there. A BERT reads both ways; a GPT’s causal mask "
        f"admits only earlier words."
    )


def gpt_network() -> GPT:
    """The small GPT that comes with the app."""
    network = pretrained.load("gpt").network
    assert isinstance(network, GPT)
    return network


def pipeline(scene: FillInState) -> None:
    """From the tokens to the loss, each tensor with its shape."""
    trace = scene.trace
    places = scene.places
    row = cloze.cover_places(scene.text, places)
    seen = cloze.trace_text(scene.network, row)
    loss = float("nan") if trace is None else trace.loss
    known = trace is not None and bool((~trace.terms.isnan()).any())
    live = ui.live_numbers("fill_pipeline", figures.pipeline(seen, places, loss), [], {})
    rows = figures.pipeline_steps(scene.network.config, seen, places, term=known)
    ui.step_table(rows, live, caption="From tokens to loss")
    rest = len(scene.text.tokens) - len(places)
    st.caption(words.PIPELINE.format(rest=rest))


def training_cost() -> None:
    """Draw BERT's training corpus and time as quoted, and the numbers computed from them."""
    st.markdown(words.TRAINING)
    live = ui.live_numbers("fill_training", figures.training_numbers(), [], {})
    ui.step_table(
        figures.TRAINING_STEPS, live, caption="BERT’s training: quoted, and computed from it"
    )
    st.caption(figures.TRAINING_SOURCES)


def predict(scene: FillInState) -> None:
    """Ask up to three questions about the text on screen: two on the loss, one on accuracy."""
    trace = scene.trace
    types = scene.network.config.vocabulary
    ui.check_yourself(
        f"The model has {types:,} types. What is the loss of uniform guessing, in nats?",
        answer=float(np.log(types)),
        because=f"Every type is equally likely: ln {types:,}.",
        key="fill-chance",
    )
    if trace is None:
        return
    ui.check_yourself(
        f"Of the {len(scene.text.tokens)} places of this text, how many add a term to the loss?",
        answer=float((~trace.terms.isnan()).sum()),
        because="The covered ones whose word is known.",
        key="fill-terms",
    )
    if trace.exact is not None and trace.places:
        ui.check_yourself(
            f"At place {trace.places[0]}: how likely is the best single guess to be right?",
            answer=float(trace.exact[0].max()),
            because="The grammar’s probability of its likeliest word.",
            key="fill-best",
        )


def source(scene: FillInState) -> None:
    """Show the code that ran, and a snippet that prints the predictions on screen."""
    text = str(st.session_state["fill_text"])
    at = figures.format_places(state.parse_places(scene.covered))
    snippet = words.snippet(scene.model, text, at)
    ui.show_code(
        cloze.fill, cloze.posterior, receptive_field.influence, snippet=snippet, name="fill-in"
    )
    st.caption(f"The weights: lmcore/shipped/weights/{models.path('encoder').name}.")
