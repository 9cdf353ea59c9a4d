"""The picture of five readers of one gap: DNN, RNN, BiRNN and Transformer."""

from __future__ import annotations

from functools import partial

import numpy as np
import streamlit as st
import torch
from jaxtyping import Float64

import ui
from drawing import microworld as microworld_text
from drawing.events import Place
from drawing.live import quoted
from drawing.probability_grid import NamedGrid
from lessons.bert import readers_text
from lessons.bert.bert_questions import readers_questions
from lessons.bert.bert_state import LESSON, SETTINGS
from lessons.bert.fill_in_view import Parts, hidden_by_beat
from lessons.bert.readers_state import ReadersState, read_state, readers_state, vocabulary
from lmcore.corpora.microworld import microworld
from lmcore.evaluation import against_grammar
from lmcore.masked_lm import cloze, readers
from lmcore.masked_lm import contest as cloze_contest
from lmcore.masked_lm.contest import Contest, GapPredictor
from lmcore.masked_lm.filling_in import GapQuestion
from lmcore.masked_lm.readers import ClozeReader, ReaderKind
from lmcore.models.bert import BERT
from lmcore.training.masked_batches import masked_vocabulary
from ui import compute, pretrained

DOCUMENTS = 300
"""Gaps on which the readers are compared, one per document."""


def show(rows: ui.Rows) -> Parts:
    """Draw every reader's answer on the stage, and beside it the text and the gap."""
    first = [str(LESSON.defaults[f"readers_{name}"]) for name in ("text", "gap", "seed")]
    with rows.errors:
        scene = ui.validated_or_previous("readers", read_state, lambda: readers_state(*first))
        ui.offer_similar_words(st.session_state["readers_text"], store_text)
    answers = chances(scene.question)
    exact = exact_row(scene)
    with rows.rail:
        hidden = ui.predict_first(readers_questions(scene, answers))
        if readers_text.OWN not in (*hidden, *hidden_by_beat()):
            SETTINGS.draw("readers_text", "readers_gap")
        ui.microworld_popover(
            lambda word: replace_word(scene, word), doing="Press a word: it stands at the gap"
        )
        with ui.more(rows):
            SETTINGS.draw("readers_seed")
            for kind, context in readers_text.VISIBLE_CONTEXT.items():
                st.caption(f"**{readers_text.LABELS[kind]}** sees {context}.")
    with rows.picture:
        draw(scene, answers, exact, hidden)
    return {
        "All gaps": all_gaps,
        "What each reader sees": lambda: who_sees(scene),
        "Weights per place": lambda: places(scene),
        "Readers code": lambda: source(scene),
    }


def store_text(text: str) -> None:
    """Write a text into its field. For callbacks."""
    ui.set_controls({"readers_text": text})


def store_gap(at: Place) -> None:
    """Store which word is the gap. For callbacks."""
    ui.set_controls({"readers_gap": str(at)})


def replace_word(scene: ReadersState, word: str) -> None:
    """Put a word at the gap. For callbacks."""
    tokens = " ".join(scene.text.tokens[1:-1])
    store_text(microworld_text.replace_place(tokens, scene.question.place, word))


def small() -> dict[ReaderKind, ClozeReader]:
    """The four small readers, read once for everybody."""
    return compute.shared_result(
        "small readers", partial(readers.load_readers), most=1, says="Loading"
    )


def network() -> BERT:
    """Our small encoder."""
    found = pretrained.load("encoder").network
    assert isinstance(found, BERT)
    return found


def readers_by_label(*, batched: bool = False) -> dict[str, tuple[GapPredictor, int]]:
    """Each reader by its label, with its parameters; `batched` is faster for many texts."""
    found = {
        readers_text.LABELS[kind]: (
            cloze_contest.reader_predictor(reader, together=batched),
            reader.parameters_count,
        )
        for kind, reader in small().items()
    }
    encoder = network()
    count = sum(weight.numel() for weight in encoder.parameters())
    return found | {readers_text.LABELS["bert"]: (cloze_contest.bert_predictor(encoder), count)}


def chances(question: GapQuestion) -> dict[str, Float64[torch.Tensor, " vocabulary"]]:
    """Each reader's probabilities for the gap."""
    return {
        name: torch.from_numpy(np.exp(ask([question])[0]))
        for name, (ask, _) in readers_by_label().items()
    }


def exact_row(scene: ReadersState) -> Float64[torch.Tensor, " type"] | None:
    """The grammar's probabilities for the gap; None if it cannot produce the text."""
    exact = cloze.posterior(scene.text, (scene.question.place,))
    return None if exact is None else exact[0]


def draw(
    scene: ReadersState,
    answers: dict[str, Float64[torch.Tensor, " vocabulary"]],
    exact: Float64[torch.Tensor, " type"] | None,
    hidden: tuple[str, ...],
) -> None:
    """Draw the text, what each reader reads of it, and its probability of the covered word."""
    place, tokens = scene.question.place, scene.text.tokens
    own = int(scene.text.reading.ids[place])
    found = readers_text.answers(answers, exact, own, vocabulary())
    asked = readers_text.OWN in (*hidden, *hidden_by_beat())
    if asked:
        hidden = (*hidden, *(each.q for each in found))
    blind = any(each.q in (*hidden, *hidden_by_beat()) for each in found)
    shown = readers_text.picture(tokens, place, found)
    text = " ".join("____" if i == place else token for i, token in enumerate(tokens))
    stage_texts = ui.stage_texts(
        LESSON,
        sentences=[
            readers_text.ASKED if blind else readers_text.finding(found, quoted(tokens[place]))
        ],
        formula=[readers_text.formula(found, "w" if asked else quoted(tokens[place]))],
        alt=f"{quoted(text)}. " + " ".join(f"{each.label}: {{{each.q}}}." for each in found),
        kind="measured here",
        hidden=hidden,
    )
    now = readers_text.numbers(found)
    live = ui.LiveNumbers("readers", tuple(now), np.array(list(now.values())))
    ui.main_picture(
        readers_text.READERS,
        live,
        shown,
        stage_texts,
        on_event=store_gap,
    )


def contest() -> Contest:
    """All readers on the same gaps; measured once for everybody."""
    documents = against_grammar.test_documents(microworld(), DOCUMENTS)
    return cloze_contest.contest(readers_by_label(batched=True), documents, microworld())


def all_gaps() -> None:
    """Show the accuracy of each reader on many gaps."""
    found = compute.shared_result(
        "contest", partial(contest), most=1, says="Running all readers", apart=True
    )
    ui.table(readers_text.CONTEST, readers_text.contest_rows(found), name="contest",
             caption="Readers on the same gaps")  # fmt: skip
    st.markdown(f"{' '.join(readers_text.contest_words(found))} :gray-badge[measured here]")
    how = readers.load_card()["how"]
    st.caption(
        f"The four small readers: {how['steps']:,} batches of {how['batch']} documents, seed "
        f"{how['seed']}, {how['device']}. The BERT is our encoder, larger and trained for longer: "
        "the table compares what each can see, not models of equal size. Expected accuracy: the "
        "grammar’s probability of the word that the reader ranks first, on average."
    )


def shuffle(scene: ReadersState) -> None:
    """Show the predictions for the same words in another order."""
    tokens = masked_vocabulary().decode(scene.shuffled.ids)
    tokens[scene.shuffled.place] = "____"
    st.markdown(ui.escape_markdown(" ".join(tokens)))
    before, after = chances(scene.question), chances(scene.shuffled)
    drawn: NamedGrid = {**readers_text.answer_grid(after, vocabulary()), "name": "shuffled"}
    ui.probability_grid("cloze-shuffled", drawn)
    moved = {name: float((before[name] - after[name]).abs().max()) for name in before}
    rows = list(moved.items())
    ui.table(["reader", "max |Δp|"], rows, name="shuffled", caption="How far the answer changed")
    st.markdown(f"{' '.join(readers_text.shuffle_words(moved))} :gray-badge[measured here]")


def who_sees(scene: ReadersState) -> None:
    """Show how much each prediction changes when each place in turn gets another word."""
    types = len(microworld().vocabulary)
    rows = {
        name: cloze_contest.prediction_changes(ask, scene.question, types)
        for name, (ask, _) in readers_by_label().items()
    }
    ui.probability_grid(
        "cloze-seen", readers_text.moves_grid(scene.words, rows, scene.question.place)
    )
    window = rows[readers_text.LABELS["window"]]
    unseen = int((window[torch.arange(len(window)) != scene.question.place] == 0).sum())
    st.markdown(
        f"The window holds 6 words. Of the {len(window) - 1} tokens around the gap the DNN with a "
        f"window **does not see {unseen}**: the text is too long for it. The RNN sees none after "
        "the gap. :gray-badge[measured here]"
    )
    st.caption(
        f"Each cell: the largest change ½ Σ|Δp| of the prediction when the word is "
        f"replaced by each of {cloze_contest.REPLACEMENTS} others. A 0 with a dashed edge: that "
        "word is not seen."
    )


def places(scene: ReadersState) -> None:
    """Show that the window has separate weights for each place."""
    word = scene.text.reading.ids[max(scene.question.place - 1, 0)]
    found = cloze_contest.window_blocks(small()["window"], word)
    name = ui.escape_markdown(vocabulary()[int(word)])
    ui.table(readers_text.BLOCKS, readers_text.block_rows(found), name="blocks",
             caption="One word at each place of the window")  # fmt: skip
    wide = readers.HIDDEN * readers.EMBEDDING
    st.markdown(
        f"“{name}” at six places: each place has {wide:,} weights of its own, so what is learned "
        "about a word at one place does not carry over to the next. A cosine of 1 would mean the "
        "same use of the word. An RNN has one W_x for all places, attention one W^Q, W^K and W^V. "
        ":gray-badge[measured here]"
    )


def source(scene: ReadersState) -> None:
    """Show the code that ran, and a snippet that prints the predictions on screen."""
    place = scene.question.place
    snippet = readers_text.snippet(scene.question.ids, place, scene.seed)
    ui.show_code(
        ClozeReader.bag, ClozeReader.window, ClozeReader.states, cloze_contest.shuffle_context,
        snippet=snippet, name="cloze-readers",
    )  # fmt: skip
