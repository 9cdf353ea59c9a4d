"""What the page asks before it shows; the answers are computed from what is shown."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

import ui
from lessons.attention import attention_state, flow_picture
from lessons.attention.matrices_picture import MatrixStage, are_parts
from lmcore.attention import step_table
from lmcore.attention.four_scores import COSINE, NAMES, KeyPair
from lmcore.attention.step_table import AttentionConfig, AttentionInputs, StepTable
from lmcore.numbers import format_number

ALL_HIDDEN = "The mask hides every key from this query: every weight is 0, and so is z."


def questions(
    current: attention_state.AttentionState, table: StepTable, favoured: flow_picture.Pair
) -> list[ui.Question]:
    """What the page asks: the largest weight, what d_k and a shift of the scores change, and z."""
    inputs, config, view, *_ = current
    at, best = view.query - 1, favoured.best or 0
    weight = float(table.weights[at, best])
    place = f"the weight of “{ui.escape_markdown(inputs.tokens[best])}”"
    asked = [
        ui.Question(
            "weight",
            f"The picture shows the numbers before the softmax. What is {place}?",
            weight,
            "exp of its number, divided by the sum of all exp: only differences count.",
            hint="Take exp of each difference to the largest number, and divide by their sum.",
            hides=flow_picture.given_away(inputs),
        ),
        _other_d_k(inputs, config, (at, best), place),
        ui.Question(
            "shift",
            f"Add 10 to every score. What is {place} then?",
            weight,
            "A softmax depends only on differences, and these do not change.",
            hint="Which differences change?",
        ),
        ui.Question(
            "output",
            "What is the first number of the output z?",
            float(table.context[at, 0]),
            "Each v[1] times its weight, added up.",
            hint="Add the first column of weighted values.",
            hides=flow_picture.given_away(inputs, from_z=True),
        ),
    ]
    if favoured.best is None:
        return [replace(each, because=ALL_HIDDEN) for each in asked]
    return asked


def _other_d_k(
    inputs: AttentionInputs, config: AttentionConfig, cell: tuple[int, int], place: str
) -> ui.Question:
    """The weight in a cell with four times the d_k, or a fourth of it where that is too large."""
    room = 4 * config.d_k <= step_table.LARGEST_D_K or not config.scaled
    d_k = min(4 * config.d_k, step_table.LARGEST_D_K) if room else config.d_k // 4
    other = replace(config, scaled=True, d_k=d_k)
    size, move = ("larger", "closer together") if room else ("smaller", "further apart")
    return ui.Question(
        "wider",
        f"The scores stay and d_k becomes {d_k}. What is {place}?",
        float(step_table.compute_step_table(inputs, other).weights[cell]),
        f"A {size} d_k means a {size} divisor: the numbers move {move}, and so do the "
        "weights. Drag d_k to see it.",
        hint=f"Each score is divided by √{d_k}.",
    )


def matrix_questions(
    current: attention_state.AttentionState,
    table: StepTable,
    favoured: flow_picture.Pair,
    stage: MatrixStage,
) -> list[ui.Question]:
    """What the picture of all matrices asks: a number of the query, or the largest share and z."""
    inputs, _, view, *_ = current
    at = view.query - 1
    word = f"“{ui.escape_markdown(inputs.tokens[at])}”"
    if stage == "qkv":
        wide = range(1, inputs.query.shape[1] + 1)
        return [
            ui.Question(
                "first",
                f"What is the first number of the query of {word}?",
                float(inputs.query[at, 0]),
                "The row of X times the first column of the first matrix.",
                hint="Multiply the row of X with the first column of W^Q, and add up.",
                hides=tuple(f"q{view.query}.{c}" for c in wide),
            )
        ]
    z = tuple(f"z{i + 1}.{c + 1}" for i, c in np.ndindex(*table.context.shape))
    output = ui.Question(
        "mixed",
        f"What is the first number of z of {word}?",
        float(table.context[at, 0]),
        "Each row of V times its weight, added up: the first column." if favoured.best is not None
        else ALL_HIDDEN,
        hint="Multiply the row of α with the first column of V.",
        hides=z,
    )  # fmt: skip
    if favoured.best is None or favoured.second is None:
        return [output]
    shares = tuple(f"w{i + 1}.{j + 1}" for i, j in np.ndindex(*table.weights.shape))
    return [_share(current, table, favoured.best, word, (*shares, *z)), output]


def _share(
    current: attention_state.AttentionState,
    table: StepTable,
    best: int,
    word: str,
    hides: tuple[str, ...],
) -> ui.Question:
    """The share that the softmax gives to the largest score, beside its part of the sum."""
    inputs, config, view, *_ = current
    at, length = view.query - 1, len(inputs.tokens)
    key = "itself" if best == at else f"“{ui.escape_markdown(inputs.tokens[best])}”"
    score, weight = float(table.scaled[at, best]), float(table.weights[at, best])
    wrong = {1 / length, (weight + 1) / 2}
    asked = f"{word} scores {format_number(score)} with {key}. What share does the softmax give it?"
    if are_parts(inputs, config, at):
        row = table.masked[at]
        total = float(row[row.isfinite()].sum())
        wrong.add(score / total)
        asked = (
            f"{word} scores {format_number(score)} with {key}, {score / total:.0%} of all its "
            f"scores, {format_number(total)}. What share does the softmax give it?"
        )
    options = sorted(
        {f"{share:.0%}" for share in (*wrong, weight)}, key=lambda said: int(said[:-1])
    )
    return ui.Question(
        "share",
        asked,
        f"{weight:.0%}",
        "The softmax takes exp of each score first, so the largest gains and the others lose.",
        hint="exp of each score, divided by the sum of all exp.",
        options=tuple(options),
        hides=hides,
    )


def ruler_questions(
    inputs: AttentionInputs, live: ui.LiveNumbers, pair: KeyPair, *, soft: bool
) -> list[ui.Question]:
    """What the picture of four scores asks: the share of a gap, or what the weights sum to."""
    every, keys = range(len(NAMES)), range(len(inputs.tokens))
    if not soft:
        total = ui.Question(
            "total",
            "Without a softmax the scores are the weights. What do those of the cosine sum to?",
            live[f"sum{COSINE}"],
            "Each weight counts as it is. Only a softmax makes every row sum to 1.",
            hint="Add the cosines of all keys.",
            hides=tuple(f"sum{m}" for m in every),
        )
        return [total]
    hides = (*(f"w{m} {k}" for m in every for k in keys), *(f"r{m}" for m in every))
    first, second = pair
    word = f"“{ui.escape_markdown(inputs.tokens[first])}”"
    if first == second:
        return [_only_key(word, hides)]
    ahead = f"By cosine {word} is {format_number(live[f'g{COSINE}'])} ahead of "
    shares = sorted(
        {*(live[f"w{m} {first}"] for m in every), live[f"w{COSINE} {first}"] / 2},
        key=float,
    )
    answer = f"{live[f'w{COSINE} {first}']:.0%}"
    options = tuple(dict.fromkeys(f"{share:.0%}" for share in shares))
    share = ui.Question(
        "gap",
        f"{ahead}“{ui.escape_markdown(inputs.tokens[second])}”. What share does softmax give it?",
        answer,
        "exp of a small gap is near 1, so both keys get nearly the same share. A cosine is never "
        "more than 2 ahead.",
        hint="The ratio of the two shares is exp of the gap.",
        options=options,
        hides=hides,
    )
    return [share]


def _only_key(word: str, hides: tuple[str, ...]) -> ui.Question:
    return ui.Question(
        "gap",
        f"{word} is the only key. What share does the softmax give it?",
        1.0,
        "Shares sum to 1, whatever the score.",
        hides=hides,
    )
