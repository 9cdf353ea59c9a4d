"""The Next sentence tab of the BERT page: does the second text continue the first?"""

from __future__ import annotations

from typing import NamedTuple

import streamlit as st

import ui
from lessons.bert import pairs_text as words
from lessons.bert import state as fill_in
from lessons.bert.state import SETTINGS
from lessons.shared.payload import CHIPS, ChipsPayload
from lmcore import parsing
from lmcore.corpora.microworld import microworld
from lmcore.evaluation import against_grammar
from lmcore.masked_lm import next_sentence
from lmcore.masked_lm.next_sentence import NextSentenceAccuracy, NextSentenceTrace
from lmcore.models.bert import BERT
from lmcore.pretrained.reading import TokenizedText, TokenizingModel
from ui import compute
from ui.lessons import Lesson

DOCUMENTS = 400
MOST_TOKENS = 96
"""Tokens of a pair."""
ERRATA = ("X20",)


class PairState(NamedTuple):
    """A pair as a model reads it; no trace where the model has no head for pairs."""

    model: str
    reader: TokenizingModel
    reading: TokenizedText
    trace: NextSentenceTrace | None


def tab(lesson: Lesson) -> None:
    """Controls left; the pair and the verdict right."""
    top = st.container(key="presets")
    left, right = st.columns([2, 5], gap="medium")
    with right:  # errors are shown beside the controls, not below them
        SETTINGS.check("pairs_")
        first = [str(lesson.defaults[f"pairs_{name}"]) for name in ("model", "first", "second")]
        scene = ui.validated_or_previous("pairs", read_state, lambda: pair_state(*first))
    with left:
        controls(scene)
    with right:
        draw(scene)
    parts = {
        "Step by step": lambda: step_by_step(scene),
        "Many pairs": lambda: many_pairs(scene),
        "What for": applications,
        "Check yourself": lambda: predict(scene),
        "Code": lambda: source(scene),
        "Slide check": lambda: ui.errata(ERRATA),
    }
    ui.sections(parts, key="pairs_see")
    with top:
        ui.presets(lesson.part("bert_tab", "pairs", "pairs_"))


def controls(scene: PairState) -> None:
    """Two texts, a model, and a button that draws a pair."""
    SETTINGS.draw("pairs_first", "pairs_second", "pairs_model", "pairs_seed")
    st.button("Draw a pair", on_click=draw_random_pair, key="pairs-draw", icon=":material/casino:")
    st.caption(
        "A coin toss picks two halves of one document, or halves of two; no model was "
        "trained on them. Guess first, then show which it is."
    )
    SETTINGS.draw("pairs_truth")
    if scene.model not in ("encoder",) and not scene.model.startswith(fill_in.RUN_PREFIX):
        for n, (first, second) in enumerate(words.EXAMPLES):
            st.button(
                ui.escape_markdown(f"{first} {second}"), key=f"pairs-example-{n}",
                on_click=ui.set_controls,
                args=({"pairs_first": first, "pairs_second": second},), type="tertiary",
            )  # fmt: skip


def draw_random_pair() -> None:
    """Put the pair of the seed into the fields, and increase the seed."""
    try:
        seed = parsing.parse_integer(str(st.session_state["pairs_seed"]), "the seed of the pair")
        pair = next_sentence.draw_pair(seed)
    except ValueError as error:
        ui.show_error_later(error)
        return
    nxt = str(min(seed + 1, next_sentence.LARGEST_SEED))
    ui.set_controls({"pairs_first": pair.first, "pairs_second": pair.second, "pairs_seed": nxt,
            "pairs_truth": "false"})  # fmt: skip


def read_state() -> PairState:
    """Read and validate the state of the controls.

    Raises:
        ValueError: naming the setting whose value is invalid.
    """
    state = st.session_state
    return pair_state(*(str(state[f"pairs_{name}"]) for name in ("model", "first", "second")))


def pair_state(model: str, first: str, second: str) -> PairState:
    """A pair as a model reads it.

    Raises:
        ValueError: as `read_state`.
    """
    if not second.strip():
        raise ValueError("the second text must have 1 word or more; got none")
    reader = fill_in.load(model)
    network = reader.network
    if not isinstance(network, BERT):
        raise ValueError(f"the model must be an encoder; got {reader.name}")
    seen = reader.read(first, second, MOST_TOKENS)
    return PairState(
        model,
        reader,
        seen,
        next_sentence.predict_next_sentence(network, seen) if network.pairs else None,
    )


def draw(scene: PairState) -> None:
    """Draw the tokens with their segments, the two probabilities, and the notice."""
    live = ui.LiveNumbers("pairs", (), words.NONE)
    payload: ChipsPayload = {"views": [words.chips(scene.reading)], "pick": ""}
    ui.picture(CHIPS, live, payload)
    if scene.trace is None:
        st.info(
            ui.escape_markdown(words.NO_HEAD.format(name=scene.reader.name)),
            icon=":material/info:",
        )
        return
    found = scene.trace
    ui.probability_grid("next", words.verdict(found))
    ui.notice(
        *words.notice(found.probabilities.tolist(), found.losses.tolist()),
        *truth(),
        kind="measured here",
    )


def truth() -> list[str]:
    """The true answer for the pair on screen, if it was drawn and is to be shown."""
    state = st.session_state
    if state["pairs_truth"] != "true":
        return []
    try:
        seed = parsing.parse_integer(str(state["pairs_seed"]), "the seed of the pair") - 1
        pair = next_sentence.draw_pair(max(seed, 0))
    except ValueError:
        return []
    if (pair.first, pair.second) != (state["pairs_first"], state["pairs_second"]):
        return ["These are not the texts of the last draw, so the answer is not known."]
    return [f"The answer is **{next_sentence.NAMES[pair.label]}**."]


def step_by_step(scene: PairState) -> None:
    """The head for pairs, number by number."""
    if scene.trace is None:
        st.caption("Without a head for pairs there are no steps to show.")
        return
    found = scene.trace
    st.latex(words.formula(found.logits.tolist(), found.probabilities.tolist()))
    live = ui.live_numbers("pairs_steps", words.numbers(found), [], {})
    ui.step_table(words.steps(found), live, caption="From [CLS] to the two probabilities")


def many_pairs(scene: PairState) -> None:
    """The accuracy on pairs that no model was trained on."""
    network = scene.reader.network
    if scene.trace is None or not isinstance(network, BERT):
        st.caption("Without a head for pairs there is nothing to measure.")
        return
    if scene.model != "encoder" and not scene.model.startswith(fill_in.RUN_PREFIX):
        st.caption("The pairs are of the microworld; this model was trained on other texts.")
        return
    found = measure_pairs(scene.model, scene.reader.name)
    ui.table(words.MEASURED, words.measured_rows(found), name="pairs",
             caption="Pairs from test documents")  # fmt: skip
    st.caption(
        "Half of the pairs have another document’s second half. Some of those fit by chance, and "
        "many true second halves do not refer to the first, so no model can always be right."
    )


def measure_pairs(model: str, name: str) -> NextSentenceAccuracy:
    """A model's accuracy on many pairs, measured once; `name` tells a run's steps apart."""
    network = fill_in.load(model).network
    assert isinstance(network, BERT)

    def measure() -> NextSentenceAccuracy:
        documents = against_grammar.test_documents(microworld(), DOCUMENTS)
        return next_sentence.measure_next_sentence(network, documents)

    says = "Judging many pairs"
    return compute.shared_result("many pairs", (model, name), measure, most=32, says=says)


def applications() -> None:
    """Draw other uses of models that read pairs, with links to the Corruption tab."""
    st.markdown(words.WHAT_FOR)
    st.page_link(
        "pages/masking.py",
        label="RoBERTa packing, on the Masking page",
        icon=":material/arrow_forward:",
        query_params={"see": "RoBERTa packing"},
    )
    st.page_link(
        "pages/masking.py",
        label="BART: five ways to corrupt a text",
        icon=":material/arrow_forward:",
        query_params={"see": "BART"},
    )


def predict(scene: PairState) -> None:
    """Ask two questions: the loss of uniform guessing, and p(IsNext) from the logits."""
    ui.check_yourself(
        "What does a coin toss cost for each pair, in nats?",
        answer=words.CHANCE,
        because="Two answers, equally likely: ln 2.",
        key="pairs-chance",
    )
    if scene.trace is not None:
        gap = float(scene.trace.logits[0] - scene.trace.logits[1])
        ui.check_yourself(
            f"The first logit minus the second is {gap:.4g}. What is p(IsNext)?",
            answer=float(scene.trace.probabilities[0]),
            because="Softmax of two is σ of their difference.",
            key="pairs-sigma",
        )


def source(scene: PairState) -> None:
    """Show the code that ran, and a snippet that prints the prediction for this pair."""
    state = st.session_state
    snippet = words.snippet(str(state["pairs_first"]), str(state["pairs_second"]))
    ui.show_code(
        next_sentence.predict_next_sentence,
        next_sentence.draw_pair,
        snippet=snippet,
        name="next-sentence",
    )
