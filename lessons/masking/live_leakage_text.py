"""The sentences, the formulas and the description of the two trained models."""

from __future__ import annotations

DEFINED = "loss = −log p(xₜ₊₁ | what position t sees)"
FORMULA = [
    DEFINED,
    "with later words: [gradient|**{without}**] nats",
    "without them: **{alone}** nats",
]
ALT = (
    "Validation loss over training steps, on a logarithmic scale. With the causal mask it ends at "
    "{with} nats, just above the grammar's {truth}; without the mask at {without}, where it should "
    "not be possible. Of {written} texts the grammar allows {possible} with the mask and "
    "{impossible} without it."
)


def sentences(*, begun: bool) -> list[str]:
    """The findings: on the recorded runs, while runs train, and after they have been tested."""
    found = (
        "Without the mask the loss is =={without}== nats, far below the grammar’s own {truth}. And "
        "{impossible} of its {written} texts are possible."
    )
    if not begun:
        return [found]
    return [
        "Both train now. The grammar’s own loss is =={truth}== nats: only a model that sees the "
        "answer comes below it.",
        found,
    ]
