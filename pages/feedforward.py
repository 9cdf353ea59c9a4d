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
from lmcore.models.registry import Neural
from ui import contents, models, settings
from ui.compute import shared_results
from ui.models import Entry

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
EMPTY = ui.Live("feedforward", (), np.empty(0))
# The text, the model's name and the model, and its trace.
Good = tuple[str, str, Neural, PipelineTrace]


@st.fragment
def lab() -> None:
    """Text above, pipeline below; only this reruns while the text is explored."""
    top = st.container(key="presets")
    opens = {**LESSON.defaults, **LESSON.looks}
    settings.keep({name: value for name, value in opens.items() if name != "ff_view"})
    entries = offered()
    check_the_address(entries)
    controls(entries)
    text, name, model, trace = ui.last_good(
        "feedforward",
        lambda: read(entries),
        lambda: worked_out(str(LESSON.defaults["ff_text"]), "shipped", entries["shipped"]),
    )
    at = place(trace)
    letters = LETTERS[settings.among("letters", DECKS)]
    how = words.pipeline_picture(model, trace, letters) | {"at": at}
    ui.picture("pipeline", EMPTY, how, on_told=lambda to: ui.put({"ff_at": str(to)}))
    ui.notice(*words.notice(model, trace, at))
    draw = (
        lambda: step_by_step(model, trace, at),
        drifting,
        freeze,
        against_ngrams,
        lambda: two_benefits(model, trace, at),
        lambda: predict(model, trace, at),
        lambda: source(text, name, at),
        lambda: ui.slide_says("feedforward"),
    )
    ui.sections(dict(zip(VIEWS, draw, strict=True)), key="ff_view")
    with top:
        ui.presets(LESSON)


def offered() -> dict[str, Entry]:
    """The feedforward model that comes with the app, and those that this session trained."""
    every = {"shipped": models.network("feedforward")._replace(label=SHIPPED)} | models.own()
    return {
        name: entry
        for name, entry in every.items()
        if isinstance(cast(Neural, entry.model).network, feedforward.Feedforward)
    }


def check_the_address(entries: dict[str, Entry]) -> None:
    """Controls that have no such value as the address gives them say so."""
    ui.expect("ff_model", tuple(entries))
    expect_whole("ff_at", -1, pipeline.LONGEST - 1)
    ui.expect("ff_view", VIEWS)
    ui.expect("letters", DECKS)
    ui.expect("drift_word", moving.WORDS)
    expect_whole("drift_at", 0, len(drift.recorded("learnt").steps) - 1)


def expect_whole(name: str, low: int, high: int) -> None:
    """As `ui.expect`, of a whole number."""
    given = st.query_params.get(name, str(low))
    if given not in map(str, range(low, high + 1)):
        rule = f"a whole number from {low} to {high}"
        ui.refuse(ValueError(f"{name} in the address must be {rule}; got {given[:40]!r}"))


def controls(entries: dict[str, Entry]) -> None:
    """The text, and who reads it."""
    settings.typed(
        "ff_text",
        "Text, in words of the microworld",
        "Only the few words before the guess count: change an earlier one, and nothing moves",
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        if len(entries) > 1:
            labels = {name: entry.label for name, entry in entries.items()}
            settings.chosen("ff_model", "Model", labels)
        st.page_link(
            contents.page("training").script,
            label="Train one yourself",
            icon=":material/model_training:",
            query_params={"models": "feedforward"},
        )


def read(entries: dict[str, Entry]) -> Good:
    """The typed text through the chosen model."""
    name = settings.among("ff_model", entries)
    return worked_out(st.session_state["ff_text"], name, entries[name])


def worked_out(text: str, name: str, entry: Entry) -> Good:
    model = cast(Neural, entry.model)
    return text, name, model, pipeline.run(model, torch.tensor(model.vocabulary.read(text)))


def whole(name: str, most: int, other: int) -> int:
    """A number of the address from 0 to `most`, or `other`."""
    asked = str(st.session_state[name])
    return int(asked) if asked in map(str, range(most + 1)) else other


def place(trace: PipelineTrace) -> int:
    """The place that is shown: that of the address, or the last that has a word after it."""
    last = len(trace.tokens) - 1
    return whole("ff_at", last, max(last - 1, 0))


def step_by_step(model: Neural, trace: PipelineTrace, at: int) -> None:
    settings.chosen("letters", "Letters of the deck", DECKS)
    deck = settings.among("letters", DECKS)
    letters = LETTERS[deck]
    st.latex(words.equation(model, trace, deck))
    st.caption(FOLLOW)
    steps = words.pipeline_steps(model, trace, at, letters)
    ui.steps(steps, EMPTY, caption="Five steps for one guess")
    st.markdown(words.lookup_in_words(trace, at, letters))


def drifting() -> None:
    record = drift.recorded("learnt")
    word = st.session_state["drift_word"]
    how = moving.drift_picture(record) | {
        "at": whole("drift_at", len(record.steps) - 1, 0),
        "word": word if word in moving.WORDS else moving.WORDS[0],
    }
    ui.picture("drift", EMPTY, how, on_told=drifted)
    found_here(*moving.drift_notice(record))
    st.caption(
        "“You shall know a word by the company it keeps” (Firth, 1957). "
        + figures.recorded_in_words(record)
    )


def drifted(told: list[Any]) -> None:
    """The hand has stopped at a step, or chosen a word."""
    ui.put({"drift_at": str(told[0]), "drift_word": str(told[1])})


def found_here(*sentences: str) -> None:
    """What a view shows, with where its numbers are from; the page's one notice is above."""
    st.markdown(f"{' '.join(sentences)} :gray-badge[measured here]")


def freeze() -> None:
    learnt, frozen = drift.recorded("learnt"), drift.recorded("frozen")
    bounds = shared_results.kept(
        "levels", 3, partial(contexts.levels, 3), most=2, says="Asking the grammar"
    )
    ui.show(
        figures.freezing(learnt, frozen, bounds, ui.mode()),
        name="freeze",
        reading="Same network, same texts, same seed; only E may not move in one of them.",
        alt=figures.describe_freezing(learnt, frozen, bounds),
    )
    found_here(*figures.freezing_notice(learnt, frozen, bounds))
    st.caption(figures.recorded_in_words(learnt))


def against_ngrams() -> None:
    """The app's model, whichever is chosen above: its rivals see as many words."""
    model = cast(Neural, models.network("feedforward").model)
    found, chances = shared_results.kept(
        "floors met", (), measured, most=1, says="Testing four models"
    )
    floors = {each.seen: each.floor for each in found}
    rows = [(each.name, each.seen, each.ratio) for each in found]
    ui.show(
        figures.against_floors(rows, floors, ui.mode()),
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
    near = float(drift.cosine(registry.table(model.network), ids["cat"], ids["dog"]))
    ui.table(
        ["model", "p(fed | … the cat gets)", "p(fed | … the dog gets)"],
        chances,
        name="fed",
        caption="What each model expects after gets, of a cat and of a dog",
    )
    found_here(*figures.fed_notice(found, chances, near))
    st.caption(figures.measured_in_words(found, models.COUNTED, against_grammar.TEST_DOCUMENTS))


def measured() -> tuple[tuple[contexts.Measured, ...], list[tuple[str, float, float]]]:
    """n-grams and the network with the same words to see, on the test documents."""
    world = microworld()
    entries = [(models.counted(order), order - 1) for order in ORDERS]
    entries.append((models.network("feedforward"), 3))
    asked = [(entry.label, seen, entry.model) for entry, seen in entries]
    found = contexts.measure(asked, against_grammar.test_documents(world), world)
    chances = [(name, *contexts.fed(model)) for name, _, model in asked]
    truth = microworld(complete=True)
    return found, [*chances, ("The grammar, its hole filled", *contexts.fed(truth))]


def two_benefits(model: Neural, trace: PipelineTrace, at: int) -> None:
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
        settings.typed("near_word", "Nearest to the word", "Words used alike should come first")
        word = st.session_state["near_word"].strip().lower()
        record = drift.recorded("learnt")
        try:
            own, other = words.near_rows(model, record, word)
        except ValueError as error:
            ui.refuse(error)
            return
        ui.table(["in this model's E", "cosine"], own, name="near", caption=f"Nearest to {word}")
        ui.table(
            ["in the recorded run's E", "cosine"], other, name="near-recorded", caption="The same"
        )
        st.caption(figures.recorded_in_words(record))


def predict(model: Neural, trace: PipelineTrace, at: int) -> None:
    context, width = trace.embedding.shape[1:]
    ui.check(
        f"E has {width} columns and the model sees {context} words. How many numbers has e?",
        answer=float(trace.concatenated.shape[1]),
        because=f"The rows stand side by side: {context} · {width}.",
        key="wide",
    )
    seen = model.vocabulary.decode(trace.window[at].tolist())
    ui.check(
        f"One update from the window {' · '.join(f'`{word}`' for word in seen)}: how many rows of "
        f"E get a gradient, of {len(model.vocabulary)}?",
        answer=float(len(set(seen))),
        because="Only rows that were looked up: the one-hot vectors are 0 everywhere else.",
        key="rows",
    )
    weights = model.network.config.parameters
    ui.check(
        "What share of all the weights is in E?",
        answer=len(model.vocabulary) * width / weights,
        because=f"{len(model.vocabulary)} · {width} of {weights:,}.",
        key="share",
    )


def source(text: str, name: str, at: int) -> None:
    snippet = figures.snippet(text, at, ships=name == "shipped")
    forward = feedforward.Feedforward.forward
    ui.code(forward, feedforward.one_hot_times, pipeline.run, snippet=snippet, name="feedforward")


ui.page("feedforward")
lab()
ui.neighbours("feedforward")
