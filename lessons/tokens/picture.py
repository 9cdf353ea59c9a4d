"""The data of three pictures: merges, longest match, and BERT's input."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from lessons.shared import theme
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


def picture(
    trace: MergesTrace, cut: Sequence[Segmentation], sentence: Sequence[str]
) -> dict[str, object]:
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


def match_picture(match: MatchTrace, ids: dict[str, int], at: int) -> dict[str, object]:
    """The data of `lessons/tokens/longest.js`: every piece that was tried."""
    taken = sum(each.known for each in match.attempts)
    return {
        "word": list(match.word),
        "attempts": [
            [each.piece, each.start, each.end, ids[each.piece] if each.known else -1]
            for each in match.attempts
        ],
        "pieces": list(match.pieces),
        "unknown": match.unknown,
        "at": at,
        "name": "tokens-longest",
        "alt": f"{len(match.attempts)} pieces were looked for in “{match.word}”, {taken} were "
        f"found: {' '.join(match.pieces)}.",
    }


def input_picture(trace: InputTrace, at: tuple[int, int], model: str) -> dict[str, object]:
    """The data that `lessons/tokens/inputs.js` draws; `at` is the selected token and dimension."""
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
    """One row per token: id, segment, position, and its place in its sentence."""
    rows = []
    columns = zip(packed.tokens, packed.ids, packed.segments, packed.spans, strict=True)
    for position, (token, i, segment, span) in enumerate(columns):
        start, end = span or NOWHERE
        rows.append((token, float(i), float(segment), float(position), float(start), float(end)))
    return rows
