"""The unrolled network: the data of its picture, and its step table."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from typing import Literal, TypedDict

import torch
from jaxtyping import Float64
from torch import Tensor
from typing_extensions import TypedDict as EventDict

from drawing import theme
from drawing.events import Name, Place
from drawing.payload import NumberArray, Script
from drawing.steps import StepRow
from lmcore.numbers import subscript
from lmcore.recurrence.unrolled import (
    CHOICES,
    PHASES,
    LargestTerms,
    RNNMatrices,
    UnitTrace,
    Unrolled,
    UnrolledPosition,
    summarize_losses,
    unroll,
)
from lmcore.vocabulary import Vocabulary

SHOWN = 32
"""Units of e and of h that are drawn by default."""
MOST_UNITS = 256
FIRST = 3
"""Numbers of an embedding that the formula writes out."""
PHASE_OF = {"for x": "x", "e =": "e", "z =": "h", "h =": "h", "y =": "y", "J =": "J"}
"""The beginning of a line of the loop → what the line computes."""


def numbers(
    walk: UnrolledPosition,
    unrolled: Unrolled,
    unit: UnitTrace,
    truth: Float64[Tensor, " loss"],
) -> dict[str, Tensor]:
    """Each number of the picture and of the step table, at every step.

    `truth` are the losses of the grammar itself; @say and @formula choose the texts of the step.
    """
    steps = len(walk.tokens)
    t = torch.arange(1, steps + 1, dtype=torch.float64)
    known = summarize_losses(unrolled.losses[:-1])
    phase = torch.full_like(t, PHASES.index(walk.phase))
    grammar = torch.cat([truth, unrolled.losses[-1:]])
    named = {
        "t": t,
        "id": torch.tensor(walk.tokens, dtype=torch.float64),
        "wx": unit.from_input,
        "wh": unit.from_memory,
        "b": unit.bias,
        "z": unit.pre_activation,
        "h": unit.hidden,
        "y": unrolled.probabilities.max(dim=1).values,
        "p": torch.exp(-unrolled.losses),
        "J": unrolled.losses,
        "mean": unrolled.losses.cumsum(0) / t,
        "whole": torch.full_like(t, known.mean),
        "perplexity": torch.full_like(t, known.perplexity),
        "grammar": grammar,
        "own": unrolled.losses - grammar,
    }
    named |= {f"e{i + 1}": unrolled.embedding[:, i] for i in range(FIRST)}
    named |= _named_terms("x", unit.input_terms) | _named_terms("m", unit.memory_terms)
    text = len(PHASES) * (t - 1) + phase
    return named | {"@t": t, "@phase": phase, "@say": text, "@formula": text}


def _named_terms(prefix: str, terms: LargestTerms) -> dict[str, Tensor]:
    named = {f"{prefix}rest": terms.rest}
    for i in range(terms.products.shape[1]):
        named[f"{prefix}i{i}"] = terms.places[:, i].double()
        named[f"{prefix}w{i}"] = terms.weights[:, i]
        named[f"{prefix}v{i}"] = terms.values[:, i]
        named[f"{prefix}q{i}"] = terms.products[:, i]
    return named


def unit_steps(walk: UnrolledPosition, sizes: tuple[int, int]) -> tuple[StepRow, ...]:
    """One hidden unit at the step shown, one operation per row; `sizes` are those of e and h."""
    i = subscript(walk.unit)
    return (
        StepRow("token", "step {t}: the word's id, and its row of E", "{id}", "xₜ", "input", "id"),
        _dot("from the word", "Wₓeₜ", ("x", "e"), sizes[0]),
        _dot("from the steps before", "Wₕhₜ₋₁", ("m", "h"), sizes[1]),
        StepRow("bias", "the same at every step", "{b}", f"b{i}", "weight"),
        StepRow("pre-activation", "{wx:p} + {wh:p} + {b:p}", "{z}", f"z{i}", "score"),
        StepRow("hidden unit", "tanh({z})", "{h}", f"h{i}", "activation"),
        StepRow("p of the next word", "softmax(U hₜ + b₂)", "{p}", "ŷₜ[xₜ₊₁]", "activation"),
        StepRow("loss, nats", "−log {p}", "{J}", "J(t)", "loss"),
        StepRow("mean of J(1) … J(t)", "nats", "{mean}", "J", "loss"),
    )


def _dot(name: str, symbol: str, letters: tuple[str, str], size: int) -> StepRow:
    """A dot product that opens to its largest terms."""
    prefix, letter = letters
    shown = min(8, size)
    products = [
        (
            f"term {i + 1}",
            f"w · {letter}, number {{{prefix}i{i}}}: "
            f"{{{prefix}w{i}:p}} · {{{prefix}v{i}:p}} = {{{prefix}q{i}}}",
        )
        for i in range(shown)
    ]
    rest = (f"the other {size - shown}", f"{{{prefix}rest}}")
    largest = " + ".join(f"{{{prefix}q{i}:p}}" for i in range(min(3, shown)))
    role = "input" if prefix == "x" else "activation"
    formula = f"{largest} + … ({size} products)"
    return StepRow(name, formula, f"{{w{'x' if prefix == 'x' else 'h'}}}", symbol, role,
                operands=(*products, rest))  # fmt: skip


class HeatStrip(TypedDict):
    """The first units of e or of h at each step, on a scale up to ±`reach`."""

    letter: Literal["e", "h"]
    word: str
    values: NumberArray
    shown: int
    size: int
    reach: float


class CodeLine(TypedDict):
    """A line of the loop, and the phase that it computes; empty if none."""

    text: str
    phase: str


class UnrolledPayload(TypedDict):
    """Every step of a recurrent network over a text."""

    words: list[str]
    ids: list[int]
    e: HeatStrip
    h: HeatStrip
    scale: list[str]
    choices: list[list[str]]
    """The likeliest next words at each step."""
    chances: NumberArray
    losses: NumberArray
    code: list[CodeLine]
    phases: Sequence[str]
    same: list[str]
    """The weights that every step has in common, with their shapes."""
    table: NumberArray
    """The live numbers, one row per step."""
    unit: int


class Stopped(EventDict):
    """The step and phase at which the picture stopped, and the chosen unit."""

    step: Place
    phase: Name
    unit: Place


PARTS = ("wx", "wh", "b", "z", "h", "y", "p", "J")
SUMMARIES = ("mean", "whole", "perplexity", "grammar", "own")
TERMS = tuple(f"{side}{part}" for side in "xm" for part in ("rest", "i#", "w#", "v#", "q#"))
"""For both dot products: the indices of the largest terms, their factors and products."""
CHOSEN = ("@t", "@phase", "@say", "@formula")
UNROLLED = Script(
    "unrolled",
    UnrolledPayload,
    ("t", "id", *PARTS, *SUMMARIES, "e#", *TERMS, *CHOSEN),
    Stopped,
)


def picture(
    walk: UnrolledPosition,
    unrolled: Unrolled,
    weights: RNNMatrices,
    vocabulary: Vocabulary,
    *,
    table: Mapping[str, Tensor],
    whole: bool,
) -> UnrolledPayload:
    """The data that `lessons/rnn/unrolled.js` draws; `whole` shows more than the first units."""
    best = unrolled.probabilities.topk(min(CHOICES, len(vocabulary)), dim=1)
    most = MOST_UNITS if whole else SHOWN
    return {
        "words": vocabulary.decode(walk.tokens),
        "ids": list(walk.tokens),
        "e": strip("e", "embedding", unrolled.embedding, most),
        "h": strip("h", "hidden state", unrolled.hidden, most),
        "scale": theme.diverging_colours(),
        "choices": [vocabulary.decode(row) for row in best.indices.tolist()],
        "chances": best.values.numpy(),
        "losses": unrolled.losses.numpy(),
        "code": code_lines(),
        "phases": PHASES,
        "same": [
            f"{name} {rows}×{columns}"
            for name, (rows, columns) in (
                ("Wₓ", weights.W_x.shape),
                ("Wₕ", weights.W_h.shape),
                ("U", weights.U.shape),
            )
        ],
        "table": torch.stack(list(table.values()), dim=1).numpy(),
        "unit": walk.unit,
    }


def strip(
    letter: Literal["e", "h"], word: str, values: Float64[Tensor, "time unit"], most: int
) -> HeatStrip:
    """A heat strip with one column per step: the first units, on a scale symmetric about 0."""
    shown = min(most, values.shape[1])
    reach = 1.0 if letter == "h" else float(values.abs().max()) or 1.0
    return {
        "letter": letter,
        "word": word,
        "values": values[:, :shown].numpy(),
        "shown": shown,
        "size": values.shape[1],
        "reach": reach,
    }


def code_lines() -> list[CodeLine]:
    """The source of `unroll`, each line with the phase that it computes; empty if none."""
    found = list[CodeLine]()
    for line in inspect.getsource(unroll).rstrip().splitlines():
        start = (phase for begin, phase in PHASE_OF.items() if line.strip().startswith(begin))
        found.append({"text": line, "phase": next(start, "")})
    return found


def snippet(words: Sequence[str], *, ships: bool) -> str:
    """A script that prints the losses on screen, of the shipped RNN or of a saved run."""
    saved = 'checkpoint.load_model(Path("saved.safetensors").read_bytes())'
    return f"""from pathlib import Path

from lmcore.shipped.models import load_shipped
from lmcore.training import checkpoint
from lmcore.recurrence.unrolled import RNNMatrices, summarize_losses, unroll

model, _, _ = {'load_shipped("rnn")' if ships else saved}
tokens = model.vocabulary.read({" ".join(words)!r})
steps = unroll(RNNMatrices.from_network(model.network), tokens)
for word, J in zip(model.vocabulary.decode(tokens[1:]), steps.losses.tolist()):
    print(f"{{word:12}} {{J:.4f}}")
print("mean        ", summarize_losses(steps.losses[:-1]).mean)
"""
