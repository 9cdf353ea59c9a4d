"""Five uses of Transformers: the models that serve each, their heads, and an example of ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypedDict

import numpy as np

from drawing.events import Name
from drawing.live import LiveNumbers
from drawing.payload import Script

ENCODER, BOTH, DECODER = "encoder", "encoder–decoder", "decoder"
MODELS = (ENCODER, BOTH, DECODER)
WRITES = "language-model head"


class Run(NamedTuple):
    """How a model serves a use: its head, what it reads and, from there, gives."""

    head: str
    reads: tuple[str, ...]
    """Words from the left; of an encoder–decoder, half are the source’s."""
    note: str
    gives: str


class Use(NamedTuple):
    """A use, and the models that serve it; the first one is the usual one."""

    name: str
    about: str
    runs: Mapping[str, Run]

    @property
    def model(self) -> str:
        """The first of its models."""
        return next(iter(self.runs))


TRANSLATED = ("I", "like", "going", "hiking", "<s>", "me", "gusta", "ir")
USES = {
    "translation": Use(
        "Translation",
        "writes word by word",
        {
            BOTH: Run(WRITES, TRANSLATED, "the source │ the translation so far", "de"),
            DECODER: Run(WRITES, ("hiking", "→", "gusta", "ir"), "both in one text", "de"),
        },
    ),
    "search": Use(
        "Web search",
        "a score for each page",
        {
            ENCODER: Run(
                "one vector for the text",
                ("[CLS]", "where", "to", "hike"),
                "the question; each page likewise",
                "a score with each page",
            )
        },
    ),
    "sentiment": Use(
        "Sentiment",
        "or the class of a document",
        {
            ENCODER: Run(
                "linear layer on [CLS]",
                ("[CLS]", "a", "great", "hike"),
                "the whole text at once",
                "positive",
            )
        },
    ),
    "assistant": Use(
        "Assistant",
        "and question answering",
        {DECODER: Run(WRITES, ("where", "to", "hike", "?"), "the conversation so far", "Try")},
    ),
    "human": Use(
        "Human LM",
        "reads other texts of the author",
        {DECODER: Run(WRITES, ("woods", "│", "I", "like"), "other texts │ this text", "hiking")},
    ),
}
CLASSIFIES = "sentiment"


class RunData(TypedDict):
    """How a model serves a use; all texts empty: it does not."""

    head: str
    reads: Sequence[str]
    note: str
    gives: str


class UseData(TypedDict):
    """A use: its key, name, a line about it, and a run for each model."""

    key: str
    label: str
    about: str
    runs: list[RunData]


class InUsePayload(TypedDict):
    """The models and the uses."""

    models: Sequence[str]
    uses: list[UseData]


IN_USE = Script(
    "in_use", InUsePayload, ("use", "uses", "same", "count #", "@say", "@formula"), Name
)
"""`count` is the number of uses that each model serves, `same` that of the chosen one’s model."""


def counts() -> list[int]:
    """How many uses each model serves, in the order of `MODELS`."""
    return [sum(model in use.runs for use in USES.values()) for model in MODELS]


def numbers(use: str) -> LiveNumbers:
    """The place of the chosen use, and how many uses each model serves."""
    place = list(USES).index(use)
    found = counts()
    values = {
        "use": float(place),
        "uses": float(len(USES)),
        "same": float(found[MODELS.index(USES[use].model)]),
        **{f"count {n}": float(count) for n, count in enumerate(found)},
        "@say": float(place),
        "@formula": 0.0,
    }
    return LiveNumbers("in-use", tuple(values), np.array(list(values.values())))


def picture() -> InUsePayload:
    """The data of `lessons/results/in_use.js` other than the numbers."""
    none = Run("", (), "", "")
    uses: list[UseData] = []
    for key, use in USES.items():
        runs = [use.runs.get(model, none) for model in MODELS]
        data: list[RunData] = [
            {"head": run.head, "reads": run.reads, "note": run.note, "gives": run.gives}
            for run in runs
        ]
        uses.append({"key": key, "label": use.name, "about": use.about, "runs": data})
    return {"models": MODELS, "uses": uses}
