"""What the page asks before it shows; the answers are computed from what is shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import ui
from lessons.results.leads_picture import LANGUAGES, Scores
from lessons.results.missing_picture import Gain
from lessons.results.results_picture import Pair, compare_pair
from lessons.results.results_plot import Plot
from lessons.results.sizes_picture import Sizes
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


def size_questions(found: Sizes, shown: int) -> list[ui.Question]:
    """What the view *Sizes* asks about the last model that is shown."""
    first, last = found.models[0], found.models[shown - 1]
    if last is first:
        return [
            ui.Question(
                "size-area",
                "The area of a circle is the number of parameters. Twice the radius: how many "
                "times the parameters?",
                4,
                "The area grows with the square of the radius: 2² = 4.",
                hint="How does the area of a circle grow with its radius?",
            )
        ]
    if found.story == "held":
        return [
            ui.Question(
                "size-months",
                f"{first.name} was released in {first.released}, {last.name} in {last.released}. "
                "How many months later is that?",
                last.month - first.month,
                "Both were described in the same paper.",
                hint="Count the months between the two.",
                hides=("months",),
            )
        ]
    if found.scored:
        return [
            ui.Question(
                "size-fall",
                f"The perplexity of {last.name} is {format_number(last.score)}, that of "
                f"{first.name} {format_number(first.score)}. How many times lower is it?",
                first.score / last.score,
                f"{format_number(first.score)} ÷ {format_number(last.score)}, with "
                f"{format_number(last.billions / first.billions)} times the parameters.",
                hint="Divide the larger by the smaller.",
                hides=("fall",),
            )
        ]
    return [
        ui.Question(
            "size-times",
            f"{first.name} has {first.printed} parameters, {last.name} {last.printed}. How many "
            "times as many is that?",
            last.billions / first.billions,
            f"{last.printed} ÷ {first.printed}.",
            hint="Write both in billions.",
            hides=("times", "double"),
        )
    ]


def missing_questions(found: Sequence[Gain], model: str) -> list[ui.Question]:
    """What the view *Missing points* asks: the test with the largest share, not the most points."""
    best = max(found, key=lambda each: each.share)
    said = "; ".join(
        f"{each.test}: {format_number(each.gain)} of {format_number(each.missing)}"
        for each in found
    )
    return [
        ui.Question(
            "gap-closed",
            f"On which test does {model} close the largest part of the gap to 100?",
            best.test,
            f"{said}. The largest is {format_number(best.share)} %.",
            hint="Compare the gain with what was missing.",
            options=tuple(each.test for each in found),
            hides=("gain", "share"),
        )
    ]


def lead_questions(found: Mapping[str, Scores], version: str) -> list[ui.Question]:
    """What the view *Leads* asks: the lead into French, once that into German is known."""
    leads = {key: each.lead(version) for key, each in found.items()}
    best, other = found["fr"].versions[version], max(found["fr"].others.values())
    return [
        ui.Question(
            "lead-french",
            f"{LANGUAGES['de'].capitalize()} the Transformer leads by {format_number(leads['de'])} "
            f"BLEU. What is its lead {LANGUAGES['fr']}, with {best:.1f}?",
            leads["fr"],
            f"{best:.1f} − {other:.1f}.",
            hint="Compare with the better one of the two others.",
            hides=("fr",),
        )
    ]


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
