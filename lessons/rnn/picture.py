"""The unrolled network: the data of its picture, its step table and its notice."""

from __future__ import annotations

import inspect
import math
from collections.abc import Mapping, Sequence
from typing import Literal, TypedDict

import torch
from jaxtyping import Float64
from torch import Tensor

from lessons.shared import theme
from lessons.shared.payload import NumberArray, Script
from lessons.shared.steps import StepRow
from lmcore.numbers import format_number, operand, subscript
from lmcore.recurrence.unrolled import (
    CHOICES,
    PHASES,
    LargestTerms,
    LossSummary,
    UnitTrace,
    Unrolled,
    UnrolledPosition,
    unroll,
)
from lmcore.vocabulary import Vocabulary

SHOWN = 32
"""Units of e and of h that are drawn by default."""
MOST_UNITS = 256
PHASE_OF = {"for x": "x", "e =": "e", "z =": "h", "h =": "h", "y =": "y", "J =": "J"}
"""The beginning of a line of the loop → what the line computes."""


def numbers(walk: UnrolledPosition, unrolled: Unrolled, unit: UnitTrace) -> dict[str, Tensor]:
    """Each number of the step table, at every step."""
    chances = torch.exp(-unrolled.losses)
    sums = unrolled.losses.cumsum(0) / torch.arange(1, len(walk.tokens) + 1)
    named = {
        "t": torch.arange(1.0, len(walk.tokens) + 1, dtype=torch.float64),
        "id": torch.tensor(walk.tokens, dtype=torch.float64),
        "wx": unit.from_input,
        "wh": unit.from_memory,
        "b": unit.bias,
        "z": unit.pre_activation,
        "h": unit.hidden,
        "p": chances,
        "J": unrolled.losses,
        "mean": sums,
    }
    return named | _named_terms("x", unit.input_terms) | _named_terms("m", unit.memory_terms)


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


class PhaseLines(TypedDict):
    """What each phase of a step computes, with the numbers in."""

    x: str
    e: str
    h: str
    y: str
    J: str


class CodeLine(TypedDict):
    """A line of the loop, and what it computes, if it does."""

    text: str
    phase: str


class UnrolledPlace(TypedDict):
    """A step, from 1, and what was computed last there."""

    step: int
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
    means: NumberArray
    lines: list[PhaseLines]
    code: list[CodeLine]
    phases: Sequence[str]
    table: NumberArray
    """The numbers that follow the step, one row per step."""
    at: UnrolledPlace
    unit: int


UNROLLED = Script("unrolled", UnrolledPayload)


def picture(
    walk: UnrolledPosition,
    unrolled: Unrolled,
    vocabulary: Vocabulary,
    *,
    table: Mapping[str, Tensor],
    whole: bool,
) -> UnrolledPayload:
    """The data that `lessons/rnn/unrolled.js` draws; `whole` shows more than the first units."""
    best = unrolled.probabilities.topk(min(CHOICES, len(vocabulary)), dim=1)
    most = MOST_UNITS if whole else SHOWN
    words = vocabulary.decode(walk.tokens)
    return {
        "words": words,
        "ids": list(walk.tokens),
        "e": strip("e", "embedding", unrolled.embedding, most),
        "h": strip("h", "hidden state", unrolled.hidden, most),
        "scale": theme.diverging_colours(),
        "choices": [vocabulary.decode(row) for row in best.indices.tolist()],
        "chances": best.values.numpy(),
        "losses": unrolled.losses.numpy(),
        "means": table["mean"].numpy(),
        "lines": lines(walk, unrolled, vocabulary, table),
        "code": code_lines(),
        "phases": PHASES,
        "table": torch.stack(list(table.values()), dim=1).numpy(),
        "at": {"step": walk.step, "phase": walk.phase},
        "unit": walk.unit,
    }


def strip(
    letter: Literal["e", "h"], word: str, values: Float64[Tensor, "time unit"], most: int
) -> HeatStrip:
    """A heat strip a column: the first units, on a scale that is symmetric about 0."""
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


def lines(
    walk: UnrolledPosition, unrolled: Unrolled, vocabulary: Vocabulary, table: Mapping[str, Tensor]
) -> list[PhaseLines]:
    """For each step, what each phase computes, with its numbers."""
    words = vocabulary.decode(walk.tokens)
    top = unrolled.probabilities.max(dim=1)
    favourites = vocabulary.decode(top.indices.tolist())
    said = list[PhaseLines]()
    for t, (word, token) in enumerate(zip(words, walk.tokens, strict=True), start=1):
        at = {name: float(values[t - 1]) for name, values in table.items()}
        now, before = subscript(t), subscript(t - 1)
        sums = f"{operand(at['wx'])} + {operand(at['wh'])} + {operand(at['b'])}"
        said.append(
            {
                "x": f"x{now} = {word}, id {token}",
                "e": f"e{now} = E[{token}]: {unrolled.embedding.shape[1]} numbers",
                "h": f"h{now} = tanh(Wₓe{now} + Wₕh{before} + b); "
                f"unit {walk.unit}: tanh({sums}) = {format_number(at['h'])}",
                "y": f"ŷ{now} = softmax(U h{now} + b₂); first: “{favourites[t - 1]}”, "
                f"{format_number(float(top.values[t - 1]))}",
                "J": _loss_line(t, words[t : t + 1], at),
            }
        )
    return said


def _loss_line(t: int, following: Sequence[str], at: Mapping[str, float]) -> str:
    if not following:
        return f"J({t}) is not known: nothing has come after this yet"
    return (
        f"J({t}) = −log ŷ{subscript(t)}[{following[0]}] = −log {format_number(at['p'])} = "
        f"{format_number(at['J'])} nats; mean so far {format_number(at['mean'])}"
    )


def code_lines() -> list[CodeLine]:
    """The source of `unroll`, each line with what it computes, if it does."""
    found = list[CodeLine]()
    for line in inspect.getsource(unroll).rstrip().splitlines():
        start = (phase for begin, phase in PHASE_OF.items() if line.strip().startswith(begin))
        found.append({"text": line, "phase": next(start, "")})
    return found


def notice(words: Sequence[str], found: LossSummary, truth: Float64[Tensor, " loss"]) -> list[str]:
    """Where the loss is highest, and how much of it is the grammar's own."""
    t = int(found.each.argmax())
    said = [
        f"The mean loss is {format_number(found.mean)} nats per word, perplexity "
        f"{format_number(found.perplexity)}. The largest, J({t + 1}) = "
        f"{format_number(float(found.each[t]))}, is at “{words[t + 1]}” after “{words[t]}”."
    ]
    here, own = float(truth[t]), float(found.each[t] - truth[t])
    if math.isinf(here):
        return [*said, "The grammar never produces this here, so a high loss is correct."]
    chance = f"The grammar's own loss there is {format_number(here)}: "
    if own <= 0:
        return [*said, chance + "all of the loss is chance, which no model can predict."]
    rest = f"that much is chance. The other {format_number(own)} nats are the model's own."
    return [*said, chance + rest]


def snippet(words: Sequence[str], *, ships: bool) -> str:
    """A script that prints the losses on screen: of the RNN that ships, or of a saved run."""
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
