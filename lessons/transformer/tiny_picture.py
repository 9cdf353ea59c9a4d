"""The data of the picture of the Transformer on one screen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from functools import lru_cache
from typing import Literal, TypedDict

import torch
from torch import Tensor
from typing_extensions import TypedDict as EventDict

from drawing import theme
from drawing.events import Name, Place
from drawing.payload import Kept, NumberArray, Script
from drawing.theme import Mode
from lmcore.transformer import tiny
from lmcore.transformer.tiny import MATRICES, TinyRun, TinyTrace, WeightEdit, WeightPlace

SENTENCES = tuple(" ".join(words) for words in tiny.SENTENCES)
SYMBOLS = {
    **{f"W{part}": f"W^{part}" for part in "QKVO"},
    **{f"b{part}": f"b^{part}" for part in "QKVO"},
    **{f"{name}{n}": f"{letter}{'₁₂₃'[n - 1]}" for n in (1, 2, 3)
       for name, letter in (("gamma", "γ"), ("beta", "β"), ("W", "W"), ("b", "b"))},
}  # fmt: skip
"""The symbol of a matrix on screen, if it differs from its name."""


KEPT = 32
"""The number of cached texts and runs."""


class TinyGrid(TypedDict):
    """A matrix on screen: its name, its size, and where it is in a row of recorded numbers."""

    name: str
    symbol: str
    kind: Literal["weight", "number", "share"]
    rows: int
    columns: int
    start: int


class TinyPayload(TypedDict):
    """A text in the model at every recorded step, and along one weight."""

    tokens: Sequence[str]
    words: Sequence[str]
    right: Sequence[int]
    """The next word after each token, as an index of `words`; −1 if unknown."""
    texts: Sequence[str]
    followed: int
    """The index of the chosen sentence; −1 for the visitor's own words."""
    place: int
    """The token after which the model predicts, from 0."""
    grids: Sequence[TinyGrid]
    size: int
    """The length of a recorded row: the weights, then the numbers of the text."""
    early: bytes
    """A row for each step recorded before that of the newest edit, as float32."""
    late: bytes
    """The other rows; all rows if there is no edit."""
    every: int
    curve: NumberArray
    """The loss of each sentence at each recorded step."""
    floor: float
    weight: str
    at: int
    """The step at which the chosen weight is varied along its slider."""
    positions: NumberArray
    turned: NumberArray
    """The indices of the text’s numbers that the chosen weight changes."""
    swept: bytes
    """These numbers at each position of its slider, as float32."""
    edits: Sequence[str]
    """The edited weights, each preceded by its step."""
    signed: theme.ColourScale
    shares: theme.ColourScale


class TinyChoice(EventDict, total=False):
    """A weight, the place of a word, or a sentence that was pressed."""

    weight: Name
    place: Place
    sentence: Place


NUMBERS = ("step", "w", "loss", "l#", "p", "best", "a", "@say")
"""The numbers that `tiny_state` computes; l1 is the loss of the first sentence."""
TINY = Script("tiny", TinyPayload, NUMBERS, TinyChoice)


def tiny_grids(time: int) -> list[TinyGrid]:
    """The weight matrices, then the computed ones in the order of the computation."""
    found: list[TinyGrid] = []
    start = 0

    def add(name: str, kind: Literal["weight", "number", "share"], rows: int, columns: int) -> None:
        nonlocal start
        found.append(
            {
                "name": name,
                "symbol": SYMBOLS.get(name, name),
                "kind": kind,
                "rows": rows,
                "columns": columns,
                "start": start,
            }
        )
        start += rows * columns

    for its in MATRICES.values():
        add(its.name, "weight", its.rows, its.columns)
    wide = {"f": tiny.CONFIG.hidden, "g": tiny.CONFIG.hidden, "s": time, "alpha": time}
    wide |= {"logits": len(tiny.WORDS), "p": len(tiny.WORDS)}
    for field in fields(TinyTrace):
        kind: Literal["number", "share"] = "share" if field.name in ("alpha", "p") else "number"
        add(field.name, kind, time, wide.get(field.name, tiny.CONFIG.width))
    return found


def picture(
    text: str,
    place: int,
    run: TinyRun,
    *,
    weight: WeightPlace,
    step: int,
    positions: NumberArray,
    swept: TinyTrace,
    edits: Sequence[WeightEdit],
    mode: Mode,
) -> TinyPayload:
    """The payload of `lessons/transformer/tiny.js` without the live numbers; `place` is from 1."""
    tokens = text.split()
    grids = tiny_grids(len(tokens))
    last = grids[-1]
    turned, swept_rows = changed_columns(flat_rows(swept))
    early, late = kept_rows(run, text, edits[-1].step if edits else 0)
    rights = [right_word(text, t) for t in range(1, len(tokens) + 1)]
    return {
        "tokens": tokens,
        "words": tiny.WORDS,
        "right": [-1 if right is None else right for right in rights],
        "texts": SENTENCES,
        "followed": SENTENCES.index(text) if text in SENTENCES else -1,
        "place": place - 1,
        "grids": grids,
        "size": last["start"] + last["rows"] * last["columns"],
        "early": early,
        "late": late,
        "every": tiny.EVERY,
        "curve": run.losses.numpy(),
        "floor": tiny.FLOOR,
        "weight": str(weight),
        "at": step,
        "positions": positions,
        "turned": turned.numpy(),
        "swept": _packed(swept_rows),
        "edits": [f"{each.step} {each.place}" for each in edits],
        "signed": theme.diverging_scale(mode),
        "shares": theme.sequential_scale(),
    }


@lru_cache(maxsize=KEPT)
def recorded_trace(run: TinyRun, text: str) -> TinyTrace:
    """Every number of a text at every recorded step."""
    with torch.no_grad():
        return tiny.trace_tiny(run.weights, tiny.tiny_ids(text))


@lru_cache(maxsize=KEPT)
def kept_rows(run: TinyRun, text: str, step: int) -> tuple[Kept, Kept]:
    """The weights and every number at the recorded steps before `step`, and at the others."""
    rows = torch.cat([run.weights, flat_rows(recorded_trace(run, text))], dim=-1)
    first = step // tiny.EVERY
    return Kept(_packed(rows[:first])), Kept(_packed(rows[first:]))


def changed_columns(rows: Tensor) -> tuple[Tensor, Tensor]:
    """The columns that are not constant over all rows: their indices and their numbers."""
    places = (rows != rows[0]).any(dim=0).nonzero()[:, 0]
    return places, rows[:, places]


def flat_rows(trace: TinyTrace) -> Tensor:
    """All numbers of a trace in a row, for each row of weights."""
    return torch.cat([getattr(trace, field.name).flatten(1) for field in fields(trace)], dim=-1)


def _packed(values: Tensor) -> bytes:
    return values.float().numpy().tobytes()


def right_word(text: str, place: int) -> int | None:
    """The next word after a place, from 1, of one of the four sentences; else None."""
    if text not in SENTENCES:
        return None
    _, targets = tiny.sentence_ids()
    return int(targets[SENTENCES.index(text), place - 1])


def weight_label(place: WeightPlace) -> str:
    """A weight as it is written on screen: W^Q[1, 2], E[cat, 2], γ₁[2], U[2, runs]."""
    symbol = SYMBOLS.get(place.matrix, place.matrix)
    row, column = str(place.row + 1), str(place.column + 1)
    if place.matrix == "E":
        row = tiny.WORDS[place.row]
    if place.matrix == "U":
        column = tiny.WORDS[place.column]
    return (
        f"{symbol}[{column}]" if MATRICES[place.matrix].rows == 1 else f"{symbol}[{row}, {column}]"
    )


DECIDED = 0.6
"""The probability from which the sentence calls a word the model's answer."""
