"""Three translation systems into two languages, on rulers of one scale: the leads of the best."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypedDict

import numpy as np
from typing_extensions import TypedDict as EventDict

from drawing.live import LiveNumbers
from drawing.payload import Script
from lmcore.results.recomputed import SAME_SYSTEMS
from lmcore.results.tables import load_results

LANGUAGES = {"de": "into German", "fr": "into French"}
VERSIONS = {"arxiv": "later arXiv version", "conference": "conference paper"}
"""The versions of the Transformer’s paper, which print different scores into French."""


class Scores(NamedTuple):
    """The scores into one language: of the two others, and of the Transformer in both versions."""

    others: dict[str, float]
    versions: dict[str, float]

    def lead(self, version: str) -> float:
        """How far the Transformer is ahead of the best of the others, in BLEU."""
        return round(self.versions[version] - max(self.others.values()), 6)

    @property
    def apart(self) -> float:
        """How far the two others are apart."""
        return round(max(self.others.values()) - min(self.others.values()), 6)


def scores() -> dict[str, Scores]:
    """The scores of the rounded table, and the Transformer’s of the full one, by language."""
    table, full = load_results("wmt_short"), load_results("wmt")
    *others, transformer = table.rows
    found = {}
    for key in LANGUAGES:
        printed = {row.name: table.decimal(row, key) for row in table.rows}
        paper = full.decimal(full.row(SAME_SYSTEMS[transformer.name]), key)
        assert paper is not None and all(each is not None for each in printed.values())
        values = {name: float(value or 0) for name, value in printed.items()}
        versions = {"arxiv": values.pop(transformer.name), "conference": float(paper)}
        found[key] = Scores({row.short: values[row.name] for row in others}, versions)
    return found


class LeadRow(TypedDict):
    """The ruler of a language: the names and scores of the others, and those of the Transformer."""

    key: str
    label: str
    names: Sequence[str]
    scores: Sequence[float]
    best: float
    other: float
    """The Transformer’s score in the other version; the same if both print one."""


class LeadsPayload(TypedDict):
    """Both rulers."""

    rows: Sequence[LeadRow]
    system: str
    version: str
    otherVersion: str
    source: str


class ChosenVersion(EventDict):
    """The other version was pressed."""

    other: bool


LEADS = Script("leads", LeadsPayload, ("de", "fr", "apart", "@say", "@formula"), ChosenVersion)


def numbers(found: dict[str, Scores], version: str) -> LiveNumbers:
    """The leads into both languages, and how far the others are apart into German."""
    values = {
        **{key: each.lead(version) for key, each in found.items()},
        "apart": found["de"].apart,
        "@say": 0.0,
        "@formula": 0.0,
    }
    return LiveNumbers("leads", tuple(values), np.array(list(values.values())))


def picture(found: dict[str, Scores], version: str) -> LeadsPayload:
    """The data of `lessons/results/leads.js` other than the numbers."""
    other = other_version(version)
    return {
        "rows": [
            {
                "key": key,
                "label": LANGUAGES[key],
                "names": list(each.others),
                "scores": list(each.others.values()),
                "best": each.versions[version],
                "other": each.versions[other],
            }
            for key, each in found.items()
        ],
        "system": "Transformer",
        "version": VERSIONS[version],
        "otherVersion": VERSIONS[other],
        "source": f"Quoted from {load_results('wmt').source}",
    }


def other_version(version: str) -> str:
    """The version that is not shown."""
    return next(each for each in VERSIONS if each != version)
