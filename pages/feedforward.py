"""The feedforward language model: three words through five steps to the next one."""

from __future__ import annotations

from functools import partial
from typing import Any, cast

import numpy as np
import streamlit as st
import torch

import ui
from lessons.feedforward import drift_picture as moving
from lessons.feedforward import figures
from lessons.feedforward import picture as words
from lessons.feedforward.letters import FOLLOW, LETTERS
from lmcore.corpora.microworld import microworld
from lmcore.embeddings import drift, pipeline
from lmcore.embeddings.pipeline import PipelineTrace
from lmcore.evaluation import against_grammar, contexts
from lmcore.models import feedforward, registry
from lmcore.models.registry import NeuralModel
from ui import contents, models, settings
from ui.compute import shared_results
from ui.models import ModelEntry

LESSON = ui.lesson("feedforward")
VIEWS = (
    "Step by step",
    "Embeddings drifting",
    "Freeze E",
    "Against n-grams",
    "Two benefits",
    "Check yourself",
    "Code",
    "The slide says",
)
DECKS = {deck: letters.title for deck, letters in LETTERS.items()}
SHIPPED = "The app's feedforward model"
ORDERS = (2, 3, 4)
# The pictures of this page hold their own numbers: no slider moves them.
NO_LIVE_NUMBERS = ui.LiveNumbers("feedforward", (), np.empty(0))
# The text, the model's name and the model, and its trace.
PipelineState = tuple[str, str, NeuralModel, PipelineTrace]


@st.fragment
def lab() -> None:
    """Text above, pipeline below; only this reruns while the text is explored."""
    top = st.container(key="presets")
    opens = {**LESSON.defaults, **LESSON.looks}
    settings.keep_in_address({name: value for name, value in opens.items() if name != "ff_view"})
    entries = available_models()
    check_the_address(entries)
    controls(entries)
    text, name, model, trace = ui.validated_or_previous(
        "feedforward",
        lambda: read_state(entries),
        lambda: pipeline_state(str(LESSON.defaults["ff_text"]), "shipped", entries["shipped"]),
    )
    at = read_place(trace)
    letters = LETTERS[settings.allowed_value("letters", DECKS)]
    how = words.pipeline_picture(model, trace, letters) | {"at": at}
    ui.picture(
        "pipeline", NO_LIVE_NUMBERS, how, on_told=lambda to: ui.set_controls({"ff_at": str(to)})
    )
    ui.notice(*words.notice(model, trace, at))
    draw = (
        lambda: step_by_step(model, trace, at),
        embedding_drift,
        freeze,
        against_ngrams,
        lambda: two_benefits(model, trace, at),
        lambda: predict(model, trace, at),
        lambda: source(text, name, at),
        lambda: ui.slide_corrections("feedforward"),
    )
    ui.sections(dict(zip(VIEWS, draw, strict=True)), key="ff_view")
    with top:
        ui.presets(LESSON)


def available_models() -> dict[str, ModelEntry]:
    """The feedforward model that comes with the app, and those that this session trained."""
    every = {
        "shipped": models.shipped_network("feedforward")._replace(label=SHIPPED)
    } | models.session_models()
    return {
        name: entry
        for name, entry in every.items()
        if isinstance(cast(NeuralModel, entry.model).network, feedforward.Feedforward)
    }


def check_the_address(entries: dict[str, ModelEntry]) -> None:
    """Controls that have no such value as the address gives them say so."""
    ui.check_address_value("ff_model", tuple(entries))
    check_address_integer("ff_at", -1, pipeline.MAX_TOKENS - 1)
    ui.check_address_value("ff_view", VIEWS)
    ui.check_address_value("letters", DECKS)
    ui.check_address_value("drift_word", moving.WORDS)
    check_address_integer("drift_at", 0, len(drift.load_recorded("learnt").steps) - 1)


def check_address_integer(name: str, low: int, high: int) -> None:
    """As `ui.expect`, of a whole number."""
    given = st.query_params.get(name, str(low))
    if given not in map(str, range(low, high + 1)):
        rule = f"a whole number from {low} to {high}"
        ui.show_error(ValueError(f"{name} in the address must be {rule}; got {given[:40]!r}"))


def controls(entries: dict[str, ModelEntry]) -> None:
    """The text, and who reads it."""
    settings.text_field(
        "ff_text",
        "Text, in words of the microworld",
        "Only the few words before the guess count: change an earlier one, and nothing moves",
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        if len(entries) > 1:
            labels = {name: entry.label for name, entry in entries.items()}
            settings.pills("ff_model", "Model", labels)
        st.page_link(
            contents.page("training").script,
            label="Train one yourself",
            icon=":material/model_training:",
            query_params={"models": "feedforward"},
        )


def read_state(entries: dict[str, ModelEntry]) -> PipelineState:
    """The typed text through the chosen model."""
    name = settings.allowed_value("ff_model", entries)
    return pipeline_state(st.session_state["ff_text"], name, entries[name])


def pipeline_state(text: str, name: str, entry: ModelEntry) -> PipelineState:
    model = cast(NeuralModel, entry.model)
    return (
        text,
        name,
        model,
        pipeline.trace_pipeline(model, torch.tensor(model.vocabulary.read(text))),
    )


def read_integer(name: str, most: int, other: int) -> int:
    """A number of the address from 0 to `most`, or `other`."""
    asked = str(st.session_state[name])
    return int(asked) if asked in map(str, range(most + 1)) else other


def read_place(trace: PipelineTrace) -> int:
    """The place that is shown: that of the address, or the last that has a word after it."""
    last = len(trace.tokens) - 1
    return read_integer("ff_at", last, max(last - 1, 0))


def step_by_step(model: NeuralModel, trace: PipelineTrace, at: int) -> None:
    settings.pills("letters", "Letters of the deck", DECKS)
    deck = settings.allowed_value("letters", DECKS)
    letters = LETTERS[deck]
    st.latex(words.equation(model, trace, deck))
    st.caption(FOLLOW)
    steps = words.pipeline_steps(model, trace, at, letters)
    ui.step_table(steps, NO_LIVE_NUMBERS, caption="Five steps for one guess")
    st.markdown(words.lookup_in_words(trace, at, letters))


def embedding_drift() -> None:
    record = drift.load_recorded("learnt")
    word = st.session_state["drift_word"]
    how = moving.drift_picture(record) | {
        "at": read_integer("drift_at", len(record.steps) - 1, 0),
        "word": word if word in moving.WORDS else moving.WORDS[0],
    }
    ui.picture("drift", NO_LIVE_NUMBERS, how, on_told=store_drift)
    view_notice(*moving.drift_notice(record))
    st.caption(
        "“You shall know a word by the company it keeps” (Firth, 1957). "
        + figures.recorded_in_words(record)
    )


def store_drift(told: list[Any]) -> None:
    """The hand has stopped at a step, or chosen a word."""
    ui.set_controls({"drift_at": str(told[0]), "drift_word": str(told[1])})


def view_notice(*sentences: str) -> None:
    """What a view shows, with where its numbers are from; the page's one notice is above."""
    st.markdown(f"{' '.join(sentences)} :gray-badge[measured here]")


def freeze() -> None:
    learnt, frozen = drift.load_recorded("learnt"), drift.load_recorded("frozen")
    bounds = shared_results.shared_result(
        "levels", 3, partial(contexts.reference_losses, 3), most=2, says="Asking the grammar"
    )
    ui.show_figure(
        figures.freezing(learnt, frozen, bounds, ui.theme_mode()),
        name="freeze",
        reading="Same network, same texts, same seed; only E may not move in one of them.",
        alt=figures.describe_freezing(learnt, frozen, bounds),
    )
    view_notice(*figures.freezing_notice(learnt, frozen, bounds))
    st.caption(figures.recorded_in_words(learnt))


def against_ngrams() -> None:
    """The app's model, whichever is chosen above: its rivals see as many words."""
    model = cast(NeuralModel, models.shipped_network("feedforward").model)
    found, chances = shared_results.shared_result(
        "floors met", (), measure_models, most=1, says="Testing four models"
    )
    floors = {each.seen: each.floor for each in found}
    rows = [(each.name, each.seen, each.ratio) for each in found]
    ui.show_figure(
        figures.floor_comparison(rows, floors, ui.theme_mode()),
        name="contexts",
        reading="Grey: the exact floor for so many words of context. Lower is better.",
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
        caption="What each model expects after gets, of a cat and of a dog",
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
    return found, [*chances, ("The grammar, its hole filled", *contexts.fed_probabilities(truth))]


def two_benefits(model: NeuralModel, trace: PipelineTrace, at: int) -> None:
    left, right = st.columns(2, gap="medium")
    with left:
        st.markdown("**1 · It predicts the next word**")
        ui.table(
            ["next word", "ŷ"],
            words.chance_rows(model, trace, at),
            name="next",
            caption="The most probable next words",
        )
    with right:
        st.markdown("**2 · Its embeddings can be used elsewhere**")
        settings.text_field(
            "near_word", "Nearest to the word", "Words used alike should come first"
        )
        word = st.session_state["near_word"].strip().lower()
        record = drift.load_recorded("learnt")
        try:
            own, other = words.near_rows(model, record, word)
        except ValueError as error:
            ui.show_error(error)
            return
        ui.table(["in this model's E", "cosine"], own, name="near", caption=f"Nearest to {word}")
        ui.table(
            ["in the recorded run's E", "cosine"], other, name="near-recorded", caption="The same"
        )
        st.caption(figures.recorded_in_words(record))


def predict(model: NeuralModel, trace: PipelineTrace, at: int) -> None:
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
        because="Only rows that were looked up: the one-hot vectors are 0 everywhere else.",
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
    snippet = figures.snippet(text, at, ships=name == "shipped")
    forward = feedforward.Feedforward.forward
    ui.show_code(
        forward,
        feedforward.one_hot_times,
        pipeline.trace_pipeline,
        snippet=snippet,
        name="feedforward",
    )


ui.open_page("feedforward")
lab()
ui.neighbour_links("feedforward")
