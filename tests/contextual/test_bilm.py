"""The biLM: its equations, its losses, its 2L + 1 vectors, and the shipped model."""

import json
import math

import pytest
import torch

from lmcore.contextual.bilm import CARD, BiLM, BiLMConfig, bilm_losses, load_bilm, pad
from lmcore.contextual.pretrain import Budget, figures, train_bilm
from lmcore.contextual.reach import bilm_reach
from lmcore.corpora.microworld import microworld
from lmcore.models.lstm import LSTM, LSTMConfig, LSTMWeights, lstm_layer


@pytest.fixture(scope="module")
def network():
    return BiLM(BiLMConfig(11, embedding=6), seed=3)


def by_the_equations(network, tokens):
    """The layers of each direction, one LSTM step after the other."""
    zeros = torch.zeros(len(tokens), network.config.embedding)
    found = []
    for stack, reverse in ((network.left_to_right, False), (network.right_to_left, True)):
        inputs = network.embedding(tokens)
        for layer in stack:
            weights = LSTMWeights.from_torch(layer, 0)
            inputs = lstm_layer(inputs, weights, (zeros, zeros), reverse=reverse).hidden
            found.append(inputs)
    return found


def test_both_directions_follow_the_equations(network):
    tokens = torch.randint(11, (2, 7), generator=torch.Generator().manual_seed(0))
    trace = network(tokens)
    expected = by_the_equations(network, tokens)
    for got, wanted in zip((*trace.left_to_right, *trace.right_to_left), expected, strict=True):
        torch.testing.assert_close(got, wanted)
    torch.testing.assert_close(trace.previous_logits, network.output(expected[-1]))


def test_padding_changes_nothing_that_is_read(network):
    texts = [[1, 2, 3, 4, 5], [6, 7, 8]]
    tokens, lengths = pad(texts)
    together = network(tokens, lengths)
    for row, text in enumerate(texts):
        alone = network(torch.tensor([text]))
        torch.testing.assert_close(together.layers[:, row, : len(text)], alone.layers[:, 0])


def test_the_losses_are_the_means_of_the_words_before_and_after(network):
    texts = [[1, 2, 3, 4], [5, 6]]
    tokens, lengths = pad(texts)
    trace = network(tokens, lengths)
    losses = bilm_losses(trace, tokens, lengths)
    left = [
        -trace.next_logits[row, k].log_softmax(-1)[text[k + 1]].item()
        for row, text in enumerate(texts)
        for k in range(len(text) - 1)
    ]
    right = [
        -trace.previous_logits[row, k].log_softmax(-1)[text[k - 1]].item()
        for row, text in enumerate(texts)
        for k in range(1, len(text))
    ]
    assert losses.left_to_right.item() == pytest.approx(sum(left) / 4)
    assert losses.right_to_left.item() == pytest.approx(sum(right) / 4)
    assert losses.total.item() == pytest.approx(sum(left) / 4 + sum(right) / 4)


def test_a_word_has_2L_plus_1_vectors_that_are_L_plus_1_end_to_end(network):
    trace = network(torch.tensor([[3, 1, 4, 1, 5]]))
    vectors = trace.representations(2)
    assert len(vectors) == 2 * network.config.layers + 1
    x, *pairs = vectors
    for j, wanted in enumerate([(x, x), pairs[:2], pairs[2:]]):
        assert torch.equal(trace.layers[j, 0, 2], torch.cat(tuple(wanted)))


def test_the_first_layer_left_to_right_is_the_lstm_of_the_other_page(network):
    """One direction, with its E and U, is the LSTM language model of `lmcore.models.lstm`."""
    one = BiLM(BiLMConfig(11, embedding=6, layers=1), seed=5)
    other = LSTM(LSTMConfig(11, embedding=6, hidden=6))
    other.embedding, other.output = one.embedding, one.output
    other.recurrent = one.left_to_right[0]
    tokens = torch.tensor([[2, 7, 1, 8]])
    torch.testing.assert_close(one(tokens).next_logits, other(tokens).logits)


@pytest.mark.parametrize("layers", [1, 2, 3])
def test_its_parameters_are_those_that_the_config_counts(layers):
    config = BiLMConfig(20, embedding=8, layers=layers)
    network = BiLM(config)
    assert sum(weight.numel() for weight in network.parameters()) == config.parameters


def test_the_gradient_of_each_direction_reaches_one_side_and_the_word(network):
    left, right = bilm_reach(network, torch.tensor([1, 2, 3, 4, 5]))
    before = torch.ones(5, 5).tril().bool()
    assert torch.equal(left > 0, before)
    assert torch.equal(right > 0, before.mT)


def test_a_wrong_length_or_id_is_refused(network):
    with pytest.raises(ValueError, match="an id from 0 to 10; got 11"):
        network(torch.tensor([[11]]))
    with pytest.raises(ValueError, match="a length from 1 to 2"):
        network(torch.tensor([[1, 2]]), torch.tensor([3]))
    with pytest.raises(ValueError, match="the number of layers"):
        BiLMConfig(10, layers=0)


def test_a_few_steps_lower_both_losses():
    types = len(microworld().vocabulary)
    before = figures(BiLM(BiLMConfig(types, embedding=24)))
    after = figures(train_bilm(Budget(steps=20, batch=16), config=BiLMConfig(types, embedding=24)))
    for way in ("left to right", "right to left"):
        assert after["the grammar"] < after[way] < before[way] - 0.5


def test_the_one_that_ships_is_what_its_card_says():
    network, vocabulary = load_bilm()
    card = json.loads(CARD.read_text("utf-8"))
    assert card["parameters"] == sum(weight.numel() for weight in network.parameters())
    told = card["held-out loss, nats per token"]
    measured = figures(network)
    for name, loss in told.items():
        assert measured[name] == pytest.approx(loss, abs=2e-3), name
    for way in ("left to right", "right to left"):
        assert measured["the grammar"] < measured[way] < measured["the grammar"] + math.log(1.05)
    assert vocabulary == microworld().vocabulary
