"""Heads that were trained on frozen networks, with every number of their answers.

    python -m lmcore.transfer.heads        trains all anew and keeps recorded/heads.safetensors

    a label   y = softmax(W_C z + b)                    z stands for the whole text
    a tag     y_i = softmax(W_K z_i + b),   t_i = argmax_k y_i
    a span    p_start(i) = softmax_i(w_start · z_i),   p_end(i) = softmax_i(w_end · z_i)

Each learned from 1,000 labels in 200 steps of 32 texts with seed 0.

Source: Devlin et al. 2019, section 4; Radford et al. 2018, section 3.2.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import torch
from jaxtyping import Float
from safetensors.torch import load_file, save_file
from torch import Tensor

from lmcore import dataframes
from lmcore.models.bert import BERT
from lmcore.transfer.curves import spec_of
from lmcore.transfer.inputs import encode_examples, first_place, serialise
from lmcore.transfer.networks import NETWORKS, pretrained_network, read_tokens, read_whole
from lmcore.transfer.tasks import TASKS, Labelled
from lmcore.transfer.tuning import TunedNetwork, begin, tune_network

if TYPE_CHECKING:
    from pandas import DataFrame

FILE = Path(__file__).resolve().parent / "recorded" / "heads.safetensors"
LABELS, STEPS, BATCH = 1000, 200, 32


@dataclass(frozen=True, slots=True)
class HeadTrace:
    """The vectors that a head reads from one text, one per row, and its answer."""

    tokens: tuple[str, ...]
    places: tuple[int, ...]
    """The tokens whose vectors are read."""
    vectors: Float[Tensor, "read width"]
    """z"""
    weights: Float[Tensor, "label width"]
    bias: Float[Tensor, " label"]
    scores: Float[Tensor, "read label"]
    probabilities: Float[Tensor, "read label"]
    """Sum to 1 over the labels; for span tasks, over the tokens."""
    labels: tuple[str, ...]

    def to_frame(self) -> DataFrame:
        """One row per vector and label: token, label, score, probability."""
        rows, columns = self.scores.shape
        return dataframes.frame(
            {
                "token": [self.tokens[place] for place in self.places for _ in range(columns)],
                "label": list(self.labels) * rows,
                "score": self.scores.flatten(),
                "probability": self.probabilities.flatten(),
            }
        )

    @property
    def answer(self) -> str:
        """The label, the tags, or the words from the likeliest first to the likeliest last one."""
        if self.labels == SPAN:
            first, last = (self.places[int(p)] for p in self.probabilities.argmax(0))
            return " ".join(self.tokens[first : last + 1]) or "no words"
        return " ".join(self.labels[int(k)] for k in self.probabilities.argmax(-1))


SPAN = ("first", "last")
"""The labels of a span task: the two ends of the answer."""


@lru_cache(maxsize=16)
def recorded_head(network: str, task: str) -> TunedNetwork:
    """The frozen network with its recorded head.

    Raises:
        ValueError: if the file is missing.
    """
    if not FILE.is_file():
        raise ValueError(f"{FILE.name} must be there; make it with python -m {__name__}")
    base, _ = pretrained_network(network)
    tuned = TunedNetwork(base, TASKS[task], seed=0)
    begins = f"{network}.{task}."
    own = {n.removeprefix(begins): w for n, w in _file().items() if n.startswith(begins)}
    for name, weight in tuned.named_parameters():
        if not name.startswith("network."):
            weight.data = own[name]
    return tuned.requires_grad_(False)


def trace_head(tuned: TunedNetwork, network: str, example: Labelled) -> HeadTrace:
    """Read one text, or a pair, and answer.

    Raises:
        ValueError: if a word is not in the vocabulary.
    """
    _, vocabulary = pretrained_network(network)
    bert = isinstance(tuned.network, BERT)
    task = tuned.task
    batch = encode_examples(task, [_with_any_answer(task.reads, example)], vocabulary, bert=bert)
    with torch.no_grad():
        hidden = read_tokens(tuned.network, batch, tuned.mixture)
        tokens = tuple(serialise(example, bert=bert))
        if task.reads in ("text", "pair"):
            vectors = read_whole(tuned.network, batch, hidden)
            places: tuple[int, ...] = (int(batch.read[0]),)
        else:
            start = first_place(example)
            places = tuple(range(start, start + len(example.first)))
            vectors = hidden[0, list(places)]
        weights, bias = tuned.head.weight.detach(), tuned.head.bias.detach()
        scores = vectors @ weights.T + bias
    span = task.reads == "span"
    probabilities = scores.softmax(0 if span else 1)
    labels = SPAN if span else task.labels
    return HeadTrace(tokens, places, vectors, weights, bias, scores, probabilities, labels)


def _with_any_answer(reads: str, example: Labelled) -> Labelled:
    """The example with any answer: a typed text has none, but a batch must have one."""
    if reads == "tags":
        return example._replace(answer=(0,) * len(example.first))
    return example._replace(answer=(0, 0) if reads == "span" else 0)


def record_heads() -> None:
    """Train every head and keep them."""
    kept = dict[str, Tensor]()
    for network in NETWORKS:
        for task in TASKS:
            features = spec_of(network, task, "features", LABELS)
            spec = replace(features, steps=STEPS, early=False, batch=BATCH)
            tuned, vocabulary = begin(spec)
            for _ in tune_network(tuned, vocabulary, spec):
                pass
            for name, weight in tuned.named_parameters():
                if not name.startswith("network."):
                    kept[f"{network}.{task}.{name}"] = weight.detach().clone()
    FILE.parent.mkdir(exist_ok=True)
    save_file(kept, FILE)


@lru_cache(maxsize=1)
def _file() -> dict[str, Tensor]:
    return load_file(FILE)


if __name__ == "__main__":
    torch.set_num_threads(1)
    record_heads()
