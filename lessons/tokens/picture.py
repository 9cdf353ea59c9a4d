"""The data of three pictures: merges, longest match, and BERT's input."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypedDict

import numpy as np
import torch
from torch import Tensor

from lessons.shared import theme
from lessons.shared.payload import NumberArray, Script
from lessons.shared.steps import StepRow
from lmcore.tokenization.inputs import InputTrace
from lmcore.tokenization.merges import RIVALS, MergeCandidate, MergesTrace
from lmcore.tokenization.packing import PackedInput
from lmcore.tokenization.pieces import MatchTrace, Segmentation
from lmcore.tokenization.rules import SPECIAL_TOKENS

SHOWN = 64
"""Dimensions of an embedding that are drawn."""
LISTED = 12
"""Merges that the table lists."""
NOWHERE = (0, 0)
"""The offsets of [CLS], [SEP] and [PAD], which are in no sentence, as in `tokenizers`."""
SYMBOLS = {"token": "E", "position": "P", "segment": "S", "input": "x"}
ROLES = {"token": "input", "position": "key", "segment": "value", "input": "activation"}


def numbers(trace: MergesTrace, cut: Sequence[Segmentation]) -> dict[str, Tensor]:
    """Every number that depends on the merges, after each number of merges."""
    steps = len(trace.candidates)
    best = [each[0] if each else None for each in trace.candidates]
    total = float(trace.words.total)
    tokens = torch.from_numpy(trace.tokens).double()
    types = torch.from_numpy(trace.types).double()
    return {
        "n": torch.arange(steps, dtype=torch.float64),
        "made": types - len(SPECIAL_TOKENS) - len(trace.base),
        "types": types,
        "tokens": tokens,
        "per_word": tokens / total,
        "count": _pair_numbers(best, "count"),
        "first": _pair_numbers(best, "first"),
        "second": _pair_numbers(best, "second"),
        "gain": _pair_numbers(best, "gain"),
        "sentence": torch.from_numpy(_sizes(cut, steps)),
    }


def _pair_numbers(best: Sequence[MergeCandidate | None], name: str) -> Tensor:
    """A number of the next pair; 0 where there is none."""
    values = [0 if each is None else getattr(each, name) for each in best]
    return torch.tensor(values, dtype=torch.float64)


def _sizes(cut: Sequence[Segmentation], steps: int) -> np.ndarray:
    """The tokens of the sentence after each number of merges."""
    sizes = np.zeros(steps)
    for reading in cut:
        sizes[reading.merges :] = sum(map(len, reading.words))
    return sizes


def steps(trace: MergesTrace) -> tuple[StepRow, ...]:
    """The sizes of vocabulary and text and the next pair, one operation per row."""
    base, words = len(trace.base), f"{trace.words.total:,}"
    return (
        StepRow("merges", "pairs merged so far", "{n}", role="weight"),
        StepRow("new pieces", "a piece made by two merges counts once", "{made}", role="weight"),
        StepRow("vocabulary", f"{len(SPECIAL_TOKENS)} special tokens + {base} letters + {{made}}",
             "{types}", "|V|", "weight"),
        StepRow("tokens of the text", f"the pieces of its {words} words", "{tokens}", role="input"),
        StepRow("tokens per word", f"{{tokens}} / {words}", "{per_word}", role="input"),
        StepRow("next pair a b", "how often the two occur side by side", "{count}", "count(a b)",
             "score"),
        StepRow("its gain", "{count} / ({first} · {second})", "{gain}",
             "count(a b) / (count(a) · count(b))", "score"),
    )  # fmt: skip


class TokensPayload(TypedDict):
    """Every merge: the pairs that led before it, and the sizes after it."""

    slider: str
    words: list[str]
    """Of the sentence."""
    readings: list[tuple[int, Sequence[Sequence[str]]]]
    """From how many merges on the sentence is cut so."""
    rivals: list[list[tuple[str, str, str]]]
    """Of each pair that led: first, second, and the piece they make."""
    most: int
    """Pairs that are listed."""
    by: Literal["count", "gain"]
    counts: NumberArray
    gains: NumberArray
    curve: NumberArray
    """Tokens of the text after each number of merges."""
    total: int
    alt: str


class LongestPayload(TypedDict):
    """Every piece that was looked for in a word."""

    word: list[str]
    attempts: list[tuple[str, int, int, int]]
    """The piece, where it starts and ends, and its id; −1: it is unknown."""
    pieces: list[str]
    at: int
    name: str
    alt: str


class InputsPayload(TypedDict):
    """The rows that are added up for a token, as colours."""

    tokens: list[str]
    ids: list[int]
    segments: list[int]
    rows: list[tuple[str, str, str]]
    """What it is, its letter, and its role."""
    values: NumberArray
    shown: int
    wide: int
    reach: float
    fills: list[str]
    spot: list[int]
    """Token and dimension that are looked at."""
    name: str
    alt: str


TOKENS = Script("tokens", TokensPayload)
LONGEST = Script("longest", LongestPayload)
INPUTS = Script("inputs", InputsPayload)


def picture(
    trace: MergesTrace, cut: Sequence[Segmentation], sentence: Sequence[str]
) -> TokensPayload:
    """The data that `lessons/tokens/tokens.js` draws beside the numbers that follow the slider."""
    width = [len(each) for each in trace.candidates]
    counts = np.zeros((len(width), RIVALS))
    gains = np.zeros((len(width), RIVALS))
    for step, rivals in enumerate(trace.candidates):
        counts[step, : width[step]] = [each.count for each in rivals]
        gains[step, : width[step]] = [each.gain for each in rivals]
    return {
        "slider": "tokens_n",
        "words": list(sentence),
        "readings": [(each.merges, each.words) for each in cut],
        "rivals": [[(*each.pair, each.piece) for each in rivals] for rivals in trace.candidates],
        "most": RIVALS,
        "by": trace.rule.by,
        "counts": counts,
        "gains": gains,
        "curve": trace.tokens.astype(np.float64),
        "total": trace.words.total,
        "alt": "After {n} merges the vocabulary has {types} types and the text {tokens} tokens, "
        "{per_word} per word; the sentence has {sentence}. The next pair occurs {count} times.",
    }


def merge_rows(trace: MergesTrace, merges: int) -> list[tuple[str, float, float, float]]:
    """The last merges that were made: the pair and its piece, its count, |V| and tokens after."""
    first = max(merges - LISTED, 0)
    return [
        (
            f"{at + 1}: {merge.pair[0]} + {merge.pair[1]} → {merge.piece}",
            float(merge.count),
            float(trace.types[at + 1]),
            float(trace.tokens[at + 1]),
        )
        for at, merge in enumerate(trace.merges[first:merges], start=first)
    ]


def match_picture(match: MatchTrace, ids: dict[str, int], at: int) -> LongestPayload:
    """The data of `lessons/tokens/longest.js`: every piece that was tried."""
    taken = sum(each.known for each in match.attempts)
    return {
        "word": list(match.word),
        "attempts": [
            (each.piece, each.start, each.end, ids[each.piece] if each.known else -1)
            for each in match.attempts
        ],
        "pieces": list(match.pieces),
        "at": at,
        "name": "tokens-longest",
        "alt": f"{len(match.attempts)} pieces were looked for in “{match.word}”, {taken} were "
        f"found: {' '.join(match.pieces)}.",
    }


def input_picture(trace: InputTrace, at: tuple[int, int], model: str) -> InputsPayload:
    """The data that `lessons/tokens/inputs.js` draws; `at` is the selected token and dimension."""
    rows = trace.rows
    wide = trace.output.shape[1]
    shown = min(SHOWN, wide)
    values = torch.stack([each[:, :shown] for each in rows.values()]).double()
    fills, _ = theme.diverging_scale()
    read = trace.reading
    return {
        "tokens": list(read.tokens),
        "ids": read.ids.tolist(),
        "segments": read.segments.tolist(),
        "rows": [(name, SYMBOLS[name], ROLES[name]) for name in rows],
        "values": values.numpy(),
        "shown": shown,
        "wide": wide,
        "reach": float(values.abs().max()) or 1.0,
        "fills": fills,
        "spot": list(at),
        "name": "tokens-input",
        "alt": f"The rows that {model} adds up for a token, their first {shown} of {wide} "
        "dimensions as colours: " + " + ".join([*rows][:-1]) + " = input.",
    }


def packed_rows(packed: PackedInput) -> list[tuple[str, float, float, float, float, float]]:
    """One row per token: id, segment, position, and its place in its sentence."""
    rows = []
    columns = zip(packed.tokens, packed.ids, packed.segments, packed.spans, strict=True)
    for position, (token, i, segment, span) in enumerate(columns):
        start, end = span or NOWHERE
        rows.append((token, float(i), float(segment), float(position), float(start), float(end)))
    return rows
