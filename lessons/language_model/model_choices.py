"""The models that score a sentence, by their names in the address, and their measurements.

Measuring takes seconds, so each model is measured once for all visitors.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import partial

from drawing.probability_grid import LABELS
from lessons.language_model.language_model_picture import NGRAM_SETTINGS
from lessons.language_model.language_model_text import LearningCost
from lmcore.checks import check_one_of
from lmcore.corpora import entropy
from lmcore.corpora.microworld import microworld
from lmcore.evaluation import costs
from lmcore.evaluation.costs import ModelCosts
from lmcore.models.language_model import LanguageModel
from lmcore.models.ngram import NGram
from lmcore.shipped.models import SHIPPED
from ui import compute, models
from ui.models import ModelEntry


def labels() -> dict[str, str]:
    """Name → label of every available model: ours, and the runs of this session."""
    return LABELS | models.labels(models.session_models())


def entry(name: str) -> ModelEntry:
    """A model by its name, under the label it has on screen.

    Raises:
        ValueError: if there is none of that name.
    """
    known = labels()
    check_one_of("a model", name, known)
    if name in NGRAM_SETTINGS:
        return models.counted_ngram(*NGRAM_SETTINGS[name])._replace(label=known[name])
    return models.shipped_network(name) if name in SHIPPED else models.session_models()[name]


def entries(names: Iterable[str]) -> dict[str, ModelEntry]:
    """The models of these names; a run that no longer exists is left out."""
    known = labels()
    return {name: entry(name) for name in names if name in known}


def ngram(order: int, smoothing: str) -> NGram:
    """The n-gram model of an entry, for access to its counts."""
    model = models.counted_ngram(order, smoothing).model
    assert isinstance(model, NGram)
    return model


def measure_model(each: ModelEntry) -> ModelCosts:
    """Measure a model: perplexity on test documents, p(fed | the dog gets), and times."""
    says = f"Measuring {each.label}: perplexity, p(fed | the dog gets), speed"
    make = partial(_measured, each.model)
    return compute.shared_result("measured models", make, most=64, says=says, apart=True)


def relative_perplexity(each: ModelEntry) -> float:
    """Perplexity on the test documents, divided by the grammar's."""
    make, says = partial(_tested, each.model), f"Testing {each.label}"
    return compute.shared_result("tested models", make, most=64, says=says, apart=True)


def learning_cost(each: ModelEntry) -> LearningCost:
    """The cost of learning: timed for counts, estimated from a few steps for a network."""
    if isinstance(each.model, NGram):
        return LearningCost(costs.tokens_counted(each.model), each.seconds or math.nan)
    assert each.run is not None
    time = partial(costs.learning_seconds, each.run)
    says = f"Timing a few training steps of {each.label}"
    seconds = compute.shared_result("learning seconds", time, most=32, says=says, apart=True)
    return LearningCost(costs.tokens_read(each.run, microworld()), seconds)


def floors(longest: int) -> list[float]:
    """The lowest perplexity of any model that sees 0, 1, … `longest` words."""
    return compute.shared_result("floors", partial(_floors, longest), most=2)


def _measured(model: LanguageModel) -> ModelCosts:
    return costs.measure_costs(model, microworld())


def _tested(model: LanguageModel) -> float:
    return costs.ratio(model, microworld())


def _floors(longest: int) -> list[float]:
    return [float(floor) for floor in entropy.perplexity_floors(microworld(), longest)]
