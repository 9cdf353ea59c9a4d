"""The letters of each deck, the pipeline picture with its words, and the embeddings that drift."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple, TypeAlias, TypedDict, cast

import torch
from plotly.colors import sample_colorscale
from torch import Tensor

from lessons.shared.payload import NumberArray, Script
from lessons.shared.steps import StepRow
from lessons.shared.theme import BACKGROUND, DIVERGING, INK
from lmcore.embeddings.drift import GROUPS, Drift, cosine, nearest_words, project
from lmcore.embeddings.pipeline import PipelineTrace, neighbours
from lmcore.models.feedforward import FeedforwardConfig
from lmcore.models.registry import NeuralModel
from lmcore.numbers import format_number

StripName: TypeAlias = Literal["embedding", "concatenated", "pre_activation", "hidden"]
HeadingName: TypeAlias = Literal["lookup", "concatenated", "pre_activation", "hidden", "outcome"]


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
            "embedding": self.row,
            "concatenated": self.side_by_side,
            "pre_activation": self.before or self.sum,
            "hidden": self.hidden,
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
FOLLOW = (
    "The picture above and the table below are in these letters; the other views use those of the "
    "CMU deck."
)
CELLS = 24
"""Numbers of a vector that are drawn."""
SHADES = 41
SAME: Mapping[StripName, StripName] = {"concatenated": "embedding"}
"""Strips with the colours of another strip, because they hold the same numbers."""


class PipelineSizes(TypedDict):
    """How many words are seen, and how many numbers each has."""

    context: int
    width: int


class StripPayload(TypedDict):
    """The first numbers of a step at each place, and the largest of all."""

    values: NumberArray
    cells: int
    reach: float


class PipelineDrawing(TypedDict):
    """The five steps at every place of a text."""

    words: list[str]
    types: int
    sizes: PipelineSizes
    window: NumberArray
    window_words: list[list[str]]
    headings: Mapping[HeadingName, tuple[str, str]]
    """What a strip is, and which of its numbers are drawn."""
    short: Mapping[StripName, str]
    """What a number of a strip is called."""
    strips: Mapping[StripName, StripPayload]
    best: list[list[str]]
    chances: NumberArray
    logits: NumberArray
    true: NumberArray
    ranks: NumberArray
    scale: list[str]
    marks: list[str]
    """On light shades, and on dark ones."""


class PipelinePayload(PipelineDrawing):
    """The five steps at every place of a text, and the place that is shown."""

    at: int


class DriftDrawing(TypedDict):
    """Words on a plane at every snapshot of a run."""

    words: Sequence[str]
    vocabulary: Sequence[str]
    groups: list[str]
    group: list[int]
    steps: list[int]
    losses: NumberArray
    points: NumberArray
    share: NumberArray
    reach: float
    near: NumberArray
    count: int
    cosines: NumberArray


class DriftPayload(DriftDrawing):
    """Words on a plane at every snapshot of a run; the snapshot shown, and the chosen word."""

    at: int
    word: str


PIPELINE = Script("pipeline", PipelinePayload)
DRIFT = Script("drift", DriftPayload)


def pipeline_picture(
    model: NeuralModel, trace: PipelineTrace, letters: DeckNotation = LETTERS["cmu"]
) -> PipelineDrawing:
    """The data of the script: the text, the sizes, and each step's first numbers at each place.

    A strip's colours are symmetric about 0, up to the largest number it has at any place.
    """
    vectors: dict[StripName, Tensor] = {
        "embedding": trace.embedding[..., :CELLS],
        "concatenated": trace.embedding[..., : CELLS // trace.window.shape[1]].flatten(1),
        "pre_activation": trace.pre_activation[..., :CELLS],
        "hidden": trace.hidden[..., :CELLS],
    }
    best = trace.best
    words = model.vocabulary.tokens
    return {
        "words": model.vocabulary.decode(trace.tokens.tolist()),
        "types": len(words),
        "sizes": {
            "context": trace.window.shape[1],
            "width": trace.embedding.shape[2],
        },
        "window": trace.window.numpy(),
        "window_words": [model.vocabulary.decode(row) for row in trace.window.tolist()],
        "headings": headings(model, trace, letters),
        "short": letters.short,
        "strips": {
            name: {
                "values": values.numpy(),
                "cells": values.shape[-1],
                "reach": float(vectors[SAME.get(name, name)].abs().max()),
            }
            for name, values in vectors.items()
        },
        "best": [[words[i] for i in row] for row in best.tolist()],
        "chances": trace.probabilities.gather(1, best).numpy(),
        "logits": trace.logits.gather(1, best).numpy(),
        "true": trace.true_probabilities.numpy(),
        "ranks": trace.ranks.numpy(),
        "scale": sample_colorscale(DIVERGING, [i / (SHADES - 1) for i in range(SHADES)]),
        # A dark mark would be invisible on the darkest shades, which are the same in both themes.
        "marks": [INK["light"], BACKGROUND["light"]],
    }


def headings(
    model: NeuralModel, trace: PipelineTrace, letters: DeckNotation
) -> dict[HeadingName, tuple[str, str]]:
    """Above each strip of the picture: what it is, and which of its numbers are drawn."""
    _, context, width = trace.embedding.shape
    types, hidden = len(model.vocabulary), trace.hidden.shape[1]
    before = f"{letters.before} = {letters.sum}" if letters.before else letters.sum
    return {
        "lookup": (
            f"one-hot, {context} × {types}, times {letters.times} = rows, {context} × {width}",
            f"{_first(CELLS, width)} of each",
        ),
        "concatenated": (
            f"{letters.side_by_side}: side by side, 1 × {context * width}",
            f"{_first(CELLS // context, width)} of each word",
        ),
        "pre_activation": (f"{before}, 1 × {hidden}", _first(CELLS, hidden)),
        "hidden": (
            f"{letters.hidden} = {activation_term(model, letters)}, 1 × {hidden}",
            _first(CELLS, hidden),
        ),
        "outcome": (
            f"softmax({letters.output_sum}), 1 × {types}",
            f"the {trace.best.shape[1]} most probable, bars from 0 to 1",
        ),
    }


def _first(drawn: int, there: int) -> str:
    return f"first {drawn}" if drawn < there else f"all {there}"


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


def pipeline_steps(
    model: NeuralModel, trace: PipelineTrace, at: int, letters: DeckNotation = LETTERS["cmu"]
) -> tuple[StepRow, ...]:
    """The five steps at one place: what is done, the size of the result, its shape."""
    count = trace.window.shape[1]
    words = ", ".join(model.vocabulary.decode(trace.window[at].tolist()))
    total = format_number(float(trace.probabilities[at].sum()))
    first = model.vocabulary.tokens[int(trace.best[at, 0])]
    chance = format_number(float(trace.probabilities[at].max()))
    looked_up = f"one-hot of {words}, times {letters.times}"
    side, before = letters.side_by_side, letters.before or letters.sum
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
        (
            "3 · bend",
            letters.hidden,
            activation_term(model, letters),
            "activation",
            trace.hidden[at],
        ),
        ("4 · multiply, add", letters.logits, letters.output_sum, "score", trace.logits[at]),
        ("5 · softmax", "ŷ", f"adds up to {total}", "activation", trace.probabilities[at]),
    )
    return tuple(
        StepRow(
            name,
            formula,
            f"{first}: {chance}"
            if symbol == "ŷ"
            else f"‖{symbol}‖ = {format_number(float(values.norm()))}",
            symbol,
            role,
            " × ".join(map(str, values.shape if values.ndim == 2 else (1, *values.shape))),
            tuple(
                (f"number {i}", format_number(value))
                for i, value in enumerate(values.flatten()[:6].tolist(), start=1)
            ),
        )
        for name, symbol, formula, role, values in rows
    )


def lookup_in_words(trace: PipelineTrace, at: int, letters: DeckNotation = LETTERS["cmu"]) -> str:
    """States that one-hot times E equals a look-up; both were computed."""
    types, width = trace.probabilities.shape[1], trace.embedding.shape[2]
    return (
        f"One-hot × {letters.times} was multiplied out ({types} · {width} products per word), and "
        f"the rows were looked up as well. The largest difference between the two is "
        f"**{format_number(float(trace.difference[at]))}**."
    )


def chance_rows(model: NeuralModel, trace: PipelineTrace, at: int) -> list[tuple[str, float]]:
    """The most probable next words with their probabilities."""
    best = trace.best[at]
    return _named(model, best.tolist(), trace.probabilities[at, best].tolist())


def near_rows(
    model: NeuralModel, record: Drift, word: str
) -> tuple[list[tuple[str, float]], list[tuple[str, float]]]:
    """The words nearest to `word` by cosine: in the model's E, and in that of the recorded run.

    Raises:
        ValueError: if the word is not known.
    """
    if word not in model.vocabulary:
        raise ValueError(
            f"the word must be one of the {len(model.vocabulary)} the model knows; got {word!r}"
        )
    own = neighbours(model, model.vocabulary.ids[word], count=6)
    other = nearest_words(record, (word,), count=6)
    return (
        _named(model, own.ids.tolist(), own.cosines.tolist()),
        _named(model, other.ids[-1, 0].tolist(), other.cosines[-1, 0].tolist()),
    )


def _named(model: NeuralModel, ids: list[int], numbers: list[float]) -> list[tuple[str, float]]:
    return list(zip(model.vocabulary.decode(ids), numbers, strict=True))


def notice(model: NeuralModel, trace: PipelineTrace, at: int) -> list[str]:
    """The words the model sees at one place, its prediction, and the words it does not see."""
    words = model.vocabulary.decode(trace.tokens.tolist())
    seen = model.vocabulary.decode(trace.window[at].tolist())
    first = model.vocabulary.tokens[int(trace.best[at, 0])]
    chance = format_number(float(trace.probabilities[at].max()))
    said = [
        f"Of {at + 1} tokens read so far the model sees {len(seen)}, {_quoted(' '.join(seen))}, "
        f"and assigns {chance} to {_quoted(first)}."
    ]
    if at + 1 < len(words):
        p, rank = float(trace.true_probabilities[at]), int(trace.ranks[at])
        said.append(
            f"The text goes on with {_quoted(words[at + 1])}: ŷ = {format_number(p)}, rank {rank} "
            f"of {trace.probabilities.shape[1]}."
        )
    unseen = at + 1 - len(seen)
    if unseen > 0:
        said.append(
            f"The prediction does not depend on the {unseen} earlier token{'s' * (unseen > 1)}."
        )
    return said


def _quoted(text: str) -> str:
    """A word as code, since `<s>` would be taken for a tag."""
    return f"`{text}`"


WORDS = tuple(word for group in GROUPS.values() for word in group)


def drift_picture(drift: Drift) -> DriftDrawing:
    """Points, groups and neighbours at every snapshot."""
    plane, close = project(drift, WORDS), nearest_words(drift, WORDS)
    return {
        "words": WORDS,
        "vocabulary": drift.words,
        "groups": list(GROUPS),
        "group": [i for i, group in enumerate(GROUPS.values()) for _ in group],
        "steps": drift.steps.tolist(),
        "losses": drift.losses.numpy(),
        "points": plane.points.numpy(),
        "share": plane.share.numpy(),
        "reach": float(plane.points.abs().max()),
        "near": close.ids.numpy(),
        "count": close.ids.shape[2],
        "cosines": close.cosines.numpy(),
    }


def drift_notice(drift: Drift) -> list[str]:
    """How many words have a nearest neighbour of their own group, before and after training."""
    begin, end = (own_nearest(drift, at) for at in (0, -1))
    cat, dog = (drift.words.index(word) for word in ("cat", "dog"))
    pair = cosine(drift.embedding, cat, dog)
    return [
        f"Of {len(WORDS)} words drawn, {begin} start with a nearest neighbour from their own "
        f"group; after step {int(drift.steps[-1])} it is {end}.",
        f"cos(E[cat], E[dog]) went from {format_number(float(pair[0]))} to "
        f"{format_number(float(pair[-1]))}.",
        "The groups were not given to the model: it only learned to predict the next word.",
    ]


def own_nearest(drift: Drift, snapshot: int) -> int:
    """Words whose nearest neighbour among those drawn is of their own group."""
    places = [drift.words.index(word) for word in WORDS]
    rows = torch.nn.functional.normalize(drift.embedding[snapshot, places].double(), dim=-1)
    cosines = (rows @ rows.T).fill_diagonal_(-torch.inf)
    group = torch.tensor([i for i, words in enumerate(GROUPS.values()) for _ in words])
    return int((group[cosines.argmax(1)] == group).sum())
