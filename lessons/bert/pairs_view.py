"""The picture of a pair of texts: does the second continue the first?"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import numpy as np
import streamlit as st

import ui
from drawing.live import quoted
from lessons.bert import bert_state, pairs_text
from lessons.bert.bert_state import LESSON, SETTINGS
from lessons.bert.fill_in_view import Parts, hidden_by_beat
from lmcore import parsing
from lmcore.corpora.microworld import microworld
from lmcore.evaluation import against_grammar
from lmcore.masked_lm import next_sentence
from lmcore.masked_lm.next_sentence import NextSentenceAccuracy, NextSentenceTrace
from lmcore.models.bert import BERT
from lmcore.pretrained.reading import TokenizedText, TokenizingModel
from ui import compute

DOCUMENTS = 400
MOST_TOKENS = 96
"""Tokens of a pair."""
VERDICT = ("p0", "p1", "n0", "n1")
"""The numbers that reveal the model's answer."""


class PairState(NamedTuple):
    """A pair as a model reads it, with its answer."""

    model: str
    reader: TokenizingModel
    reading: TokenizedText
    trace: NextSentenceTrace
    label: int | None
    """What the pair is, if it is the one drawn last: 0 continues, 1 is of another document."""


def show(rows: ui.Rows) -> Parts:
    """Draw the pair and the verdict on the stage, and beside it the texts."""
    first = [str(LESSON.defaults[f"pairs_{name}"]) for name in ("model", "first", "second")]
    with rows.errors:
        scene = ui.validated_or_previous("pairs", read_state, lambda: pair_state(*first))
    with rows.rail:
        hidden = ui.predict_first(questions(scene))
        controls(rows, scene)
    with rows.picture:
        draw(scene, hidden)
    return {
        "Pair step by step": lambda: step_by_step(scene),
        "Many pairs": lambda: many_pairs(scene),
        "What for": applications,
        "Pair code": source,
    }


def controls(rows: ui.Rows, scene: PairState) -> None:
    """Two texts, a model, and a button that draws a pair."""
    SETTINGS.draw("pairs_first", "pairs_second")
    st.button(
        "Draw a pair",
        on_click=draw_random_pair,
        key="pairs-draw",
        icon=":material/casino:",
        width="stretch",
        help="A coin toss picks two halves of one document, or halves of two; no model was "
        "trained on them. Judge it yourself before you see the model’s answer",
    )
    if len(bert_state.pair_models()) > 1:
        SETTINGS.draw("pairs_model")
    with ui.more(rows):
        SETTINGS.draw("pairs_seed")
        if scene.model not in ("encoder",) and not scene.model.startswith(bert_state.RUN_PREFIX):
            for n, (first, second) in enumerate(pairs_text.EXAMPLES):
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
            "ask": question_key(seed)})  # fmt: skip


def question_key(seed: int) -> str:
    """The question about the pair of that seed; another pair is another question."""
    return f"pair-{seed}"


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
    reader = bert_state.load(model)
    network = reader.network
    if not isinstance(network, BERT):
        raise ValueError(f"the model must be an encoder; got {reader.name}")
    if not network.pairs:
        raise ValueError(f"the model must have a head for pairs of texts; {reader.name} has none")
    seen = reader.read(first, second, MOST_TOKENS)
    trace = next_sentence.predict_next_sentence(network, seen)
    drawn = drawn_pair()
    known = drawn is not None and (first, second) == drawn[:2]
    return PairState(model, reader, seen, trace, drawn.label if drawn and known else None)


def drawn_pair() -> next_sentence.DrawnPair | None:
    """The pair drawn last, if its seed can be read."""
    try:
        seed = parsing.parse_integer(str(st.session_state["pairs_seed"]), "the seed of the pair")
        return next_sentence.draw_pair(max(seed - 1, 0))
    except ValueError:
        return None


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


def questions(scene: PairState) -> list[ui.Question]:
    """What the page asks here: what a drawn pair is, a coin toss, and p(IsNext) from the logits."""
    p = float(scene.trace.probabilities[0])
    asked = []
    if scene.label is not None:
        seed = int(st.session_state["pairs_seed"]) - 1
        asked.append(
            ui.Question(
                question_key(seed),
                "Two halves of one document, or halves of two?",
                next_sentence.NAMES[scene.label],
                f"So it was drawn. The model gives IsNext {p:.2g}.",
                hint="Does the second text speak of the same things?",
                options=next_sentence.NAMES,
                hides=VERDICT,
            )
        )
    gap = float(scene.trace.logits[0] - scene.trace.logits[1])
    return [
        *asked,
        ui.Question(
            "coin",
            "What does a coin toss cost for each pair, in nats?",
            pairs_text.CHANCE,
            "Two answers, equally likely: ln 2.",
            hint="−log of one half.",
        ),
        ui.Question(
            "sigma",
            f"The first logit minus the second is {gap:.4g}. What is p(IsNext)?",
            p,
            "Softmax of two is σ of their difference.",
            hint="1 / (1 + exp(−difference)).",
            hides=VERDICT,
        ),
    ]


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
    if scene.model != "encoder" and not scene.model.startswith(bert_state.RUN_PREFIX):
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
