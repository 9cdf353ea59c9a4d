"""The sentences, the formulas and the description of the two readers."""

from __future__ import annotations

import math

from drawing.live import LiveNumbers, quoted
from lessons.contextual.bilm_view import Sentence
from lessons.contextual.elmo.sums_picture import costs
from lmcore.vocabulary import END, START

READING = (
    "Both readers are our biLM’s: they share the embeddings (Θₓ) and the softmax (Θₛ), and "
    "each has its own LSTM layers. Of the true p both sums are −ln p of the text, in nats; two "
    "networks that only come near to it agree only nearly. `<s>` is not predicted from the left, "
    "nor `</s>` from the right."
)
CLOSE = 0.05
"""Sums that differ by less than this share nearly agree."""


def sentences(sentence: Sentence, live: LiveNumbers, *, both: bool) -> list[str]:
    """The finding at each word, in the order of @say."""
    if both:
        return [_both(word, live) for word in sentence.words]
    return [_left(sentence, n) for n in range(len(sentence.words))]


def _left(sentence: Sentence, n: int) -> str:
    found = costs(sentence.next_probabilities)
    most = found.index(max(found))
    peak = quoted((*sentence.words, END)[most])
    start = f"From the left, **{peak}** surprises most, by {{peak}} nats"
    if most == n:
        return f"{start} of =={{left}}== in all."
    return f"{start}; **{quoted(sentence.words[n])}** by {{up}}: =={{left}}== in all."


def _both(word: str, live: LiveNumbers) -> str:
    start = f"**{quoted(word)}** costs {{up}} nats from the left, =={{down}}== from the right"
    share = max(math.ceil(100 * live["apart"]), 1)
    if live["apart"] < CLOSE:
        return f"{start}; the sums of the text agree to {share}%."
    return f"{start}; the sums of the text are {share}% apart."


def formulas(live: LiveNumbers, *, both: bool) -> list[list[str]]:
    """Of one reader, or of the loss of both."""
    if not both:
        return [
            [
                "−ln p(text) = Σₖ −ln p(xₖ \\| x₁ … xₖ₋₁) = **[input|{left}]** nats",
                "[input|{leftMean}] a token",
            ]
        ]
    grammar = ["both sums by the grammar: {grammar}"] if math.isfinite(live["grammar"]) else []
    return [
        [
            "L = [input|L→] + [score|L←] = [input|{leftMean}] + [score|{rightMean}] = **{total}** "
            "nats a token",
            *grammar,
        ]
    ]


def describe(sentence: Sentence, *, both: bool) -> str:
    """The alt text, as a template."""
    text = quoted(" ".join(sentence.words))
    left = f"What each token of “{text}” costs a reader from the left: {{left}} nats in all."
    if not both:
        return left
    return f"{left} From the right: {{right}} nats. Word {{k}}: {{up}} and {{down}}."


def largest(sentence: Sentence) -> tuple[str, str]:
    """The tokens that surprise most: from the left, and from the right."""
    left, right = (
        costs(each) for each in (sentence.next_probabilities, sentence.previous_probabilities)
    )
    after, before = (*sentence.words, END), (START, *sentence.words)
    return after[left.index(max(left))], before[right.index(max(right))]
