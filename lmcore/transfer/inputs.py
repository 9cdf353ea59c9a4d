"""The texts of a task as one row of tokens, and the places whose vectors its head reads.

    BERT   [CLS] first [SEP] second [SEP]     reads [CLS]; segments 0 and 1
    GPT    <s> first </s> second </s>         reads the last </s>, the only one that has seen all
    biLM   <s> first </s> second </s>         reads the last </s> from the left, <s> from the right

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

    def rows(self, rows: Int[Tensor, " row"]) -> TaskBatch:
        """Some of the examples, padded to the longest of them."""
        longest = int(self.present[rows].sum(1).max())
        answers = self.answers[rows]
        if answers.shape[1] == self.ids.shape[1]:  # a tag for each place; no text has only 2 places
            answers = answers[:, :longest]
        ids, segments, present, first = (
            each[rows, :longest] for each in (self.ids, self.segments, self.present, self.first)
        )
        return TaskBatch(ids, segments, present, first, self.read[rows], answers)


def serialise(example: Labelled, *, bert: bool, question_first: bool = False) -> list[str]:
    """An example as one sequence of tokens; of a pair either text may come first."""
    begin, end = (CLS, SEP) if bert else (START, END)
    texts = [text for text in (example.first, example.second) if text]
    if question_first:
        texts.reverse()
    return [begin, *(token for text in texts for token in (*text, end))]


def first_place(example: Labelled, *, question_first: bool = False) -> int:
    """Where the first text begins in the sequence."""
    return 2 + len(example.second) if question_first and example.second else 1


def encode_examples(
    task: Task,
    examples: Sequence[Labelled],
    vocabulary: Vocabulary,
    *,
    bert: bool,
    question_first: bool = False,
) -> TaskBatch:
    """Examples for a BERT, or for a GPT or a biLM, of that vocabulary.

    Raises:
        ValueError: if there is no example, or a word is not in the vocabulary.
    """
    if not examples:
        raise ValueError("a batch must have at least one example; got none")
    rows = [
        vocabulary.encode(serialise(example, bert=bert, question_first=question_first))
        for example in examples
    ]
    begins = [first_place(example, question_first=question_first) for example in examples]
    count, longest = len(rows), max(map(len, rows))
    fill = vocabulary.ids[PAD] if bert else vocabulary.ids[END]
    ids = torch.full((count, longest), fill)
    segments = torch.zeros_like(ids)
    present = torch.zeros(count, longest, dtype=torch.bool)
    first = present.clone()
    for n, (row, example, at) in enumerate(zip(rows, examples, begins, strict=True)):
        ids[n, : len(row)] = torch.tensor(row)
        present[n, : len(row)] = True
        first[n, at : at + len(example.first)] = True
        change = at if at > 1 else 2 + len(example.first)
        segments[n, change : len(row)] = 1
    read = torch.zeros(count, dtype=torch.long) if bert else present.sum(1) - 1
    answers = _answers(task, examples, begins, longest)
    return TaskBatch(ids, segments, present, first, read, answers)


def _answers(
    task: Task, examples: Sequence[Labelled], begins: Sequence[int], longest: int
) -> Int[Tensor, "batch answer"]:
    """The answers, with places counted from the beginning of the sequence."""
    if task.reads in ("text", "pair"):
        return torch.tensor([[example.answer] for example in examples])
    if task.reads == "span":
        ends = torch.tensor([example.answer for example in examples])
        return ends + torch.tensor(begins)[:, None]
    found = torch.full((len(examples), longest), IGNORE_INDEX)
    for n, (example, at) in enumerate(zip(examples, begins, strict=True)):
        found[n, at : at + len(example.first)] = torch.tensor(example.answer)
    return found
