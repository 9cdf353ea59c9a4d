"""The bench of strategies: its table and its words."""

from __future__ import annotations

import math
from collections.abc import Sequence

from lmcore.decoding.bench import GRAMS, REPEATED, StrategyResult
from lmcore.decoding.strategies import STRATEGIES
from lmcore.numbers import format_number

TRUTH_COLUMNS = ("by grammar", "sayable only", "grammatical")
"""Columns that only a model of the microworld has."""


def columns(*, judged: bool) -> list[str]:
    """The titles; `judged` says whether there is a grammar."""
    return [
        "strategy",
        "texts",
        "tokens",
        "mean log p",
        "perplexity",
        *(TRUTH_COLUMNS if judged else ()),
        "ended",
        *(f"distinct-{n}" for n in GRAMS),
        "repeats",
        "seconds",
    ]


def rows(found: Sequence[StrategyResult], *, judged: bool) -> list[tuple[str, *tuple[float, ...]]]:
    """A row a strategy, in the order of the titles."""
    return [
        (
            STRATEGIES[each.strategy].label,
            len(each.texts),
            each.tokens,
            each.mean_log_p,
            each.perplexity,
            *((each.true_perplexity, each.finite_perplexity, each.grammatical) if judged else ()),
            each.ended,
            *each.distinct,
            each.repetition,
            each.seconds,
        )
        for each in found
    ]


def notice(found: Sequence[StrategyResult], *, judged: bool) -> list[str]:
    """Who has the most probable tokens, and who is most often right. Not who is most varied: few
    tokens have more different n-grams, and no two strategies write as many."""
    probable = [each for each in found if math.isfinite(each.mean_log_p)]
    if not probable:
        return ["No strategy could write a single token after this prompt."]
    best = max(probable, key=lambda each: each.mean_log_p)
    said = [
        f"A token of **{_label(best)}** is the most probable to the model: mean log p "
        f"**{format_number(best.mean_log_p)}**."
    ]
    drawn = [each for each in found if STRATEGIES[each.strategy].draws]
    if judged and drawn:
        right = max(drawn, key=lambda each: each.grammatical)
        wrong = min(drawn, key=lambda each: each.grammatical)
        among = f", {_percent(wrong.grammatical)} of those of {_label(wrong)}"
        said.append(
            f"The grammar can say {_percent(right.grammatical)} of the texts of {_label(right)}"
            f"{among if wrong.grammatical < right.grammatical else ''}."
        )
    return said


def column_definitions(*, judged: bool) -> str:
    """What the columns mean, and whose ideas they are."""
    said = (
        "Strategies that draw write a text a seed; the others write the same for every seed, so "
        "once. Mean log p and perplexity are of all tokens of a strategy together, by the model "
        "that wrote them, before any filter. distinct-n: different n-grams over all n-grams (Li et "
        "al. 2016): few or short texts have more of it, so hold it only against strategies with as "
        f"many. Repeats: the share of "
        f"a text’s {REPEATED}-grams that stood there before, the mean over texts (Welleck et al. "
        "2020). Ended: texts that ended before the length was reached. Seconds are of the writing "
        "alone, measured here; all else repeats with the seeds."
    )
    if not judged:
        return said
    return said + (
        " By grammar: the perplexity of the same tokens under the microworld’s own probabilities, "
        "∞ where it can never say one of the texts; sayable only: of those it can. Grammatical: "
        "the share of texts that ended and that it can say."
    )


def _label(row: StrategyResult) -> str:
    return STRATEGIES[row.strategy].label


def _percent(share: float) -> str:
    return f"{100 * share:.3g} %"
