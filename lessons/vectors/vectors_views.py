"""The views under the picture of word vectors, and its controls under More."""

from __future__ import annotations

from collections.abc import Callable

import ui
from lessons.vectors import areas_view, ladders_view, quality_view, words_view
from lessons.vectors.counts_view import counts_view
from lessons.vectors.vectors_state import LESSON, SETTINGS, Run, VectorsState
from lmcore.embeddings.static import fasttext, glove, maps, methods, neighbours, skipgram, svd
from lmcore.embeddings.static.methods import PPMI_SVD
from ui import guide


def more_controls(now: VectorsState) -> None:
    """Draw the controls under More."""
    SETTINGS.draw("wv_window", "wv_dim")
    if now.config.method == PPMI_SVD:
        SETTINGS.draw("wv_alpha")
    else:
        SETTINGS.draw("wv_epochs", "wv_eta", "wv_seed")
        if now.config.method != "GloVe":
            SETTINGS.draw("wv_k")
    if now.text == "own":
        SETTINGS.draw("wv_own")


PICTURES: dict[str, Callable[[ui.Rows, VectorsState], None]] = {
    "2003 and 2013": areas_view.show,
    ladders_view.NAME: ladders_view.show,
}
"""The views that are pictures of their own: name → what draws them on the stage."""


def hidden_by_beat() -> tuple[str, ...]:
    """The names of the numbers that the current beat hides."""
    beat = guide.beat(LESSON)
    return tuple(beat.hide) if beat else ()


def views(now: VectorsState, run: Run) -> dict[str, Callable[[], None] | None]:
    """The views in the order of the bar."""
    return {
        **dict.fromkeys(PICTURES),
        "Counts": lambda: counts_view(now),
        "Analogies": lambda: quality_view.analogies_view(now, run),
        "Methods": ui.SeparateView(lambda: quality_view.methods_view(now)),
        "English": ui.SeparateView(words_view.english_view),
        "One vector": lambda: words_view.one_vector_view(now, run),
        "Unseen word": lambda: words_view.unseen_view(now),
        "Cost": lambda: quality_view.cost_view(now),
        "Code": lambda: source(now),
    }


def source(now: VectorsState) -> None:
    """Show the code that ran, and a snippet that prints the neighbours of this page."""
    begin, sentences = {
        "microworld": (
            "from lmcore.embeddings.static.planted import microworld_sentences",
            "microworld_sentences()",
        ),
        "story": (
            "from lmcore.corpora import prose\n"
            "from lmcore.embeddings.static.sentences import split_sentences",
            "split_sentences(prose.text())",
        ),
        "own": (
            "from lmcore.embeddings.static.sentences import split_sentences",
            f"split_sentences({now.own!r})",
        ),
    }[now.text]
    snippet = f"""{begin}
from lmcore.embeddings.static.methods import VectorConfig, train_vectors
from lmcore.embeddings.static.neighbours import nearest_words

run = train_vectors({sentences}, {now.config!r})
near = nearest_words(run.record.word_vectors(), {now.word!r})
for word, cosine in zip(near.words, near.cosines.tolist(), strict=True):
    print(f"{{word:12}} {{cosine:.4f}}")
"""
    ui.show_code(
        methods.train_vectors,
        _method_source(now.config.method),
        neighbours.nearest_words,
        maps.project_snapshots,
        snippet=snippet,
        name="vectors",
    )


def _method_source(method: str) -> Callable[..., object]:
    trained: dict[str, Callable[..., object]] = {
        PPMI_SVD: svd.truncated_svd,
        "GloVe": glove.train_glove,
        "fastText": fasttext.train_fasttext,
    }
    return trained.get(method, skipgram.train_word2vec)
