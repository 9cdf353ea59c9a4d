"""The letters of each deck for the model's quantities, and the model as an equation in them."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias, cast

from lmcore.embeddings.pipeline import PipelineTrace
from lmcore.models.feedforward import FeedforwardConfig
from lmcore.models.registry import NeuralModel

StripName: TypeAlias = Literal["concatenated", "pre_activation", "hidden", "logits", "chances"]
"""The vectors that are drawn."""


class DeckNotation(NamedTuple):
    """A deck's letter for each quantity; empty if the deck has none."""

    title: str
    """The deck, and the letters that distinguish it."""
    table: str
    """The embedding matrix."""
    row: str
    """The row looked up for a word, which replaces {}."""
    side_by_side: str
    weights: str
    bias: str
    before: str
    """The pre-activation."""
    hidden: str
    output: str
    output_bias: str
    logits: str

    @property
    def sum(self) -> str:
        """The first product with its bias."""
        return f"{self.weights} {self.side_by_side} + {self.bias}"

    @property
    def output_sum(self) -> str:
        """The logits as a product with its bias."""
        return f"{self.output} {self.hidden} + {self.output_bias}"

    @property
    def short(self) -> dict[StripName, str]:
        """The name of a number of each strip."""
        return {
            "concatenated": self.side_by_side,
            "pre_activation": self.before or self.sum,
            "hidden": self.hidden,
            "logits": self.logits,
            "chances": "ŷ",
        }

    @property
    def times(self) -> str:
        """The factor of a one-hot row."""
        return self.table or "the embeddings"


LETTERS = {
    "cmu": DeckNotation("CMU: E, W, U", "E", "E[{}]", "e", "W", "b", "z", "h", "U", "b₂", "logits"),
    "uw": DeckNotation(
        "UW, Bengio: C, W₁, W₂", "C", "C {}", "e", "W₁", "b₁", "", "h", "W₂", "b₂", "logits"
    ),
    "feng": DeckNotation("Feng: W, p, U, q", "", "x of {}", "x", "W", "p", "", "z", "U", "q", "y"),
}
"""The notation of each deck, for the equation, the table and the picture."""
ROWS_IN_EQUATION = {"cmu": "E_{{{}}}", "uw": "C w_{{{}}}", "feng": "x_{{{}}}"}
"""A row in LaTeX; {} is the time of its word."""


def activation_term(model: NeuralModel, letters: DeckNotation) -> str:
    """The nonlinearity with what it is applied to."""
    return f"{activation(model)}({letters.before or letters.sum})"


def activation(model: NeuralModel) -> str:
    """The name of the nonlinearity g."""
    return cast(FeedforwardConfig, model.network.config).activation


def equation(model: NeuralModel, trace: PipelineTrace, deck: str) -> str:
    """The model in the letters of a deck; x_t is the last word read, as everywhere in this app."""
    letters, context = LETTERS[deck], trace.window.shape[1]
    times = [f"t-{back}" for back in range(context - 1, 0, -1)] + ["t"]
    rows = [ROWS_IN_EQUATION[deck].format(time) for time in times]
    shown = rows if len(rows) <= MOST_ROWS else [rows[0], r"\dots", rows[-1]]
    side, hidden = letters.side_by_side, letters.hidden
    g = r"\tanh" if activation(model) == "tanh" else rf"\mathrm{{{activation(model)}}}"
    window = r";\, ".join(shown)
    return (
        rf"{side} = [{window}] \qquad {hidden} = {g}({_latex(letters.sum)}) "
        rf"\qquad \hat y = \mathrm{{softmax}}({_latex(letters.output_sum)})"
    )


MOST_ROWS = 4
"""Rows that an equation writes out."""


def _latex(text: str) -> str:
    return text.replace("₁", "_1").replace("₂", "_2")
