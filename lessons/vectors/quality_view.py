"""The views “Methods”, “Analogies” and “Cost”: the quality and the cost of the vectors."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import NamedTuple

import streamlit as st

import ui
from lessons.vectors import vectors_figures, vectors_text
from lessons.vectors.vectors_state import (
    SETTINGS,
    Run,
    VectorsState,
    counted_text,
    put_words,
    sentences_of_text,
    trained_vectors,
)
from lmcore.corpora.microworld_rules import ANIMALS
from lmcore.embeddings.static import costs, planted
from lmcore.embeddings.static.methods import METHODS, VectorConfig, train_vectors
from lmcore.embeddings.static.neighbours import RankedWords, solve_analogy
from lmcore.embeddings.static.nnlm import NnlmConfig, train_nnlm
from lmcore.embeddings.static.pairs import index_sentences
from lmcore.embeddings.static.quality import (
    ENDS,
    SEEDS,
    Quality,
    compared_runs,
    judge_vectors,
    measure_method,
    recorded_quality,
)
from lmcore.embeddings.static.vectors import WordVectors, word_index
from ui import compute

LARGE_VOCABULARY = 10_000
DEFAULT_ANALOGY = ("cats", "cat", "dog")
GROUPED = "groups: singular and plural are one"
ALONE = "each word class on its own"


def methods_view(now: VectorsState) -> None:
    """Draw the precision of each method over several seeds, against the planted groups."""
    of_method, date = _qualities_by_method(now.config)
    spread = {
        GROUPED: [_spread([each.group for each in of_method[m]]) for m in METHODS],
        ALONE: [_spread([each.slot for each in of_method[m]]) for m in METHODS],
    }
    st.markdown(vectors_text.methods_finding([mean for mean, *_ in spread[GROUPED]], date))
    ui.show_figure(
        vectors_figures.precision_figure(METHODS, spread, ui.theme_mode()),
        name="methods",
        reading=f"{planted.SENTENCES:,} sentences, ±{now.config.window}, d = "
        f"{now.config.dimensions}; whiskers: lowest and highest of {len(SEEDS)} seeds. PPMI–SVD "
        "has no seed. Settings that are not recorded are measured here. One small text: the order "
        "of the methods holds for it alone.",
        alt="; ".join(
            f"{method}: {grouped:.3f}, {ALONE} {alone:.3f}"
            for method, (grouped, *_), (alone, *_) in zip(METHODS, *spread.values(), strict=True)
        ),
    )
    _methods_table(of_method)


def _qualities_by_method(config: VectorConfig) -> tuple[dict[str, list[Quality]], str]:
    """The quality of each method with each seed, and the date if all of it is recorded."""
    wanted, recorded = compared_runs(config), recorded_quality()
    known = {run: recorded.of[run] for run in wanted if run in recorded.of}
    measured = known | compute.shared_results_by_key(
        "word vector methods",
        {run: partial(measure_method, run) for run in wanted if run not in known},
        most=64,
        says="Training five methods",
    )
    of_method = {
        method: [measured[run] for run in wanted if run.method == method] for method in METHODS
    }
    return of_method, "" if len(known) < len(wanted) else recorded.date


def _methods_table(of_method: dict[str, list[Quality]]) -> None:
    ui.table(
        ["method", "precision@5", ALONE, "seconds"],
        [
            (
                method,
                *(sum(values) / len(values) for values in zip(*of_method[method], strict=True)),
            )
            for method in METHODS
        ],
        name="word-vector-methods",
        caption="Precision of the neighbours by method, mean over the seeds",
    )


def _spread(values: list[float]) -> tuple[float, float, float]:
    return sum(values) / len(values), min(values), max(values)


def analogies_view(now: VectorsState, run: Run) -> None:
    """Draw a − b + c, its answers with and without the words of the question, and a test."""
    vectors = run.method.record.word_vectors()
    usual = DEFAULT_ANALOGY if set(DEFAULT_ANALOGY) <= set(vectors.words) else vectors.words[:3]
    put_words("wv_analogy", vectors.words, usual)
    words = ui.validated_or_previous(
        f"analogy_{now.text}",
        lambda: read_analogy(vectors, "wv_analogy"),
        lambda: (usual[0], usual[1], usual[2]),
    )
    if not set(words) <= set(vectors.words):
        words = (usual[0], usual[1], usual[2])
    which = (now.text, now.own, now.config)
    solve = partial(_solve_in_text, *which, words)
    show_analogy(vectors, words, solve, "wv_analogy", name="analogy")
    if now.text == "microworld":
        count = partial(_count_in_text, *which)
        right = compute.shared_result("plurals", count, most=64, says="Asking for plurals")
        st.markdown(plural_test(right, now.config.method))


def read_analogy(vectors: WordVectors, setting: str) -> tuple[str, str, str]:
    """Three different words.

    Raises:
        ValueError: naming what is wrong.
    """
    words = [word.lower() for word in SETTINGS.several(setting)]
    if len(set(words)) != 3 or len(words) != 3:
        raise ValueError(f"a − b + c must be 3 different words; got {len(words)}")
    for word in words:
        word_index(vectors.words, word)
    return words[0], words[1], words[2]


def solve_both(vectors: WordVectors, words: tuple[str, str, str]) -> tuple[RankedWords, ...]:
    """The answers to an analogy without the words of the question, and with them."""
    count = min(5, len(vectors.words) - 3)
    return tuple(
        solve_analogy(vectors, *words, count, exclude_inputs=excluded) for excluded in (True, False)
    )


def _solve_in_text(
    text: str, own: str, config: VectorConfig, words: tuple[str, str, str]
) -> tuple[RankedWords, ...]:
    return solve_both(_trained(text, own, config), words)


def _trained(text: str, own: str, config: VectorConfig) -> WordVectors:
    run, _ = trained_vectors(text, own, config)
    return run.record.word_vectors()


def show_analogy(
    vectors: WordVectors,
    words: tuple[str, str, str],
    solve: partial[tuple[RankedWords, ...]],
    setting: str,
    *,
    name: str,
) -> None:
    """Draw the arithmetic of an analogy, with its answers.

    `solve` calls `solve_both` for the answers; its arguments identify the vectors and the words.
    """
    a, b, c = words
    answers, every = compute.shared_result("analogies", solve, most=256, says="Comparing words")
    st.markdown(
        f"**{a} − {b} + {c}** is nearest to **{answers.words[0]}** "
        f"({float(answers.cosines[0]):.3f}), once the three words themselves are left out. With "
        f"them, the nearest is **{every.words[0]}** ({float(every.cosines[0]):.3f})."
    )
    left, right = st.columns([3, 2])
    with left:
        ui.show_figure(
            vectors_figures.analogy_figure(vectors, words, answers, ui.theme_mode()),
            name=name,
            reading=f"Arrows: {b} → {a}, and the same step from {c}. The plane holds these points "
            "best; the cosines are those of all dimensions.",
            alt=f"{a} − {b} + {c} is nearest to {answers.words[0]}.",
        )
    with right:
        SETTINGS.draw(setting)
        _answers_table(answers, every, name)


def _answers_table(answers: RankedWords, every: RankedWords, name: str) -> None:
    ui.table(
        ["answer", "cosine"],
        list(zip(answers.words, answers.cosines.tolist(), strict=True)),
        name=f"{name}-answers",
        caption="Nearest words without those of the question",
    )
    ui.table(
        ["with a, b, c", "cosine"],
        list(zip(every.words, every.cosines.tolist(), strict=True)),
        name=f"{name}-all",
        caption="Nearest words with those of the question",
    )


class Plurals(NamedTuple):
    """The number of questions from one animal's plural to another's, and of right answers."""

    asked: int
    right: int


def count_plurals(vectors: WordVectors) -> Plurals:
    """Count right plurals of each of ten animals, given each other animal with its plural."""
    one, many = ANIMALS["one"], ANIMALS["many"]
    pairs = [(i, j) for i in range(len(one)) for j in range(len(one)) if i != j]
    right = sum(
        solve_analogy(vectors, many[i], one[i], one[j], 1).words[0] == many[j] for i, j in pairs
    )
    return Plurals(len(pairs), right)


def _count_in_text(text: str, own: str, config: VectorConfig) -> Plurals:
    return count_plurals(_trained(text, own, config))


def plural_test(found: Plurals, method: str) -> str:
    """How many of the questions from one animal's plural to another's are answered right."""
    return (
        f"All {found.asked} questions of this form, from one of ten animals to another: "
        f"**{found.right} right** with {method}. The plurals lie in one heap, in the same places "
        "of the text, so the arrow finds a plural, seldom the right one. fastText sees the shared "
        "letters."
    )


class Timed(NamedTuple):
    """A model, its seconds for the text, and the quality of its vectors."""

    model: str
    seconds: float
    judged: Quality


def time_models(text: str, own: str, config: VectorConfig) -> tuple[Timed, ...]:
    """Train NNLM, CBOW and skip-gram on one text, one after the other, and time them."""
    sentences = sentences_of_text(text, own)
    nnlm = train_nnlm(
        index_sentences(sentences),
        NnlmConfig(
            config.dimensions, context=2 * config.window, epochs=config.epochs, seed=config.seed
        ),
    )
    timed = [_timed("NNLM", nnlm.seconds, nnlm.vectors, text)]
    for method in ("CBOW", "skip-gram"):
        run = train_vectors(sentences, replace(config, method=method, snapshots=ENDS))
        timed.append(_timed(method, run.seconds, run.record.word_vectors(), text))
    return tuple(timed)


def _timed(model: str, seconds: float, vectors: WordVectors, text: str) -> Timed:
    if text == "microworld":
        return Timed(model, seconds, judge_vectors(vectors, seconds))
    return Timed(model, seconds, Quality(float("nan"), float("nan"), seconds))


def cost_view(now: VectorsState) -> None:
    """Count the cost of a token for the model of 2003 and those of 2013, and measure it."""
    config = now.config
    counts = counted_text(now.text, now.own, config.window).counts
    types, tokens = len(counts.words), len(counts.pairs.text.ids)
    contexts = costs.contexts_per_token(counts.pairs)
    found = compute.shared_result(
        "word vector costs",
        partial(time_models, now.text, now.own, config),
        most=32,
        says="Training the three models",
        apart=True,
    )
    here, large = (_token_costs(config, contexts, size) for size in (types, LARGE_VOCABULARY))
    seconds = {each.model: each.seconds for each in found}
    st.markdown(
        f"**2003**: the NNLM scores all |V| = {types} words for every token. **2013**: word2vec "
        f"scores {config.negatives + 1}. By formula the NNLM costs **{_ratio(here):.0f}** times as "
        f"much a token as CBOW; measured here, **{_ratio(seconds):.1f}** times. At |V| = "
        f"{LARGE_VOCABULARY:,} the formula gives {_ratio(large):,.0f} times."
    )
    st.latex(
        r"\text{with the gradients: NNLM}\; 3(N d H + H|V|) \qquad "
        r"\text{CBOW}\; 2nd + 3(k+1)d \qquad \text{skip-gram}\; 3n(k+1)d"
    )
    _costs_table(now, found, tokens, here, large)
    st.caption(vectors_text.cost_conditions(config, _nnlm(config), tokens, contexts))


def _nnlm(config: VectorConfig) -> NnlmConfig:
    return NnlmConfig(config.dimensions, context=2 * config.window)


def _token_costs(config: VectorConfig, contexts: float, vocabulary: int) -> dict[str, float]:
    """Multiply–adds of a training token by model, with so many context words and types."""
    cbow = costs.cbow_cost(config.dimensions, config.negatives, contexts)
    skip = costs.skip_gram_cost(config.dimensions, config.negatives, contexts)
    return {
        "NNLM": costs.nnlm_cost(_nnlm(config).network(vocabulary - 1)).training,
        "CBOW": cbow.training,
        "skip-gram": skip.training,
    }


def _ratio(of_model: dict[str, float]) -> float:
    """How many times the cost of CBOW the NNLM costs."""
    return of_model["NNLM"] / of_model["CBOW"]


def _costs_table(
    now: VectorsState,
    found: tuple[Timed, ...],
    tokens: int,
    here: dict[str, float],
    large: dict[str, float],
) -> None:
    """Show the costs of a token, counted and measured, and the quality if groups are planted."""
    judged, passes = now.text == "microworld", now.config.epochs * tokens
    ui.table(
        [
            "model",
            "multiply–adds a token",
            f"at |V| = {LARGE_VOCABULARY:,}",
            "seconds, measured here",
            "µs a token",
            *(("precision@5", ALONE) if judged else ()),
        ],
        [
            (
                each.model,
                here[each.model],
                large[each.model],
                each.seconds,
                1e6 * each.seconds / passes,
                *((each.judged.group, each.judged.slot) if judged else ()),
            )
            for each in found
        ],
        name="word-vector-costs",
        caption="Cost of a token and quality of the vectors",
    )
