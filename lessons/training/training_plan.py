"""What *Start* would begin, the recorded runs shown before that, and the runs on the stage."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import streamlit as st

import ui
from lessons.training.training_picture import Plan
from lessons.training.training_state import LESSON, SETTINGS, described_specs
from lmcore.shipped.recordings import Recording, find_recording, find_recordings
from lmcore.training.batches import corpus_vocabulary, running_text
from lmcore.training.pool.runs import RunView
from lmcore.training.spec import RunSpec
from lmcore.training.spec_diff import difference_labels
from lmcore.training.spec_diff import settings as spec_settings
from ui import runs

MOST_DIFFERENCES = 2
"""A recorded run that differs in more settings than this is not shown instead."""


def read_plan(specs: tuple[RunSpec, ...], blocked: str) -> Plan:
    """What *Start* would begin, and the recorded runs that are shown before."""
    found = [None if spec.corpus.text else find_recording(spec) for spec in specs]
    recordings = tuple(each for each in found if each)
    differs = ""
    if len(recordings) < len(specs):
        recordings = ()
        near = nearest_recording(specs[0]) if len(specs) == 1 and not blocked else None
        if near:
            recordings, differs = (near,), difference_labels([specs[0], near.spec])[1]
    corpus = specs[0].corpus
    types, truth = len(corpus_vocabulary(corpus)), known_truths().get(corpus.source)
    return Plan(specs, recordings, differs, types, truth, passes(specs[0]), blocked)


def nearest_recording(spec: RunSpec) -> Recording | None:
    """The most similar recorded run of an example, on the same text with the same model."""
    here = spec_settings(spec)

    def distance(each: Recording) -> int:
        return sum(value != here[name] for name, value in spec_settings(each.spec).items())

    alike = [
        each
        for each in example_recordings()
        if each.spec.corpus.source == spec.corpus.source
        and each.spec.corpus.unit == spec.corpus.unit
        and each.spec.model.kind == spec.model.kind
        and not each.why
    ]
    best = min(alike, key=distance, default=None)
    return best if best and distance(best) <= MOST_DIFFERENCES else None


@lru_cache(maxsize=1)
def example_recordings() -> tuple[Recording, ...]:
    """The recorded runs of all examples."""
    specs = [spec for preset in LESSON.presets for spec in described_specs(preset.settings)]
    return find_recordings(specs)


@lru_cache(maxsize=1)
def known_truths() -> Mapping[str, float]:
    """The grammar's own loss on the validation text of each corpus that has a grammar."""
    recorded = {each.spec.corpus.source: each.truth for each in example_recordings()}
    return {source: truth for source, truth in recorded.items() if truth is not None}


def passes(spec: RunSpec) -> float:
    """How often a whole run reads its text; 0 if the text is endless."""
    if spec.corpus.documents:
        return spec.steps * spec.batch / spec.corpus.documents
    if spec.corpus.source in ("prose", "own"):
        tokens = len(running_text(spec.corpus).training)
        return spec.steps * spec.batch * spec.length / tokens
    return 0.0


def shown_runs(planned: Plan) -> list[RunView]:
    """The runs on the stage: those started or first seen with the current example.

    All runs are shown if the settings match no example, or if earlier runs are kept.
    """
    views = runs.started_runs("runs", () if planned.blocked else planned.specs)
    now = ui.example_on_screen(LESSON)
    seen: dict[str, str | None] = st.session_state.setdefault("runs-seen", {})
    for view in views:
        seen.setdefault(view.name, now)
    if not now or SETTINGS.switch("keep"):
        return views
    return [view for view in views if seen[view.name] == now]
