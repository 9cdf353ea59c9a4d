"""What the page asks before it shows; the answers are computed from what is shown."""

from __future__ import annotations

import ui
from lessons.results.results_picture import Pair, compare_pair
from lessons.results.results_plot import Plot
from lmcore.numbers import format_number
from lmcore.results.costs import GREEN_AI, count_doublings, doubling_time
from lmcore.results.recomputed import recompute
from lmcore.results.tables import load_results

WRONG_AVERAGE, ERRORS = "BiLSTM+ELMo+Attn", "SQuAD"
OFFERED = 4
"""Names that a question about the frontier offers."""


def questions(plot: Plot, pair: Pair) -> list[ui.Question]:
    """The page's questions: the pair, the frontier, an average, errors and doublings."""
    found = [_pair_question(plot, pair)] if pair.chosen != pair.reference else []
    if plot.frontier:
        found.append(_frontier_question(plot))
    return [*found, _average_question(), _errors_question(), _doubling_question()]


def _pair_question(plot: Plot, pair: Pair) -> ui.Question:
    name, other = (plot.names[i] for i in (pair.chosen, pair.reference))
    across, up = compare_pair(plot, pair)
    measure = plot.x or plot.y
    costs = up if across is None else across
    if measure is not None and measure.log:
        return ui.Question(
            "pair",
            f"How many times the {measure.noun} of {other} does {name} have?",
            costs.ratio,
            f"{format_number(costs.after)} divided by {format_number(costs.before)}.",
            hint="Read both on the axis. Equal distances on a log axis are equal ratios.",
            hides=("ratio", "step"),
        )
    if up.removed > 0:
        return ui.Question(
            "pair",
            f"From {other} to {name} the score rises from {format_number(up.before)} to "
            f"{format_number(up.after)}. How many per cent of the errors does that remove?",
            100 * up.removed,
            f"Before, the score was {format_number(100 - up.before)} points below 100; "
            f"{format_number(up.difference)} of these are gained.",
            hint="Divide the gain by the distance to 100.",
            hides=("removed",),
        )
    return ui.Question(
        "pair",
        f"What is the difference: {name} less {other}?",
        up.difference,
        f"{format_number(up.after)} − {format_number(up.before)}.",
        hint="The sign counts.",
        hides=("gap", "difference"),
    )


def _frontier_question(plot: Plot) -> ui.Question:
    best = plot.frontier[-1]
    beaten = [i for i in plot.drawn if i not in plot.frontier]
    offered = sorted([best, *beaten[: OFFERED - 1]])
    return ui.Question(
        "frontier",
        "Which of these is on the frontier: no other one is as good in both numbers?",
        plot.names[best],
        "For each of the others there is one that is at least as good in both, and better in one.",
        hint="Look for a point with nothing on its better side in both directions.",
        options=tuple(plot.names[i] for i in offered),
        hides=("frontier",),
    )


def _average_question() -> ui.Question:
    checks = recompute("glue")
    check = next(check for check in checks if check.row == WRONG_AVERAGE)
    right = sum(each.agrees is True for each in checks)
    return ui.Question(
        "average",
        f"The nine GLUE scores of {check.row} add up to {check.arithmetic.split(' / ')[0]}. The "
        f"table prints an average of {check.printed}. What is it?",
        float(check.value),
        f"{check.arithmetic}, so {check.rounded}; BERT’s paper prints {check.printed} as well. Of "
        f"the {len(checks)} averages, {right} come out.",
        hint="Divide by nine.",
    )


def _errors_question() -> ui.Question:
    check = next(c for c in recompute("elmo") if (c.row, c.key) == (ERRORS, "relative"))
    table = load_results("elmo")
    before, after = (table.printed(table.row(ERRORS), key) for key in ("baseline", "elmo"))
    growth = 100 * (float(after) / float(before) - 1)
    return ui.Question(
        "errors",
        f"ELMo takes a SQuAD system from {before} to {after} F1. How many per cent of its errors "
        "are gone?",
        float(check.value),
        f"{check.arithmetic}: the slide’s {check.printed}. The score itself grew by "
        f"{growth:.1f} %.",
        hint="The errors are the distance to 100.",
        hides=("removed",),
    )


def _doubling_question() -> ui.Question:
    factor, months = GREEN_AI
    return ui.Question(
        "doubling",
        f"Computation grew {factor:,.0f} times in {months:.0f} months. In how many months did it "
        "double?",
        doubling_time(factor, months),
        f"log₂ {factor:,.0f} is {format_number(count_doublings(factor))} doublings.",
        hint="How often must you double 1 to reach 300,000? 2¹⁸ is 262,144.",
    )
