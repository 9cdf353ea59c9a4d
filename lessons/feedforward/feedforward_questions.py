"""What the page asks before it shows; the answers are computed from what is shown."""

from __future__ import annotations

import ui
from lessons.feedforward.feedforward_state import State
from lmcore.numbers import format_number


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
