"""Energy and CO₂ of a computation, as Strubell et al. 2019 estimate them, and doubling times."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lmcore import dataframes

if TYPE_CHECKING:
    from pandas import DataFrame

OVERHEAD = 1.58
"""Energy of a data centre per energy of its computers (PUE), the average of 2018 in that paper."""
LBS_PER_KWH = 0.954
"""Pounds of CO₂ equivalent per kWh of electricity in the United States, 2018, in that paper."""
KG_PER_LB = 0.45359237
GREEN_AI = (300_000.0, 72.0)
"""Growth of the computation of the largest trainings, and the months from 2012 to 2018 in which
they grew: Schwartz et al. 2019, as the UW slide “Note on the costs of LMs” quotes them."""
TRANSFORMER_BIG = (1515.43, 84.0)
"""Watts and hours: eight P100 GPUs with their computer for 3.5 days; Strubell et al., table 3."""
MOST = 1e12
"""The largest number of an estimate."""
MOST_DOUBLINGS = 1000
SECONDS_PER_HOUR = 3600.0
WATER = 4186.0
"""Joules that warm a kilogram of water, about a litre, by one degree."""
BOILING = 80.0
"""Degrees from tap water at 20 °C to boiling."""


@dataclass(frozen=True, slots=True)
class Footprint:
    """The energy of a computation, overhead included, and its CO₂ equivalent."""

    kwh: float
    lbs: float

    @property
    def kg(self) -> float:
        """CO₂ equivalent in kilograms."""
        return self.lbs * KG_PER_LB

    @property
    def litres(self) -> float:
        """Litres of water that the energy brings from 20 °C to boiling, without losses."""
        return self.kwh * 1000 * SECONDS_PER_HOUR / (WATER * BOILING)

    def to_frame(self) -> DataFrame:
        """One row: kWh, lbs, kg, litres of water."""
        return dataframes.one_row(
            {name: getattr(self, name) for name in ("kwh", "lbs", "kg", "litres")}
        )


def footprint(
    watts: float, hours: float, *, overhead: float = OVERHEAD, lbs_per_kwh: float = LBS_PER_KWH
) -> Footprint:
    """The footprint of something that draws `watts` for `hours`.

    kWh = overhead · watts · hours / 1000, and CO₂ = lbs_per_kwh · kWh: Strubell et al. 2019,
    equations 1 and 2.

    Raises:
        ValueError: if a number is negative or above `MOST`, or the overhead below 1.
    """
    for name, value, least in (
        ("the power in watts", watts, 0),
        ("the time in hours", hours, 0),
        ("the overhead", overhead, 1),
        ("CO₂ per kWh", lbs_per_kwh, 0),
    ):
        if not least <= value <= MOST:
            raise ValueError(f"{name} must be from {least} to {MOST:g}; got {value:g}")
    kwh = overhead * watts * hours / 1000
    return Footprint(kwh, lbs_per_kwh * kwh)


def count_doublings(factor: float) -> float:
    """How many doublings make a factor: log₂.

    Raises:
        ValueError: if it is not above 1, or above `MOST`.
    """
    if not 1 < factor <= MOST:
        raise ValueError(f"the factor must be above 1 and at most {MOST:g}; got {factor:g}")
    return math.log2(factor)


def doubling_time(factor: float, duration: float) -> float:
    """The time of one doubling, if something grows by `factor` in `duration`, evenly.

    Raises:
        ValueError: as `count_doublings`; if the duration is not above 0, or above `MOST`.
    """
    if not 0 < duration <= MOST:
        raise ValueError(f"the duration must be above 0 and at most {MOST:g}; got {duration:g}")
    return duration / count_doublings(factor)


def grow(duration: float, doubling: float) -> float:
    """The factor after `duration`, if something doubles every `doubling`.

    Raises:
        ValueError: if it doubles more than `MOST_DOUBLINGS` times.
    """
    if not duration <= MOST_DOUBLINGS * doubling:
        raise ValueError(
            f"the growth must be at most {MOST_DOUBLINGS} doublings in a time of {duration:g}; "
            f"got one every {doubling:.3g}"
        )
    return float(2.0 ** (duration / doubling))
