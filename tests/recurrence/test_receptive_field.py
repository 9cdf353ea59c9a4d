"""Recurrent stacks: their parameters and outputs against torch's, and their receptive fields."""

import pytest
import torch
from torch import nn

from lmcore.corpora.microworld import microworld
from lmcore.models.rnn import RNNConfig
from lmcore.recurrence.receptive_field import (
    RecurrentStack,
    context_probabilities,
    last_layer_states,
    parameter_counts,
    receptive_field,
)

CONFIG = RNNConfig(13, 5, 11)
WORLD = microworld()
STACKS = [RecurrentStack(layers, both) for layers in (1, 2, 3) for both in (False, True)]


@pytest.mark.parametrize("stack", STACKS, ids=str)
def test_parameters_are_as_many_as_torch_makes(stack):
    with torch.device("meta"):
        recurrent = nn.RNN(5, 11, stack.layers, bidirectional=stack.bidirectional)
        parts = [nn.Embedding(13, 5), recurrent, nn.Linear(11 * (1 + stack.bidirectional), 13)]
    made = sum(weight.numel() for part in parts for weight in part.parameters())
    assert stack.parameters(CONFIG) == made


@pytest.mark.parametrize("layers", [1, 2, 4])
def test_a_stack_that_reads_forwards_is_the_rnn_of_its_config(layers):
    config = RNNConfig(13, 5, 11, layers)
    assert RecurrentStack(layers).parameters(CONFIG) == config.parameters


@pytest.mark.parametrize("stack", STACKS, ids=str)
def test_the_equations_give_what_torch_gives(stack):
    recurrent = nn.RNN(5, 11, stack.layers, bidirectional=stack.bidirectional, batch_first=True)
    recurrent = recurrent.double()
    inputs = torch.randn(2, 7, 5, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    torch.testing.assert_close(last_layer_states(inputs, recurrent), recurrent(inputs)[0])


@pytest.mark.parametrize("layers", [1, 3])
def test_forwards_no_place_sees_a_later_word_and_both_ways_it_sees_all(layers):
    assert torch.equal(receptive_field(RecurrentStack(layers), 7), torch.ones(7, 7).tril().bool())
    assert receptive_field(RecurrentStack(layers, bidirectional=True), 7).all()


def test_only_the_feedforward_model_grows_with_its_context():
    found = parameter_counts(CONFIG)
    assert found.rnn == CONFIG.parameters
    steps = {b - a for a, b in zip(found.feedforward, found.feedforward[1:], strict=False)}
    assert steps == {5 * 11}
    assert len(found.contexts) == len(found.feedforward)


def test_a_gap_is_filled_better_from_both_sides_on_the_average():
    tokens = WORLD.vocabulary.read("the horses which were raced past the barn are happy .")
    found = context_probabilities(WORLD, tokens)
    assert found.both.log().mean() > found.left.log().mean()
    assert len(found.left) == len(found.both) == len(tokens) - 1
    # Only the verb, which comes later, determines the number of the first noun.
    assert float(found.both[1]) > float(found.left[1])


def test_a_text_the_grammar_never_says_has_no_gaps_to_fill():
    tokens = WORLD.vocabulary.read("the horse raced past the barn tripped .")
    with pytest.raises(ValueError, match="must have a probability above 0"):
        context_probabilities(WORLD, tokens)


@pytest.mark.parametrize("layers", [0, 5])
def test_a_stack_has_one_to_four_layers(layers):
    with pytest.raises(ValueError, match=f"number of layers must be .* from 1 to 4; got {layers}"):
        RecurrentStack(layers)
