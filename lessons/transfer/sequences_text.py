"""The sentence, the formula and the description of structured input as one sequence."""

from __future__ import annotations

from drawing.live import quoted
from lessons.transfer.sequences_picture import READS, Texts, gpt_sequences
from lessons.transfer.transfer_state import INPUT_KINDS

FORMULAS = {
    "single": "ŷ = softmax(W z)",
    "entailment": "ŷ = softmax(W z)",
    "similarity": "ŷ = softmax(W (z₁ + z₂))",
    "choice": "ŷ = softmax(w·z₁, w·z₂)",
    "question": "ŷ = softmax(W z)",
}
"""Kind → what the first GPT computes from the vectors of Extract."""


def sentence(kind: str, texts: Texts) -> str:
    """What is made of the texts, as a template."""
    count = len(gpt_sequences(kind, texts))
    name = INPUT_KINDS[kind][0].upper() + INPUT_KINDS[kind][1:]
    made = "one sequence" if count == 1 else f"{count} sequences"
    return (
        f"**{name}** becomes {made} of words: =={{marks}}== of {{tokens}} tokens are marks. The "
        "input is fitted to the network."
    )


def formula(kind: str) -> list[str]:
    """What the first GPT computes from what it reads."""
    return [f"**{FORMULAS[kind]}**", "z: the vector of Extract"]


def describe(kind: str, texts: Texts, *, hidden: bool = False) -> str:
    """The alt text; `hidden`: which vector is read is asked."""
    rows = "; ".join(
        quoted(" ".join(text for text, _ in tokens)) for tokens in gpt_sequences(kind, texts)
    )
    found = f"{INPUT_KINDS[kind]} for the first GPT: {rows}."
    return found if hidden else f"{found} {READS[kind][0]}."
