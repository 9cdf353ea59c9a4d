"""The measures of a masked model, on networks whose answers are known beforehand."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

import numpy as np
import pytest
import torch

from lmcore.corpora import masked_words
from lmcore.corpora.microworld import microworld
from lmcore.evaluation import against_grammar
from lmcore.masked_lm import filling_in, next_sentence
from lmcore.models.bert import BERT
from lmcore.training.loop import untrained_model
from lmcore.training.masked_batches import MASK, PAD, masked_vocabulary
from lmcore.training.spec import ModelSpec, RunSpec

WORLD, TYPES = microworld(), masked_vocabulary()
DOCUMENTS = against_grammar.test_documents(WORLD, 120)
SPEC = RunSpec(model=ModelSpec("encoder", embedding=12, hidden=16, layers=2, heads=2))


class Knowing(BERT):
    """A BERT that predicts the grammar's exact posterior, mixed with a uniform `share`."""

    share: ClassVar[float] = 0.0

    def forward(self, tokens, **given):
        said = super().forward(tokens, **given)
        logits = torch.full((*tokens.shape, len(TYPES)), -50.0)
        for row, ids in enumerate(tokens.tolist()):
            whole = [i for i in ids if i != TYPES.ids[PAD]]
            places = [place for place, i in enumerate(whole) if i == TYPES.ids[MASK]]
            exact = masked_words.posteriors(WORLD, whole, places)
            for place, p in zip(places, exact, strict=True):
                blurred = (1 - self.share) * p + self.share / len(p)
                logits[row, place, : len(p)] = torch.from_numpy(np.log(blurred + 1e-300)).float()
        return replace(said, logits=logits)


def network(kind=BERT):
    config = SPEC.model.config(len(TYPES))
    return kind(config, 3, pairs=True)


def test_who_knows_the_posterior_reaches_the_best_with_no_divergence():
    found = filling_in.fill_in(network(Knowing), DOCUMENTS, WORLD)
    assert found.words == len(DOCUMENTS)
    assert found.share == pytest.approx(1)
    assert found.best < 1
    assert found.divergence == pytest.approx(0, abs=1e-4)


def test_the_divergence_of_a_blurred_posterior_is_that_of_its_definition(monkeypatch):
    monkeypatch.setattr(Knowing, "share", 0.3)
    found = filling_in.fill_in(network(Knowing), DOCUMENTS, WORLD, seed=9)
    rng = np.random.default_rng(9)
    total = 0.0
    for document in DOCUMENTS:
        p = masked_words.posterior(WORLD, document, int(rng.integers(1, len(document) - 1)))
        q = 0.7 * p + 0.3 / len(p)
        total += float((p[p > 0] * np.log(p[p > 0] / q[p > 0])).sum())
    assert found.divergence == pytest.approx(total / len(DOCUMENTS), rel=1e-4)
    assert found.share == pytest.approx(1)


def test_who_knows_nothing_is_far_from_the_best_and_guesses_pairs():
    blank = untrained_model(SPEC, len(TYPES))
    assert filling_in.fill_in(blank, DOCUMENTS, WORLD).share < 0.5
    pairs = next_sentence.measure_next_sentence(blank, DOCUMENTS)
    assert 0.3 < pairs.accuracy < 0.7
    assert 40 < pairs.pairs < len(DOCUMENTS)


def test_the_pairs_are_judged_by_the_first_of_the_two_logits(monkeypatch):
    deaf = network()
    torch.nn.init.zeros_(deaf.pairs.output.weight)
    texts = next_sentence.measure_next_sentence(deaf, DOCUMENTS)
    with torch.no_grad():
        deaf.pairs.output.bias.copy_(torch.tensor([0.0, 1.0]))
        other = next_sentence.measure_next_sentence(deaf, DOCUMENTS)
    assert texts.accuracy + other.accuracy == pytest.approx(1)


@pytest.mark.parametrize("without", ["head", "pairs"])
def test_a_model_without_the_head_is_refused(without):
    config = SPEC.model.config(len(TYPES))
    bare = BERT(config, 0, head=without != "head", pairs=without != "pairs")
    ask = next_sentence.measure_next_sentence if without == "pairs" else filling_in.fill_in
    given = (bare, DOCUMENTS) if without == "pairs" else (bare, DOCUMENTS, WORLD)
    with pytest.raises(ValueError, match=r"the model must have a head for .*; it has none"):
        ask(*given)
