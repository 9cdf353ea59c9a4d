"""The settings of the page on word vectors, read and stored, and the vectors they describe."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain

import numpy as np
import streamlit as st
import torch
from jaxtyping import Float64
from torch import Tensor

import ui
from drawing.events import Moved
from lessons.vectors import vectors_picture
from lmcore import parsing
from lmcore.corpora import prose
from lmcore.embeddings.static import planted
from lmcore.embeddings.static.counts import CooccurrenceCounts, count_cooccurrences
from lmcore.embeddings.static.maps import (
    NearestThroughTime,
    nearest_through_time,
    precision_through_time,
)
from lmcore.embeddings.static.methods import (
    METHODS,
    PPMI_SVD,
    MethodRun,
    VectorConfig,
    train_vectors,
    word_pairs,
)
from lmcore.embeddings.static.neighbours import NEIGHBOURS
from lmcore.embeddings.static.sentences import split_sentences
from lmcore.embeddings.static.vectors import word_index
from lmcore.typed import fold
from ui import compute
from ui.settings import Between, Bound, Choice, SettingsTable, Text

LESSON = ui.lesson("vectors")
TEXTS = {"microworld": "Microworld", "story": "the story", "own": "own text"}
MATRICES = {"counts": "counts X", "PPMI": "PPMI", "rank": "rank d", "vectors": "vectors"}
LONGEST_OWN = 20_000
OF_THE_TEXT = ("wv_rows", "wv_columns", "wv_cell", "wv_analogy")
"""Settings whose values are words of the text."""
MAPPED = 100
"""The number of words on the map of a text without planted groups: its most frequent ones."""


def forget_step() -> None:
    """Go to the last step, for another run."""
    ui.set_controls({"wv_step": "-1"})


def open_text() -> None:
    """Go to the last step, and replace words that the newly chosen text lacks."""
    forget_step()
    state = st.session_state
    text = SETTINGS.choice("wv_text")
    try:
        found = Counter(chain(*sentences_of_text(text, state["wv_own"] if text == "own" else "")))
    except ValueError:
        return  # the page shows the error when it is drawn
    if fold(state["wv_word"]).strip().lower() not in found:
        group = planted.group_of_word()
        usual = sorted(found, key=lambda word: (word in group, found[word]), reverse=True)
        ui.set_controls({"wv_word": usual[0]})
    lost = [name for name in OF_THE_TEXT if not set(SETTINGS.several(name)) <= found.keys()]
    ui.set_controls({name: SETTINGS.defaults[name] for name in lost})


def put_words(name: str, known: Collection[str], usual: Sequence[str]) -> None:
    """Fill a field with `usual` if it has its default words and the text lacks one of them."""
    given = SETTINGS.text(name)
    if given == SETTINGS.defaults[name] and not set(SETTINGS.several(name)) <= set(known):
        ui.set_controls({name: ", ".join(usual)})


SETTINGS = SettingsTable(
    LESSON,
    {
        "wv_text": Choice(TEXTS, "Text", then=open_text),
        "wv_method": Choice(METHODS, "Method", then=forget_step),
        "wv_word": Text("Word", "Press a word of the map, or type one of the text"),
        "wv_window": Text("Window ±m", "1 to 10 words to either side; wider: more topic"),
        "wv_dim": Text("Dimensions d", "2 to 64", then=forget_step),
        "wv_k": Text("Noise words k", "For each true pair; skip-gram, CBOW, fastText"),
        "wv_eta": Text("Learning rate η", "Falls to 0 during training", then=forget_step),
        "wv_epochs": Text("Epochs", "1 to 20; for GloVe ten steps each", then=forget_step),
        "wv_alpha": Text("Smoothing α", "Of PPMI: below 1, rare context words count less"),
        "wv_seed": Text("Seed", "Another seed, other vectors; the neighbours stay"),
        "wv_own": Text(
            "Own text",
            "Sentences end with . ! or ?",
            longest=LONGEST_OWN,
            height=110,
            then=open_text,
        ),
        "wv_rows": Text("Rows", "Up to 12 words of the text"),
        "wv_columns": Text("Columns", "Up to 12 words of the text"),
        "wv_matrix": Choice(MATRICES, "Matrix"),
        "wv_analogy": Text("a − b + c", "Three words of the text, separated by commas"),
        "wv_new": Text("A word that was never seen", "Up to 40 letters"),
        "wv_en": Text("Word", "A lower-case English word"),
        "wv_en_analogy": Text("a − b + c", "Three English words, separated by commas"),
        "wv_low": Text("Low end", "Words whose mean vector is the low end"),
        "wv_high": Text("High end", "Words whose mean vector is the high end"),
        "wv_axis": Text("Words on the axis", "Up to 16 English words"),
        "wv_step": Between(-1, 1_000_000, whole=True),
        "see": Bound(),
    },
)


@dataclass(frozen=True, slots=True)
class VectorsState:
    """What the controls describe: a text, a method, the chosen word and the moment shown."""

    text: str = "microworld"
    own: str = ""
    config: VectorConfig = field(default_factory=VectorConfig)
    word: str = "cat"
    step: int = -1
    """The step of training, or the dimensions d of PPMI–SVD; −1: the last."""


@dataclass(frozen=True, slots=True, eq=False)
class Counted:
    """A text with the counts of its word pairs."""

    sentences: tuple[tuple[str, ...], ...]
    counts: CooccurrenceCounts


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """The vectors of a state, the text they come from, and how good their neighbours are."""

    counted: Counted
    method: MethodRun
    precision: Float64[Tensor, " snapshot"]
    """Precision@5 against the planted groups; empty for a text without them."""


def read_state() -> VectorsState:
    """The state of the controls.

    Raises:
        ValueError: naming what is wrong.
    """
    state = st.session_state
    config = VectorConfig(
        SETTINGS.choice("wv_method"),
        parsing.parse_integer(state["wv_window"], "the window m"),
        parsing.parse_integer(state["wv_dim"], "the dimensions d"),
        parsing.parse_integer(state["wv_k"], "the number of noise words k"),
        parsing.parse_number(state["wv_eta"], "the learning rate η"),
        parsing.parse_integer(state["wv_epochs"], "epochs"),
        parsing.parse_number(state["wv_alpha"], "the smoothing α"),
        parsing.parse_integer(state["wv_seed"], "the seed"),
    )
    text = SETTINGS.choice("wv_text")
    own = state["wv_own"] if text == "own" else ""
    word = fold(state["wv_word"]).strip().lower()
    counted = counted_text(text, own, config.window)
    if len(counted.counts.words) <= NEIGHBOURS:
        raise ValueError(f"the text must have more than {NEIGHBOURS} words")
    word_index(counted.counts.words, word)
    now = VectorsState(text, own, config, word, int(SETTINGS.number("wv_step")))
    vectors_run(now)  # cached for all visitors; raises ValueError if the training diverges
    return now


def default_state() -> VectorsState:
    """The page's example."""
    return VectorsState()


def sentences_of_text(text: str, own: str) -> tuple[tuple[str, ...], ...]:
    """The sentences of the Microworld, of the story, or of the visitor's own text.

    Raises:
        ValueError: as `split_sentences`.
    """
    if text == "microworld":
        return planted.microworld_sentences()
    return split_sentences(prose.text() if text == "story" else own)


def counted_text(text: str, own: str, window: int) -> Counted:
    """A text with the counts of its word pairs, computed once for all visitors.

    Raises:
        ValueError: as `sentences_of_text`, or if the window is out of bounds.
    """
    count = partial(_counted, text, own, window)
    return compute.shared_result("word pairs", count, most=8, says="Counting")


def _counted(text: str, own: str, window: int) -> Counted:
    sentences = sentences_of_text(text, own)
    return Counted(sentences, count_cooccurrences(word_pairs(sentences, window)))


def train_text(text: str, own: str, config: VectorConfig) -> tuple[MethodRun, Tensor]:
    """A method on a text, and the precision of its neighbours at every snapshot."""
    run = train_vectors(sentences_of_text(text, own), config)
    if text != "microworld":
        return run, torch.zeros(0, dtype=torch.float64)
    return run, precision_through_time(run.record, planted.similar_words())


def trained_vectors(text: str, own: str, config: VectorConfig) -> tuple[MethodRun, Tensor]:
    """`train_text` in another process, computed once for all visitors, also for the warm-up.

    Raises:
        ValueError: as `train_vectors`.
    """
    train = partial(_train_in_process, text, own, config)
    return compute.shared_result("word vectors", train, most=12, says="Training the vectors")


def _train_in_process(text: str, own: str, config: VectorConfig) -> tuple[MethodRun, Tensor]:
    return compute.call_in_process(partial(train_text, text, own, config))


def first_run() -> None:
    """Train the run that the page opens with, before the first visit."""
    seen_word(default_state())


def vectors_run(now: VectorsState) -> Run:
    """The run that the state describes."""
    counted = counted_text(now.text, now.own, now.config.window)
    method, precision = trained_vectors(now.text, now.own, now.config)
    return Run(counted, method, precision)


def shown_snapshot(now: VectorsState, run: Run) -> int:
    """The index of the snapshot nearest to the step in the state."""
    steps = run.method.record.steps
    return len(steps) - 1 if now.step < 0 else int((steps - now.step).abs().argmin())


def map_words(now: VectorsState, run: Run) -> list[str]:
    """The words that determine the plane: the planted ones, or the most frequent ones."""
    known = run.method.record.words
    if now.text == "microworld":
        return [word for word in planted.group_of_word() if word in known]
    return list(known[:MAPPED])


@dataclass(frozen=True, slots=True, eq=False)
class SeenWord:
    """A word in a run: its neighbours at every snapshot, the numbers, and the payload."""

    near: NearestThroughTime
    names: tuple[str, ...]
    rows: Float64[np.ndarray, "snapshot number"]
    how: vectors_picture.VectorsPayload


def seen_word(now: VectorsState) -> SeenWord:
    """The chosen word in the run, computed once for all visitors; independent of the step."""
    find = partial(_seen_word, now.text, now.own, now.config, now.word)
    return compute.shared_result("words seen", find, most=64, says="Finding neighbours")


def _seen_word(text: str, own: str, config: VectorConfig, word: str) -> SeenWord:
    now = VectorsState(text, own, config, word)
    run = vectors_run(now)
    near = nearest_through_time(run.method.record, word)
    named = _numbers_through_time(now, run, near)
    rows = np.stack([each.numpy() for each in named.values()], axis=-1)
    counted = run.counted
    how = vectors_picture.vectors_picture(
        run.method, counted.counts, counted.sentences, near, map_words(now, run), run.precision
    )
    return SeenWord(near, tuple(named), rows, how)


def _numbers_through_time(
    now: VectorsState, run: Run, near: NearestThroughTime
) -> dict[str, Float64[Tensor, " snapshot"]]:
    """The numbers of the sentence and the formula at every snapshot."""
    record = run.method.record
    similar = planted.similar_words().get(now.word, frozenset()) if len(run.precision) else ()
    hits = [[float(record.words[i] in similar) for i in row] for row in near.ids.tolist()]
    return {
        "step": record.steps.double(),
        "loss": record.losses,
        "dot": near.products[:, 0],
        "n1": near.length,
        "n2": near.lengths[:, 0],
        "hits": torch.tensor(hits, dtype=torch.float64).sum(dim=1),
        **{f"c{k + 1}": near.cosines[:, k] for k in range(near.cosines.shape[1])},
        "@say": torch.tensor(vectors_picture.chosen_sentences(near), dtype=torch.float64),
    }


def live_numbers(now: VectorsState, run: Run, seen: SeenWord) -> ui.LiveNumbers:
    """The numbers of the sentence and the formula now, and along the slider of the step."""
    record = run.method.record
    at = shown_snapshot(now, run)
    slider = vectors_picture.TIME[now.config.method == PPMI_SVD]
    return ui.LiveNumbers(
        "vectors",
        seen.names,
        seen.rows[at],
        (
            ui.Slider(
                "step",
                slider.label,
                slider.spoken,
                float(record.steps[at]),
                record.steps.double().numpy(),
                help=slider.help,
                role="loss",
            ),
        ),
        [seen.rows],
    )


def store_slider(moved: Moved) -> None:
    """Store a released slider's value, or the number typed beside it."""
    try:
        store_event({"step": parsing.parse_number(moved["typed"], "the step")})
    except ValueError as error:
        ui.show_error_later(error)


def store_event(event: vectors_picture.VectorsMoves) -> None:
    """Store what the picture reports: a step, or a word that was pressed."""
    if "step" in event:
        step = round(event["step"])
        if not 0 <= step <= 1_000_000:
            raise ValueError(f"the step must be from 0 to 1,000,000; got {step}")
        ui.set_controls({"wv_step": str(step)})
    if "word" in event:
        ui.set_controls({"wv_word": event["word"]})
