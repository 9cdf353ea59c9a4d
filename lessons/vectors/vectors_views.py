"""The views under the picture of word vectors, its controls under More, and its questions."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

import ui
from lessons.vectors import quality_view, words_view
from lessons.vectors.counts_view import counts_view
from lessons.vectors.vectors_state import LESSON, SETTINGS, Run, VectorsState
from lmcore.embeddings.static import (
    fasttext,
    glove,
    maps,
    methods,
    neighbours,
    planted,
    skipgram,
    svd,
)
from lmcore.embeddings.static.maps import NearestThroughTime
from lmcore.embeddings.static.methods import METHODS, PPMI_SVD
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


def hidden_by_beat() -> tuple[str, ...]:
    """The names of the numbers that the current beat hides."""
    beat = guide.beat(LESSON)
    return tuple(beat.hide) if beat else ()


def questions(now: VectorsState, run: Run, near: NearestThroughTime) -> list[ui.Question]:
    """The page's questions: the nearest word, the pairs of a window, and sizes."""
    words = run.method.record.words
    m, types, d = now.config.window, len(words), now.config.dimensions
    last = near.ids[-1].tolist()
    others = other_words(now.word, words, {words[i] for i in last})
    asked = [
        ui.Question(
            "nearest",
            f"In the end, which word is nearest to “{now.word}”?",
            words[last[0]],
            "Its cosine is the largest. All that was learned is which words stand near which.",
            hint="Words that stand near the same words get alike vectors.",
            options=tuple(sorted([words[last[0]], *others])),
            hides=("c1",),
        ),
        ui.Question(
            "pairs",
            f"A sentence of {2 * m + 4} words, and a window of ±{m}: how many pairs (centre, "
            "context) does it give?",
            float(m * (3 * m + 7)),
            f"Away from the ends every word has {2 * m} context words; the {m} words at either end "
            "have fewer.",
            hint="Count the context words of each word, one word after the other.",
        ),
        ui.Question(
            "self",
            f"What is the cosine of “{now.word}” with itself?",
            1.0,
            "A vector has the angle 0 with itself. So the word itself is left out of its "
            "neighbours.",
        ),
    ]
    if now.config.method in METHODS[:2]:
        asked.append(
            ui.Question(
                "parameters",
                f"{types} words, vectors of {d} numbers: how many parameters does "
                f"{now.config.method} train?",
                float(2 * types * d),
                "Each word has two vectors, one as input and one as target; only the first is "
                "kept.",
                hint="There are two tables.",
            )
        )
    return asked


def other_words(word: str, words: Sequence[str], near: Collection[str]) -> list[str]:
    """Three frequent words that are not near: one of any kind, then two of other planted groups."""
    group = planted.group_of_word()
    far = [each for each in words if each != word and each not in near]
    planted_far = [each for each in far if each in group and group[each] != group.get(word)]
    return list(dict.fromkeys([*far[:1], *planted_far[:2], *far[:4]]))[:3]


def views(now: VectorsState, run: Run) -> dict[str, Callable[[], None] | None]:
    """The views in the order of the bar."""
    return {
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
