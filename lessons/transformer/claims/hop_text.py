"""Texts of the view “One hop”."""

from __future__ import annotations

import numpy as np

from lmcore.recurrence.recall import RecallResults
from lmcore.transformer.far_recall import FarRecall

ALIKE = 2.0
"""Shares that differ by less, in percent, are called alike."""

SENTENCES = (
    "Attention is one hop from any word: over {distance} words it recalls =={attention} %==, the "
    "RNN {rnn} %.",
    "Over {distance} words both recall the first one: attention =={attention} %==, the RNN "
    "{rnn} %.",
    "Over {distance} word both recall the first one: attention =={attention} %==, the RNN {rnn} %.",
    "Over {distance} words attention recalls =={attention} %==, the RNN {rnn} %.",
)
"""Where attention recalls more; where both recall as much, over several words and over one; where
the RNN recalls more."""

FORMULA = (
    "products from the first word to “?”:",
    "[weight|Wₕ · Wₕ · … · Wₓ]   **[weight|{products}]**",
    "[activation|V, α V, Wᴼ]   **[activation|{block}]**, at any distance",
)
ALT = (
    "A row of symbols: the first one, {distance} others, and a question. An arc leads from the "
    "question back to the first in one hop; a chain passes it on in {hops} hops. Attention recalls "
    "{attention} percent, the RNN {rnn} percent."
)


def sentence_at(attention: float, rnn: float, distance: int) -> int:
    """The place of the sentence that is true for these shares, in percent."""
    if abs(attention - rnn) < ALIKE:
        return 1 + (distance == 1)
    return 0 if attention > rnn else 3


def method(attention: FarRecall, recurrent: RecallResults) -> str:
    """How both were measured, and what an LSTM recalls."""
    how, theirs = attention.how, recurrent.how
    far = max(attention.shares)
    lstm = next(
        float(np.mean(each.accuracies))
        for each in recurrent.alone
        if each.cell == "lstm" and each.distance == far
    )
    return (
        f"The task: eight symbols; at the question, name the first one. A network for each "
        f"distance. Attention: one layer of {how['parameters']:,} weights, {how['steps']} training "
        f"steps, measured {how['date']}. RNN: {theirs['hidden']} units, {theirs['steps']:,} steps, "
        f"the mean of {theirs['seeds']} networks, measured {theirs['date']}: trained longer, and "
        f"with fewer weights. An LSTM recalls {lstm:.0%} over {far}. The strength of the chain is "
        f"the RNN's share, interpolated between the measured distances."
    )
