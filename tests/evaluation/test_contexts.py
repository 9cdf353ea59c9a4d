"""The ratio to the true perplexity is measured right; no model beats the floor of its context."""

import math

import numpy as np
import pytest
import torch

from lmcore.corpora import entropy
from lmcore.corpora.documents import concatenate
from lmcore.corpora.microworld import microworld, training_documents
from lmcore.evaluation import contexts
from lmcore.models import ngram
from lmcore.models.scoring import perplexity
from lmcore.shipped.models import load_shipped


@pytest.fixture(scope="module")
def world():
    return microworld()


@pytest.fixture(scope="module")
def documents(world):
    return world.sample(60, np.random.default_rng(5))


def test_the_loss_of_a_network_is_that_of_its_log_probabilities(documents):
    model, _, _ = load_shipped("feedforward")
    few = documents[:5]
    whole = [model.log_probabilities(torch.from_numpy(each)) for each in few]
    picked = [
        rows[:-1].gather(1, torch.from_numpy(each)[1:, None])[:, 0]
        for rows, each in zip(whole, few, strict=True)
    ]
    mean = -float(torch.cat(picked).mean())
    assert contexts.mean_loss(model, few) == pytest.approx(mean, abs=1e-5)


def test_the_ratio_of_the_grammar_to_itself_is_1(world, documents):
    (found,) = contexts.measure_models([("itself", 3, world)], documents, world)
    assert found.ratio == 1.0
    assert found.loss == perplexity(world, documents).loss
    assert found.floor == pytest.approx(
        entropy.perplexity_floor(world, 3) / entropy.perplexity(world)
    )


def test_an_n_gram_is_not_below_the_floor_of_its_words(world):
    texts = world.sample(1500, np.random.default_rng(6))
    model = ngram.fit_ngram(
        ngram.NGramConfig(2, "kneser-ney"), world.vocabulary, training_documents(texts)
    )
    (found,) = contexts.measure_models(
        [("2-gram", 1, model)], world.sample(500, np.random.default_rng(7)), world
    )
    assert found.ratio > found.floor


def test_more_words_lower_the_floor(world):
    found = list(contexts.floors(world, 3).values())
    assert found == sorted(found, reverse=True)
    assert found[-1] > 1


def test_nothing_to_predict_is_refused(world):
    with pytest.raises(ValueError, match="at least one token to predict"):
        contexts.mean_loss(load_shipped("feedforward")[0], concatenate([]))


def test_the_levels_are_in_order(world):
    uniform, floor, truth = contexts.reference_losses(3).values()
    assert uniform == math.log(len(world.vocabulary))
    assert uniform > floor > truth == entropy.entropy_rate(world)


def test_the_grammar_knows_what_a_dog_gets_only_with_its_hole_filled(world):
    complete = microworld(complete=True)
    assert contexts.fed_probabilities(complete) == pytest.approx((0.7, 0.7))
    assert contexts.fed_probabilities(world)[0] == pytest.approx(0.7)
