"""A model's quality and costs are measured as described; of times, only the sign is tested."""

import math
from dataclasses import replace

import numpy as np
import pytest

from lmcore.corpora import entropy
from lmcore.corpora.microworld import microworld, training_documents
from lmcore.evaluation import against_grammar, costs, probes
from lmcore.models import ngram, registry, scoring
from lmcore.models.feedforward import FeedforwardConfig
from lmcore.models.registry import NeuralModel
from lmcore.models.rnn import RNNConfig
from lmcore.training.spec import ModelSpec, RunSpec

WORLD = microworld()
TYPES = len(WORLD.vocabulary)


@pytest.fixture(autouse=True)
def few_documents(monkeypatch):
    monkeypatch.setattr(costs, "DOCUMENTS", 12)
    monkeypatch.setattr(costs, "ROWS", 5)


def counted(order, smoothing):
    documents = training_documents(WORLD.sample(500, np.random.default_rng(0)))
    return ngram.fit_ngram(ngram.NGramConfig(order, smoothing), WORLD.vocabulary, documents)


def network(config):
    return NeuralModel(registry.build(config), WORLD.vocabulary)


FEEDFORWARD = FeedforwardConfig(TYPES, embedding=5, hidden=7, context=2)
RNN = RNNConfig(TYPES, embedding=5, hidden=7)


def test_an_unsmoothed_count_is_measured_with_its_zeros():
    model = counted(3, "none")
    documents = against_grammar.test_documents(WORLD, 12)
    found = costs.measure_costs(model, WORLD)
    log_p = model.batch_log_probability(documents)
    assert found.kind == "counts" and found.sees == 2
    assert found.zeros == np.mean(np.isneginf(log_p)) > 0
    assert found.perplexity == math.inf
    assert found.truth == scoring.perplexity(WORLD, documents).perplexity
    assert found.fed_dog == 0 and found.query > 0


def test_a_network_is_measured_as_the_judge_measures_it():
    model = network(RNN)
    documents = against_grammar.test_documents(WORLD, 12)
    found = costs.measure_costs(model, WORLD)
    judged = against_grammar.compare_with_grammar(model, documents, WORLD)
    assert found.kind == "network" and found.sees == math.inf and found.zeros == 0
    assert found.perplexity == pytest.approx(math.exp(judged.loss))
    near = against_grammar.compare_with_grammar(model, documents[:5], WORLD)
    assert found.divergence == pytest.approx(near.divergence)
    assert found.fed_dog == probes.fed_probabilities(model).fed_dog
    assert costs.ratio(model, WORLD) == pytest.approx(judged.ratio)


def test_the_grammar_is_its_own_measure():
    found = costs.measure_costs(WORLD, WORLD)
    assert found.kind == "grammar" and found.sees == math.inf
    assert found.perplexity == found.truth and costs.ratio(WORLD, WORLD) == 1
    assert found.divergence == pytest.approx(0)
    assert found.stored == len(WORLD.probabilities) and found.touched == TYPES


def test_a_model_of_other_words_is_refused():
    other = NeuralModel(
        registry.build(RNNConfig(2, 3, 3)), replace(WORLD.vocabulary, tokens=("a", "b"))
    )
    with pytest.raises(ValueError, match="must know the grammar's words"):
        costs.measure_costs(other, WORLD)


def test_the_ratio_of_a_model_that_calls_a_test_token_impossible_is_infinite():
    assert costs.ratio(counted(3, "none"), WORLD) == math.inf


def test_what_a_model_sees_is_its_window_or_all():
    assert costs.context_length(counted(1, "none")) == 0
    assert costs.context_length(counted(4, "kneser-ney")) == 3
    assert costs.context_length(network(FEEDFORWARD)) == 2
    assert costs.context_length(network(RNN)) == math.inf


def test_what_is_stored_are_weights_or_counts_above_zero():
    assert costs.stored_numbers(network(RNN)) == RNN.parameters
    plain, smooth = counted(2, "none"), counted(2, "kneser-ney")
    assert costs.stored_numbers(plain) == np.count_nonzero(plain.tables[1].counts)
    assert costs.stored_numbers(smooth) > costs.stored_numbers(plain)


def test_a_query_goes_through_every_weight_but_most_rows_of_the_embedding():
    rest = RNN.parameters - TYPES * 5
    assert costs.numbers_per_prediction(network(RNN)) == rest + 5
    assert (
        costs.numbers_per_prediction(network(FEEDFORWARD))
        == FEEDFORWARD.parameters - TYPES * 5 + 2 * 5
    )
    assert costs.numbers_per_prediction(counted(3, "none")) == TYPES
    assert costs.numbers_per_prediction(counted(3, "kneser-ney")) == 3 * TYPES


def test_tokens_are_counted_once_each_and_read_step_by_step():
    documents = training_documents(WORLD.sample(500, np.random.default_rng(0)))
    predicted = int(documents.lengths.sum() - len(documents))
    assert costs.tokens_counted(counted(3, "kneser-ney")) == predicted
    assert costs.tokens_counted(counted(1, "none")) == predicted
    spec = RunSpec(steps=10, batch=4)
    assert costs.tokens_read(spec, WORLD) == 40 * entropy.expected_length(WORLD)


def test_learning_is_timed_on_a_few_steps_of_the_run_itself():
    spec = RunSpec(model=ModelSpec("rnn", 4, 4), batch=2, steps=50)
    assert costs.learning_seconds(spec, sample=2) > 0


@pytest.mark.parametrize("model", [WORLD, network(RNN), network(FEEDFORWARD)])
def test_a_query_takes_time_and_at_least_one_is_made(model):
    assert costs.query_seconds(model, repeats=1) > 0
    with pytest.raises(ValueError, match="a time must be taken at least once; got 0"):
        costs.query_seconds(model, repeats=0)
