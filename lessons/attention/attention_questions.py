"""What the page asks before it shows; the answers are computed from what is shown."""

from __future__ import annotations

from dataclasses import replace

import ui
from lessons.attention import attention_state, flow_picture
from lmcore.attention import step_table
from lmcore.attention.step_table import AttentionConfig, AttentionInputs, StepTable

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
