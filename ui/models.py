"""The language models that pages can ask: those that come with the app, and the session's own."""

from __future__ import annotations

import time
from typing import NamedTuple

import numpy as np
import streamlit as st

from lmcore import ngram, shipped
from lmcore.corpora.microworld import microworld, training
from lmcore.figures.training import LABELS
from lmcore.language_model import LanguageModel
from lmcore.training import checkpoint
from lmcore.training.runs import LIVE
from ui import runs

COUNTED = 60_000
"""Documents the n-grams are counted on; the networks that ship read about five times as many."""
ORDERS = (1, 2, 3, 4, 5)
SMOOTHINGS = {"none": "none", "add-k": "add-k", "kneser-ney": "Kneser–Ney"}


class Entry(NamedTuple):
    """A model with its name on screen, and how long it took to learn, in seconds, if measured."""

    label: str
    model: LanguageModel
    seconds: float | None = None


def truth() -> Entry:
    """The grammar itself: the best any model can do."""
    return Entry("The grammar", microworld())


def counted(order: int, smoothing: str = "kneser-ney") -> Entry:
    """An n-gram model of the microworld, counted once for everybody."""
    return st.cache_resource(max_entries=12, show_spinner="Counting")(_counted)(order, smoothing)


def network(name: str) -> Entry:
    """A network that comes with the app, by its name in `lmcore.shipped`."""
    return st.cache_resource(max_entries=8, show_spinner="Loading")(_network)(name)


def own() -> dict[str, Entry]:
    """The runs of this session that rest and have learnt the microworld, by the run's name."""
    found = {}
    for name in str(st.session_state.get("runs", "")).split(","):
        if name not in runs.pool():
            continue
        view = runs.pool().view(name)
        if view.step and view.state not in LIVE and view.spec.corpus.source == "microworld":
            load = st.cache_resource(max_entries=24, show_spinner="Loading")(_own)
            found[name] = load(name, view.step)
    return found


def _counted(order: int, smoothing: str) -> Entry:
    world = microworld()
    documents = training(world.sample(COUNTED, np.random.default_rng(1)))
    start = time.perf_counter()
    model = ngram.fit(ngram.NGramConfig(order, smoothing), world.vocabulary, documents)
    took = time.perf_counter() - start
    return Entry(f"{order}-gram, {SMOOTHINGS[smoothing]}", model, took)


def _network(name: str) -> Entry:
    model, spec, _ = shipped.shipped(name)
    return Entry(LABELS[spec.model.kind], model)


def _own(name: str, step: int) -> Entry:
    model, spec, _ = checkpoint.model(runs.pool().checkpoint(name) or b"")
    return Entry(f"{LABELS[spec.model.kind]}, trained here, step {step}", model)
