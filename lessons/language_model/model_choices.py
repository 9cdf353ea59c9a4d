"""The models a sentence is put to, by their names in the address, and what was measured of them.

Measuring takes seconds, so each model is measured once for everybody.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import partial

from lessons.language_model.advantages import Learnt
from lessons.shared.probability_grid import COUNTED, LABELS
from lmcore.corpora import entropy
from lmcore.corpora.microworld import microworld
from lmcore.evaluation import costs
from lmcore.evaluation.costs import Measured
from lmcore.models.language_model import LanguageModel
from lmcore.models.ngram import NGram
from lmcore.shipped.models import SHIPPED
from ui import models
from ui.compute import shared_results
from ui.models import Entry


def labels() -> dict[str, str]:
    """Every model that can be asked, name → label: ours, and the runs of this session."""
    return LABELS | {name: entry.label for name, entry in models.own().items()}


def entry(name: str) -> Entry:
    """A model by its name, under the label it has on screen.

    Raises:
        ValueError: if there is none of that name.
    """
    known = labels()
    if name not in known:
        raise ValueError(f"a model must be one of {', '.join(known)}; got {name!r}")
    if name in COUNTED:
        return models.counted(*COUNTED[name])._replace(label=known[name])
    return models.network(name) if name in SHIPPED else models.own()[name]


def entries(names: Iterable[str]) -> dict[str, Entry]:
    """Those models; a run that is no longer there is left out."""
    known = labels()
    return {name: entry(name) for name in names if name in known}


def ngram(order: int, smoothing: str) -> NGram:
    """An n-gram model as what it is, to look into its counts."""
    model = models.counted(order, smoothing).model
    assert isinstance(model, NGram)
    return model


def measured(name: str, each: Entry) -> Measured:
    """A model on the test documents, on the dog, and on the clock."""
    says = f"Measuring {each.label}: test documents, the dog, the clock"
    make = partial(_measured, each.model)
    return shared_results.kept(
        "measured models", (name, each.label), make, most=64, says=says, apart=True
    )


def tested(name: str, each: Entry) -> float:
    """Its perplexity on the test documents, over the grammar's."""
    make, says = partial(_tested, each.model), f"Testing {each.label}"
    return shared_results.kept(
        "tested models", (name, each.label), make, most=64, says=says, apart=True
    )


def learnt(each: Entry) -> Learnt:
    """What learning took: timed when it was counted, estimated from a few steps for a network."""
    if isinstance(each.model, NGram):
        return Learnt(costs.tokens_counted(each.model), each.seconds or math.nan)
    assert each.run is not None
    time = partial(costs.learning_seconds, each.run)
    says = f"Timing a few training steps of {each.label}"
    seconds = shared_results.kept(
        "learning seconds", each.run, time, most=32, says=says, apart=True
    )
    return Learnt(costs.tokens_read(each.run, microworld()), seconds)


def floors(longest: int) -> list[float]:
    """The lowest perplexity of any model that sees 0, 1, … `longest` words."""
    return shared_results.kept("floors", longest, partial(_floors, longest), most=2)


def _measured(model: LanguageModel) -> Measured:
    return costs.measure(model, microworld())


def _tested(model: LanguageModel) -> float:
    return costs.ratio(model, microworld())


def _floors(longest: int) -> list[float]:
    return [float(floor) for floor in entropy.floors(microworld(), longest)]
