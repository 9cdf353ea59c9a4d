"""Structured input as one sequence of tokens: how the first GPT and BERT read each kind."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypedDict

import torch

from drawing.live import LiveNumbers, live_numbers
from drawing.payload import Script
from lessons.transfer.transfer_state import INPUT_KINDS

START, DELIMITER, EXTRACT, CLS, SEP = "Start", "Delim", "Extract", "[CLS]", "[SEP]"
READ = (EXTRACT, CLS)
"""The marks whose vectors the head reads."""
READS = {
    "single": ("Extract → linear", "[CLS] → linear"),
    "entailment": ("Extract → linear", "[CLS] → linear"),
    "similarity": ("both orders; the two vectors of Extract are added, → linear", "[CLS] → linear"),
    "choice": (
        "one sequence an answer; each Extract → one score, softmax over the answers",
        "one sequence an answer; each [CLS] → one score, softmax over the answers",
    ),
    "question": (
        "Extract → linear; the paper asks questions as multiple choice",
        "each word of the text → first word, last word",
    ),
}
Tokens = list[tuple[str, int]]
"""The tokens of a sequence, each with the number of its text; 0: a mark."""


class Texts(NamedTuple):
    """The typed texts, as words."""

    first: tuple[str, ...]
    second: tuple[str, ...]
    third: tuple[str, ...]


class SequenceToken(TypedDict):
    """A token of a sequence: which text it is of, from 1, or 0 for a mark; whether it is read."""

    text: str
    part: int
    read: bool


class ReaderData(TypedDict):
    """The sequences that one model reads, and what becomes of the vectors that are read."""

    model: str
    reads: str
    sequences: list[list[SequenceToken]]


class KindData(TypedDict):
    """A kind of input, and the texts of the tokens of each sequence, as one number a segment."""

    kind: str
    name: str
    strips: list[list[int]]


class SequencesPayload(TypedDict):
    """The kinds of input, which one is shown, and its sequences."""

    shown: str
    kinds: list[KindData]
    readers: list[ReaderData]


SEQUENCES = Script("sequences", SequencesPayload, ("sequences", "tokens", "marks", "read"))


def gpt_sequences(kind: str, texts: Texts) -> list[Tokens]:
    """The sequences that the first GPT reads."""
    first, second, third = ([(w, n + 1) for w in words] for n, words in enumerate(texts))
    begin, between, end = ((mark, 0) for mark in (START, DELIMITER, EXTRACT))
    pair = [begin, *first, between, *second, end]
    if kind == "single":
        return [[begin, *first, end]]
    if kind == "similarity":
        return [pair, [begin, *second, between, *first, end]]
    if kind == "choice":
        return [pair, [begin, *first, between, *third, end]]
    return [pair]


def bert_sequences(kind: str, texts: Texts) -> list[Tokens]:
    """The sequences that BERT reads; a question comes before its text."""
    first, second, third = ([(w, n + 1) for w in words] for n, words in enumerate(texts))
    begin, end = (CLS, 0), (SEP, 0)
    if kind == "single":
        return [[begin, *first, end]]
    if kind == "question":
        return [[begin, *second, end, *first, end]]
    pair = [begin, *first, end, *second, end]
    return [pair, [begin, *first, end, *third, end]] if kind == "choice" else [pair]


def numbers(kind: str, texts: Texts) -> LiveNumbers:
    """How many sequences the first GPT reads, of how many tokens, and how many of them are marks.

    `read` is the place of Extract in the first sequence, from 1.
    """
    every = gpt_sequences(kind, texts)
    found = {
        "sequences": len(every),
        "tokens": sum(map(len, every)),
        "marks": sum(not part for tokens in every for _, part in tokens),
        "read": len(every[0]),
    }
    tensors = {name: torch.tensor(float(n), dtype=torch.float64) for name, n in found.items()}
    return live_numbers("sequences", tensors, [], {})


def picture(kind: str, texts: Texts) -> SequencesPayload:
    """The data of `lessons/transfer/sequences.js` other than the numbers."""
    return {
        "shown": kind,
        "kinds": [
            {
                "kind": each,
                "name": name,
                "strips": [segments(tokens) for tokens in gpt_sequences(each, texts)],
            }
            for each, name in INPUT_KINDS.items()
        ],
        "readers": [
            _reader("GPT, 2018", READS[kind][0], gpt_sequences(kind, texts)),
            _reader("BERT", READS[kind][1], bert_sequences(kind, texts)),
        ],
    }


def segments(tokens: Tokens) -> list[int]:
    """The texts and marks of a sequence in order: a text once, by its number; a mark as 0."""
    found = list[int]()
    for _, part in tokens:
        if not part or found[-1:] != [part]:
            found.append(part)
    return found


def _reader(model: str, reads: str, every: Sequence[Tokens]) -> ReaderData:
    words = reads.startswith("each word")
    return {
        "model": model,
        "reads": reads,
        "sequences": [
            [
                {"text": text, "part": part, "read": part == 1 if words else text in READ}
                for text, part in tokens
            ]
            for tokens in every
        ],
    }
