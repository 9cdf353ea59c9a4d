"""What the page asks before it shows; the answers are computed from what is shown."""

from __future__ import annotations

import math
from collections.abc import Sequence

import ui
from lessons.heads import heads_row
from lessons.heads.heads_picture import HeadsSelection, head_name
from lessons.heads.heads_row import OtherText, QueryRow
from lmcore.attention.heads import HeadsTrace
from lmcore.attention.joined_heads import JoinedHeads
from lmcore.numbers import format_number


def questions(
    trace: HeadsTrace, selection: HeadsSelection, shown: QueryRow, other: OtherText | None
) -> list[ui.Question]:
    """The page's questions: effect of the changed word, largest weight, a score, the count."""
    layers, count = trace.shape
    tokens = trace.text.tokens
    head = selection.head.layer * count + selection.head.head
    focus = shown.focus(head)
    query, key = (f"“{ui.escape_markdown(tokens[at])}”" for at in (shown.place, focus))
    found = []
    if other is not None and heads_row.compares(shown):
        name = ui.escape_markdown(heads_row.other_name(tokens, other.tokens))
        found.append(_change(shown, head, f"{query} on {key}", name))
    found.append(_largest_weight(shown, head, tokens, f"In {head_name(selection.head)}", query))
    if math.isfinite(heads_row.scaled_answer(shown, head)):
        found.append(_scaled_score(shown, head, f"{query} and {key}", trace.query.shape[-1]))
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


def _change(shown: QueryRow, head: int, places: str, name: str) -> ui.Question:
    """What the other text, whose name is given, does to the weight of the marked key."""
    here, there = (
        format_number(shown.number(f"{letter}{shown.focus(head)}", head)) for letter in "wo"
    )
    return ui.Question(
        "change",
        f"Read the text {name}. In this head, the weight of {places} …",
        heads_row.change(shown, head),
        f"It is {here} here and {there} {name}.",
        hint="What does the query refer to in each of the two texts?",
        options=heads_row.CHANGES,
        hides=("other",),
    )


def _largest_weight(
    shown: QueryRow, head: int, tokens: Sequence[str], where: str, query: str
) -> ui.Question:
    weights = [shown.number(f"w{j}", head) for j in range(len(tokens))]
    return ui.Question(
        "most",
        f"{where}, which token does {query} attend to most?",
        tokens[weights.index(max(weights))],
        "The softmax keeps the order: the largest score has the largest weight.",
        hint="Look at the scores before the softmax.",
        options=heads_row.four_keys(tokens, shown, head),
        hides=("weights",),
    )


def _scaled_score(shown: QueryRow, head: int, places: str, d_k: int) -> ui.Question:
    return ui.Question(
        "scaled",
        f"q · k of {places} is {format_number(shown.number('dot', head))}; a head has d_k = {d_k}. "
        "What is the score before the softmax?",
        heads_row.scaled_answer(shown, head),
        f"It is divided by √{d_k} = {format_number(d_k**0.5)}.",
        hint="The formula names what q · k is divided by.",
        hides=(f"s{shown.focus(head)}",),
    )


def joined_questions(
    joined: JoinedHeads, tokens: Sequence[str], place: int, number: int
) -> list[ui.Question]:
    """What a head reads most for a token, and which head moves the framed number most."""
    heads = len(joined.weights)
    asked = int(joined.weights.max(dim=1).values.argmax())
    best = tokens[int(joined.weights[asked].argmax())]
    order = joined.weights[asked].argsort(descending=True).tolist()
    options = dict.fromkeys([tokens[j] for j in sorted((*order[:3], place))])
    moves = int(joined.parts[:, number - 1].abs().argmax())
    parts = tuple(f"part{head + 1}" for head in range(heads))
    return [
        ui.Question(
            "read",
            f"{heads} heads read for “{ui.escape_markdown(tokens[place])}”. Which word does head "
            f"{asked + 1} read most?",
            best,
            f"Its weight there is {format_number(float(joined.weights[asked].max()))}. The other "
            "heads have weights of their own.",
            hint="Each head has its own queries and keys.",
            options=tuple(options),
            hides=("read", *parts, "sum"),
        ),
        ui.Question(
            "moves",
            f"Which head moves number {number} of the output most?",
            f"head {moves + 1}",
            f"It adds {format_number(float(joined.parts[moves, number - 1]))}.",
            hint="Its part of the sum is furthest from 0.",
            options=tuple(f"head {head + 1}" for head in range(heads)),
            hides=(*parts, "sum"),
        ),
    ]
