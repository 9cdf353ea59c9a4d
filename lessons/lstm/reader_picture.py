"""A text read by one cell: its value at each character, and how well each cell follows a label."""

from __future__ import annotations

from typing import NamedTuple, TypedDict

import numpy as np
from jaxtyping import Float
from numpy.typing import NDArray
from typing_extensions import TypedDict as EventDict

from drawing.live import LiveNumbers, Slider
from drawing.payload import NumberArray, Script
from lmcore.corpora import quoted_text
from lmcore.models.lstm import LSTM
from lmcore.models.registry import NeuralModel
from lmcore.recurrence import unit_probes
from lmcore.recurrence.unit_probes import LABELS, MeasuredUnits

SHOWN = 370
"""Characters of the built-in text of which the whole lines are drawn."""
MOST = 480
"""The most characters of a typed text that are drawn."""
BARS = 7
"""Cells that have a bar; the others are marks on one line."""
USUAL = 0.95
"""The share of the values that the colours span; larger ones have the colour of the end."""
NAMES = ("at", "value", "true", "unit", "follow", "threshold", "right", "usual")


class Reading(NamedTuple):
    """A text as one unit reads it."""

    text: str
    values: Float[np.ndarray, " place"]
    labels: tuple[float, ...]
    """1 where the label is true, else 0; or the position in the line."""
    label: str
    kind: str
    unit: int
    units: MeasuredUnits


class CellReadsPayload(TypedDict):
    """A text with each character’s value and label, and the cells by how they follow it."""

    text: str
    values: NumberArray
    labels: NumberArray
    centre: float
    """The value without colour: the threshold, or 0."""
    reach: float
    """How far from it the colour is full."""
    label: str
    symbol: str
    spans: bool
    """Whether the label is true or false, and not a number."""
    bars: list[int]
    """The units that follow the label best, and that which is drawn if it is not among them."""
    others: NumberArray
    """How well each other unit follows it."""
    chance: float


class CellPress(EventDict):
    """A cell that was pressed."""

    unit: int


def scores_of(units: MeasuredUnits, label: str) -> Float[np.ndarray, " unit"]:
    """How well each unit follows a label on other texts: max(AUC, 1 − AUC), or |r|; at most 1."""
    found: NDArray[np.float64] = np.abs(units.scores)
    if label != LABELS[-1]:
        found = np.maximum(units.scores, 1 - units.scores)
    return found


def best_unit(units: MeasuredUnits, label: str) -> int:
    """The unit that follows the label best on the texts that select it."""
    return int(unit_probes.distance_from_chance(units.picked, label).argmax())


def is_falling(reading: Reading) -> bool:
    """Whether the unit’s value is low where the label is true, or falls along the line."""
    chance = 0.0 if reading.label == LABELS[-1] else 0.5
    return bool(reading.units.picked[reading.unit] < chance)


def measure(model: NeuralModel) -> dict[tuple[str, str], MeasuredUnits]:
    """Label and kind → how well each unit follows it."""
    assert isinstance(model.network, LSTM)
    return unit_probes.measure_units(model.network, model.vocabulary)


def read(
    model: NeuralModel, units: MeasuredUnits, label: str, kind: str, unit: int | None, typed: str
) -> Reading:
    """A text, or the built-in one, as a unit reads it; None: the unit that follows it best.

    Raises:
        ValueError: if the model does not know a character.
    """
    assert isinstance(model.network, LSTM)
    text = typed[:MOST] or quoted_text.text(unit_probes.TEST_SEED - 1, SHOWN).rpartition("\n")[0]
    found = unit_probes.record_units(model.network, model.vocabulary, [text])
    chosen = best_unit(units, label) if unit is None else unit
    labels = tuple(found.labels[LABELS.index(label)].astype(float).tolist())
    return Reading(text, found.values[kind][:, chosen], labels, label, kind, chosen, units)


def numbers(reading: Reading, at: int) -> LiveNumbers:
    """The numbers at a character, and along the text; shares right are percentages."""
    bars = bars_of(reading)
    follow = scores_of(reading.units, reading.label)
    names = (*NAMES, *(f"follow {n}" for n in range(len(bars))))
    its = (reading.units.thresholds[reading.unit], 100 * reading.units.right[reading.unit])
    fixed = [
        *(reading.unit, follow[reading.unit], *its, 100 * reading.units.usual),
        *(follow[each] for each in bars),
    ]
    table = np.array(
        [
            [place, reading.values[place], reading.labels[place], *fixed]
            for place in range(len(reading.text))
        ]
    )
    positions = np.arange(len(reading.text), dtype=float)
    slider = Slider("at", "character", "character", float(at), positions, "Which one is read")
    return LiveNumbers("cell-reads", names, table[at], (slider,), [table])


def bars_of(reading: Reading) -> list[int]:
    """The units with a bar, the best first; the one that is drawn is always among them."""
    far = scores_of(reading.units, reading.label)
    best = np.argsort(-far, kind="stable")[:BARS].tolist()
    return best if reading.unit in best else [*best[:-1], reading.unit]


def picture(reading: Reading) -> CellReadsPayload:
    """The data of `lessons/lstm/cell_reads.js` other than the numbers."""
    bars = bars_of(reading)
    follow = scores_of(reading.units, reading.label)
    spans = reading.label != LABELS[-1]
    centre = float(reading.units.thresholds[reading.unit]) if spans else 0.0
    reach = float(np.quantile(np.abs(reading.values - centre), USUAL)) or 1.0
    return {
        "text": reading.text,
        "values": reading.values,
        "labels": np.array(reading.labels),
        "centre": centre,
        "reach": reach,
        "label": reading.label,
        "symbol": reading.kind[-1],
        "spans": spans,
        "bars": bars,
        "others": np.delete(follow, bars),
        "chance": 0.5 if spans else 0.0,
    }


CELL_READS = Script("cell_reads", CellReadsPayload, (*NAMES, "follow #"), CellPress)
