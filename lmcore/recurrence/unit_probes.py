"""Finds the single unit that best tracks a property, such as whether a quotation is open.

    AUC(unit) = P(v⁺ > v⁻) + ½ P(v⁺ = v⁻)

v⁺ is the unit's value at a position with the label, v⁻ at one without. 1 and 0 are both perfect, as
a unit may decrease where the label is true; ½ is chance. The column is a number, not a label: its
measure is Pearson's |r|. The best unit is selected on one text and scored on another, as the best
of a hundred random units looks good on the text that selected it.

Source: the AUC as a rank statistic is that of Mann & Whitney 1947; the cells sought are those of
Karpathy, Johnson & Li 2015.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import torch
from jaxtyping import Bool, Float, Int
from numpy.typing import NDArray

from lmcore import dataframes
from lmcore.corpora import quoted_text
from lmcore.models.lstm import LSTM
from lmcore.parsing import parse_integer
from lmcore.vocabulary import Vocabulary

TEXTS, LENGTH = 16, 640
"""The number of texts in a batch, and the characters of each."""
SELECTION_SEED, TEST_SEED = 40_000, 50_000
LABELS = ("inside quotes", "inside brackets", "position in line")
KINDS = ("cell c", "hidden h")
UNREADABLE = 0.1
"""A unit with |AUC − ½| and |r| below this tracks nothing."""

if TYPE_CHECKING:
    from pandas import DataFrame


class UnitActivations(NamedTuple):
    """The units' values at each position of some texts, and the labels there."""

    values: dict[str, Float[np.ndarray, "place unit"]]
    """Kind, one of `KINDS` → the values."""
    labels: quoted_text.CharacterLabels


class ProbedUnit(NamedTuple):
    """The best unit for a label, with its score on the selecting text and on another.

    The scores are AUCs; for the position in the line they are Pearson's r.
    """

    label: str
    kind: str
    unit: int
    picked: float
    scored: float


_Read = tuple[
    Float[np.ndarray, "place unit"], Bool[np.ndarray, " place"] | Int[np.ndarray, " place"]
]


class MeasuredUnits(NamedTuple):
    """Every unit as a reader of one label, chosen on one text and measured on another.

    `picked` and `scores` are AUCs, or Pearson's r for the position in the line. A unit says that
    the label is true where its value times the sign of its score is above that of `thresholds`;
    `right` is the share of characters for which this is so. Both are NaN for the position.
    """

    picked: Float[np.ndarray, " unit"]
    scores: Float[np.ndarray, " unit"]
    thresholds: Float[np.ndarray, " unit"]
    right: Float[np.ndarray, " unit"]
    usual: float
    """The share of characters that always giving the more frequent answer has right; or NaN."""

    def to_frame(self) -> DataFrame:
        """One row per unit: picked, score, threshold and right."""
        columns = {"picked": self.picked, "score": self.scores}
        return dataframes.frame(columns | {"threshold": self.thresholds, "right": self.right})


def parse_unit(text: str, there: int) -> int:
    """Parse the number of a unit, below `there`.

    Raises:
        ValueError: if there is no such unit.
    """
    unit = parse_integer(text, "the unit")
    if not 0 <= unit < there:
        raise ValueError(f"the unit must be from 0 to {there - 1}; got {unit}")
    return unit


def auc(
    values: Float[np.ndarray, "place unit"], label: Bool[np.ndarray, " place"]
) -> Float[np.ndarray, " unit"]:
    """The AUC of each unit for `label`, ties counted half.

    AUC = (R⁺ − n⁺(n⁺ + 1)/2) / (n⁺ n⁻), where R⁺ is the sum of the ranks of positions with it.

    Raises:
        ValueError: if the label is true everywhere or nowhere.
    """
    inside = int(label.sum())
    outside = len(label) - inside
    if not inside or not outside:
        raise ValueError(
            f"a label must be true at some places and false at others; got {inside} true of "
            f"{len(label)}"
        )
    total = ranks(values)[label].sum(axis=0)
    area: NDArray[np.float64] = (total - inside * (inside + 1) / 2) / (inside * outside)
    return area


def ranks(values: Float[np.ndarray, "place unit"]) -> Float[np.ndarray, "place unit"]:
    """The rank of each value within its column, from 1; equal values share their mean rank."""
    order = np.argsort(values, axis=0)
    ordered = np.take_along_axis(values, order, axis=0)
    places = np.arange(len(values))[:, None]
    begins = np.ones_like(order, dtype=bool)
    begins[1:] = ordered[1:] != ordered[:-1]
    ends = np.ones_like(begins)
    ends[:-1] = begins[1:]
    # The first and the last index of each run of equal values, carried over the run.
    first = np.maximum.accumulate(np.where(begins, places, 0), axis=0)
    last = np.minimum.accumulate(np.where(ends, places, len(values))[::-1], axis=0)[::-1]
    shared = np.empty(values.shape)
    np.put_along_axis(shared, order, (first + last) / 2 + 1, axis=0)
    return shared


def correlation(
    values: Float[np.ndarray, "place unit"], position: Int[np.ndarray, " place"]
) -> Float[np.ndarray, " unit"]:
    """Pearson's r of each unit with `position`; 0 for a constant unit or position."""
    moved = values - values.mean(axis=0)
    along = position - position.mean()
    size = np.sqrt(np.square(moved).sum(axis=0) * np.square(along).sum())
    r: NDArray[np.float64] = np.divide(along @ moved, size, out=np.zeros(len(size)), where=size > 0)
    return r


def unit_scores(
    values: Float[np.ndarray, "place unit"],
    label: Bool[np.ndarray, " place"] | Int[np.ndarray, " place"],
) -> Float[np.ndarray, " unit"]:
    """The score of each unit: its AUC for a label, Pearson's r for a number."""
    return auc(values, label) if label.dtype == bool else correlation(values, label)


def distance_from_chance(
    scores: Float[np.ndarray, " unit"], label: str
) -> Float[np.ndarray, " unit"]:
    """The distance of each score from chance: |AUC − ½| or |r|."""
    return np.abs(scores if label == LABELS[-1] else scores - 0.5)


@torch.no_grad()
def record_units(network: LSTM, vocabulary: Vocabulary, texts: list[str]) -> UnitActivations:
    """The last layer's cells over `texts` of one length, each read from its own beginning."""
    tokens = torch.tensor([vocabulary.encode(text) for text in texts])
    layer = network(tokens).layers[-1]
    values = {
        kind: each.flatten(0, 1).double().numpy()
        for kind, each in zip(KINDS, (layer.cell, layer.hidden), strict=True)
    }
    each = [quoted_text.labels(text) for text in texts]
    return UnitActivations(
        values, quoted_text.CharacterLabels(*map(np.concatenate, zip(*each, strict=True)))
    )


def sample_texts(seed: int) -> list[str]:
    """Texts of the quoted kind, each from the beginning of a stream of its own."""
    return [quoted_text.text(seed + i, LENGTH) for i in range(TEXTS)]


def search(network: LSTM, vocabulary: Vocabulary) -> tuple[tuple[ProbedUnit, ...], int]:
    """For each label the best cell and the best hidden unit; and how many cells track nothing.

    Those are the cells that are closer than `UNREADABLE` to chance for every label.
    """
    picking = record_units(network, vocabulary, sample_texts(SELECTION_SEED))
    scoring = record_units(network, vocabulary, sample_texts(TEST_SEED))
    probed, known = [], np.zeros(network.config.hidden)
    for i, name in enumerate(LABELS):
        for kind in KINDS:
            scores = unit_scores(picking.values[kind], picking.labels[i])
            far = distance_from_chance(scores, name)
            unit = int(far.argmax())
            again = unit_scores(scoring.values[kind][:, [unit]], scoring.labels[i])
            probed.append(ProbedUnit(name, kind, unit, float(scores[unit]), float(again[0])))
            if kind == KINDS[0]:
                known = np.maximum(known, far)
    return tuple(probed), int((known < UNREADABLE).sum())


def measure_units(network: LSTM, vocabulary: Vocabulary) -> dict[tuple[str, str], MeasuredUnits]:
    """Label and kind → how well each unit follows it, by itself and with a threshold."""
    picking, scoring = (
        record_units(network, vocabulary, sample_texts(seed))
        for seed in (SELECTION_SEED, TEST_SEED)
    )
    return {
        (label, kind): _measured(
            (picking.values[kind], picking.labels[at]), (scoring.values[kind], scoring.labels[at])
        )
        for at, label in enumerate(LABELS)
        for kind in KINDS
    }


def _measured(picking: _Read, scoring: _Read) -> MeasuredUnits:
    picked, scores = unit_scores(*picking), unit_scores(*scoring)
    values, truth = scoring
    if truth.dtype != bool:
        unknown = np.full(len(picked), np.nan)
        return MeasuredUnits(picked, scores, unknown, unknown, float("nan"))
    signs = np.where(picked < 0.5, -1.0, 1.0)
    thresholds = signs * best_thresholds(signs * picking[0], picking[1])
    says = signs * values > signs * thresholds
    right: NDArray[np.float64] = (says == truth[:, None]).mean(axis=0)
    usual = float(max(truth.mean(), 1 - truth.mean()))
    return MeasuredUnits(picked, scores, thresholds, right, usual)


def best_thresholds(
    values: Float[np.ndarray, "place unit"], label: Bool[np.ndarray, " place"]
) -> Float[np.ndarray, " unit"]:
    """For each unit the threshold above which most places have the label, as most below have not.

    It lies halfway between two values.
    """
    order = np.argsort(values, axis=0, kind="stable")
    ordered = np.take_along_axis(values, order, axis=0)
    true = label[order]
    wrong = np.cumsum(true, axis=0) + (~true).sum(axis=0) - np.cumsum(~true, axis=0)
    between = ordered[1:] > ordered[:-1]
    best = np.where(between, wrong[:-1], len(label) + 1).argmin(axis=0)[None]
    low, high = (np.take_along_axis(ordered, best + k, axis=0)[0] for k in (0, 1))
    middle: NDArray[np.float64] = (low + high) / 2
    return middle
