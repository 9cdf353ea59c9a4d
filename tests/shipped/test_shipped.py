"""The models that come with the app: made by their specs, and as good as the pages say."""

from functools import cache

import numpy as np
import pytest

from lmcore.corpora import entropy
from lmcore.corpora.microworld import microworld, training_documents
from lmcore.evaluation import against_grammar, probes
from lmcore.masking import without_causal_mask
from lmcore.models import ngram
from lmcore.recurrence import unit_probes
from lmcore.shipped.models import (
    FOLDER,
    SHIPPED,
    TRANSLATORS,
    encoder,
    encoder_decoder,
    load_shipped,
)
from lmcore.training import checkpoint
from lmcore.training.batches import validation_documents
from lmcore.training.loop import Training, validation_loss
from lmcore.training.translation_batches import write_translations

WORDS = {"feedforward": 1.16, "rnn": 1.035, "gru": 1.015, "lstm": 1.010, "gpt": 1.010}
"""Name → the largest ratio of its perplexity to the grammar's own."""
documents = cache(lambda: against_grammar.test_documents(microworld()))


@pytest.mark.parametrize("name", SHIPPED)
def test_the_file_holds_the_run_that_its_spec_describes(name):
    network, vocabulary, spec, step = checkpoint.load_network(
        (FOLDER / f"{name}.safetensors").read_bytes()
    )
    assert spec == SHIPPED[name]
    assert step == spec.steps
    assert network.config == spec.model.config(len(vocabulary))


@pytest.mark.parametrize("name", WORDS)
def test_its_perplexity_is_near_the_grammars_and_never_below_a_floor(name):
    world = microworld()
    judged = against_grammar.compare_with_grammar(load_shipped(name)[0], documents(), world)
    floor = 1.0
    if name == "feedforward":
        floor = entropy.perplexity_floors(world, 3)[3] / entropy.perplexity(world)
    assert floor < judged.ratio <= WORDS[name]
    assert 0 < judged.divergence < np.log(WORDS[name])


@pytest.mark.parametrize("name", ["rnn", "gru", "lstm", "gpt"])
def test_a_model_that_sees_far_knows_agreement_and_the_pronoun_as_far_as_it_was_trained(name):
    trained = ("near a place", "that sees others", "that others see", "2 clauses deep", "pronoun")
    found = {
        each.construction: each.accuracy
        for each in against_grammar.construction_results(load_shipped(name)[0])
    }
    assert all(found[construction] >= 0.95 for construction in trained), found


@cache
def trigram_fed_dog():
    """What a trigram fitted to the same training texts assigns to the unseen pair."""
    world = microworld()
    corpus = training_documents(world.sample(20_000, np.random.default_rng(1)))
    trigram = ngram.fit_ngram(ngram.NGramConfig(3, "kneser-ney"), world.vocabulary, corpus)
    return probes.fed_probabilities(trigram).fed_dog


@pytest.mark.parametrize("name", WORDS)
def test_the_dog_that_was_never_fed_in_training_is_five_times_as_likely_as_to_a_trigram(name):
    assert probes.fed_probabilities(load_shipped(name)[0]).fed_dog >= 5 * trigram_fed_dog()


def test_one_cell_of_the_character_lstm_knows_quotes_one_brackets_and_one_the_position():
    model, _, _ = load_shipped("character_lstm")
    best, _ = unit_probes.search(model.network, model.vocabulary)
    scored = {each.label: each.scored for each in best if each.kind == "cell c"}
    assert max(scored["inside quotes"], 1 - scored["inside quotes"]) >= 0.95
    assert max(scored["inside brackets"], 1 - scored["inside brackets"]) >= 0.97
    assert abs(scored["position in line"]) >= 0.93


def validation(name):
    run = Training(SHIPPED[name])
    if name == "encoder":
        network, *_ = encoder()
    else:
        network = load_shipped(name)[0].network
    run.network.load_state_dict(network.state_dict())
    return validation_loss(run), run.feed.truth


def test_without_the_causal_mask_the_loss_is_one_that_no_honest_model_has_and_the_text_is_none():
    model, (loss, truth) = load_shipped("gpt_unmasked")[0], validation("gpt_unmasked")
    assert loss < truth / 10
    assert without_causal_mask.generate_texts(model, microworld()).share == 0
    # Without the future words, the same weights do worse than a uniform distribution.
    honest = without_causal_mask.prefix_loss(model.network, validation_documents())
    assert honest > np.log(len(model.vocabulary))


def test_with_the_causal_mask_the_loss_is_near_the_grammars_and_the_text_grammatical():
    loss, truth = validation("gpt")
    assert truth < loss < 1.04 * truth
    model = load_shipped("gpt")[0]
    assert without_causal_mask.generate_texts(model, microworld()).share >= 0.9
    honest = without_causal_mask.prefix_loss(model.network, validation_documents())
    assert honest == pytest.approx(loss, rel=1e-5)


def test_the_encoder_fills_in_words():
    loss, _ = validation("encoder")
    assert loss < 0.6


def test_the_encoder_decoder_translates_and_has_as_many_weights_as_seq2seq():
    network, vocabulary, spec, _ = encoder_decoder()
    assert spec == SHIPPED["encoder_decoder"]
    for other in TRANSLATORS.values():
        assert spec.corpus == other.corpus
        weights = other.model.config(len(vocabulary)).parameters
        assert network.config.parameters == pytest.approx(weights, rel=0.005)
    source = ("the", "ball", "was", "kicked", "by", "kayla")
    assert write_translations(network, [source]) == [("kayla", "kicked", "the", "ball")]
    with pytest.raises(ValueError, match="holds a translation model, not a language model"):
        load_shipped("encoder_decoder")
