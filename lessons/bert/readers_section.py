"""The Readers tab of the BERT page: DNN, RNN, BiRNN and Transformer on one cloze task."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import streamlit as st
import torch
from jaxtyping import Float64

import ui
from lessons.bert import readers_text as figures
from lessons.bert.state import SETTINGS
from lessons.shared.probability_grid import NamedGrid
from lmcore import parsing
from lmcore.corpora.microworld import microworld
from lmcore.evaluation import against_grammar
from lmcore.masked_lm import cloze, readers
from lmcore.masked_lm import contest as cloze_contest
from lmcore.masked_lm.cloze import ClozeText
from lmcore.masked_lm.contest import Contest, GapPredictor
from lmcore.masked_lm.filling_in import GapQuestion
from lmcore.masked_lm.readers import ClozeReader, ReaderKind
from lmcore.models.bert import BERT
from lmcore.training.masked_batches import masked_vocabulary
from ui import compute, pretrained
from ui.lessons import Lesson

DOCUMENTS = 300
"""Gaps on which the readers are compared, one per document."""
LARGEST_SEED = 2**31 - 1
ERRATA = ("X29",)


class ReadersState(NamedTuple):
    """A text with one gap, by ids, and the order it is shuffled into."""

    text: ClozeText
    question: GapQuestion
    shuffled: GapQuestion
    seed: int

    @property
    def words(self) -> tuple[str, ...]:
        """The words, the gap among them as ____."""
        tokens = list(self.text.tokens)
        tokens[self.question.place] = "____"
        return tuple(tokens)


def tab(lesson: Lesson) -> None:
    """Controls left; the answers of all readers right."""
    top = st.container(key="presets")
    left, right = st.columns([2, 5], gap="medium")
    with right:  # errors are shown beside the controls, not below them
        first = [str(lesson.defaults[f"readers_{name}"]) for name in ("text", "gap", "seed")]
        scene = ui.validated_or_previous("readers", read_state, lambda: readers_state(*first))
    with left:
        controls()
    with right:
        draw(scene)
    parts = {
        "All gaps": all_gaps,
        "Shuffle the words": lambda: shuffle(scene),
        "What each reader sees": lambda: who_sees(scene),
        "Weights per place": lambda: places(scene),
        "Check yourself": predict,
        "Code": lambda: source(scene),
        "Slide check": lambda: ui.errata(ERRATA),
    }
    ui.sections(parts, key="readers_see")
    with top:
        ui.presets(lesson.part("bert_tab", "readers", "readers_"))


def controls() -> None:
    """The text, the gap, the seed of the shuffling."""
    SETTINGS.draw("readers_text", "readers_gap", "readers_seed")
    for kind, context in figures.VISIBLE_CONTEXT.items():
        st.caption(f"**{figures.LABELS[kind]}** sees {context}.")


def read_state() -> ReadersState:
    """Read and validate the state of the controls.

    Raises:
        ValueError: naming the setting whose value is invalid.
    """
    state = st.session_state
    return readers_state(*(str(state[f"readers_{name}"]) for name in ("text", "gap", "seed")))


def readers_state(typed: str, gap: str, seed: str) -> ReadersState:
    """A text with its gap.

    Raises:
        ValueError: as `read_state`.
    """
    text = cloze.cloze_text(pretrained.load("encoder"), typed)
    place = parsing.parse_integer(gap, "the gap")
    if place not in text.maskable:
        raise ValueError(f"the gap must be from 1 to {text.maskable[-1]}; got {place}")
    drawn = parsing.parse_integer(seed, "the seed of the shuffle")
    if not 0 <= drawn <= LARGEST_SEED:
        raise ValueError(f"the seed of the shuffle must be from 0 to {LARGEST_SEED}; got {drawn}")
    ids = tuple(text.reading.ids.tolist())
    mixed = cloze_contest.shuffle_context(ids, place, drawn)
    return ReadersState(text, GapQuestion(ids, place), GapQuestion(mixed, place), drawn)


def small() -> dict[ReaderKind, ClozeReader]:
    """The four small readers, read once for everybody."""
    return compute.shared_result("small readers", (), readers.load_readers, most=1, says="Loading")


def network() -> BERT:
    """Our small encoder."""
    found = pretrained.load("encoder").network
    assert isinstance(found, BERT)
    return found


def readers_by_label(*, batched: bool = False) -> dict[str, tuple[GapPredictor, int]]:
    """Each reader by its label, with its parameters; `batched` is faster for many texts."""
    found = {
        figures.LABELS[kind]: (
            cloze_contest.reader_predictor(reader, together=batched),
            reader.parameters_count,
        )
        for kind, reader in small().items()
    }
    encoder = network()
    count = sum(weight.numel() for weight in encoder.parameters())
    return found | {figures.LABELS["bert"]: (cloze_contest.bert_predictor(encoder), count)}


def chances(question: GapQuestion) -> dict[str, Float64[torch.Tensor, " vocabulary"]]:
    """Each reader's probabilities for the gap."""
    return {
        name: torch.from_numpy(np.exp(ask([question])[0]))
        for name, (ask, _) in readers_by_label().items()
    }


def draw(scene: ReadersState) -> None:
    """Draw the text, every reader's prediction, and the grammar's."""
    shown = [ui.escape_markdown(word) for word in scene.words]
    st.markdown(" ".join(f"**{w}**" if i == scene.question.place else w
                         for i, w in enumerate(shown)))  # fmt: skip
    rows = chances(scene.question)
    exact = cloze.posterior(scene.text, (scene.question.place,))
    words = list(vocabulary())
    if exact is not None:
        wide = torch.zeros(len(words), dtype=torch.float64)
        wide[: exact.shape[1]] = exact[0]
        rows = {**rows, "The grammar, exactly": wide}
    else:
        st.info("The grammar cannot produce this text: there is no exact answer.")
    ui.probability_grid("cloze-answers", figures.answer_grid(rows, words))
    own = scene.text.tokens[scene.question.place]
    right = [name for name, row in rows.items() if words[int(row.argmax())] == own]
    ui.notice(
        f"The hidden word is “{ui.escape_markdown(own)}”. It is the top prediction of "
        f"**{len(right)} of {len(rows)}**: {', '.join(right) or 'none'}.",
        kind="measured here",
    )


def vocabulary() -> tuple[str, ...]:
    """The types of our encoder and of the readers."""
    return masked_vocabulary().tokens


def contest() -> Contest:
    """All readers on the same gaps; measured once for everybody."""
    documents = against_grammar.test_documents(microworld(), DOCUMENTS)
    return cloze_contest.contest(readers_by_label(batched=True), documents, microworld())


def all_gaps() -> None:
    """Show the accuracy of each reader on many gaps."""
    found = compute.shared_result(
        "contest", (), contest, most=1, says="Running all readers", apart=True
    )
    ui.table(figures.CONTEST, figures.contest_rows(found), name="contest",
             caption="Readers on the same gaps")  # fmt: skip
    ui.notice(*figures.contest_words(found), kind="measured here", key="notice-contest")
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
    drawn: NamedGrid = {**figures.answer_grid(after, vocabulary()), "name": "shuffled"}
    ui.probability_grid("cloze-shuffled", drawn)
    moved = {name: float((before[name] - after[name]).abs().max()) for name in before}
    rows = list(moved.items())
    ui.table(["reader", "max |Δp|"], rows, name="shuffled", caption="How far the answer changed")
    ui.notice(*figures.shuffle_words(moved), kind="measured here", key="notice-shuffled")


def who_sees(scene: ReadersState) -> None:
    """Show how much each prediction changes when each place in turn gets another word."""
    types = len(microworld().vocabulary)
    rows = {
        name: cloze_contest.prediction_changes(ask, scene.question, types)
        for name, (ask, _) in readers_by_label().items()
    }
    ui.probability_grid("cloze-seen", figures.moves_grid(scene.words, rows, scene.question.place))
    window = rows[figures.LABELS["window"]]
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
    ui.table(figures.BLOCKS, figures.block_rows(found), name="blocks",
             caption="One word at each place of the window")  # fmt: skip
    wide = readers.HIDDEN * readers.EMBEDDING
    st.markdown(
        f"“{name}” at six places: each place has {wide:,} weights of its own, so what is learned "
        "about a word at one place does not carry over to the next. A cosine of 1 would mean the "
        "same use of the word. An RNN has one W_x for all places, attention one W^Q, W^K and W^V. "
        ":gray-badge[measured here]"
    )


def predict() -> None:
    """Ask two questions on what a bag of words and a left-to-right RNN can see."""
    ui.check_yourself(
        "By how much does the prediction of the bag of words change when the other words are "
        "shuffled?",
        answer=0.0,
        because="The sum of the same vectors is the same: see Shuffle the words.",
        key="readers-bag",
    )
    ui.check_yourself(
        "How many of the words after the gap does the RNN from the left see?",
        answer=0.0,
        because="Its state before the gap depends only on the words before it.",
        key="readers-rnn",
    )


def source(scene: ReadersState) -> None:
    """Show the code that ran, and a snippet that prints the predictions on screen."""
    place = scene.question.place
    snippet = figures.snippet(scene.question.ids, place, scene.seed)
    ui.show_code(
        ClozeReader.bag, ClozeReader.window, ClozeReader.states, cloze_contest.shuffle_context,
        snippet=snippet, name="cloze-readers",
    )  # fmt: skip
