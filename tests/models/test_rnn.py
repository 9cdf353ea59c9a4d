import dataclasses
import re

import numpy as np
import pytest
import torch
from torch import nn

from lmcore.models.rnn import RNN, RNNConfig, RNNWeights, rnn_layer

# A different prime on every axis: batch 3, time 7, width 5, hidden 11, vocabulary 13, layers 2.
CONFIG = RNNConfig(13, embedding=5, hidden=11, layers=2)
TOKENS = torch.randint(13, (3, 7), generator=torch.Generator().manual_seed(1))


def both_ways(kind):
    oracle = kind(5, 11, num_layers=2, batch_first=True, bidirectional=True, device="meta")
    oracle.to_empty(device="cpu")
    generator = torch.Generator().manual_seed(3)
    for weight in oracle.parameters():
        nn.init.uniform_(weight, -0.5, 0.5, generator=generator)
    return oracle.double()


def gradients(values, of):
    target = torch.linspace(-1, 1, values.numel(), dtype=values.dtype).view_as(values)
    return torch.autograd.grad((values * target).sum(), of)


@pytest.mark.parametrize("nonlinearity", ["tanh", "relu"])
@pytest.mark.parametrize("layers", [1, 3])
@pytest.mark.parametrize(("dtype", "close"), [(torch.float64, 1e-10), (torch.float32, 1e-6)])
def test_equations_agree_with_torch_in_values_and_gradients(layers, nonlinearity, dtype, close):
    config = dataclasses.replace(CONFIG, layers=layers, nonlinearity=nonlinearity)
    network = RNN(config, seed=2).to(dtype)
    trace = network(TOKENS)
    logits, state = network.logits_and_state(TOKENS)
    torch.testing.assert_close(trace.logits, logits, rtol=0, atol=close)
    torch.testing.assert_close(trace.state, state, rtol=0, atol=close)
    weights = list(network.parameters())
    for slow, fast in zip(
        gradients(trace.logits, weights), gradients(logits, weights), strict=True
    ):
        scale = float(fast.abs().max().clamp(min=1))
        torch.testing.assert_close(slow, fast, rtol=0, atol=close * scale)


def test_one_step_by_hand():
    network = RNN(dataclasses.replace(CONFIG, layers=1), seed=2).double()
    E, W_x, W_h, b_x, b_h, U, b_2 = (weight.detach().numpy() for weight in network.parameters())
    b_x += 0.3
    b_h -= 0.1
    h_0 = np.linspace(-1, 1, 11)
    h_1 = np.tanh(W_x @ E[8] + W_h @ h_0 + b_x + b_h)
    trace = network(torch.tensor([[8]]), torch.tensor(h_0).view(1, 1, 11))
    np.testing.assert_allclose(trace.layers[0].hidden[0, 0].detach(), h_1, atol=1e-14)
    np.testing.assert_allclose(trace.logits[0, 0].detach(), U @ h_1 + b_2, atol=1e-14)


def test_every_token_is_read():
    # The slide's loop, range(1, len(x)), leaves one out.
    hidden = RNN(CONFIG)(TOKENS).layers[-1].hidden
    for place in (0, 6):
        changed = TOKENS.clone()
        changed[:, place] = (changed[:, place] + 1) % 13
        other = RNN(CONFIG)(changed).layers[-1].hidden
        assert (other[:, place:] != hidden[:, place:]).any(dim=-1).all()


def test_nothing_comes_from_the_future():
    network = RNN(CONFIG, seed=2)
    before = network(TOKENS).logits
    for place in range(7):
        changed = TOKENS.clone()
        changed[:, place] = (changed[:, place] + 1) % 13
        assert torch.equal(network(changed).logits[:, :place], before[:, :place])


def test_a_carried_state_reads_like_one_long_text():
    network = RNN(CONFIG, seed=2)
    whole, _ = network.logits_and_state(TOKENS)
    first, state = network.logits_and_state(TOKENS[:, :2])
    torch.testing.assert_close(network.logits_and_state(TOKENS[:, 2:], state)[0], whole[:, 2:])
    torch.testing.assert_close(network(TOKENS[:, 2:], state).logits, whole[:, 2:])
    torch.testing.assert_close(first, whole[:, :2])


def test_a_layer_reads_both_ways_as_torch_does():
    oracle = both_ways(nn.RNN)
    inputs = torch.linspace(-1, 1, 3 * 7 * 5).double().view(3, 7, 5).requires_grad_()
    ours = inputs
    for layer in range(2):
        ways = [
            rnn_layer(
                ours,
                RNNWeights.from_torch(oracle, layer, reverse=reverse),
                torch.zeros(3, 11).double(),
                reverse=reverse,
            )
            for reverse in (False, True)
        ]
        ours = torch.cat([way.hidden for way in ways], dim=-1)
    theirs, _ = oracle(inputs)
    torch.testing.assert_close(ours, theirs, rtol=0, atol=1e-12)
    of = [inputs, *oracle.parameters()]
    for mine, other in zip(gradients(ours, of), gradients(theirs, of), strict=True):
        torch.testing.assert_close(mine, other, rtol=0, atol=1e-10)


def test_a_nudge_moves_its_own_step_and_what_follows():
    network = RNN(CONFIG, seed=2)
    plain = network(TOKENS)
    nudge = torch.zeros(7, 11)
    nudge[3, 2] = 0.5
    nudged = network(TOKENS, nudge=nudge)
    first, last = nudged.layers
    assert torch.equal(first.hidden, plain.layers[0].hidden)
    moved = last.hidden - plain.layers[1].hidden
    assert torch.equal(moved[:, :3], torch.zeros(3, 3, 11))
    torch.testing.assert_close(moved[:, 3], nudge[3].expand(3, 11))
    assert (moved[:, 4] != 0).all()


def test_a_nudge_reaches_a_layer_below():
    network = RNN(CONFIG, seed=2)
    nudge = torch.zeros(2, 7, 11)
    nudge[0, 6, 2] = 0.5
    moved = network(TOKENS, nudge=nudge).layers[0].hidden - network(TOKENS).layers[0].hidden
    torch.testing.assert_close(moved[:, 6], nudge[0, 6].expand(3, 11))


@pytest.mark.parametrize(("layers", "hidden"), [(1, 1), (1, 11), (2, 11), (4, 11)])
def test_parameters_are_counted_right(layers, hidden):
    config = dataclasses.replace(CONFIG, layers=layers, hidden=hidden)
    assert config.parameters == sum(weight.numel() for weight in RNN(config).parameters())


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"layers": 5}, "the number of layers must be a whole number from 1 to 4; got 5"),
        ({"hidden": 0}, "the hidden size must be a whole number from 1 to 1,024; got 0"),
    ],
)
def test_a_size_out_of_bounds_is_refused(change, text):
    with pytest.raises(ValueError, match=text):
        dataclasses.replace(CONFIG, **change)


@pytest.mark.parametrize("shape", [(7, 5), (3, 7, 11), (2, 7, 5)])
def test_a_nudge_of_another_shape_is_refused(shape):
    text = f"[time hidden] (7, 11) or [layer time hidden] (2, 7, 11); got {shape}"
    with pytest.raises(ValueError, match=re.escape(text)):
        RNN(CONFIG)(TOKENS, nudge=torch.zeros(shape))


def test_a_state_of_another_shape_is_refused():
    text = r"must hold h of shape \[layer batch hidden\] \(2, 3, 11\); got \(2, 5, 11\)"
    with pytest.raises(ValueError, match=text):
        RNN(CONFIG)(TOKENS, torch.zeros(2, 5, 11))
    with pytest.raises(ValueError, match=r"\(2, 3, 11\); got nothing"):
        RNN(CONFIG).logits_and_state(TOKENS, ())
