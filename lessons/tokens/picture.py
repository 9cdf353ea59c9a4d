"""Tokens: what the pictures of merges, of longest match and of BERT's input are given to draw."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from lessons.shared import theme
from lessons.shared.steps import StepRow
from lmcore.numbers import format_number
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
"""Where a token of the frame stands in its sentence, as `tokenizers` says it."""
SYMBOLS = {"token": "E", "position": "P", "segment": "S", "input": "x"}
ROLES = {"token": "input", "position": "key", "segment": "value", "input": "activation"}


def numbers(trace: MergesTrace, cut: Sequence[Segmentation]) -> dict[str, Tensor]:
    """Every number that follows the merges, at each of their counts."""
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
        "count": _of(best, "count"),
        "first": _of(best, "first"),
        "second": _of(best, "second"),
        "gain": _of(best, "gain"),
        "sentence": torch.from_numpy(_sizes(cut, steps)),
    }


def _of(best: Sequence[MergeCandidate | None], name: str) -> Tensor:
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
    """How large vocabulary and text are, and the pair that is next, one operation a row."""
    base, words = len(trace.base), f"{trace.words.total:,}"
    return (
        StepRow("merges", "so many pairs have become one piece", "{n}", role="weight"),
        StepRow("new pieces", "a piece that two merges make counts once", "{made}", role="weight"),
        StepRow("vocabulary", f"{len(SPECIAL_TOKENS)} special tokens + {base} letters + {{made}}", "{types}",
             "|V|", "weight"),
        StepRow("tokens of the text", f"its {words} words in pieces", "{tokens}", role="input"),
        StepRow("tokens a word", f"{{tokens}} / {words}", "{per_word}", role="input"),
        StepRow("next pair a b", "how often the two stand side by side", "{count}", "count(a b)",
             "score"),
        StepRow("its gain", "{count} / ({first} · {second})", "{gain}",
             "count(a b) / (count(a) · count(b))", "score"),
    )  # fmt: skip


def picture(
    trace: MergesTrace, cut: Sequence[Segmentation], sentence: Sequence[str]
) -> dict[str, object]:
    """What `lessons/tokens/tokens.js` draws beside the numbers that follow the hand."""
    width = [len(each) for each in trace.candidates]
    counts = np.zeros((len(width), RIVALS))
    gains = np.zeros((len(width), RIVALS))
    for step, rivals in enumerate(trace.candidates):
        counts[step, : width[step]] = [each.count for each in rivals]
        gains[step, : width[step]] = [each.gain for each in rivals]
    return {
        "slider": "tokens_n",
        "words": list(sentence),
        "readings": [[each.merges, each.words] for each in cut],
        "rivals": [[[*each.pair, each.piece] for each in rivals] for rivals in trace.candidates],
        "most": RIVALS,
        "by": trace.rule.by,
        "counts": counts,
        "gains": gains,
        "curve": trace.tokens.astype(np.float64),
        "total": trace.words.total,
        "exhausted": trace.exhausted,
        "alt": "After {n} merges the vocabulary has {types} types and the text {tokens} tokens, "
        "{per_word} a word; the sentence has {sentence}. The next pair occurs {count} times.",
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


def match_picture(found: MatchTrace, ids: dict[str, int], at: int) -> dict[str, object]:
    """What `lessons/tokens/longest.js` draws: every piece that was looked for."""
    taken = sum(each.known for each in found.attempts)
    return {
        "word": list(found.word),
        "attempts": [
            [each.piece, each.start, each.end, ids[each.piece] if each.known else -1]
            for each in found.attempts
        ],
        "pieces": list(found.pieces),
        "unknown": found.unknown,
        "at": at,
        "name": "tokens-longest",
        "alt": f"{len(found.attempts)} pieces were looked for in “{found.word}”, {taken} were "
        f"found: {' '.join(found.pieces)}.",
    }


def input_picture(trace: InputTrace, at: tuple[int, int], model: str) -> dict[str, object]:
    """What `lessons/tokens/inputs.js` draws; `at` is the token and the dimension looked at."""
    rows = trace.rows
    wide = trace.output.shape[1]
    shown = min(SHOWN, wide)
    values = torch.stack([each[:, :shown] for each in rows.values()]).double()
    fills, inks = theme.diverging_scale()
    read = trace.reading
    return {
        "tokens": list(read.tokens),
        "ids": read.ids.tolist(),
        "segments": read.segments.tolist(),
        "rows": [[name, SYMBOLS[name], ROLES[name]] for name in rows],
        "values": values.numpy(),
        "shown": shown,
        "wide": wide,
        "reach": float(values.abs().max()) or 1.0,
        "fills": fills,
        "inks": inks,
        "spot": list(at),
        "name": "tokens-input",
        "alt": f"The rows that {model} adds up for a token, their first {shown} of {wide} "
        "dimensions as colours: " + " + ".join([*rows][:-1]) + " = input.",
    }


def packed_rows(packed: PackedInput) -> list[tuple[str, float, float, float, float, float]]:
    """A row a token: id, segment, position, and where it stands in its sentence."""
    rows = []
    columns = zip(packed.tokens, packed.ids, packed.segments, packed.spans, strict=True)
    for position, (token, i, segment, span) in enumerate(columns):
        start, end = span or NOWHERE
        rows.append((token, float(i), float(segment), float(position), float(start), float(end)))
    return rows


def sum_words(trace: InputTrace, token: int, dimension: int) -> str:
    """One number of the input, with the numbers it is the sum of."""
    rows = {name: float(values[token, dimension]) for name, values in trace.rows.items()}
    total = rows.pop("input")
    parts = " + ".join(
        format_number(v) if v >= 0 else f"({format_number(v)})" for v in rows.values()
    )
    return f"{parts} = {format_number(total)}"
