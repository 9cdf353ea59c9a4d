"""The Readers tab of the BERT page: DNN, RNN, BiRNN and Transformer on one cloze task."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import streamlit as st
import torch
from jaxtyping import Float64

import ui
from lessons.bert import readers_text as figures
from lmcore import parsing
from lmcore.corpora.microworld import microworld
from lmcore.evaluation import against_grammar
from lmcore.masked_lm import cloze, readers
from lmcore.masked_lm import contest as cloze_contest
from lmcore.masked_lm.cloze import ClozeText
from lmcore.masked_lm.contest import Ask, Contest
from lmcore.masked_lm.filling_in import Question
from lmcore.masked_lm.readers import ClozeReader, Kind
from lmcore.models.bert import BERT
from lmcore.training.masked_batches import masked_vocabulary
from ui import pretrained, settings
from ui.compute import shared_results
from ui.lessons import Lesson

VIEWS = (
    "All gaps",
    "Shuffle the words",
    "Who sees which word",
    "A weight a place",
    "Check yourself",
    "Code",
    "The slide says",
)
DOCUMENTS = 300
"""Gaps on which the readers are compared, one a document."""
LARGEST_SEED = 2**31 - 1
ERRATA = ("X29",)


class Scene(NamedTuple):
    """A text with one gap, by ids, and the order it is shuffled into."""

    text: ClozeText
    question: Question
    mixed: Question
    seed: int

    @property
    def words(self) -> tuple[str, ...]:
        """The words, the gap among them as ____."""
        tokens = list(self.text.tokens)
        tokens[self.question.place] = "____"
        return tuple(tokens)


def tab(lesson: Lesson) -> None:
    """Controls left; what each reader says right."""
    top = st.container(key="presets")
    left, right = st.columns([2, 5], gap="medium")
    with right:  # what is refused is said beside the controls, not below them
        ui.expect("readers_see", VIEWS)
        first = [str(lesson.defaults[f"readers_{name}"]) for name in ("text", "gap", "seed")]
        scene = ui.last_good("readers", read, lambda: of(*first))
    with left:
        controls()
    with right:
        draw(scene)
    views = (
        all_gaps,
        lambda: shuffle(scene),
        lambda: who_sees(scene),
        lambda: places(scene),
        predict,
        lambda: source(scene),
        lambda: ui.errata(ERRATA),
    )
    ui.sections(dict(zip(VIEWS, views, strict=True)), key="readers_see")
    with top:
        ui.presets(lesson.part("bert_tab", "readers", "readers_"))


def controls() -> None:
    """The text, the gap, the seed of the shuffling."""
    settings.typed("readers_text", "Text", "Words of the microworld")
    settings.typed("readers_gap", "Gap, at word", "Which word is left out: 1 is the first")
    settings.typed("readers_seed", "Seed of the shuffle", "Another seed, another order")
    for kind, said in figures.SEES.items():
        st.caption(f"**{figures.LABELS[kind]}** sees {said}.")


def read() -> Scene:
    """What the controls describe.

    Raises:
        ValueError: naming what cannot be.
    """
    state = st.session_state
    return of(*(str(state[f"readers_{name}"]) for name in ("text", "gap", "seed")))


def of(typed: str, gap: str, seed: str) -> Scene:
    """A text with its gap.

    Raises:
        ValueError: as `read`.
    """
    text = cloze.of_reader(pretrained.load("encoder"), typed)
    place = parsing.whole(gap, "the gap")
    if place not in text.may:
        raise ValueError(f"the gap must be from 1 to {text.may[-1]}; got {place}")
    drawn = parsing.whole(seed, "the seed of the shuffle")
    if not 0 <= drawn <= LARGEST_SEED:
        raise ValueError(f"the seed of the shuffle must be from 0 to {LARGEST_SEED}; got {drawn}")
    ids = tuple(text.reading.ids.tolist())
    mixed = cloze_contest.shuffled(ids, place, drawn)
    return Scene(text, Question(ids, place), Question(mixed, place), drawn)


def small() -> dict[Kind, ClozeReader]:
    """The four small readers, read once for everybody."""
    return shared_results.kept("small readers", (), readers.read, most=1, says="Loading")


def network() -> BERT:
    """Our small encoder."""
    found = pretrained.load("encoder").network
    assert isinstance(found, BERT)
    return found


def asks(*, together: bool = False) -> dict[str, tuple[Ask, int]]:
    """Each reader by its label, with its parameters; many texts `together` are asked faster."""
    found = {
        figures.LABELS[kind]: (
            cloze_contest.of_reader(reader, together=together),
            reader.parameters_count,
        )
        for kind, reader in small().items()
    }
    encoder = network()
    count = sum(weight.numel() for weight in encoder.parameters())
    return found | {figures.LABELS["bert"]: (cloze_contest.of_bert(encoder), count)}


def chances(question: Question) -> dict[str, Float64[torch.Tensor, " vocabulary"]]:
    """What each reader puts in the gap."""
    return {name: torch.from_numpy(np.exp(ask([question])[0])) for name, (ask, _) in asks().items()}


def draw(scene: Scene) -> None:
    """The text, the answers of all, and the grammar's."""
    shown = [ui.plain(word) for word in scene.words]
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
        st.info("The grammar never says this text: there is no exact answer.")
    ui.cells("cloze-answers", figures.answer_grid(rows, words))
    own = scene.text.tokens[scene.question.place]
    right = [name for name, row in rows.items() if words[int(row.argmax())] == own]
    ui.notice(
        f"In the gap stands “{ui.plain(own)}”. It is the first answer of "
        f"**{len(right)} of {len(rows)}**: {', '.join(right) or 'nobody'}.",
        kind="measured here",
    )


def vocabulary() -> tuple[str, ...]:
    """The types of our encoder and of the readers."""
    return masked_vocabulary().tokens


def contest() -> Contest:
    """All readers on the same gaps; measured once for everybody."""
    documents = against_grammar.test_documents(microworld(), DOCUMENTS)
    return cloze_contest.contest(asks(together=True), documents, microworld())


def all_gaps() -> None:
    """How well each does on many gaps."""
    found = shared_results.kept(
        "contest", (), contest, most=1, says="Asking all readers", apart=True
    )
    ui.table(figures.CONTEST, figures.contest_rows(found), name="contest",
             caption="Readers on the same gaps")  # fmt: skip
    ui.notice(*figures.contest_said(found), kind="measured here", key="notice-contest")
    how = readers.card()["how"]
    st.caption(
        f"The four small readers: {how['steps']:,} batches of {how['batch']} documents, seed "
        f"{how['seed']}, {how['device']}. The BERT is our encoder, larger and trained for longer: "
        "what the table compares is what each can see, not equal sizes. Expected accuracy: the "
        "grammar’s probability of the word that the reader thinks likeliest, on average."
    )


def shuffle(scene: Scene) -> None:
    """The same words in another order."""
    tokens = masked_vocabulary().decode(scene.mixed.ids)
    tokens[scene.mixed.place] = "____"
    st.markdown(ui.plain(" ".join(tokens)))
    before, after = chances(scene.question), chances(scene.mixed)
    ui.cells("cloze-shuffled", figures.answer_grid(after, vocabulary()) | {"name": "shuffled"})
    moved = {name: float((before[name] - after[name]).abs().max()) for name in before}
    rows = list(moved.items())
    ui.table(["reader", "max |Δp|"], rows, name="shuffled", caption="How far the answer moved")
    ui.notice(*figures.shuffle_said(moved), kind="measured here", key="notice-shuffled")


def who_sees(scene: Scene) -> None:
    """Another word at each place in turn: whose answer moves?"""
    types = len(microworld().vocabulary)
    rows = {
        name: cloze_contest.moves(ask, scene.question, types) for name, (ask, _) in asks().items()
    }
    ui.cells("cloze-seen", figures.moves_grid(scene.words, rows, scene.question.place))
    window = rows[figures.LABELS["window"]]
    unseen = int((window[torch.arange(len(window)) != scene.question.place] == 0).sum())
    st.markdown(
        f"The window holds 6 words. Of the {len(window) - 1} tokens around the gap the DNN with a "
        f"window **does not see {unseen}**: the text is too long for it. The RNN sees none behind "
        "the gap. :gray-badge[measured here]"
    )
    st.caption(
        f"Each cell: the largest of {cloze_contest.REPLACEMENTS} moves ½ Σ|Δp|, with another word "
        "put there. 0, with a dashed edge: that word is not seen."
    )


def places(scene: Scene) -> None:
    """The same word at each place of the window goes through other weights."""
    word = scene.text.reading.ids[max(scene.question.place - 1, 0)]
    found = cloze_contest.blocks(small()["window"], word)
    name = ui.plain(vocabulary()[int(word)])
    ui.table(figures.BLOCKS, figures.block_rows(found), name="blocks",
             caption="One word at each place of the window")  # fmt: skip
    wide = readers.HIDDEN * readers.EMBEDDING
    st.markdown(
        f"“{name}” at six places: each place has {wide:,} weights of its own, so what was learnt "
        "of a word at one place says nothing of it at the next. A cosine of 1 would mean the same "
        "use of the word. An RNN has one W_x for all places, attention one W^Q, W^K and W^V. "
        ":gray-badge[measured here]"
    )


def predict() -> None:
    ui.check(
        "By how much does the answer of the bag of words move when the others are shuffled?",
        answer=0.0,
        because="The sum of the same vectors is the same: see Shuffle the words.",
        key="readers-bag",
    )
    ui.check(
        "How many of the words behind the gap does the RNN from the left see?",
        answer=0.0,
        because="Its state before the gap has read only what stands before.",
        key="readers-rnn",
    )


def source(scene: Scene) -> None:
    place = scene.question.place
    snippet = figures.snippet(scene.question.ids, place, scene.seed)
    ui.code(
        ClozeReader.bag, ClozeReader.window, ClozeReader.states, cloze_contest.shuffled,
        snippet=snippet, name="cloze-readers",
    )  # fmt: skip
