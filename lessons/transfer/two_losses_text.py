"""The sentence, the formula and the description of the two losses."""

from __future__ import annotations

from collections.abc import Mapping

from drawing.live import quoted
from lessons.transfer.transfer_state import TASK_NAMES
from lessons.transfer.two_losses_picture import LABELS, Losses, recorded_weights
from lmcore.transfer import curves

SENTENCE = "The label’s loss plus λ = {weight} of the text’s: =={total}== nats"
FORMULA = [
    "L₃ = L₂ + λ L₁ = [score|{task}] + {weight}·[loss|{language}] = [score|{task}] + "
    "[loss|{product}] = **{total}**"
]


def sentence(task: str) -> str:
    """The losses as a template, and whether a λ above 0 helped."""
    return f"{SENTENCE}. {compare_weights(LABELS, recorded_weights(task))}"


def compare_weights(labels: int, found: Mapping[float, curves.Score]) -> str:
    """Whether a λ above 0 is clearly better than 0."""
    best = max(found, key=lambda weight: found[weight].mean)
    plain = found[0.0]
    clear = [weight for weight, score in found.items() if score.low > plain.high]
    begin = f"From {labels} labels"
    if clear:
        helps = max(clear, key=lambda weight: found[weight].mean)
        return (
            f"{begin} **λ = {helps:g} helps**: {found[helps].mean:.3f} right, "
            f"{plain.mean:.3f} without."
        )
    if not best:
        return f"{begin} **λ = 0 is the best**: {plain.mean:.3f} right."
    return (
        f"{begin} **no λ is clearly better than 0**: {plain.mean:.3f} right; the best is "
        f"λ = {best:g}, {found[best].mean:.3f}."
    )


def describe(task: str, found: Losses) -> str:
    """The alt text, as a template."""
    text = quoted(" ".join(found.tokens))
    recorded = ", ".join(
        f"{score.mean:.3f} with λ = {weight:g}" for weight, score in recorded_weights(task).items()
    )
    return (
        f"“{TASK_NAMES[task]}”: {text}, a bar of −log p for each token, their mean L₁ "
        f"{{language}} nats; beside them the loss of the label, L₂ {{task}}. Their sum L₃ is "
        f"{{total}}. Recorded shares of right answers: {recorded}."
    )
