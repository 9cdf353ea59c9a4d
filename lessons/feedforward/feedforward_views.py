"""The closer looks of the feedforward page."""

from __future__ import annotations

from functools import partial
from typing import cast

import numpy as np
import streamlit as st

import ui
from drawing.events import Name, Place
from lessons.feedforward import (
    benefits_view,
    feedforward_figures,
    feedforward_picture,
    frozen_rows_view,
    neighbours,
    steps_view,
)
from lessons.feedforward.feedforward_state import SETTINGS, State, read_integer
from lessons.feedforward.notation import LETTERS, equation
from lmcore.corpora.microworld import microworld
from lmcore.embeddings import drift, pipeline
from lmcore.evaluation import against_grammar, contexts
from lmcore.models import feedforward, registry
from lmcore.models.registry import NeuralModel
from lmcore.typed import fold
from ui import compute, models

ORDERS = (2, 3, 4)
PICTURES = {
    steps_view.SEE: steps_view.show,
    benefits_view.SEE: benefits_view.show,
    frozen_rows_view.SEE: frozen_rows_view.show,
}
"""The views that are pictures of their own."""
# The other views have their own numbers: no slider changes them.
NO_LIVE_NUMBERS = ui.LiveNumbers("feedforward-view", (), np.empty(0))


def step_by_step(state: State) -> None:
    """Draw the equation and the five steps of the prediction at the place shown."""
    deck = SETTINGS.choice("letters")
    letters = LETTERS[deck]
    model, trace, _ = state.flow
    st.latex(equation(model, trace, deck))
    steps = feedforward_picture.pipeline_steps(model, trace, state.place, letters)
    ui.step_table(steps, NO_LIVE_NUMBERS, caption="Five steps to one prediction")
    st.markdown(feedforward_picture.lookup_in_words(trace, state.place, letters))


def embedding_drift() -> None:
    """Draw the recorded embeddings as they move during training."""
    record = drift.load_recorded("learned")
    how: neighbours.DriftPayload = {
        **neighbours.drift_picture(record),
        "at": read_integer("drift_at", len(record.steps) - 1, 0),
        "word": SETTINGS.choice("drift_word"),
    }
    ui.picture(neighbours.DRIFT, NO_LIVE_NUMBERS, how, on_event=store_drift)
    view_notice(*neighbours.drift_notice(record))
    st.caption(
        "“You shall know a word by the company it keeps” (Firth, 1957). "
        + feedforward_figures.recorded_in_words(record)
    )


def store_drift(chosen: tuple[Place, Name]) -> None:
    """Store the released step, or the chosen word."""
    ui.set_controls({"drift_at": str(chosen[0]), "drift_word": chosen[1]})


def view_notice(*sentences: str) -> None:
    """Draw a view's sentences with the source of their numbers."""
    st.markdown(f"{' '.join(sentences)} :gray-badge[measured here]")


def freeze() -> None:
    """Draw the validation losses of two recorded runs, with E trained and with E frozen."""
    learned, frozen = drift.load_recorded("learned"), drift.load_recorded("frozen")
    bounds = compute.shared_result(
        "levels",
        partial(contexts.reference_losses, 3),
        most=2,
        says="Computing the grammar’s probabilities",
    )
    grouped = neighbours.own_nearest_over(learned, frozen)
    view_notice(*feedforward_figures.freezing_notice(learned, frozen, grouped, bounds))
    ui.show_figure(
        feedforward_figures.freezing(learned, frozen, grouped, bounds, ui.theme_mode()),
        name="freeze",
        reading="Same network, same texts, same seed; in one run E is frozen.",
        alt=feedforward_figures.describe_freezing(learned, frozen, grouped, bounds),
    )
    st.caption(feedforward_figures.recorded_in_words(learned))


def against_ngrams() -> None:
    """Compare the app's model with n-grams of the same context, whichever model is chosen above."""
    model = cast(NeuralModel, models.shipped_network("feedforward").model)
    found, chances = compute.shared_result(
        "floors met", partial(measure_models), most=1, says="Testing four models"
    )
    ids = model.vocabulary.ids
    near = float(drift.cosine(registry.embedding_table(model.network), ids["cat"], ids["dog"]))
    view_notice(*feedforward_figures.fed_notice(chances, near))
    ui.table(
        ["model", "p(fed | … the cat gets)", "p(fed | … the dog gets)"],
        chances,
        name="fed",
        caption="What each model expects after “gets”, for a cat and for a dog",
    )
    floors = {each.seen: each.floor for each in found}
    rows = [(each.name, each.seen, each.ratio) for each in found]
    ui.show_figure(
        feedforward_figures.floor_comparison(rows, floors, ui.theme_mode()),
        name="contexts",
        reading="Grey: the exact floor for that many words of context. Lower is better.",
        alt=feedforward_figures.describe_floors(rows, floors),
    )
    ui.table(
        ["model", "words seen", "perplexity / grammar's", "floor", "above its floor"],
        [(e.name, float(e.seen), e.ratio, e.floor, e.ratio - e.floor) for e in found],
        name="contexts",
        caption="Models beside the floor of their context",
    )
    view_notice(*feedforward_figures.floor_notice(found))
    st.caption(
        feedforward_figures.measured_in_words(found, models.COUNTED, against_grammar.TEST_DOCUMENTS)
    )


def measure_models() -> tuple[tuple[contexts.ContextResult, ...], list[tuple[str, float, float]]]:
    """n-grams and the network with the same context, on the test documents."""
    world = microworld()
    entries = [(models.counted_ngram(order), order - 1) for order in ORDERS]
    entries.append((models.shipped_network("feedforward"), 3))
    asked = [(entry.label, seen, entry.model) for entry, seen in entries]
    found = contexts.measure_models(asked, against_grammar.test_documents(world), world)
    chances = [(name, *contexts.fed_probabilities(model)) for name, _, model in asked]
    truth = microworld(complete=True)
    return found, [*chances, ("The grammar, completed", *contexts.fed_probabilities(truth))]


def nearest_words(state: State) -> None:
    """Draw the nearest neighbours of a word in two embedding matrices."""
    model = state.flow.model
    SETTINGS.draw("near_word")
    word = fold(SETTINGS.text("near_word")).strip().lower()
    record = drift.load_recorded("learned")
    try:
        own, other = neighbours.near_rows(model, record, word)
    except ValueError as error:
        ui.show_error(error)
        return
    left, right = st.columns(2, gap="medium")
    with left:
        ui.table(
            ["in the recorded run's E", "cosine"],
            other,
            name="near-recorded",
            caption=f"Nearest to {word}, recorded run",
        )
    with right:
        ui.table(
            ["in this model's E", "cosine"],
            own,
            name="near",
            caption=f"Nearest to {word}, this model",
        )
    view_notice(*neighbours.near_notice(model, record, word, own))
    st.caption(feedforward_figures.recorded_in_words(record))


def source(state: State) -> None:
    """Show the code that ran, and a snippet that prints the numbers of the place shown."""
    snippet = feedforward_figures.snippet(state.text, state.place, ships=state.name == "shipped")
    ui.show_code(
        feedforward.Feedforward.forward,
        feedforward.one_hot_times,
        pipeline.trace_pipeline,
        pipeline.unit_terms,
        snippet=snippet,
        name="feedforward",
    )
