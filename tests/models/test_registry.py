import dataclasses
import math

import pytest
import torch

from lmcore.checks import check_one_of
from lmcore.models.feedforward import FeedforwardConfig
from lmcore.models.gru import GRUConfig
from lmcore.models.layers import Dropout, apply_dropout
from lmcore.models.lstm import LSTMConfig
from lmcore.models.registry import (
    NAMES,
    NeuralModel,
    build,
    config_of_size,
    read_tokens,
    sample,
)
from lmcore.models.rnn import RNNConfig
from lmcore.models.transformer_config import TransformerConfig
from lmcore.training.loss import cross_entropy
from lmcore.vocabulary import Vocabulary

CONFIGS = (
    FeedforwardConfig(13, 5, 11, 3),
    RNNConfig(13, 5, 11, 2),
    GRUConfig(13, 5, 11, 2),
    LSTMConfig(13, 5, 11, 2),
    TransformerConfig(13, 6, 3, 2, 11, 23),
)
EVERY = pytest.mark.parametrize("config", CONFIGS, ids=NAMES)
VOCABULARY = Vocabulary(tuple("abcdefghijklm"), "character")
TOKENS = torch.randint(13, (3, 7), generator=torch.Generator().manual_seed(1))


def seeded(seed=0):
    return torch.Generator().manual_seed(seed)


@EVERY
def test_nothing_touches_the_global_generator(config):
    before = torch.get_rng_state()
    network = build(config, 3)
    logits, _ = network.logits_and_state(TOKENS, None, Dropout(0.5, seeded()))
    cross_entropy(logits, TOKENS).backward()
    network(TOKENS)
    sample(network, [0], 5, seeded())
    assert torch.equal(torch.get_rng_state(), before)


@EVERY
def test_a_network_is_a_pure_function_of_config_and_seed(config):
    one, same, other = (build(config, seed).state_dict() for seed in (4, 4, 5))
    assert all(torch.equal(one[name], same[name]) for name in one)
    assert any(not torch.equal(one[name], other[name]) for name in one)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("types", [2, 11, 251])
def test_untrained_loss_is_that_of_knowing_nothing(name, types):
    config = {
        "feedforward": FeedforwardConfig(types),
        "rnn": RNNConfig(types, nonlinearity="relu"),
        "gru": GRUConfig(types),
        "lstm": LSTMConfig(types),
        "transformer": TransformerConfig(types),
    }[name]
    # The mean over all types is the loss of equally frequent targets, independent of the inputs.
    logits, _ = build(config).logits_and_state(torch.randint(types, (61, 17), generator=seeded(2)))
    mean = -logits.log_softmax(dim=-1).mean()
    assert float(mean.detach()) == pytest.approx(math.log(types), rel=0.02)


def test_loss_is_the_mean_surprise_over_the_known_targets():
    logits = torch.linspace(-2, 2, 3 * 7 * 13).view(3, 7, 13)
    targets = TOKENS.clone()
    targets[1, 2:] = -100
    surprises = [
        -math.log(float(logits[row, t].softmax(dim=-1)[targets[row, t]]))
        for row in range(3)
        for t in range(7)
        if targets[row, t] >= 0
    ]
    assert len(surprises) == 16
    assert float(cross_entropy(logits, targets)) == pytest.approx(sum(surprises) / 16, rel=1e-5)


@EVERY
def test_log_probabilities_are_those_of_the_equations(config):
    model = NeuralModel(build(config, 2), VOCABULARY)
    rows = model.log_probabilities(TOKENS[0])
    expected = model.network(TOKENS[:1]).logits[0].log_softmax(dim=-1)
    torch.testing.assert_close(rows.float(), expected.detach(), rtol=0, atol=1e-6)
    torch.testing.assert_close(rows.exp().sum(dim=-1), torch.ones(7, dtype=torch.float64))
    assert not rows.requires_grad


@EVERY
def test_advancing_token_by_token_gives_the_same_rows(config):
    model = NeuralModel(build(config, 2), VOCABULARY)
    rows = model.log_probabilities(TOKENS[1])
    state = None
    for t, token in enumerate(TOKENS[1].tolist()):
        row, state = model.advance(token, state)
        torch.testing.assert_close(row, rows[t], rtol=0, atol=1e-6)


@EVERY
def test_samples_are_a_pure_function_of_the_generator(config):
    network = build(config, 2)
    one, same, other = (sample(network, [0, 3], 29, seeded(n)) for n in (1, 1, 2))
    assert one == same != other
    assert len(one) == 29
    assert set(one) <= set(range(13))


def test_samples_come_as_often_as_the_model_says():
    network = build(CONFIGS[3], 2)
    with torch.no_grad():
        network.output.bias.copy_(torch.linspace(-1, 1, 13))
    rows, _ = read_tokens(network, [5])
    generator = seeded(3)
    drawn = torch.tensor([sample(network, [5], 1, generator)[0] for _ in range(400)])
    share, chance = drawn.bincount(minlength=13) / 400, rows[-1].exp()
    assert ((share - chance).abs() < 4 * (chance * (1 - chance) / 400).sqrt()).all()


def test_a_low_temperature_takes_the_most_probable():
    network = build(CONFIGS[1], 2)
    tokens = [4, *sample(network, [4], 5, seeded(), temperature=1e-6)]
    rows, _ = read_tokens(network, tokens)
    assert rows[:-1].argmax(dim=-1).tolist() == tokens[1:]


def test_sampling_ends_with_the_token_it_is_told():
    network = build(CONFIGS[2], 2)
    with torch.no_grad():
        network.output.bias[7] = 3.0
    written = sample(network, [4], 500, seeded(), stop=7)
    assert written.index(7) == len(written) - 1 < 499


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("types", "parameters"), [(29, 60_000), (250, 148_000), (250, 100_003), (2003, 600_000)]
)
def test_matched_models_have_the_number_of_parameters_within_2_percent(name, types, parameters):
    if (name, types) == ("transformer", 2003):
        # Only the MLP of its one block grows, to at most 1,024 units.
        with pytest.raises(ValueError, match="the nearest is 285,568"):
            config_of_size(name, types, parameters)
        return
    config = config_of_size(name, types, parameters)
    assert config.vocabulary == types
    assert abs(config.parameters - parameters) <= 0.02 * parameters
    for hidden in (config.hidden - 1, config.hidden + 1):
        other = dataclasses.replace(config, hidden=hidden)
        assert abs(other.parameters - parameters) >= abs(config.parameters - parameters)


def test_the_widest_model_is_found_and_none_beyond_it():
    widest = RNNConfig(29, hidden=1024)
    assert config_of_size("rnn", 29, widest.parameters) == widest
    with pytest.raises(ValueError, match=f"the nearest is {widest.parameters:,}"):
        config_of_size("rnn", 29, 2 * widest.parameters)


def test_dropout_keeps_the_mean_and_zeroes_its_rate():
    values = torch.ones(101, 997)
    dropped = apply_dropout(values, Dropout(0.3, seeded(4)))
    assert float((dropped == 0).float().mean()) == pytest.approx(0.3, abs=0.01)
    assert float(dropped.mean()) == pytest.approx(1, abs=0.01)
    torch.testing.assert_close(dropped.max(), torch.tensor(1 / 0.7))


@pytest.mark.parametrize("rate", [1.0, -0.1, float("nan")])
def test_a_dropout_rate_out_of_bounds_is_refused(rate):
    with pytest.raises(ValueError, match=f"dropout must be from 0 to below 1; got {rate:g}"):
        Dropout(rate, seeded())


def test_an_unknown_choice_is_refused():
    with pytest.raises(ValueError, match="the nonlinearity g must be one of tanh, relu; got 'sin'"):
        check_one_of("the nonlinearity g", "sin", ("tanh", "relu"))


def test_a_vocabulary_of_another_size_is_refused():
    with pytest.raises(ValueError, match="must hold 13 types, as the network does; got 2"):
        NeuralModel(build(CONFIGS[0]), Vocabulary(("a", "b"), "character"))


def test_a_text_a_network_cannot_read_is_refused():
    model = NeuralModel(build(CONFIGS[0]), VOCABULARY)
    with pytest.raises(ValueError, match=r"must have at least one token .* got none"):
        model.log_probabilities(torch.zeros(0, dtype=torch.int64))
    with pytest.raises(ValueError, match="token 2 must be an id from 0 to 12; got 13"):
        model.log_probabilities(torch.tensor([0, 13]))
    with pytest.raises(ValueError, match="token 1 must be an id from 0 to 12; got -1"):
        model.advance(-1)


def test_a_diverged_network_is_refused():
    network = build(CONFIGS[3])
    with torch.no_grad():
        network.output.bias[3] = math.nan
    with pytest.raises(
        ValueError, match="must give finite logits; got inf or nan: it has diverged"
    ):
        sample(network, [0], 1, seeded())


@pytest.mark.parametrize("temperature", [0.0, -1.0, float("inf"), float("nan")])
def test_a_temperature_that_is_none_is_refused(temperature):
    with pytest.raises(ValueError, match="temperature must be a number above 0; got"):
        sample(build(CONFIGS[1]), [0], 1, seeded(), temperature)


def test_a_size_no_model_can_have_is_refused():
    with pytest.raises(
        ValueError, match="the lstm model with 250 types can have within 2 %; got 100"
    ):
        config_of_size("lstm", 250, 100)
    with pytest.raises(ValueError, match=r"the model must be one of feedforward, .*; got 'ngram'"):
        config_of_size("ngram", 250, 100_000)
