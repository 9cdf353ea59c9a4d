"""The sentences, the formula and the description of the CO₂ of a training of your own."""

from __future__ import annotations

from lessons.results.cases.scale_picture import Consumption, Growth, consumptions


def sentences(beside: Consumption) -> list[str]:
    """Yours is nothing, less than the row, or at least as much: in this order."""
    name = f"**{beside.name}**"
    return [
        f"Yours emits nothing; {name}: {beside.printed} lbs.",
        f"{name} is =={{times}}== times yours: {beside.printed} lbs of CO₂, and {{own}}.",
        f"Yours is =={{times}}== times **{beside.name}**: {{own}} lbs of CO₂, and "
        f"{beside.printed}.",
    ]


def formulas(beside: Consumption, growth: Growth) -> list[list[str]]:
    """The emissions, the comparison and the time of one doubling, for each sentence."""
    own = "lbs = {lbs}·{overhead}·{watts}·{hours} / 1000 = {lbs}·{kwh} = **[activation|{own}]**"
    doubled = f"{growth.months:g} months ÷ {{doublings}} = **{{double}}** a doubling"
    return [
        [own, doubled],
        [own, f"{beside.printed} ÷ {{own}} = **{{times}}**", doubled],
        [own, f"{{own}} ÷ {beside.printed} = **{{times}}**", doubled],
    ]


def describe(growth: Growth) -> str:
    """The alt text, as a template."""
    rows = "; ".join(f"{each.name} {each.printed}" for each in consumptions())
    return (
        f"A logarithmic scale of CO₂ in lbs. Quoted: {rows}. Yours, {{own}} lbs, is a line across "
        f"it. Below, a ruler of {growth.factor:,.0f} times in {growth.months:g} months: "
        "{doublings} doublings."
    )
