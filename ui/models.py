"""The language models available to pages: those that ship, and the session's own."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache, partial
from typing import NamedTuple

import numpy as np

from drawing.run_text import LABELS
from lmcore.corpora.documents import Documents
from lmcore.corpora.microworld import microworld, training_documents
from lmcore.models import ngram
from lmcore.models.language_model import LanguageModel
from lmcore.shipped import models
from lmcore.training import checkpoint
from lmcore.training.pool.runs import RESTING_STATES
from lmcore.training.spec import RunSpec
from lmcore.training.spec_diff import difference_labels
from ui import compute, runs
from ui.widgets import address_value

COUNTED = 60_000
"""Documents the n-grams are counted on; the shipped networks were trained on about five times as
many."""
ORDERS = (1, 2, 3, 4, 5)
SMOOTHINGS = {"none": "none", "add-k": "add-k", "kneser-ney": "Kneser–Ney"}


class ModelEntry(NamedTuple):
    """A model with its name on screen, and how it was obtained.

    A counted model has the seconds of counting; a model trained here has its run, with the steps
    made.
    """

    label: str
    model: LanguageModel
    seconds: float | None = None
    run: RunSpec | None = None


def labels(entries: Mapping[str, ModelEntry]) -> dict[str, str]:
    """What each model is called on screen."""
    return {name: entry.label for name, entry in entries.items()}


def truth() -> ModelEntry:
    """The grammar itself: the best any model can do."""
    return ModelEntry("The grammar", microworld())


@lru_cache(maxsize=1)
def counted_documents() -> Documents:
    """The training documents of the microworld that its n-grams count."""
    return training_documents(microworld().sample(COUNTED, np.random.default_rng(1)))


def counted_ngram(order: int, smoothing: str = "kneser-ney") -> ModelEntry:
    """An n-gram model of the microworld, counted once for everybody."""
    count = partial(_counted, order, smoothing)
    return compute.shared_result("n-grams", count, most=12, says="Counting")


def shipped_network(name: str) -> ModelEntry:
    """A network that comes with the app, by its name in `lmcore.shipped.models`."""
    return compute.shared_result("networks", partial(_network, name), most=8, says="Loading")


def session_models(source: str = "microworld") -> dict[str, ModelEntry]:
    """The paused or finished runs of this session on a text of that source, by their names.

    The address has their names, so that a link works for them.
    """
    found = {}
    for name in address_value("runs", "").split(","):
        if name not in runs.pool():
            continue
        view = runs.pool().view(name)
        # A model that sees the later words cannot give their probabilities.
        honest = view.spec.model.kind in LABELS and view.spec.model.causal
        if view.state in RESTING_STATES and view.spec.corpus.source == source and honest:
            load = partial(_own, name, view.state, view.step)
            entry = compute.shared_result("trained here", load, most=24, says="Loading")
            if entry is not None:
                found[name] = entry
    hows = difference_labels([entry.run for entry in found.values() if entry.run])
    return {
        name: entry._replace(label=f"{entry.label}{f', {how}' if how else ''}")
        for (name, entry), how in zip(found.items(), hows, strict=True)
    }


def _counted(order: int, smoothing: str) -> ModelEntry:
    documents, vocabulary = counted_documents(), microworld().vocabulary
    start = time.perf_counter()
    model = ngram.fit_ngram(ngram.NGramConfig(order, smoothing), vocabulary, documents)
    took = time.perf_counter() - start
    return ModelEntry(f"{order}-gram, {SMOOTHINGS[smoothing]}", model, took)


def _network(name: str) -> ModelEntry:
    model, spec, step = models.load_shipped(name)
    compute.send_by_name(model, partial(_model, name))
    return ModelEntry(LABELS[spec.model.kind], model, run=spec_of_made_steps(spec, step))


def _model(name: str) -> LanguageModel:
    return shipped_network(name).model


# An interrupted run may have reported later steps than it saved.
def _own(name: str, _state: str, _step: int) -> ModelEntry | None:
    """The run as last saved; None if it was never saved or has made no step.

    It is loaded again once its state or its number of steps has changed.
    """
    saved = runs.pool().checkpoint(name)
    if saved is None:
        return None
    model, spec, step = checkpoint.load_model(saved)
    label = f"{LABELS[spec.model.kind]}, trained here, step {step}"
    return ModelEntry(label, model, run=spec_of_made_steps(spec, step)) if step else None


def spec_of_made_steps(spec: RunSpec, step: int) -> RunSpec:
    """The spec of the steps that were made, at least one."""
    steps = max(step, 1)
    return replace(spec, steps=steps, every=min(spec.every, steps))
