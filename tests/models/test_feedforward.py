import dataclasses
import math

import pytest
import torch
import torch.nn.functional as F

from lmcore.models.feedforward import Feedforward, FeedforwardConfig, one_hot_times
from lmcore.models.layers import Dropout

# A different prime on every axis: batch 3, time 7, width 5, hidden 11, vocabulary 13, context 2.
CONFIG = FeedforwardConfig(13, embedding=5, hidden=11, context=2)
TOKENS = torch.randint(13, (3, 7), generator=torch.Generator().manual_seed(1))


def gradients(network, logits):
    target = torch.linspace(-1, 1, logits.numel(), dtype=logits.dtype).view_as(logits)
    return torch.autograd.grad((logits * target).sum(), list(network.parameters()))


@pytest.mark.parametrize("activation", ["tanh", "relu"])
@pytest.mark.parametrize("context", [1, 2, 5])
def test_fused_form_agrees_with_the_equations_in_values_and_gradients(context, activation):
    config = dataclasses.replace(CONFIG, context=context, activation=activation)
    network = Feedforward(config, seed=2).double()
    trace = network(TOKENS)
    logits, state = network.logits_and_state(TOKENS)
    torch.testing.assert_close(logits, trace.logits, rtol=0, atol=1e-12)
    assert torch.equal(state, trace.state)
    for fast, slow in zip(
        gradients(network, logits), gradients(network, trace.logits), strict=True
    ):
        torch.testing.assert_close(fast, slow, rtol=0, atol=1e-10)


def test_one_window_by_hand():
    network = Feedforward(CONFIG, seed=2).double()
    E, W, b, U, b_2 = (weight.detach().numpy() for weight in network.parameters())
    x = TOKENS[1].numpy()
    e = [*E[x[3]], *E[x[4]]]
    h = torch.tanh(torch.tensor(W @ e + b))
    expected = torch.tensor(U) @ h + torch.tensor(b_2)
    torch.testing.assert_close(network(TOKENS).logits[1, 4].detach(), expected)


def test_first_window_is_filled_up_with_start():
    config = dataclasses.replace(CONFIG, context=3, start=9)
    window = Feedforward(config)(TOKENS).window
    assert window[2, 0].tolist() == [9, 9, int(TOKENS[2, 0])]
    assert window[2, 3].tolist() == TOKENS[2, 1:4].tolist()


def test_one_hot_times_E_is_row_lookup():
    E = Feedforward(CONFIG).embedding.weight
    assert torch.equal(one_hot_times(TOKENS, E), E[TOKENS])


def test_only_the_last_context_tokens_count():
    network = Feedforward(CONFIG, seed=2)
    before = network(TOKENS).logits
    changed = TOKENS.clone()
    changed[:, 3] = (changed[:, 3] + 1) % 13
    moved = (network(changed).logits != before).any(dim=-1)
    assert moved.tolist() == [[False, False, False, True, True, False, False]] * 3


@pytest.mark.parametrize("context", [1, 2, 5])
def test_a_carried_state_reads_like_one_long_text(context):
    network = Feedforward(dataclasses.replace(CONFIG, context=context))
    whole, _ = network.logits_and_state(TOKENS)
    first, state = network.logits_and_state(TOKENS[:, :2])
    second, _ = network.logits_and_state(TOKENS[:, 2:], state)
    torch.testing.assert_close(torch.cat([first, second], dim=1), whole)
    torch.testing.assert_close(network(TOKENS[:, 2:], state).logits, second)


@pytest.mark.parametrize("context", [1, 2, 16])
def test_parameters_are_counted_right(context):
    config = dataclasses.replace(CONFIG, context=context)
    module = Feedforward(config)
    assert config.parameters == sum(weight.numel() for weight in module.parameters())


def test_untrained_loss_is_that_of_knowing_nothing():
    tokens = torch.randint(250, (61, 17), generator=torch.Generator().manual_seed(3))
    logits, _ = Feedforward(FeedforwardConfig(250)).logits_and_state(tokens[:, :-1])
    loss = F.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten())
    assert float(loss.detach()) == pytest.approx(math.log(250), rel=0.01)


def test_weights_are_a_pure_function_of_the_seed():
    one, same, other = (Feedforward(CONFIG, seed).state_dict() for seed in (4, 4, 5))
    assert all(torch.equal(one[name], same[name]) for name in one)
    assert not torch.equal(one["hidden.weight"], other["hidden.weight"])


def test_dropout_falls_on_e_and_on_h():
    network = Feedforward(CONFIG)
    plain, _ = network.logits_and_state(TOKENS)
    none, _ = network.logits_and_state(TOKENS, None, Dropout(0.0, torch.Generator()))
    assert torch.equal(plain, none)
    one, same = (
        network.logits_and_state(TOKENS, None, Dropout(0.5, torch.Generator().manual_seed(6)))[0]
        for _ in range(2)
    )
    assert torch.equal(one, same)
    assert not torch.equal(one, plain)


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"vocabulary": 0}, "the vocabulary must be a whole number from 1 to 10,000; got 0"),
        (
            {"embedding": 1025},
            "the embedding size must be a whole number from 1 to 1,024; got 1025",
        ),
        ({"hidden": True}, "the hidden size must be a whole number from 1 to 1,024; got True"),
        ({"context": 17}, "the context length must be a whole number from 1 to 16; got 17"),
        ({"start": 13}, "start must be an id from 0 to 12; got 13"),
    ],
)
def test_a_size_out_of_bounds_is_refused(change, text):
    with pytest.raises(ValueError, match=text):
        dataclasses.replace(CONFIG, **change)


def test_a_state_of_another_shape_is_refused():
    network = Feedforward(CONFIG)
    with pytest.raises(ValueError, match=r"\[batch before\] \(3, 1\); got \(3, 2\)"):
        network.logits_and_state(TOKENS, TOKENS[:, :2])
    with pytest.raises(ValueError, match=r"\(3, 1\); got 2 tensors"):
        network.logits_and_state(TOKENS, (TOKENS, TOKENS))
