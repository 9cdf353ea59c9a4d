"""What the page asks before it shows; the answers are computed from what is shown."""

from __future__ import annotations

import math

import ui
from lessons.heads import heads_row
from lessons.heads.heads_picture import HeadsSelection, head_name
from lessons.heads.heads_row import OtherText, QueryRow
from lmcore.attention.heads import HeadsTrace
from lmcore.numbers import format_number


def questions(
    trace: HeadsTrace, selection: HeadsSelection, shown: QueryRow, other: OtherText | None
) -> list[ui.Question]:
    """The page's questions: effect of the changed word, largest weight, a score, the count."""
    layers, count = trace.shape
    tokens = trace.text.tokens
    head = selection.head.layer * count + selection.head.head
    focus = shown.focus(head)
    best = int(shown.table[head, [shown.names.index(f"w{j}") for j in range(len(tokens))]].argmax())
    query, key = (f"“{ui.escape_markdown(tokens[at])}”" for at in (shown.place, focus))
    d_k = trace.query.shape[-1]
    found = [
        ui.Question(
            "most",
            f"In {head_name(selection.head)}, which token does {query} attend to most?",
            tokens[best],
            "The softmax keeps the order: the largest score has the largest weight.",
            hint="Look at the scores before the softmax.",
            options=heads_row.four_keys(tokens, shown, head),
            hides=("weights",),
        )
    ]
    if other is not None and heads_row.compares(shown):
        name = heads_row.other_name(tokens, other.tokens)
        here, there = (
            format_number(float(shown.table[head, shown.names.index(f"{letter}{focus}")]))
            for letter in "wo"
        )
        found.insert(
            0,
            ui.Question(
                "change",
                f"Read the text {ui.escape_markdown(name)}. In this head, the weight of {query} "
                f"on {key} …",
                heads_row.change(shown, head),
                f"It is {here} here and {there} {ui.escape_markdown(name)}.",
                hint="What does the query refer to in each of the two texts?",
                options=heads_row.CHANGES,
                hides=("other",),
            ),
        )
    score = heads_row.scaled_answer(shown, head)
    if math.isfinite(score):
        dot = format_number(float(shown.table[head, shown.names.index("dot")]))
        found.append(
            ui.Question(
                "scaled",
                f"q · k of {query} and {key} is {dot}; a head has d_k = {d_k}. What is the score "
                "before the softmax?",
                score,
                f"It is divided by √{d_k} = {format_number(d_k**0.5)}.",
                hint="The formula names what q · k is divided by.",
                hides=(f"s{focus}",),
            )
        )
    found.append(
        ui.Question(
            "count",
            f"The text has {len(tokens)} tokens, the model {layers} × {count} heads. How many "
            "weights does the grid hold?",
            float(trace.weights.numel()),
            "Layers × heads × tokens × tokens: twice the text, four times the weights.",
            hint="Each small square has one row and one column for every token.",
        )
    )
    return found
