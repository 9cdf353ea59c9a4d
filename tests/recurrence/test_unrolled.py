"""The loop that a visitor steps through equals torch's RNN, and its sums add up."""

import math

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from lmcore.models.gru import GRU, GRUConfig
from lmcore.models.language_model import LanguageModel
from lmcore.models.registry import NeuralModel
from lmcore.models.rnn import RNN, RNNConfig
from lmcore.recurrence.unrolled import (
    MAX_TOKENS,
    TERMS,
    RNNMatrices,
    UnrolledPosition,
    can_unroll,
    largest_terms,
    rnn_network,
    summarize_losses,
    token_losses,
    unit_trace,
    unroll,
)
from lmcore.training.loss import cross_entropy
from lmcore.vocabulary import Vocabulary

NETWORK = RNN(RNNConfig(13, 5, 11), seed=3).double()
TOKENS = [0, 7, 2, 12, 7, 1, 4]
WEIGHTS = RNNMatrices.from_network(NETWORK)
SEEN = unroll(WEIGHTS, TOKENS)


def test_the_loop_is_the_recurrence_of_torch():
    oracle = nn.RNN(5, 11, batch_first=True).double()
    oracle.load_state_dict(NETWORK.recurrent.state_dict())
    hidden, _ = oracle(NETWORK.embedding(torch.tensor([TOKENS])))
    torch.testing.assert_close(SEEN.hidden, hidden[0].detach())
    chances = NETWORK.output(hidden[0]).softmax(dim=-1).detach()
    torch.testing.assert_close(SEEN.probabilities, chances)


def test_the_loop_is_the_forward_pass_of_the_model():
    trace = NETWORK(torch.tensor([TOKENS]))
    torch.testing.assert_close(SEEN.embedding, trace.embedding[0].detach())
    torch.testing.assert_close(SEEN.pre_activation, trace.layers[0].pre_activation[0].detach())


def test_the_mean_of_the_steps_is_the_cross_entropy_of_the_text():
    logits = NETWORK(torch.tensor([TOKENS[:-1]])).logits.detach()
    targets = torch.tensor([TOKENS[1:]])
    assert summarize_losses(SEEN.losses[:-1]).mean == pytest.approx(
        float(cross_entropy(logits, targets))
    )
    assert float(F.cross_entropy(logits[0], targets[0])) == pytest.approx(
        float(SEEN.losses[:-1].mean())
    )


def test_the_last_loss_is_not_known():
    assert math.isnan(float(SEEN.losses[-1]))
    assert SEEN.losses[:-1].isfinite().all()


def test_a_prefix_is_read_as_it_is_in_the_whole_text():
    part = unroll(WEIGHTS, TOKENS[:3])
    assert torch.equal(part.hidden, SEEN.hidden[:3])
    assert torch.equal(part.losses[:2], SEEN.losses[:2])


@pytest.mark.parametrize("unit", [1, 6, 11])
def test_the_parts_of_a_unit_add_up_to_it(unit):
    found = unit_trace(WEIGHTS, SEEN, unit)
    z = found.from_input + found.from_memory + found.bias
    torch.testing.assert_close(z, found.pre_activation)
    torch.testing.assert_close(z.tanh(), found.hidden)
    assert float(found.from_memory[0]) == 0
    for terms, whole in (
        (found.input_terms, found.from_input),
        (found.memory_terms, found.from_memory),
    ):
        torch.testing.assert_close(terms.products.sum(1) + terms.rest, whole)
        torch.testing.assert_close(terms.weights * terms.values, terms.products)


def test_terms_are_the_largest_first_and_name_their_places():
    values = torch.arange(1.0, 21.0, dtype=torch.float64)[None]
    weights = torch.ones(20, dtype=torch.float64)
    weights[2] = -100
    found = largest_terms(weights, values)
    assert found.places[0].tolist() == [3, 20, 19, 18, 17, 16, 15, 14]
    assert found.products.shape == (1, TERMS)
    assert float(found.products[0, 0]) == -300
    assert float(found.rest) == sum(range(1, 14)) - 3


def test_without_the_log_the_loss_is_that_of_the_slide():
    found = summarize_losses(-torch.tensor([0.1, 0.5, 0.9], dtype=torch.float64).log())
    assert found.mean == pytest.approx(1.033697, abs=1e-6)
    assert found.as_printed == pytest.approx(-0.5)
    assert found.perplexity == pytest.approx((0.1 * 0.5 * 0.9) ** (-1 / 3))
    assert float(found.running[-1]) == pytest.approx(found.mean)
    assert float(found.running[1]) == pytest.approx(-math.log(0.05) / 2)


def test_the_losses_of_any_model_are_those_of_the_loop_for_this_one():
    model = NeuralModel(NETWORK, Vocabulary(tuple("abcdefghijklm"), "character"))
    assert isinstance(model, LanguageModel)
    torch.testing.assert_close(token_losses(model, TOKENS), SEEN.losses[:-1])


def test_only_an_rnn_of_one_layer_can_be_read_with():
    vocabulary = Vocabulary(tuple("abcdefghijklm"), "character")
    assert can_unroll(NeuralModel(NETWORK, vocabulary))
    assert rnn_network(NeuralModel(NETWORK, vocabulary)) is NETWORK
    for network in (RNN(RNNConfig(13, 5, 11, 2)), GRU(GRUConfig(13, 5, 11))):
        assert not can_unroll(NeuralModel(network, vocabulary))
    with pytest.raises(ValueError, match="the model must be an RNN; got Neural"):
        rnn_network(NeuralModel(GRU(GRUConfig(13, 5, 11)), vocabulary))


def test_no_loss_has_no_mean():
    with pytest.raises(ValueError, match="at least 2 tokens for a loss; got none"):
        summarize_losses(torch.empty(0, dtype=torch.float64))


@pytest.mark.parametrize("unit", [0, 12])
def test_a_unit_that_is_not_there_is_refused(unit):
    with pytest.raises(ValueError, match=f"hidden unit must be from 1 to 11; got {unit}"):
        unit_trace(WEIGHTS, SEEN, unit)


@pytest.mark.parametrize("config", [RNNConfig(13, 5, 11, 2), RNNConfig(13, nonlinearity="relu")])
def test_a_network_that_the_loop_is_not_is_refused(config):
    with pytest.raises(ValueError, match="must have one layer and g = tanh; got"):
        RNNMatrices.from_network(RNN(config))


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"tokens": (0,)}, "the text must have from 1 to 31 words; got 0"),
        ({"tokens": (0,) * (MAX_TOKENS + 1)}, "the text must have from 1 to 31 words; got 32"),
        ({"step": 0}, "the step must be from 1 to 3; got 0"),
        ({"step": 4}, "the step must be from 1 to 3; got 4"),
        ({"phase": "z"}, "the phase must be one of x, e, h, y, J; got 'z'"),
        ({"unit": 0}, "the hidden unit must be 1 or more; got 0"),
    ],
    ids=str,
)
def test_a_walk_that_leads_nowhere_is_refused(settings, reason):
    with pytest.raises(ValueError, match=reason):
        UnrolledPosition(**({"tokens": (0, 1, 2)} | settings))
