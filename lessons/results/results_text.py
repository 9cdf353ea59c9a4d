"""The sentences, the formulas and the alt text around the picture of results."""

from __future__ import annotations

from lessons.results.results_picture import Pair, compare_pair
from lessons.results.results_plot import Plot
from lmcore.results.comparison import Comparison
from lmcore.results.tables import Measure


def sentences(plot: Plot, pair: Pair) -> list[str]:
    """The finding at each position of the slider."""
    return [_sentence(plot, pair.at(plot, k)) for k in range(len(plot.order))]


def formulas(plot: Plot, pair: Pair) -> list[list[str]]:
    """Ratio and difference with their numbers, at each position of the slider."""
    return [_formula(plot, pair.at(plot, k)) for k in range(len(plot.order))]


def _sentence(plot: Plot, pair: Pair) -> str:
    if plot.form == "tasks":
        return _task_sentence(plot, pair)
    name, other = _bold(plot.names[pair.chosen]), _bold(plot.shorts[pair.reference])
    assert plot.y is not None
    lead = f"{name}: {measured(plot, plot.y, pair.chosen, mark=True)}"
    if plot.form == "bars":
        end = f" An estimate of {plot.table.date}." if plot.table.name == "co2" else ""
        if pair.chosen == pair.reference:
            return f"{lead}. The others are compared with it.{end}"
        return f"{lead}, **{{ratio}}** times {other}.{end}"
    assert plot.x is not None
    lead += f", {measured(plot, plot.x, pair.chosen)}."
    if pair.chosen == pair.reference:
        return f"{lead} The others are compared with it."
    across, up = compare_pair(plot, pair)
    assert across is not None
    gain = f"**{{gap}}** {_more(up.difference)} than" if up.difference else "As good as"
    return f"{lead} {gain} {other}, {_at_cost(plot.x, across)}."


def _at_cost(measure: Measure, across: Comparison) -> str:
    """The difference on the horizontal axis, in words."""
    if not across.difference:
        return f"with the same {measure.noun}"
    if measure.log:
        return f"at **{{ratio}}** times the {measure.noun}"
    return f"with {{step}} {_more(across.difference)} {measure.noun}"


def _task_sentence(plot: Plot, pair: Pair) -> str:
    task, _ = plot.tasks[pair.task]
    name, other = _bold(plot.names[pair.chosen]), _bold(plot.shorts[pair.reference])
    score, before = (plot.printed_score(pair.task, i) for i in (pair.chosen, pair.reference))
    lead = f"On **{task}**, {name} scores =={score}=="
    if pair.chosen == pair.reference:
        return f"{lead}. The others are compared with it."
    _, up = compare_pair(plot, pair)
    if not up.difference:
        return f"{lead}, as does {other}."
    lead += f", {other} {before}: **{{gap}}** {_more(up.difference)}"
    if up.removed > 0:
        return f"{lead}. That removes **{{removed}}** % of the errors."
    return f"{lead}."


def measured(plot: Plot, measure: Measure, place: int, *, mark: bool = False) -> str:
    """A number as printed, with its measure."""
    number = plot.printed(measure, place).rstrip("%xGB")  # the unit follows below
    shown = f"=={number}==" if mark else number
    table = plot.table
    if measure.key == "average":
        return f"{shown}{_percent(measure)} on average"
    if measure.key in table.scores and measure.axis != measure.label:
        link = "with" if table.rows_are_tasks else "on"
        return f"{shown}{_percent(measure)} {link} {measure.label}"
    return f"{shown} {measure.label if measure.unit in measure.label else measure.unit}"


def _percent(measure: Measure) -> str:
    return " %" if measure.is_share else ""


def _more(difference: float) -> str:
    return "more" if difference > 0 else "less"


def _bold(name: str) -> str:
    return f"**{name.replace('*', '')}**"


def _formula(plot: Plot, pair: Pair) -> list[str]:
    if plot.form == "tasks":
        before, after = (plot.printed_score(pair.task, i) for i in (pair.reference, pair.chosen))
        return _difference(before, after, shares=plot.task_measure(pair.task).is_share)
    assert plot.y is not None
    before, after = (plot.printed(plot.y, i) for i in (pair.reference, pair.chosen))
    if plot.form == "bars":
        return [f"ratio = {after} / {before} = **[loss|{{ratio}}]**"]
    assert plot.x is not None
    parts = _difference(before, after, shares=plot.y.is_share)
    old, new = (plot.printed(plot.x, i) for i in (pair.reference, pair.chosen))
    if plot.x.log:
        old, new = (f"({each})" if "×" in each else each for each in (old, new))
        return [f"ratio = {new} / {old} = **[gradient|{{ratio}}]**", *parts]
    return parts


def _difference(before: str, after: str, *, shares: bool) -> list[str]:
    """The formula of the difference, and with `shares` that of the errors removed."""
    old, new = (each.split("±")[0].rstrip("%") for each in (before, after))
    parts = [f"difference = {new} − {old} = **[activation|{{difference}}]**"]
    if shares:
        parts.append(f"errors removed = {{difference}} / (100 − {old}) = **[loss|{{removed}}]** %")
    return parts


def describe(plot: Plot, pair: Pair, *, frontier_hidden: bool = False) -> str:
    """The alt text of the picture, without the frontier if a question hides it."""
    name, other = (plot.names[i] for i in (pair.chosen, pair.reference))
    if plot.form == "tasks":
        drawn = f"The scores of {len(plot.names)} systems on {len(plot.tasks)} tasks."
    elif plot.form == "bars":
        drawn = f"{len(plot.drawn)} rows of “{plot.table.title}” by {_axis(plot.y)}."
    else:
        drawn = (
            f"{len(plot.drawn)} rows of “{plot.table.title}”: {_axis(plot.y)} against "
            f"{_axis(plot.x)}."
        )
    best = ", ".join(plot.names[i] for i in plot.frontier)
    frontier = f" On the frontier: {best}." if best and not frontier_hidden else ""
    return f"{drawn}{frontier} Chosen is {name}, compared with {other}."


def _axis(measure: Measure | None) -> str:
    assert measure is not None
    return measure.axis
