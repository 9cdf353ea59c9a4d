"""Sentences and rows of the view on greedy and beam search."""

from __future__ import annotations

import math
from collections.abc import Sequence

from drawing.payload import ChipRow
from lessons.seq2seq.measured_text import count_wrong, marked_row, share_row, wrong_places
from lmcore.corpora.translation import Words
from lmcore.decoding.search_errors import Hypothesis, SearchComparison
from lmcore.numbers import format_number

HYPOTHESIS_COLUMNS = ("hypothesis", "log p", "score", "tokens t", "wrong places")
MOST_TIMES = 1e4
"""A larger ratio of probabilities is not written out."""


def greedy_check(greedy: Words, one: Hypothesis) -> str:
    """Whether beam search of width 1 writes what greedy search does."""
    if greedy == one.words:
        return "Checked here: beam search with k = 1 writes the same words as greedy search."
    return "Beam search with k = 1 writes other words than greedy search: two words tie."


def search_finding(
    one: Hypothesis, found: Sequence[Hypothesis], target: Words, log_p: float
) -> str:
    """What beam search finds that greedy search does not, and whether it is right.

    `one` is greedy search's text, `log_p` the log-probability of the true target.
    """
    best = found[0]
    right = best.ended and best.words == target
    verdict = "It is **right** in every word" if right else "It is **wrong**"
    if best.words == one.words:
        said = (
            f"Beam search ranks first the text that greedy search writes, with log p "
            f"**{format_number(best.log_p)}**. {verdict}"
        )
    elif best.log_p > one.log_p:
        said = (
            f"Beam search finds a text that is **{_times(one, best)} as probable** as greedy "
            f"search’s: log p {format_number(best.log_p)} against {format_number(one.log_p)}. "
            f"{verdict}; greedy search’s is "
            f"{'right' if one.ended and one.words == target else 'wrong'}"
        )
    else:
        as_ = "less probable than" if best.log_p < one.log_p else "as probable as"
        said = (
            f"Beam search ranks first another text, {as_} greedy search’s: log p "
            f"{format_number(best.log_p)} against {format_number(one.log_p)}. Texts are ranked by "
            f"score = log p / tᵃ. {verdict}"
        )
    return f"{said}. {'' if right else _whose_error(best, log_p)}".strip()


def _whose_error(best: Hypothesis, log_p: float) -> str:
    """Whether the search or the model is to blame for a wrong text."""
    true = f"The true target has log p {format_number(log_p)}"
    if log_p > best.log_p:
        return f"{true}, which is higher: **a search error**. A wider beam may find it."
    than = "lower" if log_p < best.log_p else "no higher"
    return f"{true}, which is {than}: **the model’s error**. A better search does not help."


def _times(one: Hypothesis, best: Hypothesis) -> str:
    times = math.exp(min(best.log_p - one.log_p, math.log(MOST_TIMES)))
    return f"{format_number(times)} times" if times < MOST_TIMES else "over 10,000 times"


def hypothesis_chips(found: Sequence[Hypothesis], target: Words) -> list[ChipRow]:
    """Each hypothesis as chips, its wrong words struck out."""
    return [
        marked_row(
            f"{rank}. log p {format_number(each.log_p)}, score {format_number(each.score)}",
            f"{wrong_places(each.words, target)}{'' if each.ended else ' Broken off.'}",
            each.words,
            target,
        )
        for rank, each in enumerate(found, start=1)
    ]


def hypothesis_rows(
    found: Sequence[Hypothesis], target: Words
) -> list[tuple[str, *tuple[float, ...]]]:
    """Each hypothesis as a row of numbers."""
    return [
        (
            f"{rank}. {' '.join(each.words)}",
            each.log_p,
            each.score,
            float(len(each.words) + each.ended),
            float(count_wrong(each.words, target)),
        )
        for rank, each in enumerate(found, start=1)
    ]


def comparison_finding(compared: SearchComparison, label: str, width: int) -> str:
    """Exact match of both searches, and whether their intervals are disjoint."""
    (_, low, high), (_, least, most) = compared.intervals
    overlap = low <= most and least <= high
    only = (
        f"Beam search alone is right for {compared.beam_alone}, greedy search alone for "
        f"{compared.greedy_alone}. "
        if compared.beam_alone or compared.greedy_alone
        else "Both are right for the same sentences. "
    )
    errors = _errors(compared.sentences - compared.beam, compared.search_errors)
    return (
        f"With {label}, greedy search is right in every word for **{compared.greedy} of "
        f"{compared.sentences}** sentences, beam search with k = {width} for **{compared.beam}**: "
        f"their 95 % intervals {'overlap' if overlap else 'do not overlap'}. {only}Beam search "
        f"finds a more probable text for {compared.more_probable}. {errors}"
    ).strip()


def _errors(wrong: int, searched: int) -> str:
    """How many wrong texts are errors of the search, and how many of the model."""
    if not wrong:
        return ""
    if not searched:
        return (
            f"In **none** of the {wrong} sentences that beam search gets wrong is the true target "
            "more probable: all are the model’s errors."
        )
    return (
        f"In **{searched}** of the {wrong} sentences that beam search gets wrong the true target "
        f"is more probable: search errors. The other {wrong - searched} are the model’s."
    )


def comparison_rows(compared: SearchComparison) -> list[tuple[str, *tuple[float, ...]]]:
    """Exact match with its interval, search by search."""
    return [
        (label, *share_row(exact, compared.sentences))
        for label, exact in (("greedy", compared.greedy), ("beam", compared.beam))
    ]
