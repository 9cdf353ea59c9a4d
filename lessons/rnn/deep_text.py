"""The sentences, the formulas and the description of depth and of two directions."""

from __future__ import annotations

from drawing.live import quoted
from lessons.rnn.deep_picture import DeepReading
from lmcore.recurrence.receptive_field import RecurrentStack

READING = (
    "The states are those of our biLM, two LSTM layers in each direction: all 96 numbers of each, "
    "red above 0, blue below. p is the grammar’s, exactly, of the covered word. A network that "
    "reads both ways cannot predict the next word: it has read it."
)
SAME = 1e-9
"""A difference of two probabilities below this is none."""


def sentences(reading: DeepReading, stack: RecurrentStack) -> list[str]:
    """The finding at each word, in the order of @say."""
    count = len(reading.words)
    said = _both_ways if stack.bidirectional else _one_way
    return [said(reading, stack, n) for n in range(count)]


def _one_way(reading: DeepReading, stack: RecurrentStack, n: int) -> str:
    count, word = len(reading.words), quoted(reading.words[n])
    start = "One layer, one way" if stack.layers == 1 else "Deeper, not wider"
    where = "the state" if stack.layers == 1 else f"the state of layer {stack.layers}"
    words = f"of {count} words" if count > 1 else "word"
    if n == count - 1:
        return f"{start}: only {where} at **{word}**, the last word, has read =={{seen}}== {words}."
    still = "has read" if stack.layers == 1 else "has still read"
    return f"{start}: {where} at **{word}** {still} =={{seen}}== {words}."


def _both_ways(reading: DeepReading, stack: RecurrentStack, n: int) -> str:
    word = quoted(reading.words[n])
    start = f"Both ways, the states at **{word}** have read all =={{seen}}== words"
    if reading.exact is None:
        return f"{start}; the grammar cannot produce this text, so p has no exact value."
    match change(reading, n):
        case "rises":
            return f"{start}; covered, its p rises from {{left}} to {{both}}."
        case "falls":
            return f"{start}; covered, its p falls from {{left}} to {{both}}."
        case _:
            return f"{start}; covered, its p stays {{left}}: what comes after it adds nothing."


def change(reading: DeepReading, n: int) -> str:
    """What the words after word n, from 0, do to its p: rises, falls or stays."""
    assert reading.exact is not None
    left, both = float(reading.exact.left[n]), float(reading.exact.both[n])
    if abs(both - left) < SAME:
        return "stays"
    return "rises" if both > left else "falls"


def formulas(reading: DeepReading, stack: RecurrentStack) -> list[list[str]]:
    """The equation of the state at each word, in the order of @formula."""
    return [_formula(reading, stack, n) for n in range(len(reading.words))]


def _formula(reading: DeepReading, stack: RecurrentStack, n: int) -> list[str]:
    layer = stack.layers
    if not stack.bidirectional:
        below = "eₖ" if layer == 1 else "→hₖ,₁"
        own = "₁" if layer == 1 else "₂"
        return [f"[input|→hₖ,{own}] = LSTM({below}, [input|→hₖ₋₁,{own}])", "k = {k}"]
    units = reading.forwards[0].shape[1]
    state = [f"hₖ = \\[[input|→hₖ]; [score|←hₖ]\\]: {units} + {units} = {2 * units} numbers"]
    if reading.exact is None:
        return state
    word = quoted(reading.words[n])
    return [
        *state,
        f"p({word} \\| left) = [input|{{left}}]",
        f"p({word} \\| both sides) = **{{both}}**",
    ]


def describe(reading: DeepReading, stack: RecurrentStack) -> str:
    """The alt text, as a template."""
    ways = "in both directions" if stack.bidirectional else "from left to right"
    layers = "one layer" if stack.layers == 1 else f"{stack.layers} layers"
    return (
        f"A recurrent network with {layers} reads “{quoted(' '.join(reading.words))}” {ways}. At "
        "word {k} it has read {seen} of the words, {rest} not."
    )
