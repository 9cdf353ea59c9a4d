"""The picture of the model at any place of a text, and the five steps to one prediction."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypedDict

import torch
from torch import Tensor
from typing_extensions import TypedDict as EventDict

from drawing import theme
from drawing.events import Place
from drawing.payload import NumberArray, Script
from drawing.steps import StepRow
from lessons.feedforward.notation import (
    LETTERS,
    DeckNotation,
    StripName,
    activation,
    activation_term,
)
from lmcore.embeddings.pipeline import PipelineTrace, UnitTerms
from lmcore.models.registry import NeuralModel, embedding_table
from lmcore.numbers import format_number

CELLS = 300
"""The longest strip that is drawn whole; of a longer vector its first numbers are drawn."""
COLUMNS = 128
"""The widest rows of E that are drawn whole."""
FULL_COLOUR = 0.98
"""The share of a tensor's numbers that are below the strongest colour in size."""


class EmbeddingTable(TypedDict):
    """The embedding matrix as shades of `scale`, row by row."""

    shades: bytes
    rows: int
    columns: int


class FeedforwardSizes(TypedDict):
    """The numbers of words seen, of columns of E, of units, and of types."""

    context: int
    width: int
    hidden: int
    types: int


class VectorStrip(TypedDict):
    """A vector at each place of the text, as far as it is drawn."""

    numbers: NumberArray
    cells: int
    whole: int
    reach: float
    """The size from which a number has the strongest colour."""
    name: str


class TermLines(TypedDict):
    """The largest terms of a unit and of the best word's logit, at each place."""

    unit: NumberArray
    inputs: NumberArray
    input_terms: NumberArray
    units: NumberArray
    unit_terms: NumberArray
    count: int
    """Terms of each that are drawn."""
    unit_count: int


class FeedforwardHeads(TypedDict):
    """What is above each part, in the letters of a deck."""

    table: str
    side: str
    weights: str
    before: str
    hidden: str
    output: str
    logits: str
    bend: str


class FeedforwardPayload(TypedDict):
    """The model at every place of a text, from three words to the next one."""

    words: list[str]
    ids: NumberArray
    window_words: list[list[str]]
    sizes: FeedforwardSizes
    table: EmbeddingTable
    strips: Mapping[StripName, VectorStrip]
    best: list[list[str]]
    best_ids: NumberArray
    lines: TermLines
    heads: FeedforwardHeads
    scale: list[str]
    """The colours of signed numbers."""
    shares: list[str]
    """The colours of probabilities."""


class OpenedUnit(EventDict):
    """A hidden unit that was pressed, counted from 1."""

    unit: Place


NUMBERS = ("place", "z", "h", "pt", "rank", "p#", "l#", "@at", "@say", "@formula")
FLOW = Script("feedforward", FeedforwardPayload, (*NUMBERS, "size"), OpenedUnit)
"""`size` is not a number: a question that hides it hides the length of e."""


def flow_picture(
    model: NeuralModel, trace: PipelineTrace, terms: UnitTerms, letters: DeckNotation
) -> FeedforwardPayload:
    """The data of `lessons/feedforward/feedforward.js` except the numbers that move along."""
    types = len(model.vocabulary.tokens)
    _, context, width = trace.embedding.shape
    scale = theme.diverging_colours()
    table = embedding_table(model.network).detach().double()
    table_reach = reach(table)
    return {
        "words": model.vocabulary.decode(trace.tokens.tolist()),
        "ids": trace.window.numpy(),
        "window_words": [model.vocabulary.decode(row) for row in trace.window.tolist()],
        "sizes": {
            "context": context,
            "width": width,
            "hidden": trace.hidden.shape[1],
            "types": types,
        },
        "table": shaded(table, table_reach, len(scale)),
        "strips": _strips(trace, types, table_reach, letters),
        "best": [model.vocabulary.decode(row) for row in trace.best.tolist()],
        "best_ids": trace.best.numpy(),
        "lines": _term_lines(trace, terms),
        "heads": _heads(model, letters),
        "scale": scale,
        "shares": theme.sequential_scale()[0],
    }


def _drawn_width(trace: PipelineTrace) -> int:
    """How many numbers of each word's row are drawn of e."""
    _, context, width = trace.embedding.shape
    return min(width, CELLS // context)


def _strips(
    trace: PipelineTrace, types: int, table_reach: float, letters: DeckNotation
) -> dict[StripName, VectorStrip]:
    """Each vector as far as it is drawn; e has the colours of the table that it comes from."""
    e, z, h = trace.embedding, trace.pre_activation, trace.hidden
    vectors: dict[StripName, tuple[Tensor, int]] = {
        "concatenated": (e[..., : _drawn_width(trace)].flatten(1), e.shape[1] * e.shape[2]),
        "pre_activation": (z[:, :CELLS], h.shape[1]),
        "hidden": (h[:, :CELLS], h.shape[1]),
        "logits": (trace.logits[:, :CELLS], types),
        "chances": (trace.probabilities[:, :CELLS], types),
    }
    given: dict[StripName, float] = {"concatenated": table_reach, "chances": 1.0}
    return {
        name: {
            "numbers": numbers.numpy(),
            "cells": numbers.shape[1],
            "whole": whole,
            "reach": given[name] if name in given else reach(numbers),
            "name": letters.short[name],
        }
        for name, (numbers, whole) in vectors.items()
    }


def _term_lines(trace: PipelineTrace, terms: UnitTerms) -> TermLines:
    """The largest terms, with the places of the inputs in the part of e that is drawn."""
    width = trace.embedding.shape[2]
    return {
        "unit": terms.unit.numpy(),
        "inputs": drawn_places(terms.inputs, width, _drawn_width(trace)).numpy(),
        "input_terms": terms.input_terms.numpy(),
        "units": terms.units.numpy(),
        "unit_terms": terms.unit_terms.numpy(),
        "count": terms.inputs.shape[1],
        "unit_count": terms.units.shape[1],
    }


def _heads(model: NeuralModel, letters: DeckNotation) -> FeedforwardHeads:
    """The letters of the deck, with a word for each that it lacks."""
    return {
        "table": letters.table or "embeddings",
        "side": letters.side_by_side,
        "weights": f"{letters.weights}, {letters.bias}",
        "before": letters.before or "sum",
        "hidden": letters.hidden,
        "output": f"{letters.output}, {letters.output_bias}",
        "logits": letters.logits,
        "bend": activation(model),
    }


def reach(numbers: Tensor) -> float:
    """The size that `FULL_COLOUR` of the numbers do not exceed."""
    sizes = numbers.abs().flatten().sort().values
    return float(sizes[round(FULL_COLOUR * (len(sizes) - 1))]) or 1.0


def shaded(table: Tensor, largest: float, colours: int) -> EmbeddingTable:
    """The first rows and columns of a matrix, each number as the index of its colour."""
    part = table[:CELLS, :COLUMNS]
    share = (part / largest).clamp(-1, 1)
    shades = ((share + 1) / 2 * (colours - 1)).round().to(torch.uint8).contiguous()
    return {"shades": shades.numpy().tobytes(), "rows": len(part), "columns": part.shape[1]}


def drawn_places(places: Tensor, width: int, each: int) -> Tensor:
    """Places in e as places in the part of it that is drawn, or −1 where they are not drawn."""
    word, column = places // width, places % width
    return torch.where(column < each, word * each + column, -1)


def pipeline_steps(
    model: NeuralModel, trace: PipelineTrace, at: int, letters: DeckNotation = LETTERS["cmu"]
) -> tuple[StepRow, ...]:
    """The five steps at one place: what is done, the size of the result, its shape."""
    count = trace.window.shape[1]
    words = ", ".join(model.vocabulary.decode(trace.window[at].tolist()))
    chances = trace.probabilities[at]
    total, chance = (format_number(float(each)) for each in (chances.sum(), chances.max()))
    first = model.vocabulary.tokens[int(trace.best[at, 0])]
    looked_up = f"one-hot of {words}, times {letters.times}"
    side, before = letters.side_by_side, letters.before or letters.sum
    bent = activation_term(model, letters)
    rows = (
        ("1 · look up", "rows", looked_up, "input", trace.product[at]),
        (
            "1 · concatenate",
            side,
            f"the {count} rows side by side",
            "input",
            trace.concatenated[at],
        ),
        ("2 · multiply, add", before, letters.sum, "score", trace.pre_activation[at]),
        ("3 · bend", letters.hidden, bent, "activation", trace.hidden[at]),
        ("4 · multiply, add", letters.logits, letters.output_sum, "score", trace.logits[at]),
        ("5 · softmax", "ŷ", f"adds up to {total}", "activation", chances),
    )
    return tuple(
        _step_row(*row, value=f"{first}: {chance}" if row[1] == "ŷ" else None) for row in rows
    )


def _step_row(
    name: str, symbol: str, formula: str, role: str, numbers: Tensor, *, value: str | None
) -> StepRow:
    """A step with its result as a row; its value is the norm unless another is given."""
    return StepRow(
        name,
        formula,
        value or f"‖{symbol}‖ = {format_number(float(numbers.norm()))}",
        symbol,
        role,
        " × ".join(map(str, numbers.shape if numbers.ndim == 2 else (1, *numbers.shape))),
        tuple(
            (f"number {i}", format_number(each))
            for i, each in enumerate(numbers.flatten()[:6].tolist(), start=1)
        ),
    )


def lookup_in_words(trace: PipelineTrace, at: int, letters: DeckNotation = LETTERS["cmu"]) -> str:
    """States that one-hot times E equals a look-up; both were computed."""
    types, width = trace.probabilities.shape[1], trace.embedding.shape[2]
    return (
        f"One-hot × {letters.times} was multiplied out ({types} · {width} products per word), and "
        f"the rows were looked up as well. The largest difference between the two is "
        f"**{format_number(float(trace.difference[at]))}**."
    )
