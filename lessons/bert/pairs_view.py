"""The picture of a pair of texts: does the second continue the first?"""

from __future__ import annotations

from functools import partial

import numpy as np
import streamlit as st

import ui
from drawing.live import quoted
from lessons.bert import bert_state, pairs_text
from lessons.bert.bert_questions import pairs_questions
from lessons.bert.bert_state import LESSON, SETTINGS
from lessons.bert.fill_in_view import Parts, hidden_by_beat
from lessons.bert.pairs_state import (
    VERDICT,
    PairState,
    in_microworld,
    pair_state,
    question_key,
    read_state,
)
from lmcore import parsing
from lmcore.corpora.microworld import microworld
from lmcore.evaluation import against_grammar
from lmcore.masked_lm import next_sentence
from lmcore.masked_lm.next_sentence import NextSentenceAccuracy
from lmcore.models.bert import BERT
from ui import compute

DOCUMENTS = 400


def show(rows: ui.Rows) -> Parts:
    """Draw the pair and the verdict on the stage, and beside it the texts."""
    first = [str(LESSON.defaults[f"pairs_{name}"]) for name in ("model", "first", "second")]
    with rows.errors:
        scene = ui.validated_or_previous("pairs", read_state, lambda: pair_state(*first))
    with rows.rail:
        hidden = ui.predict_first(pairs_questions(scene))
        controls(rows, scene)
    with rows.picture:
        draw(scene, hidden)
    return {
        "Pair code": source,
    }


def controls(rows: ui.Rows, scene: PairState) -> None:
    """Two texts, a model, and a button that draws a pair."""
    SETTINGS.draw("pairs_first", "pairs_second")
    draw_button()
    if len(bert_state.pair_models()) > 1:
        SETTINGS.draw("pairs_model")
    with ui.more(rows):
        SETTINGS.draw("pairs_seed")
        if not in_microworld(scene.model):
            for n, (first, second) in enumerate(pairs_text.EXAMPLES):
                st.button(
                    ui.escape_markdown(f"{first} {second}"), key=f"pairs-example-{n}",
                    on_click=ui.set_controls,
                    args=({"pairs_first": first, "pairs_second": second},), type="tertiary",
                )  # fmt: skip


def draw_button(*, asked: bool = True) -> None:
    """A button that draws a pair; with `asked`, what it is becomes a question."""
    st.button(
        "Draw a pair",
        on_click=draw_random_pair,
        args=(asked,),
        key="pairs-draw",
        icon=":material/casino:",
        width="stretch",
        help="A coin toss picks two halves of one document, or halves of two; no model was "
        "trained on them. Judge it yourself before you see the model’s answer",
    )


def draw_random_pair(asked: bool) -> None:
    """Put the pair of the seed into the fields, and increase the seed."""
    try:
        seed = parsing.parse_integer(str(st.session_state["pairs_seed"]), "the seed of the pair")
        pair = next_sentence.draw_pair(seed)
    except ValueError as error:
        ui.show_error_later(error)
        return
    nxt = str(min(seed + 1, next_sentence.LARGEST_SEED))
    drawn = {"pairs_first": pair.first, "pairs_second": pair.second, "pairs_seed": nxt}
    ui.set_controls({**drawn, "ask": question_key(seed) if asked else ""})


def draw(scene: PairState, hidden: tuple[str, ...]) -> None:
    """Draw both texts and the verdict."""
    hides = {*hidden, *hidden_by_beat()}
    asked = bool(hides & set(VERDICT))
    shown = pairs_text.picture(scene.reading, scene.trace, None if asked else scene.label)
    texts = [quoted(" ".join(each)) for each in (shown["first"], shown["second"])]
    stage_texts = ui.stage_texts(
        LESSON,
        sentences=[
            pairs_text.ASKED
            if asked
            else pairs_text.finding(scene.trace, quoted(scene.reader.name))
        ],
        formula=[pairs_text.formula()],
        alt=pairs_text.describe(*texts, asked=asked),
        kind="measured here",
        hidden=hidden,
    )
    now = pairs_text.numbers(scene.trace)
    live = ui.LiveNumbers("pairs", tuple(now), np.array([float(x) for x in now.values()]))
    ui.main_picture(pairs_text.PAIR, live, shown, stage_texts)


def step_by_step(scene: PairState) -> None:
    """The head for pairs, number by number."""
    found = scene.trace
    st.latex(pairs_text.softmax_formula(found))
    live = ui.live_numbers("pairs_steps", pairs_text.numbers(found), [], {})
    ui.step_table(pairs_text.steps(found), live, caption="From [CLS] to the two probabilities")


def many_pairs(scene: PairState) -> None:
    """The accuracy on pairs that no model was trained on."""
    network = scene.reader.network
    assert isinstance(network, BERT)
    if not in_microworld(scene.model):
        st.caption("The pairs are of the microworld; this model was trained on other texts.")
        return
    found = measure_pairs(scene.model, scene.reader.name)
    ui.table(pairs_text.MEASURED, pairs_text.measured_rows(found), name="pairs",
             caption="Pairs from test documents")  # fmt: skip
    st.caption(
        "Half of the pairs have another document’s second half. Some of those fit by chance, and "
        "many true second halves do not refer to the first, so no model can always be right."
    )


def measure_pairs(model: str, name: str) -> NextSentenceAccuracy:
    """A model's accuracy on many pairs, measured once; `name` distinguishes a run's steps."""
    measure = partial(_measure_pairs, model, name)
    return compute.shared_result("many pairs", measure, most=32, says="Judging many pairs")


def _measure_pairs(model: str, name: str) -> NextSentenceAccuracy:
    network = bert_state.load(model).network
    assert isinstance(network, BERT)
    documents = against_grammar.test_documents(microworld(), DOCUMENTS)
    return next_sentence.measure_next_sentence(network, documents)


def applications() -> None:
    """Draw other uses of models that read pairs, with links to the Corruption tab."""
    st.markdown(pairs_text.WHAT_FOR)
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


def source() -> None:
    """Show the code that ran, and a snippet that prints the prediction for this pair."""
    state = st.session_state
    snippet = pairs_text.snippet(str(state["pairs_first"]), str(state["pairs_second"]))
    ui.show_code(
        next_sentence.predict_next_sentence,
        next_sentence.draw_pair,
        snippet=snippet,
        name="next-sentence",
    )
