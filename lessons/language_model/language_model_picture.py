"""Tables and formulas of a sentence under several models, for its views."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from drawing.probability_grid import DescribedGrid, grid
from lessons.language_model.lanes import COMPLETED_GRAMMAR, GRAMMAR, TRUTH_NOTES
from lmcore.evaluation.sentence import SentenceAnswer
from lmcore.models.scoring import Score
from lmcore.numbers import format_number, latex
from lmcore.vocabulary import Vocabulary

TableRow: TypeAlias = tuple[str, *tuple[float, ...]]

NGRAM_SETTINGS: dict[str, tuple[int, str]] = {
    "unigram": (1, "none"),
    "bigram": (2, "none"),
    "trigram": (3, "none"),
    "trigram-add": (3, "add-k"),
    "trigram-kn": (3, "kneser-ney"),
    "fivegram-kn": (5, "kneser-ney"),
}
"""Name → order and smoothing of an n-gram model."""
STEP_COLUMNS = (
    "sees → word",
    "p",
    "log p, nats",
    "product so far",
    "Σ log p so far",
    "rank",
)

FEW = 4
"""Words of a long context that are written out."""


def expected_grid(
    answers: Mapping[str, SentenceAnswer], tokens: Sequence[int], vocabulary: Vocabulary
) -> DescribedGrid:
    """Each model's likeliest words at the selected position: one row per model."""
    words = vocabulary.decode(tokens)
    rows = {label: each.expected[list(tokens)].tolist() for label, each in answers.items()}
    first = [
        f"{label}: {vocabulary.tokens[int(each.expected.argmax())]}, "
        f"p = {format_number(float(each.expected.max()))}"
        if float(each.expected.max()) > 0
        else f"{label}: nothing, since {_why_nothing(label)}"
        for label, each in answers.items()
    ]
    return {
        **grid(words, rows),
        "alt": f"What each model expects most. {'; '.join(first)}.",
    }


def expected_words(answers: Mapping[str, SentenceAnswer]) -> str:
    """How to read `expected_grid`, and which rows are 0 throughout, so no distribution."""
    nil = [label for label, each in answers.items() if float(each.expected.max()) == 0]
    said = "Each model's three likeliest words, sorted by mean probability. "
    if not nil:
        return said + "Over all words each row sums to 1."
    why = "; ".join(f"{label}, since {_why_nothing(label)}" for label in nil)
    rest = "" if len(nil) == len(answers) else " Over all words each other row sums to 1."
    return f"{said}0 for every word: {why}.{rest}"


def _why_nothing(label: str) -> str:
    if label in TRUTH_NOTES:
        return "it never produces the words before"
    return "the context never occurred"


def first_grammar_gap(answers: Mapping[str, SentenceAnswer]) -> int | None:
    """The place of the first word that the grammar excludes but the completed grammar allows."""
    if COMPLETED_GRAMMAR not in answers:
        return None
    plain, full = (answers[name].score.probabilities for name in (GRAMMAR, COMPLETED_GRAMMAR))
    places = ((plain == 0) & (full > 0)).nonzero().flatten().tolist()
    return places[0] + 1 if places else None


def visible_context(before: Sequence[str], sees: float) -> str:
    """The words that a model sees, with the middle of a long context left out."""
    kept = (
        list(before)
        if math.isinf(sees)
        else list(before[len(before) - min(int(sees), len(before)) :])
    )
    if not kept:
        return "nothing"
    if len(kept) > FEW:
        return f"{kept[0]} … {' '.join(kept[1 - FEW :])}, all {len(kept)}"
    return " ".join(kept)


def step_rows(answer: SentenceAnswer, words: Sequence[str], sees: float) -> list[TableRow]:
    """One row per predicted token; the columns are `STEP_COLUMNS`; `words` begin with `<s>`."""
    score = answer.score
    numbers = zip(
        score.probabilities.tolist(),
        score.log_probabilities.tolist(),
        score.running_product.tolist(),
        score.running_sum.tolist(),
        map(float, score.ranks.tolist()),
        strict=True,
    )
    return [
        (f"{visible_context(words[:t], sees)} → {words[t]}", *row)
        for t, row in enumerate(numbers, start=1)
    ]


def formula(score: Score) -> str:
    """Product and perplexity with numbers inserted, as LaTeX."""
    count = len(score.tokens)
    if not math.isfinite(score.total):
        return (
            r"\prod_t p_t = 0, \qquad \sum_t \log p_t = -\infty, \qquad "
            r"\text{perplexity} = \exp(\infty) = \infty"
        )
    total = latex(score.total)
    return (
        rf"\prod_t p_t = \exp\Big(\sum_t \log p_t\Big) = \exp{_bracketed(total)} = "
        rf"{latex(score.product)} \qquad \text{{perplexity}} = "
        rf"\exp\Big(-\tfrac{{1}}{{{count}}} \cdot {_bracketed(total)}\Big) = "
        rf"{latex(score.perplexity)}"
    )


def _bracketed(number: str) -> str:
    return number if number.startswith("(") else f"({number})"
