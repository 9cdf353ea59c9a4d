"""Models with limited context, compared with the best possible model of that context.

    ratio = exp(loss of the model − loss of the grammar)      of their perplexities

A floor is exact (`lmcore.corpora.entropy`); a ratio is measured on test documents and varies a
little with them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import torch

from lmcore import dataframes
from lmcore.corpora import entropy
from lmcore.corpora.automaton import Automaton
from lmcore.corpora.documents import Documents
from lmcore.corpora.microworld import microworld
from lmcore.dataframes import Table
from lmcore.evaluation.against_grammar import CHUNK, next_log_probabilities
from lmcore.models.language_model import LanguageModel
from lmcore.models.scoring import BatchScorer, perplexity
from lmcore.vocabulary import START

if TYPE_CHECKING:
    from pandas import DataFrame


class ContextResult(NamedTuple):
    """A model on test documents; the loss in nats per token, ratios over the grammar."""

    name: str
    seen: int
    """Words of context: one less than the order N of an n-gram."""
    loss: float
    ratio: float
    floor: float
    """The lowest expected ratio of any model with this context."""

    def to_frame(self) -> DataFrame:
        """One row: model, words seen, perplexity / grammar's, floor, above its floor."""
        return dataframes.one_row(
            {
                "model": self.name,
                "words seen": self.seen,
                "perplexity / grammar's": self.ratio,
                "floor": self.floor,
                "above its floor": self.ratio - self.floor,
            }
        )


def measure_models(
    models: Sequence[tuple[str, int, LanguageModel]], documents: Documents, world: Automaton
) -> Table[ContextResult]:
    """Measure each model, given as (name, words of context, model), and the floor of its context.

    Raises:
        ValueError: if there is nothing to predict.
    """
    truth = mean_loss(world, documents)
    best = floors(world, max((seen for _, seen, _ in models), default=0))
    results = []
    for name, seen, model in models:
        loss = mean_loss(model, documents)
        results.append(ContextResult(name, seen, loss, math.exp(loss - truth), best[seen]))
    return Table(results)


def floors(world: Automaton, longest: int) -> dict[int, float]:
    """Words of context → the lowest ratio to the grammar's perplexity, exactly."""
    own = entropy.perplexity(world)
    return {
        k: float(floor) / own for k, floor in enumerate(entropy.perplexity_floors(world, longest))
    }


def mean_loss(model: LanguageModel, documents: Documents) -> float:
    """−mean log q(x_t | x_<t) over all tokens but the first of each document, nats per token.

    Raises:
        ValueError: if there is nothing to predict.
    """
    if not len(documents) or isinstance(model, BatchScorer):
        return perplexity(model, documents).loss
    start = model.vocabulary.ids[START]
    parts = [documents[at : at + CHUNK] for at in range(0, len(documents), CHUNK)]
    sums = [_total_loss(model, part, start) for part in parts]
    return sum(total for total, _ in sums) / sum(count for _, count in sums)


def _total_loss(model: LanguageModel, documents: Documents, start: int) -> tuple[float, int]:
    ids = documents.padded(start)
    known = (np.arange(ids.shape[1]) < documents.lengths[:, None])[:, 1:]
    picked = np.take_along_axis(
        next_log_probabilities(model, ids)[:, :-1], ids[:, 1:, None], axis=2
    )[..., 0]
    return -float(picked[known].sum()), int(known.sum())


def reference_losses(seen: int) -> dict[str, float]:
    """Three exact losses to compare a model of the microworld with, in nats per token.

    Uniform guessing, the best possible with `seen` words of context, and the grammar itself.
    """
    world = microworld()
    return {
        "uniform guessing, ln |V|": math.log(len(world.vocabulary)),
        f"floor with {seen} words": math.log(entropy.perplexity_floor(world, seen)),
        "grammar's entropy": entropy.entropy_rate(world),
    }


FED_PROMPTS = ("i have to make sure that the cat gets", "i forgot to make sure that the dog gets")


def fed_probabilities(model: LanguageModel) -> tuple[float, float]:
    """p(fed | … the cat gets) and p(fed | … the dog gets); the second never occurs in training."""
    wanted = model.vocabulary.ids["fed"]
    texts = (torch.tensor(model.vocabulary.read(text)) for text in FED_PROMPTS)
    cat, dog = (float(model.log_probabilities(ids)[-1, wanted].exp()) for ids in texts)
    return cat, dog
