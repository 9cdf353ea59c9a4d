"""What the page asks before it shows; the answers are computed from what is shown."""

from __future__ import annotations

import ui
from lessons.transfer import transfer_picture
from lessons.transfer.transfer_state import NETWORK_NAMES, TASK_NAMES, TransferState
from lessons.transfer.transfer_views import reason_for_scratch


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
