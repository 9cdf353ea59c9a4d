"""What the page asks before it shows; the answers are computed from what is shown."""

from __future__ import annotations

import ui
from lessons.contextual.contextual_state import ContextualState, Shown
from lmcore.models.lstm import layer_parameters

ELMO_HIDDEN, ELMO_WIDTH = 4096, 512
"""ELMo's LSTM: its hidden state, and the projection that is also its input."""


def questions(now: ContextualState, seen: Shown) -> list[ui.Question]:
    """What the page asks: a static cosine, the vectors of a word, which model sees what, a size."""
    return [
        ui.Question(
            "static",
            f"At layer 0, what is the cosine between “{now.word}” in two different sentences?",
            1.0,
            "Layer 0 is a table with one row per word: both occurrences are the same row.",
            hint="What has layer 0 read besides the word itself?",
            hides=("between",),
        ),
        ui.Question(
            "vectors",
            "A biLM has L = 2 layers in each direction. How many vectors has a word in Rₖ?",
            5.0,
            "xₖ, and one vector per direction and layer: 2L + 1.",
            hint="Do not forget the embedding xₖ.",
        ),
        ui.Question(
            "sees",
            "“The animal didn’t cross the street because it was too wide.” In which model can the "
            "vector of “it” depend on “wide” and “animal” at once, within one layer?",
            "BERT",
            "A GPT sees nothing to the right. In ELMo one direction sees “animal”, the other "
            "“wide”; they only stand side by side.",
            options=("GPT", "ELMo", "BERT"),
        ),
        ui.Question(
            "size",
            f"An LSTM layer as large as ELMo’s, dₓ = {ELMO_WIDTH} and dₕ = {ELMO_HIDDEN:,}: how "
            "many parameters, with one bias per gate?",
            float(layer_parameters(ELMO_WIDTH, ELMO_HIDDEN, biases=1)),
            "4 (dₕ (dₕ + dₓ) + dₕ), before the projection: one layer, one direction.",
            hint="Four gates, each a matrix over [h; x] and a bias.",
        ),
    ]
