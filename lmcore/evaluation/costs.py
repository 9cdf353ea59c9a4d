"""The quality and the cost of language models, measured alike for n-grams and networks.

    quality   perplexity, divergence from the grammar, impossible tokens, p(fed | the dog gets)
    cost      numbers stored, tokens read, seconds to learn, seconds per query

Times depend on this machine and its load; the rest is the same everywhere.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING

import numpy as np
import torch

from lmcore import dataframes
from lmcore.corpora import entropy
from lmcore.corpora.automaton import Automaton
from lmcore.corpora.documents import Documents
from lmcore.evaluation import against_grammar, probes
from lmcore.models import scoring
from lmcore.models.feedforward import Feedforward
from lmcore.models.gpt import GPT
from lmcore.models.language_model import LanguageModel
from lmcore.models.ngram import NGram
from lmcore.models.registry import NeuralModel, embedding_table
from lmcore.models.scoring import BatchScorer
from lmcore.training import loop
from lmcore.training.spec import RunSpec

if TYPE_CHECKING:
    from pandas import DataFrame

DOCUMENTS = 1000
"""Test documents for the perplexity; the divergence, which needs whole rows, uses the first `ROWS`
of them."""
ROWS = 200
QUERIES = 30
STEPS = 4
PREFIX = "i forgot to make sure that the"


@dataclass(frozen=True, slots=True)
class ModelCosts:
    """The measures of a model. Divergence in nats per token, times in seconds."""

    kind: str
    """`counts`, `network` or `grammar`"""
    sees: float
    """Words of context; infinite for a model that carries a state."""
    perplexity: float
    truth: float
    """The grammar's perplexity on the same documents."""
    divergence: float
    zeros: float
    """The share of test tokens to which the model assigns 0."""
    fed_dog: float
    fed_cat: float
    stored: int
    """Weights of a network, counts above 0 of an n-gram."""
    touched: int
    """Numbers used for one next-word distribution."""
    query: float

    def to_frame(self) -> DataFrame:
        """One row: quality and cost of the model, titled as in the page's two tables."""
        return dataframes.one_row(
            {
                "sees, words": self.sees,
                "test perplexity": self.perplexity,
                "the grammar's": self.truth,
                "KL, nats per token": self.divergence,
                "share with p = 0": self.zeros,
                "p(fed | the dog gets)": self.fed_dog,
                "… the cat gets": self.fed_cat,
                "weights or counts": self.stored,
                "numbers per query": self.touched,
                "ms per query": 1000 * self.query,
            }
        )


def measure_costs(model: LanguageModel, world: Automaton) -> ModelCosts:
    """Measure a model of the grammar's words: loss, p(fed | the dog gets), and times.

    Raises:
        ValueError: if the model's vocabulary is not the grammar's.
    """
    documents = against_grammar.test_documents(world, DOCUMENTS)
    near = against_grammar.compare_with_grammar(model, documents[:ROWS], world)
    loss, zeros = _loss(model, documents, world)
    fed = probes.fed_probabilities(model)
    return ModelCosts(
        kind=model_kind(model),
        sees=context_length(model),
        perplexity=math.exp(loss) if math.isfinite(loss) else math.inf,
        truth=scoring.perplexity(world, documents).perplexity,
        divergence=near.divergence,
        zeros=zeros,
        fed_dog=fed.fed_dog,
        fed_cat=fed.fed_cat,
        stored=stored_numbers(model),
        touched=numbers_per_prediction(model),
        query=query_seconds(model),
    )


def ratio(model: LanguageModel, world: Automaton) -> float:
    """The perplexity on the test documents, over the grammar's on the same.

    Raises:
        ValueError: if the model's vocabulary is not the grammar's.
    """
    documents = against_grammar.test_documents(world, DOCUMENTS)
    loss, _ = _loss(model, documents, world)
    truth = scoring.perplexity(world, documents).loss
    return math.exp(loss - truth) if math.isfinite(loss) else math.inf


def model_kind(model: LanguageModel) -> str:
    """`counts`, `network` or `grammar`."""
    if isinstance(model, NGram):
        return "counts"
    return "network" if isinstance(model, NeuralModel) else "grammar"


def context_length(model: LanguageModel) -> float:
    """How many words before the next one can change its probability."""
    if isinstance(model, NGram):
        return float(model.config.order - 1)
    if isinstance(model, NeuralModel) and isinstance(model.network, Feedforward):
        return float(model.network.config.context)
    if isinstance(model, NeuralModel) and isinstance(model.network, GPT):
        return float(model.network.config.longest)
    return math.inf


def stored_numbers(model: LanguageModel) -> int:
    """The numbers a model consists of: weights, counts above 0, or the grammar's probabilities."""
    if isinstance(model, NGram):
        tables = model.tables if model.config.interpolates else model.tables[-1:]
        return sum(int(np.count_nonzero(table.counts)) for table in tables)
    if isinstance(model, NeuralModel):
        return model.network.config.parameters
    return len(model.probabilities) if isinstance(model, Automaton) else 0


def numbers_per_prediction(model: LanguageModel) -> int:
    """The numbers used for one next-word distribution.

    A network takes a row of E for each word it reads, and every other weight; an n-gram a row of
    each of its tables, those of shorter contexts only if it interpolates.
    """
    if isinstance(model, NeuralModel):
        if isinstance(model.network, GPT):
            # U is Eᵀ, so all of E is used, but only one row of P.
            unused = model.network.config.longest - 1
            return stored_numbers(model) - unused * model.network.config.width
        E = embedding_table(model.network)
        words = model.network.config.context if isinstance(model.network, Feedforward) else 1
        return stored_numbers(model) - E.numel() + words * E.shape[1]
    rows = model.config.order if isinstance(model, NGram) and model.config.interpolates else 1
    return rows * len(model.vocabulary)


def tokens_counted(model: NGram) -> int:
    """The tokens that an n-gram model was counted on."""
    return int(model.tables[-1].counts.sum())


def tokens_read(spec: RunSpec, world: Automaton) -> float:
    """The tokens that a run on the grammar's documents predicts, on average.

    steps · batch · expected length of a document
    """
    return spec.steps * spec.batch * entropy.expected_length(world)


def query_seconds(model: LanguageModel, *, repeats: int = QUERIES) -> float:
    """The median time of reading one more word and computing the next-word distribution.

    A network continues from its state; an n-gram looks up the last N−1 words, the grammar all.
    """
    ids = model.vocabulary.read(f"{PREFIX} dog gets")
    query: Callable[[], object]
    if isinstance(model, NeuralModel):
        _, state = model.advance(ids[0])
        for token in ids[1:-1]:
            _, state = model.advance(token, state)
        query = lambda: model.advance(ids[-1], state)  # noqa: E731
    elif isinstance(model, NGram):
        context = torch.tensor(ids[-max(1, int(min(context_length(model), len(ids)))) :])
        query = lambda: model.after(context)  # noqa: E731
    else:
        text = torch.tensor(ids)
        query = lambda: model.log_probabilities(text)  # noqa: E731
    return _median_seconds(query, repeats)


def learning_seconds(spec: RunSpec, *, sample: int = STEPS) -> float:
    """The time of a whole run here, extrapolated from the median of a few steps.

    Raises:
        ValueError: as `Training`.
    """
    run = loop.Training(spec)
    batches = [run.feed.batch(step) for step in range(sample + 1)]
    loop.training_step(run, batches[0])  # the first step includes one-time setup
    waiting = iter(batches[1:])
    return spec.steps * _median_seconds(lambda: loop.training_step(run, next(waiting)), sample)


def _median_seconds(call: Callable[[], object], repeats: int) -> float:
    if repeats < 1:
        raise ValueError(f"a time must be taken at least once; got {repeats}")
    taken = []
    for _ in range(repeats):
        start = time.perf_counter()
        call()
        taken.append(time.perf_counter() - start)
    return median(taken)


def _loss(model: LanguageModel, documents: Documents, world: Automaton) -> tuple[float, float]:
    """The loss in nats per token, and the share of tokens that are impossible."""
    if isinstance(model, BatchScorer):
        log_p = model.batch_log_probability(documents)
        return -float(log_p.mean()), float(np.isneginf(log_p).mean())
    # A network's softmax is positive everywhere: it raises an error if a logit is not finite.
    return against_grammar.compare_with_grammar(model, documents, world).loss, 0.0
