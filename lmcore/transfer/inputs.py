"""The texts of a task as one row of tokens, and the places whose vectors its head reads.

    BERT   [CLS] first [SEP] second [SEP]     reads [CLS]; segments 0 and 1
    GPT    <s> first </s> second </s>         reads the last </s>, the only one that has seen all

A tagger reads the vector of each word of the first text, a span the same words twice: as first word
of the answer, and as last.

Source: Radford et al. 2018, figure 1 (delimiters instead of new architectures); Devlin et al. 2019,
figure 4.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Int
from torch import Tensor

from lmcore.pretrained.reading import CLS, SEP
from lmcore.training.batches import IGNORE_INDEX
from lmcore.training.masked_batches import PAD
from lmcore.transfer.tasks import Labelled, Task
from lmcore.vocabulary import END, START, Vocabulary


@dataclass(frozen=True, slots=True)
class TaskBatch:
    """A batch of examples, padded on the right."""

    ids: Int[Tensor, "batch time"]
    segments: Int[Tensor, "batch time"]
    present: Bool[Tensor, "batch time"]
    """False for padding."""
    first: Bool[Tensor, "batch time"]
    """True for the words of the first text."""
    read: Int[Tensor, " batch"]
    """The place whose vector stands for the whole."""
    answers: Int[Tensor, "batch answer"]
    """A label; a tag for each place, or −100; or the first and the last place of the answer."""


def serialise(example: Labelled, *, bert: bool) -> list[str]:
    """An example as one sequence of tokens."""
    begin, end = (CLS, SEP) if bert else (START, END)
    second = [*example.second, end] if example.second else []
    return [begin, *example.first, end, *second]


def encode_examples(
    task: Task, examples: Sequence[Labelled], vocabulary: Vocabulary, *, bert: bool
) -> TaskBatch:
    """Examples for a BERT or a GPT of that vocabulary.

    Raises:
        ValueError: if there is no example, or a word is not of the vocabulary.
    """
    if not examples:
        raise ValueError("a batch must have at least one example; got none")
    rows = [vocabulary.encode(serialise(example, bert=bert)) for example in examples]
    count, longest = len(rows), max(map(len, rows))
    fill = vocabulary.ids[PAD] if bert else vocabulary.ids[END]
    ids = torch.full((count, longest), fill)
    segments = torch.zeros_like(ids)
    present = torch.zeros(count, longest, dtype=torch.bool)
    first = present.clone()
    for n, (row, example) in enumerate(zip(rows, examples, strict=True)):
        ids[n, : len(row)] = torch.tensor(row)
        present[n, : len(row)] = True
        first[n, 1 : 1 + len(example.first)] = True
        segments[n, 2 + len(example.first) : len(row)] = 1
    read = torch.zeros(count, dtype=torch.long) if bert else present.sum(1) - 1
    return TaskBatch(ids, segments, present, first, read, _answers(task, examples, longest))


def _answers(task: Task, examples: Sequence[Labelled], longest: int) -> Int[Tensor, "batch answer"]:
    if task.reads in ("text", "pair"):
        return torch.tensor([[example.answer] for example in examples])
    if task.reads == "span":
        return torch.tensor([example.answer for example in examples]) + 1
    found = torch.full((len(examples), longest), IGNORE_INDEX)
    for n, example in enumerate(examples):
        found[n, 1 : 1 + len(example.first)] = torch.tensor(example.answer)
    return found
