"""The models that come with the app: made by their specs, as good as pages say they are."""

from functools import cache

import numpy as np
import pytest

from lmcore import evaluation, ngram, units
from lmcore.corpora import limits, probes
from lmcore.corpora.microworld import microworld, training
from lmcore.shipped import SHIPPED, shipped

WORDS = {"feedforward": 1.16, "rnn": 1.035, "gru": 1.015, "lstm": 1.010}
"""Name → how far above the grammar's own its perplexity may lie."""
documents = cache(lambda: evaluation.test_documents(microworld()))


@pytest.mark.parametrize("name", SHIPPED)
def test_the_file_holds_the_run_that_its_spec_describes(name):
    model, spec, step = shipped(name)
    assert spec == SHIPPED[name]
    assert step == spec.steps
    assert model.network.config == spec.model.config(len(model.vocabulary))


@pytest.mark.parametrize("name", WORDS)
def test_its_perplexity_is_near_the_grammars_and_never_below_a_floor(name):
    world = microworld()
    judged = evaluation.judge(shipped(name)[0], documents(), world)
    floor = 1.0
    if name == "feedforward":
        floor = limits.floors(world, 3)[3] / limits.perplexity(world)
    assert floor < judged.ratio <= WORDS[name]
    assert 0 < judged.divergence < np.log(WORDS[name])


@pytest.mark.parametrize("name", ["rnn", "gru", "lstm"])
def test_a_recurrent_model_knows_agreement_and_the_pronoun_as_far_as_it_was_trained(name):
    trained = ("near a place", "that sees others", "that others see", "2 clauses deep", "pronoun")
    found = {each.construction: each.accuracy for each in evaluation.standings(shipped(name)[0])}
    assert all(found[construction] >= 0.95 for construction in trained), found


@pytest.mark.parametrize("name", WORDS)
def test_the_dog_that_was_never_fed_in_training_is_five_times_as_likely_as_to_a_trigram(name):
    world = microworld()
    corpus = training(world.sample(20_000, np.random.default_rng(1)))
    trigram = ngram.fit(ngram.NGramConfig(3, "kneser-ney"), world.vocabulary, corpus)
    assert probes.fed(shipped(name)[0]).fed_dog >= 5 * probes.fed(trigram).fed_dog


def test_one_cell_of_the_character_lstm_knows_quotes_one_brackets_and_one_the_position():
    model, _, _ = shipped("character_lstm")
    best, _ = units.search(model.network, model.vocabulary)
    scored = {each.label: each.scored for each in best if each.kind == "cell c"}
    assert max(scored["inside quotes"], 1 - scored["inside quotes"]) >= 0.95
    assert max(scored["inside brackets"], 1 - scored["inside brackets"]) >= 0.97
    assert abs(scored["position in line"]) >= 0.93
