"""Measures a language model against the grammar, whose probabilities are exact.

    loss        −mean log q(x_t | x_<t)                      over the test tokens, nats per token
    ratio       exp(loss of the model − loss of the grammar)   of their perplexities
    divergence  mean Σ_w p(w | x_<t) log p(w | x_<t) / q(w | x_<t)    KL(p ‖ q), nats per token

p is the grammar, q the model. A ratio near 1 is easy to reach, as most tokens are nearly certain;
so `lmcore.evaluation.probes` measures each hard construction separately.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import torch
from jaxtyping import Float64, Int64
from numpy.typing import NDArray

from lmcore import dataframes
from lmcore.corpora.automaton import Automaton
from lmcore.corpora.documents import Documents
from lmcore.corpora.microworld import held_out_mask
from lmcore.dataframes import Table
from lmcore.evaluation import probes
from lmcore.models.language_model import LanguageModel
from lmcore.models.registry import NeuralModel, device_of
from lmcore.models.scoring import perplexity_of_loss
from lmcore.vocabulary import START

if TYPE_CHECKING:
    from pandas import DataFrame

CHUNK = 256
"""Documents per batch."""
TEST_SEED = 2_000_003
TEST_DOCUMENTS = 3000


class GrammarComparison(NamedTuple):
    """A model compared with the grammar on some documents; losses in nats per token."""

    tokens: int
    loss: float
    truth: float
    ratio: float
    divergence: float

    def to_frame(self) -> DataFrame:
        """One row: tokens, test perplexity, the grammar's, ratio, KL in nats per token."""
        return dataframes.one_row(
            {
                "tokens": self.tokens,
                "test perplexity": perplexity_of_loss(self.loss),
                "the grammar's": perplexity_of_loss(self.truth),
                "ratio": self.ratio,
                "KL, nats per token": self.divergence,
            }
        )


def test_documents(world: Automaton, count: int = TEST_DOCUMENTS) -> Documents:
    """The test documents of all models: sampled from the grammar, in training or held out."""
    return world.sample(count, np.random.default_rng(TEST_SEED))


def compare_with_grammar(
    model: LanguageModel, documents: Documents, world: Automaton
) -> GrammarComparison:
    """Measure the model and the grammar on `documents`.

    Raises:
        ValueError: if there is no document, or the model's vocabulary is not the grammar's.
    """
    if not len(documents):
        raise ValueError("a model must be judged on at least one document; got none")
    if model.vocabulary.tokens != world.vocabulary.tokens:
        raise ValueError("the model must know the grammar's words, and only those")
    parts = [
        _sums(model, documents[start : start + CHUNK], world)
        for start in range(0, len(documents), CHUNK)
    ]
    tokens, loss, truth, divergence = np.sum(parts, axis=0).tolist()
    ratio = perplexity_of_loss((loss - truth) / tokens)
    return GrammarComparison(int(tokens), loss / tokens, truth / tokens, ratio, divergence / tokens)


class ConstructionResult(NamedTuple):
    """A model on one construction: its accuracy, and its mean log odds."""

    construction: str
    accuracy: float
    log_odds: float

    def to_frame(self) -> DataFrame:
        """One row: construction, share right, log odds in nats."""
        return dataframes.one_row(
            {
                "construction": self.construction,
                "share right": self.accuracy,
                "log odds": self.log_odds,
            }
        )


def construction_results(model: LanguageModel, *, items: int = 40) -> Table[ConstructionResult]:
    """The result of each construction, from items with two answers each: chance is ½."""
    measured = (
        (probe.name, probes.measure_probe(model, probe)) for probe in probes.probes(count=items)
    )
    return Table(
        ConstructionResult(name, found.accuracy, found.mean_log_odds) for name, found in measured
    )


def compare_by_split(
    model: LanguageModel, documents: Documents, world: Automaton
) -> dict[str, GrammarComparison]:
    """Compare on all documents, on those possibly in training, and on those held out."""
    unseen = held_out_mask(documents)
    return {
        "all": compare_with_grammar(model, documents, world),
        "seen": compare_with_grammar(model, documents.where(~unseen), world),
        "unseen": compare_with_grammar(model, documents.where(unseen), world),
    }


def _sums(
    model: LanguageModel, documents: Documents, world: Automaton
) -> tuple[float, float, float, float]:
    """Tokens predicted, −Σ log q, −Σ log p and Σ KL over some documents."""
    ids = documents.padded(world.vocabulary.ids[START])
    known = (np.arange(ids.shape[1]) < documents.lengths[:, None])[:, 1:]
    q = next_log_probabilities(model, ids)[:, :-1][known]
    p = world.next_probabilities(ids[:, :-1])[known]
    with np.errstate(divide="ignore", invalid="ignore"):
        log_p = np.log(p)
        each = np.where(p > 0, p * (log_p - q), 0.0)
    picked = np.arange(len(q)), ids[:, 1:][known]
    return float(len(q)), float(-q[picked].sum()), float(-log_p[picked].sum()), float(each.sum())


def next_log_probabilities(
    model: LanguageModel, ids: Int64[np.ndarray, "document time"]
) -> Float64[np.ndarray, "document time vocabulary"]:
    """log q(next | prefix) for each prefix of each row; a network reads all rows at once."""
    if not isinstance(model, NeuralModel):
        rows = [model.log_probabilities(torch.from_numpy(row)).double() for row in ids]
        return torch.stack(rows).numpy()
    with torch.inference_mode():
        logits, _ = model.network.logits_and_state(
            torch.from_numpy(ids).to(device_of(model.network))
        )
        rows_at_once: NDArray[np.float64] = logits.double().log_softmax(-1).cpu().numpy()
    return rows_at_once
