"""What the page asks before it shows; the answers are computed from what is shown."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import ui
from lessons.feedforward.feedforward_state import State
from lmcore.corpora.microworld import microworld
from lmcore.embeddings.drift import GROUPS
from lmcore.numbers import format_number

if TYPE_CHECKING:
    from lessons.feedforward.steps_view import Walk


def questions(state: State) -> list[ui.Question]:
    """What the page asks: the winner, the size of e, rows with a gradient, the share of E."""
    trace = state.flow.trace
    context, width = trace.embedding.shape[1:]
    seen = _code(state.flow.seen(state.place))
    return [
        _winner(state, seen),
        ui.Question(
            "wide",
            f"E has {width} columns and the model sees {context} words. How many numbers are in e?",
            float(trace.concatenated.shape[1]),
            f"The rows are joined end to end: {context} · {width}.",
            hint="One row for each word.",
            hides=("size",),
        ),
        ui.Question(
            "rows",
            f"One update from the window {seen}: how many of the {len(state.flow.model.vocabulary)}"
            " rows of E get a gradient?",
            float(len(set(state.flow.seen(state.place)))),
            "Only the rows that were looked up: the one-hot vectors are 0 everywhere else.",
            hint="Which rows does this prediction use?",
        ),
        _share_of_table(state),
        ui.Question(
            "unseen",
            "How many of the words read so far have no effect on this prediction?",
            float(max(state.place + 1 - context, 0)),
            f"{state.place + 1} tokens were read, and the window holds {context}.",
            hint="Count the grey words before the window.",
        ),
    ]


def _winner(state: State, seen: str) -> ui.Question:
    trace, best = state.flow.trace, state.flow.best(state.place)[:4]
    return ui.Question(
        "winner",
        f"Which word is most probable after {seen}?",
        best[0],
        f"p = {format_number(float(trace.probabilities[state.place].max()))}. It depends on these "
        f"{trace.embedding.shape[1]} words and on nothing else.",
        hint="Which of them stands there in the texts that the model was trained on?",
        options=tuple(sorted(best)),
        hides=(*(f"p{i}" for i in range(1, trace.best.shape[1] + 1)), "pt", "rank"),
    )


def _share_of_table(state: State) -> ui.Question:
    model, trace, _ = state.flow
    types, weights = len(model.vocabulary), model.network.config.parameters
    context, width = trace.embedding.shape[1:]
    hidden = trace.hidden.shape[1]
    return ui.Question(
        "share",
        "What share of all the weights is in E?",
        types * width / weights,
        f"{types} · {width} of {weights:,}.",
        hint=f"E has {types} · {width} numbers, W {context * width} · {hidden}, "
        f"U {hidden} · {types}.",
    )


def _code(words: list[str]) -> str:
    return " ".join(f"`{word}`" for word in words)


def step_questions(walk: Walk) -> list[ui.Question]:
    """What the loss is where nothing is known yet, and what one step does to it."""
    types = len(microworld().vocabulary)
    random = f"ln {types} = {format_number(math.log(types))}"
    before, after = (float(each[walk.at - 1]) for each in (walk.trace.loss, walk.trace.loss_after))
    word = ui.escape_markdown(walk.words[walk.at - 1])
    return [
        ui.Question(
            "random",
            f"The weights are random, and there are {types} words. What is the loss of the first "
            "word, about?",
            random,
            f"All words get about 1/{types}. Here ŷ = "
            f"{format_number(math.exp(-float(walk.trace.loss[0])))}.",
            hint="Which ŷ does a word get from a model that knows nothing?",
            options=("0", "1", random, str(types)),
            hides=("p", "loss", "after", "mean"),
        ),
        ui.Question(
            "step",
            f"All weights take one step, then the model is asked for “{word}” once more. What is "
            "its loss now?",
            "smaller" if after < before else "larger",
            f"{format_number(before)} before the step, {format_number(after)} after it.",
            hint="Which way does each weight go, with the gradient or against it? And how far?",
            options=("smaller", "the same", "larger"),
            hides=("after", "next", "change"),
        ),
    ]


def frozen_questions(live: ui.LiveNumbers) -> list[ui.Question]:
    """How many words are near their own group if the rows of E stay random."""
    words, learned, frozen = (int(live[name]) for name in ("words", "learned", "frozen"))
    chance = round(words / len(GROUPS))
    options = sorted({0, frozen, chance, round(words / 2), learned})
    return [
        ui.Question(
            "frozen",
            f"With E learned, {learned} of {words} words are nearest to one of their own group. "
            "With E frozen at random rows, how many?",
            str(frozen),
            f"{frozen}, as before the first step: the rows are random and stay so.",
            hint="Which of the weights still learn, if E is frozen?",
            options=tuple(str(each) for each in options),
            hides=("frozen", *(f"right 1 {w}" for w in range(words)), "near 1"),
        )
    ]
