"""The letters in which each deck writes the feedforward model."""

from __future__ import annotations

from typing import NamedTuple


class DeckNotation(NamedTuple):
    """What a deck calls each quantity; an empty letter is one that the deck has no name for."""

    title: str
    """The deck, and the letters that tell it from others."""
    table: str
    """The embedding matrix."""
    row: str
    """Its row, looked up for the word that is put in for {}."""
    side_by_side: str
    weights: str
    bias: str
    before: str
    """What stands before the bend."""
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
    def short(self) -> dict[str, str]:
        """What a number of each strip is called."""
        return {
            "embedding": self.row,
            "concatenated": self.side_by_side,
            "pre_activation": self.before or self.sum,
            "hidden": self.hidden,
        }

    @property
    def times(self) -> str:
        """What a one-hot row is multiplied with."""
        return self.table or "the embeddings"


LETTERS = {
    "cmu": DeckNotation("CMU: E, W, U", "E", "E[{}]", "e", "W", "b", "z", "h", "U", "b₂", "logits"),
    "uw": DeckNotation(
        "UW, Bengio: C, W₁, W₂", "C", "C {}", "e", "W₁", "b₁", "", "h", "W₂", "b₂", "logits"
    ),
    "feng": DeckNotation("Feng: W, p, U, q", "", "x of {}", "x", "W", "p", "", "z", "U", "q", "y"),
}
"""Equation, table and picture alike are written from these."""
ROWS_IN_EQUATION = {"cmu": "E_{{{}}}", "uw": "C w_{{{}}}", "feng": "x_{{{}}}"}
"""A row in LaTeX; {} is the time of its word."""
FOLLOW = (
    "The picture above and the table below are in these letters; the other views keep those of "
    "the CMU deck."
)
