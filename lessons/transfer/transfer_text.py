"""The sentences, the formulas and the description of the picture of transfer."""

from __future__ import annotations

from drawing.live import LiveNumbers
from lessons.transfer.transfer_picture import (
    BUDGET,
    PRETRAINING_HEADS,
    READS,
    allowed_by,
    best_name,
    head_weights,
)
from lmcore.transfer import curves
from lmcore.transfer.networks import part_names, part_sizes, thrown_away
from lmcore.transfer.tasks import TASKS
from lmcore.transfer.tuning import BATCH

EQUATIONS = {
    "text": "ŷ = softmax(W z + b)",
    "pair": "ŷ = softmax(W z + b)",
    "tags": "ŷᵢ = softmax(W zᵢ + b)",
    "span": "p(i) = softmaxᵢ(w · zᵢ + b)",
}
"""How the head reads → the formula that it computes."""


def transfer_sentences(parts: int) -> list[str]:
    """The findings from which @say selects."""
    ways = (
        "all weights fine-tuned",
        f"{{frozen}} of {parts} parts frozen",
        "only the head trained",
    )
    found = []
    for way in ways:
        begin = f"**{{labels}} labels**, {way}: =={{mean}}== right; "
        found += [
            begin + "the same network from scratch {scratch}, and as many right "
            "only with **{caught} labels**.",
            begin + "the same network from scratch {scratch}, never as many up to {last} labels.",
            begin + "the same network from scratch {scratch}.",
            begin + "here **from scratch is better**, {scratch}.",
            begin + "from scratch {scratch}: no clear difference.",
        ]
    return found


def transfer_formulas(network: str, task: str, *, hidden: bool) -> list[list[str]]:
    """The head's formula, the trained weights, the interval and the steps, by frozen parts.

    With `hidden`, a question hides the number of trained weights.
    """
    sizes, head = part_sizes(network), head_weights(network, task)
    allowed = allowed_by(network, task)
    formulas = list[list[str]]()
    for frozen in range(len(sizes) + 1):
        learn = "?" if hidden else f"{sum(sizes[frozen:]) + head:,}"
        weights = f"learn **[score|{learn}]** weights, keep [mask|{sum(sizes[:frozen]):,}]"
        interval = (
            f"95 %: {{low}} to {{high}}, {len(curves.SEEDS)} seeds, {allowed.texts} texts; "
            "at most **{best}**"
        )
        steps = f"{{least}} to {{most}} steps of {BATCH}"
        formulas.append([EQUATIONS[TASKS[task].reads], weights, interval, steps])
    return formulas


def describe_transfer(network: str, task: str, name: str) -> str:
    """The alt text of the picture, as a template."""
    lost = thrown_away(network)
    gone = f" The head that predicted {PRETRAINING_HEADS[network]} is struck out"
    gone += f", {lost:,} weights." if lost else "; its matrix is E."
    return (
        f"{name} with a new head for “{TASKS[task].title}”, which reads {READS[TASKS[task].reads]}."
        f"{gone} {{frozen}} of its {len(part_names(network))} parts are frozen. Accuracy against "
        "the number of labels: {mean} at {labels} labels, {scratch} from scratch, "
        f"{BUDGET}; {best_name(network, task)} {{best}}, the most frequent answer {{chance}}."
    )


def reason_for_scratch(live: LiveNumbers) -> str:
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
