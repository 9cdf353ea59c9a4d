"""The views “CO₂ and price” and “This server”: the estimated cost of a training."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import streamlit as st

import ui
from lessons.results import results_figures
from lessons.results.results_state import LESSON, SETTINGS
from lmcore import parsing
from lmcore.numbers import format_number
from lmcore.results.costs import (
    GREEN_AI,
    KG_PER_LB,
    Footprint,
    count_doublings,
    doubling_time,
    footprint,
    grow,
)
from lmcore.results.tables import load_results
from ui import meter

FEW_LBS = 1e-6
"""A smaller CO₂ value is not drawn."""
YEARS = (1, 2, 5, 10)
KINDS_OF_COST = (
    "**Carbon**: the emissions of the electricity, and of making the computers.",
    "**Money**: hardware, or hours of cloud computing.",
    "**Access**: who cannot pay takes no part. The slide names an arms race of few companies.",
)
MOST_WATTS_A_CORE = 1000.0


@dataclass(frozen=True, slots=True)
class OwnCost:
    """Power and time of a computation, with the assumed overhead and emissions."""

    watts: float
    hours: float
    overhead: float
    lbs: float
    """Pounds of CO₂ equivalent per kWh."""

    def footprint(self) -> Footprint:
        """The energy and CO₂ of the computation.

        Raises:
            ValueError: naming what is out of bounds.
        """
        return footprint(self.watts, self.hours, overhead=self.overhead, lbs_per_kwh=self.lbs)


def read_cost() -> OwnCost:
    """The computation of the controls.

    Raises:
        ValueError: naming what is wrong.
    """
    cost = OwnCost(
        parsing.parse_number(SETTINGS.text("re_watts"), "the power in watts"),
        parsing.parse_number(SETTINGS.text("re_hours"), "the time in hours"),
        parsing.parse_number(SETTINGS.text("re_overhead"), "the overhead"),
        parsing.parse_number(SETTINGS.text("re_lbs"), "CO₂ per kWh"),
    )
    cost.footprint()
    return cost


def default_cost() -> OwnCost:
    """The page's default computation: the big Transformer."""
    names = ("watts", "hours", "overhead", "lbs")
    return OwnCost(*(float(LESSON.defaults[f"re_{name}"]) for name in names))


def read_growth() -> tuple[float, float]:
    """The factor and the months of the controls.

    Raises:
        ValueError: naming what is wrong.
    """
    factor = parsing.parse_number(SETTINGS.text("re_factor"), "the factor")
    months = parsing.parse_number(SETTINGS.text("re_months"), "the months")
    grow(12.0 * YEARS[-1], doubling_time(factor, months))
    return factor, months


def default_growth() -> tuple[float, float]:
    """The page's default growth: 300,000 times from 2012 to 2018."""
    return GREEN_AI


def costs_view() -> None:
    """Estimate the CO₂ of a computation, and the time in which a price doubles."""
    _co2_part()
    _price_part()
    st.markdown("**Which costs?** The slide names three:")
    st.markdown("\n".join(f"- {each}" for each in KINDS_OF_COST))
    st.markdown(
        "“Bigger is better, but which factors really matter?” That is the slide’s case for "
        "analysis: an ablation tells which part of the price buys the score."
    )


def _co2_part() -> None:
    cost = ui.validated_or_previous("re-cost", read_cost, default_cost)
    names = ("re_watts", "re_hours", "re_overhead", "re_lbs")
    for column, name in zip(st.columns(4), names, strict=True):
        with column:
            SETTINGS.draw(name)
    own = cost.footprint()
    st.markdown(cost_finding(cost, own))
    table = load_results("co2")
    rows = tuple(zip((row.short for row in table.rows), table.values("co2"), strict=True))
    if own.lbs > FEW_LBS:
        ui.show_figure(
            results_figures.co2_figure(rows, own.lbs, ui.theme_mode()),
            name="co2",
            reading="Quoted, with yours: Strubell et al. 2019, table 1, estimates of that year. "
            "Patterson et al. 2021 argued that the one with architecture search is far too high.",
            alt="; ".join(f"{name}: {value:,.0f} lbs" for name, value in rows),
        )
        ui.table(
            ["what", "lbs CO₂e", "kg", "yours are … of it"],
            [(name, value, value * KG_PER_LB, own.lbs / value) for name, value in rows],
            name="co2",
            caption="Your estimate against each row of the table",
        )


def cost_finding(cost: OwnCost, own: Footprint) -> str:
    """Energy and CO₂ of a computation, with their arithmetic."""
    given = [f"{each:,.10g}" for each in (cost.overhead, cost.watts, cost.hours)]
    lines = (
        f"Energy = {' · '.join(given)} / 1000 = **{format_number(own.kwh)} kWh**; CO₂e = "
        f"{format_number(cost.lbs)} · {format_number(own.kwh)} = **{format_number(own.lbs)} lbs** "
        f"({format_number(own.kg)} kg)."
    )
    if cost == default_cost():
        return (
            f"{lines} These are the big Transformer’s numbers: eight GPUs for 3.5 days. The table "
            "prints **192** lbs."
        )
    return f"{lines} An estimate, by the formulas of Strubell et al. 2019."


def _price_part() -> None:
    factor, months = ui.validated_or_previous("re-growth", read_growth, default_growth)
    st.markdown("**When does a price double?**")
    for column, name in zip(st.columns(2), ("re_factor", "re_months"), strict=True):
        with column:
            SETTINGS.draw(name)
    st.markdown(growth_finding(factor, months))
    doubling = doubling_time(factor, months)
    ui.table(
        ["after", "times as much"],
        [(f"{years} year{'s' * (years > 1)}", grow(12.0 * years, doubling)) for years in YEARS],
        name="doubling",
        caption="Growth that goes on at the same rate",
    )
    st.caption("If it went on at the same rate: a calculation, not a forecast.")


def growth_finding(factor: float, months: float) -> str:
    """The number of doublings in a growth, and the time that each takes."""
    doubling = format_number(doubling_time(factor, months))
    times = format_number(count_doublings(factor))
    text = (
        f"A factor of {factor:,.10g} is log₂ {factor:,.10g} = **{times}** doublings; in "
        f"{format_number(months)} months that is one every **{doubling} months**."
    )
    if (factor, months) == default_growth():
        return (
            f"{text} Green AI (Schwartz et al., July 2019) quotes the growth, from 2012 to 2018, "
            "as “doubling every few months”, and asks papers to report a price tag."
        )
    return text


# --- this server ----------------------------------------------------------------------------------


def read_core() -> float:
    """The watts of a busy core.

    Raises:
        ValueError: if it is no number from 0 to 1000.
    """
    watts = parsing.parse_number(SETTINGS.text("re_core"), "the power of a core")
    if not 0 <= watts <= MOST_WATTS_A_CORE:
        raise ValueError(
            f"the power of a core must be from 0 to {MOST_WATTS_A_CORE:g} W; got {watts:g}"
        )
    return watts


def default_core() -> float:
    """The page's default watts of a busy core."""
    return float(LESSON.defaults["re_core"])


def server_view() -> None:
    """Show the processor time of this server and of the visitor's runs, as energy and CO₂."""
    watts = ui.validated_or_previous("re-core", read_core, default_core)
    SETTINGS.draw("re_core")
    used = meter.processor_time()
    own = own_time()
    st.markdown(server_finding(used, own, watts))
    rows = {
        "training runs, everybody’s": used.training,
        "computing for pages": used.computing,
        "pages themselves": used.pages,
        "processes that have ended": used.ended,
        "everything": used.total,
    }
    if own is not None:
        rows["of it: your own training runs"] = own
    ui.table(
        ["part", "processor seconds", "energy, Wh", "CO₂e, g", "of one big Transformer"],
        [(name, seconds, *server_costs(seconds, watts)) for name, seconds in rows.items()],
        name="server",
        caption="Processor time, energy and CO₂ of this server since it started",
    )
    st.button("Read the meter again", icon=":material/refresh:", key="re-meter")
    st.caption(
        "Measured here: processor time, as the operating system counts it. Estimated: the energy, "
        f"at {format_number(watts)} W for a busy core, without overhead; memory, disks, a GPU and "
        "your own screen are left out. CO₂e at 0.954 lbs per kWh."
    )
    if used.distant:
        st.info("Training runs on other machines here; their processor time is not in the total.")


def own_time() -> float | None:
    """The processor seconds of the visitor's runs; None if the cluster does not answer."""
    try:
        return meter.own_seconds()
    except ValueError as error:
        ui.show_error(error)
        return None


def energy(seconds: float, watts: float) -> Footprint:
    """The footprint of processor seconds, without overhead."""
    return footprint(watts, seconds / 3600, overhead=1.0)


def server_costs(seconds: float, watts: float) -> tuple[float, float, float]:
    """Watt-hours, grams of CO₂ equivalent, and the share of one big Transformer’s training."""
    used = energy(seconds, watts)
    return 1000 * used.kwh, 1000 * used.kg, used.lbs / default_cost().footprint().lbs


def server_finding(used: meter.ProcessorTime, own: float | None, watts: float) -> str:
    """The server's time and energy in words."""
    spent = energy(used.total, watts)
    began = datetime.fromtimestamp(used.began).strftime("%Y-%m-%d %H:%M")
    mine = "" if own is None else f" Your own training runs took **{format_number(own)} s** of it."
    return (
        f"Since {began} this server has used **{format_number(used.total)} s** of processor time: "
        f"about **{format_number(1000 * spent.kwh)} Wh**, which would bring "
        f"{format_number(1000 * spent.litres)} ml of water to the boil.{mine}"
    )
