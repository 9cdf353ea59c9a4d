"""The views below the picture of the pipeline."""

from __future__ import annotations

from functools import partial
from typing import Any, cast

import streamlit as st

import ui
from lessons.feedforward import figures, picture, state
from lessons.feedforward.picture import FOLLOW, LETTERS
from lmcore.corpora.microworld import microworld
from lmcore.embeddings import drift, pipeline
from lmcore.embeddings.pipeline import PipelineTrace
from lmcore.evaluation import against_grammar, contexts
from lmcore.models import feedforward, registry
from lmcore.models.registry import NeuralModel
from ui import compute, models

ORDERS = (2, 3, 4)


def step_by_step(model: NeuralModel, trace: PipelineTrace, at: int) -> None:
    """Draw the equation and the five steps of the prediction at position `at`."""
    state.SETTINGS.draw("letters")
    deck = state.SETTINGS.choice("letters")
    letters = LETTERS[deck]
    st.latex(picture.equation(model, trace, deck))
    st.caption(FOLLOW)
    steps = picture.pipeline_steps(model, trace, at, letters)
    ui.step_table(steps, state.NO_LIVE_NUMBERS, caption="Five steps to one prediction")
    st.markdown(picture.lookup_in_words(trace, at, letters))


def embedding_drift() -> None:
    """Draw the recorded embeddings as they move during training."""
    record = drift.load_recorded("learned")
    how: picture.DriftPayload = {
        **picture.drift_picture(record),
        "at": state.read_integer("drift_at", len(record.steps) - 1, 0),
        "word": state.SETTINGS.choice("drift_word"),
    }
    ui.picture(picture.DRIFT, state.NO_LIVE_NUMBERS, how, on_event=store_drift)
    view_notice(*picture.drift_notice(record))
    st.caption(
        "“You shall know a word by the company it keeps” (Firth, 1957). "
        + figures.recorded_in_words(record)
    )


def store_drift(chosen: list[Any]) -> None:
    """Store the released step, or the chosen word."""
    ui.set_controls({"drift_at": str(chosen[0]), "drift_word": str(chosen[1])})


def view_notice(*sentences: str) -> None:
    """Draw a view's sentences with the source of their numbers."""
    st.markdown(f"{' '.join(sentences)} :gray-badge[measured here]")


def freeze() -> None:
    """Draw the validation losses of two recorded runs, with E trained and with E frozen."""
    learned, frozen = drift.load_recorded("learned"), drift.load_recorded("frozen")
    bounds = compute.shared_result(
        "levels",
        3,
        partial(contexts.reference_losses, 3),
        most=2,
        says="Computing the grammar’s probabilities",
    )
    ui.show_figure(
        figures.freezing(learned, frozen, bounds, ui.theme_mode()),
        name="freeze",
        reading="Same network, same texts, same seed; in one run E is frozen.",
        alt=figures.describe_freezing(learned, frozen, bounds),
    )
    view_notice(*figures.freezing_notice(learned, frozen, bounds))
    st.caption(figures.recorded_in_words(learned))


def against_ngrams() -> None:
    """Compare the app's model with n-grams of the same context, whichever model is chosen above."""
    model = cast(NeuralModel, models.shipped_network("feedforward").model)
    found, chances = compute.shared_result(
        "floors met", (), measure_models, most=1, says="Testing four models"
    )
    floors = {each.seen: each.floor for each in found}
    rows = [(each.name, each.seen, each.ratio) for each in found]
    ui.show_figure(
        figures.floor_comparison(rows, floors, ui.theme_mode()),
        name="contexts",
        reading="Grey: the exact floor for that many words of context. Lower is better.",
        alt=figures.describe_floors(rows, floors),
    )
    ui.table(
        ["model", "words seen", "perplexity / grammar's", "floor", "above its floor"],
        [(e.name, float(e.seen), e.ratio, e.floor, e.ratio - e.floor) for e in found],
        name="contexts",
        caption="Models beside the floor of their context",
    )
    ids = model.vocabulary.ids
    near = float(drift.cosine(registry.embedding_table(model.network), ids["cat"], ids["dog"]))
    ui.table(
        ["model", "p(fed | … the cat gets)", "p(fed | … the dog gets)"],
        chances,
        name="fed",
        caption="What each model expects after “gets”, for a cat and for a dog",
    )
    view_notice(*figures.fed_notice(found, chances, near))
    st.caption(figures.measured_in_words(found, models.COUNTED, against_grammar.TEST_DOCUMENTS))


def measure_models() -> tuple[tuple[contexts.ContextResult, ...], list[tuple[str, float, float]]]:
    """n-grams and the network with the same words to see, on the test documents."""
    world = microworld()
    entries = [(models.counted_ngram(order), order - 1) for order in ORDERS]
    entries.append((models.shipped_network("feedforward"), 3))
    asked = [(entry.label, seen, entry.model) for entry, seen in entries]
    found = contexts.measure_models(asked, against_grammar.test_documents(world), world)
    chances = [(name, *contexts.fed_probabilities(model)) for name, _, model in asked]
    truth = microworld(complete=True)
    return found, [*chances, ("The grammar, completed", *contexts.fed_probabilities(truth))]


def two_benefits(model: NeuralModel, trace: PipelineTrace, at: int) -> None:
    """Draw the most probable next words, and the nearest neighbours of a word in E."""
    left, right = st.columns(2, gap="medium")
    with left:
        st.markdown("**1 · It predicts the next word**")
        ui.table(
            ["next word", "ŷ"],
            picture.chance_rows(model, trace, at),
            name="next",
            caption="The most probable next words",
        )
    with right:
        st.markdown("**2 · Its embeddings can be used elsewhere**")
        state.SETTINGS.draw("near_word")
        word = state.SETTINGS.text("near_word").strip().lower()
        record = drift.load_recorded("learned")
        try:
            own, other = picture.near_rows(model, record, word)
        except ValueError as error:
            ui.show_error(error)
            return
        ui.table(["in this model's E", "cosine"], own, name="near", caption=f"Nearest to {word}")
        ui.table(
            ["in the recorded run's E", "cosine"], other, name="near-recorded", caption="The same"
        )
        st.caption(figures.recorded_in_words(record))


def predict(model: NeuralModel, trace: PipelineTrace, at: int) -> None:
    """Ask three questions on sizes: of e, of the gradient of E, and the share of E."""
    context, width = trace.embedding.shape[1:]
    ui.check_yourself(
        f"E has {width} columns and the model sees {context} words. How many numbers has e?",
        answer=float(trace.concatenated.shape[1]),
        because=f"The rows stand side by side: {context} · {width}.",
        key="wide",
    )
    seen = model.vocabulary.decode(trace.window[at].tolist())
    ui.check_yourself(
        f"One update from the window {' · '.join(f'`{word}`' for word in seen)}: how many rows of "
        f"E get a gradient, of {len(model.vocabulary)}?",
        answer=float(len(set(seen))),
        because="Only the rows that were looked up: the one-hot vectors are 0 everywhere else.",
        key="rows",
    )
    weights = model.network.config.parameters
    ui.check_yourself(
        "What share of all the weights is in E?",
        answer=len(model.vocabulary) * width / weights,
        because=f"{len(model.vocabulary)} · {width} of {weights:,}.",
        key="share",
    )


def source(text: str, name: str, at: int) -> None:
    """Show the code that ran, and a snippet that prints the numbers of position `at`."""
    snippet = figures.snippet(text, at, ships=name == "shipped")
    forward = feedforward.Feedforward.forward
    ui.show_code(
        forward,
        feedforward.one_hot_times,
        pipeline.trace_pipeline,
        snippet=snippet,
        name="feedforward",
    )
