"""The sentences and the formula of the picture of a model that learns word by word."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drawing.live import quoted
from lmcore.numbers import format_number

if TYPE_CHECKING:
    from lessons.feedforward.steps_view import Walk

ABOVE = 1.2
"""A mean loss of more than so many times that of random guessing is one that has grown."""


def sentences(walk: Walk) -> list[str]:
    """What happens at each word."""
    its, means = walk.trace, walk.means
    grown = means > ABOVE * its.loss[0]
    rows = zip(walk.words, (its.loss_after - its.loss).tolist(), grown.tolist(), strict=True)
    return [_sentence(quoted(word), rise, worse) for word, rise, worse in rows]


def _sentence(word: str, rise: float, worse: bool) -> str:
    lead = f"“{word}” was given [activation|ŷ] = {{p}}: its loss is =={{loss}}=="
    if rise > 0:
        return f"{lead}. The step is too large: it is {{after}} now."
    if worse:
        return f"{lead}. The steps are too large: the last words cost {{mean}} each."
    return f"{lead}. After one step of all weights it would be {{after}}."


def formula(walk: Walk) -> list[str]:
    """The loss of the word, and the step of one weight."""
    rate = format_number(walk.rate)
    return [
        "[loss|L] = −log [activation|{p}] = **[loss|{loss}]**",
        f"[weight|θ⁽ˢ⁺¹⁾] = [weight|θ⁽ˢ⁾] − η [gradient|∂L/∂θ] = [weight|{{theta}}] − {rate}·"
        "[gradient|{gradient:p}] = **[weight|{next}]**",
    ]


def describe(walk: Walk) -> str:
    """The alt text: where the model is, the loss, and the step."""
    return (
        f"A text of {len(walk.words)} words, read one by one; {{s}} are read. The last of them "
        "had the probability {p} and the loss {loss}; after the step {after}. One weight moves "
        "from {theta} to {next}. The mean loss of the last words is {mean}."
    )
