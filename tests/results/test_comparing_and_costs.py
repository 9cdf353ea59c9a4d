"""Ratios, errors removed, frontiers, footprints and doublings."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lmcore.results.comparison import compare, error_reduction
from lmcore.results.costs import (
    GREEN_AI,
    KG_PER_LB,
    TRANSFORMER_BIG,
    count_doublings,
    doubling_time,
    footprint,
    grow,
)
from lmcore.results.frontier import find_frontier
from lmcore.results.tables import load_results

SCORES = st.floats(0, 99)


@given(SCORES, st.floats(0, 100))
def test_what_is_left_of_the_errors_and_what_is_removed_are_all(before, after):
    removed = error_reduction(before, after)
    assert removed + (100 - after) / (100 - before) == pytest.approx(1)


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        (100.0, 100.0, "the score before must be below 100 %"),
        (-1.0, 50.0, "the score before must be from 0 to 100 %; got -1"),
        (50.0, 100.5, "the score after must be from 0 to 100 %; got 100.5"),
        (math.nan, 50.0, "the score before must be from 0 to 100 %; got nan"),
    ],
)
def test_scores_that_cannot_be_are_named(before, after, message):
    with pytest.raises(ValueError, match=message):
        error_reduction(before, after)


def test_a_comparison_has_no_errors_unless_it_is_of_scores():
    assert math.isnan(compare(2.0, 3.0).removed)
    assert math.isnan(compare(0.0, 3.0).ratio)
    both = compare(81.1, 85.8, scores=True)
    assert both.removed == pytest.approx(4.7 / 18.9)
    assert both.to_frame().iloc[0].tolist() == pytest.approx(
        [81.1, 85.8, 4.7, 85.8 / 81.1, 4.7 / 18.9]
    )


def test_the_ratios_of_the_slides_costs():
    wmt = load_results("wmt")
    cost = dict(zip((row.name for row in wmt.rows), wmt.values("cost_de"), strict=True))
    assert cost["GNMT + RL"] / cost["Transformer (base)"] == pytest.approx(6.97, abs=5e-3)
    assert cost["ConvS2S Ensemble"] / cost["Transformer (big)"] == pytest.approx(3.35, abs=5e-3)
    co2 = load_results("co2")
    lbs = dict(zip((row.short for row in co2.rows), co2.values("co2"), strict=True))
    searched = lbs["Transformer + NAS"]
    assert searched / lbs["car, 1 lifetime"] == pytest.approx(4.97, abs=5e-3)
    assert searched / lbs["American, 1 year"] == pytest.approx(17.3, abs=0.05)
    assert searched / lbs["flight NY↔SF"] == pytest.approx(315.6, abs=0.05)
    assert lbs["pipeline + tuning"] / lbs["NLP pipeline"] == pytest.approx(2012)
    assert lbs["Transformer big"] / lbs["flight NY↔SF"] == pytest.approx(0.097, abs=5e-4)
    albert = load_results("albert")
    size = dict(zip((row.name for row in albert.rows), albert.values("parameters"), strict=True))
    assert size["BERT base"] / size["ALBERT base"] == pytest.approx(9.0)
    assert size["BERT large"] / size["ALBERT large"] == pytest.approx(18.6, abs=0.05)
    assert size["ALBERT xxlarge"] / size["BERT large"] == pytest.approx(0.70, abs=5e-3)


def test_the_printed_co2_of_two_trainings_comes_out_of_watts_and_hours():
    watts, hours = TRANSFORMER_BIG
    assert hours == 3.5 * 24
    assert round(footprint(watts, hours).lbs) == 192
    assert round(footprint(watts, 274_120.0).lbs) == 626_155  # hours of the search, Strubell et al.


def test_a_footprint_by_hand():
    used = footprint(1000.0, 2.0, overhead=1.5, lbs_per_kwh=2.0)
    assert (used.kwh, used.lbs) == (3, 6)
    assert used.kg == pytest.approx(6 * KG_PER_LB)
    assert used.litres == pytest.approx(3 * 3.6e6 / (4186 * 80))
    assert used.to_frame().columns.tolist() == ["kwh", "lbs", "kg", "litres"]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ((-1.0, 1.0), r"the power in watts must be from 0 to 1e\+12; got -1"),
        ((1.0, math.inf), r"the time in hours must be from 0 to 1e\+12; got inf"),
        ((1.0, 1.0, 0.9), r"the overhead must be from 1 to 1e\+12; got 0.9"),
        ((1.0, 1.0, 1.0, math.nan), r"CO₂ per kWh must be from 0 to 1e\+12; got nan"),
    ],
)
def test_a_footprint_that_cannot_be_is_named(given, message):
    names = ("watts", "hours", "overhead", "lbs_per_kwh")
    with pytest.raises(ValueError, match=message):
        footprint(**dict(zip(names, given, strict=False)))


def test_green_ais_doublings():
    assert count_doublings(GREEN_AI[0]) == pytest.approx(18.19, abs=5e-3)
    assert doubling_time(*GREEN_AI) == pytest.approx(3.96, abs=5e-3)
    assert grow(72.0, doubling_time(300_000.0, 72.0)) == pytest.approx(300_000)


@pytest.mark.parametrize("factor", [1.0, 0.0, -3.0, math.nan, math.inf, 1e308])
def test_a_factor_that_is_no_growth_is_named(factor):
    with pytest.raises(ValueError, match="the factor must be above 1"):
        doubling_time(factor, 12.0)
    with pytest.raises(ValueError, match="the duration must be above 0"):
        doubling_time(2.0, 0.0)


@pytest.mark.parametrize("duration", [1e-308, 1e-3, 72.0, 1e12])
@pytest.mark.parametrize("factor", [1.0 + 1e-15, 2.0, 1e12])
def test_a_growth_is_a_number_or_refused(factor, duration):
    doubling = doubling_time(factor, duration)
    try:
        assert 1 <= grow(120.0, doubling) < math.inf
    except ValueError as error:
        assert "doublings" in str(error) and doubling < 0.12


SYSTEMS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=8)


@given(SYSTEMS, st.sampled_from(["high", "low"]), st.sampled_from(["high", "low"]))
def test_a_frontier_is_what_nothing_beats(systems, first, second):
    def at_least(a, b, better):
        return a >= b if better == "high" else a <= b

    xs, ys = (list(map(float, each)) for each in zip(*systems, strict=True))
    found = find_frontier(xs, ys, better_first=first, better_second=second)
    for i, (x, y) in enumerate(systems):
        beaten = any(
            at_least(a, x, first) and at_least(b, y, second) and (a, b) != (x, y)
            for a, b in systems
        )
        assert (i in found) == (not beaten)


def test_a_system_without_a_number_is_on_no_frontier():
    assert find_frontier([1.0, math.nan, 3.0], [1.0, 9.0, 2.0]) == [0, 2]
    wmt = load_results("wmt")
    names = [wmt.rows[i].name for i in find_frontier(wmt.values("cost_de"), wmt.values("de"))]
    assert names == ["Transformer (base)", "Transformer (big)"]
    with pytest.raises(ValueError, match="both must have as many numbers; got 1 and 2"):
        find_frontier([1.0], [1.0, 2.0])
