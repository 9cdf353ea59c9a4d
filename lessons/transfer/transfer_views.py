"""The views under the picture of transfer, and its questions."""

from __future__ import annotations

from collections.abc import Callable

import ui
from lessons.transfer import (
    frozen_view,
    heads_view,
    inputs_view,
    prompts_view,
    retrieval_view,
    roles_view,
    snippet_view,
    transfer_picture,
    tune_view,
    weight_view,
)
from lessons.transfer.transfer_state import NETWORK_NAMES, TASK_NAMES, TransferState
from lmcore.transfer import heads, tuning


def questions(now: TransferState, live: ui.LiveNumbers) -> list[ui.Question]:
    """The questions: training from scratch, trained weights, the initial loss, the order."""
    name, title = NETWORK_NAMES[now.network], TASK_NAMES[now.task]
    return [
        ui.Question(
            "scratch",
            f"“{title}” with {now.labels:,} labels: from scratch, what share is right?",
            live["scratch"],
            reason_for_scratch(live),
            hint="The most frequent answer has a dashed line; the pre-trained curve is drawn.",
            hides=("scratch",),
        ),
        ui.Question(
            "learn",
            f"{name}, used as features: only the new head learns. How many weights?",
            float(transfer_picture.head_weights(now.network, now.task)),
            "W has one row a label and one column a number of z; b has one number a label"
            + (", and the mixture w and γ learn too." if now.network == "bilm" else "."),
            hint="Press the top block: everything below the head is frozen.",
            hides=("learn",),
        ),
        ui.Question(
            "start",
            "A new head for three labels starts with almost equal scores. What is its first loss, "
            "in nats?",
            1.0986,
            "−log ⅓ = ln 3.",
            hint="Each label has probability ⅓.",
        ),
        ui.Question(
            "order",
            "A GPT reads a text, then the question. Can the vector of a word of the text depend "
            "on the question?",
            "no",
            "The mask lets a word see what is before it only. Put the question first.",
            options=("yes", "no"),
        ),
    ]


def reason_for_scratch(live: ui.LiveNumbers) -> str:
    """The accuracy from scratch, with the pre-trained network, and of the most frequent answer."""
    scratch, mean, chance = live["scratch"], live["mean"], live["chance"]
    if scratch >= 0.99 * live["best"]:
        begin = "This many labels teach new weights all that there is to learn"
    elif scratch > chance + 0.1:
        begin = "This many labels teach new weights a part of the task"
    else:
        begin = "This many labels hardly teach new weights more than the most frequent answer"
    return (
        f"{begin}: from scratch {scratch:.3f}, pre-trained {mean:.3f}; the most frequent answer "
        f"alone is right for {chance:.2f}."
    )


def views(now: TransferState) -> dict[str, Callable[[], None] | None]:
    """The views in the order of the bar."""
    return {
        "Four heads": lambda: heads_view.heads_view(now),
        "Inputs": ui.SeparateView(inputs_view.inputs_view),
        "Layer roles": lambda: roles_view.roles_view(now),
        "Frozen parts": lambda: frozen_view.frozen_view(now),
        "λ": ui.SeparateView(weight_view.weight_view),
        "Tune it here": lambda: tune_view.tune_view(now),
        "Prompts": ui.SeparateView(prompts_view.prompts_view),
        "Retrieval": ui.SeparateView(retrieval_view.retrieval_view),
        "Snippet": ui.SeparateView(snippet_view.snippet_view),
        "Code": lambda: source(now),
    }


def source(now: TransferState) -> None:
    """Show the code that ran, and a snippet that prints the numbers of this page."""
    snippet = f"""from lmcore.transfer import curves
from lmcore.transfer.heads import recorded_head, trace_head
from lmcore.transfer.tasks import draw_examples

spec = curves.frozen_spec({now.network!r}, {now.task!r}, {now.labels}, {now.frozen})
print("frozen parts, recorded:", curves.recorded_score(spec))
print("from scratch, recorded:", curves.recorded_curve({now.network!r}, {now.task!r}, "scratch"))
print("what the test texts allow:", curves.test_set(spec))

example = draw_examples({now.task!r}, 1, seed=0, test=True)[0]
head = recorded_head({now.network!r}, {now.task!r})
traced = trace_head(head, {now.network!r}, example).to_frame()
print(traced.round(4))
"""
    ui.show_code(
        tuning.TunedNetwork,
        tuning.tune_network,
        heads.trace_head,
        snippet=snippet,
        name="transfer",
    )
