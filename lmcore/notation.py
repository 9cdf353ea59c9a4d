"""The notation of all pages: for each quantity its word, its letter and its meaning.

Axis titles, table columns and the list on Home read it from here. The letters are those of the
decks where these agree; where they do not, one was chosen (η for the learning rate, since α is kept
for attention weights; σ only for the logistic function, g for any nonlinearity).
"""

from __future__ import annotations

from typing import NamedTuple


class Symbol(NamedTuple):
    """A quantity: its word, its letter as text and as LaTeX, and its meaning."""

    word: str
    letter: str
    latex: str
    meaning: str

    @property
    def title(self) -> str:
        """For an axis or a column: "pre-activation z"."""
        return f"{self.word} {self.letter}"


INPUT = Symbol("input", "x", r"x_i", "what a unit is given")
WEIGHT = Symbol("weight", "w", r"w_i", "how much an input counts; learned")
BIAS = Symbol("bias", "b", r"b", "what is added whatever the inputs are; learned")
PRE_ACTIVATION = Symbol("pre-activation", "z", r"z = \sum_i w_i x_i + b", "the weighted sum")
ACTIVATION = Symbol("activation function", "g", r"g(z)", "any nonlinearity; σ is the logistic one")
OUTPUT = Symbol("output", "y", r"y = g(z)", "what a unit passes on; ŷ where it is a prediction")
DERIVATIVE = Symbol("derivative", "dy/dz", r"\frac{dy}{dz} = g'(z)", "how steep g is at z")
LOSS = Symbol("loss", "L", r"L", "what training minimises; in nats where it is a log-probability")
LOCAL_DERIVATIVE = Symbol(
    "local derivative",
    "∂v/∂u",
    r"\frac{\partial v}{\partial u}",
    "of one operation with respect to its operand",
)
GRADIENT = Symbol(
    "gradient",
    "∂L/∂u",
    r"\frac{\partial L}{\partial u} = "
    r"\sum_v \frac{\partial L}{\partial v}\frac{\partial v}{\partial u}",
    "upstream times local, summed over every path",
)
LEARNING_RATE = Symbol(
    "learning rate",
    "η",
    r"\theta \leftarrow \theta - \eta\,\frac{\partial L}{\partial \theta}",
    "how far a step goes against the gradient",
)
QUERY = Symbol("query", "q", r"q_i = x_i W^Q", "what a token compares with the keys")
KEY = Symbol("key", "k", r"k_j = x_j W^K", "what queries are compared with")
VALUE = Symbol("value", "v", r"v_j = x_j W^V", "what a token gives to those that look at it")
SCORE = Symbol("score", "s", r"s_{ij} = q_i \cdot k_j", "how well a query fits a key")
ATTENTION_WEIGHT = Symbol(
    "attention weight",
    "α",
    r"\alpha_{ij} = \frac{\exp(s_{ij}/\sqrt{d_k})}{\sum_n \exp(s_{in}/\sqrt{d_k})}",
    "how much token i looks at token j; over j they sum to 1",
)
CONTEXT = Symbol("output", "z", r"z_i = \sum_j \alpha_{ij} v_j", "the weighted sum of the values")

NOTATION = (
    INPUT,
    WEIGHT,
    BIAS,
    PRE_ACTIVATION,
    ACTIVATION,
    OUTPUT,
    DERIVATIVE,
    LOSS,
    LOCAL_DERIVATIVE,
    GRADIENT,
    LEARNING_RATE,
    QUERY,
    KEY,
    VALUE,
    SCORE,
    ATTENTION_WEIGHT,
    CONTEXT,
)
