import dataclasses

import numpy as np
import pytest
import torch
from torch import nn

from lmcore.models.gru import GRU, GRUConfig, GRUWeights, gru_layer

# A different prime on every axis: batch 3, time 7, width 5, hidden 11, vocabulary 13, layers 2.
CONFIG = GRUConfig(13, embedding=5, hidden=11, layers=2)
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


def shaken(network):
    """Make the biases nonzero, so that a bias in the wrong place fails a test."""
    with torch.no_grad():
        for weight in network.parameters():
            if weight.ndim == 1:
                weight.add_(torch.linspace(-0.5, 0.5, len(weight)).cos())
    return network


@pytest.mark.parametrize("layers", [1, 3])
@pytest.mark.parametrize(("dtype", "close"), [(torch.float64, 1e-10), (torch.float32, 1e-6)])
def test_equations_agree_with_torch_in_values_and_gradients(layers, dtype, close):
    network = shaken(GRU(dataclasses.replace(CONFIG, layers=layers), seed=2)).to(dtype)
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
    network = shaken(GRU(dataclasses.replace(CONFIG, layers=1), seed=2)).double()
    E, of_e, of_h, b_e, b_h, _, _ = (weight.detach().numpy() for weight in network.parameters())
    h_0 = np.linspace(-1, 1, 11)
    from_e, from_h = of_e @ E[8] + b_e, of_h @ h_0 + b_h
    r = 1 / (1 + np.exp(-from_e[:11] - from_h[:11]))
    z = 1 / (1 + np.exp(-from_e[11:22] - from_h[11:22]))
    n = np.tanh(from_e[22:] + r * from_h[22:])
    layer = network(torch.tensor([[8]]), torch.tensor(h_0).view(1, 1, 11)).layers[0]
    expected = (r, z, n, (1 - z) * n + z * h_0)
    for field, value in zip(dataclasses.fields(layer), expected, strict=True):
        np.testing.assert_allclose(getattr(layer, field.name)[0, 0].detach(), value, atol=1e-14)


def test_nothing_comes_from_the_future():
    network = GRU(CONFIG, seed=2)
    before = network(TOKENS).logits
    for place in range(7):
        changed = TOKENS.clone()
        changed[:, place] = (changed[:, place] + 1) % 13
        assert torch.equal(network(changed).logits[:, :place], before[:, :place])


def test_a_carried_state_reads_like_one_long_text():
    network = GRU(CONFIG, seed=2)
    whole, _ = network.logits_and_state(TOKENS)
    _, state = network.logits_and_state(TOKENS[:, :2])
    torch.testing.assert_close(network.logits_and_state(TOKENS[:, 2:], state)[0], whole[:, 2:])
    torch.testing.assert_close(network(TOKENS[:, 2:], state).logits, whole[:, 2:])


def test_a_layer_reads_both_ways_as_torch_does():
    oracle = both_ways(nn.GRU)
    inputs = torch.linspace(-1, 1, 3 * 7 * 5).double().view(3, 7, 5).requires_grad_()
    ours = inputs
    for layer in range(2):
        ways = [
            gru_layer(
                ours,
                GRUWeights.from_torch(oracle, layer, reverse=reverse),
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
    network = GRU(CONFIG, seed=2)
    nudge = torch.zeros(7, 11)
    nudge[3, 2] = 0.5
    moved = network(TOKENS, nudge=nudge).layers[1].hidden - network(TOKENS).layers[1].hidden
    assert torch.equal(moved[:, :3], torch.zeros(3, 3, 11))
    torch.testing.assert_close(moved[:, 3], nudge[3].expand(3, 11))
    assert (moved[:, 4] != 0).all()


@pytest.mark.parametrize("layers", [1, 2, 4])
def test_parameters_are_counted_right(layers):
    config = dataclasses.replace(CONFIG, layers=layers)
    assert config.parameters == sum(weight.numel() for weight in GRU(config).parameters())


def test_a_size_out_of_bounds_is_refused():
    with pytest.raises(ValueError, match=r"embedding size must be a whole number .* 1,024; got -1"):
        GRUConfig(13, embedding=-1)


def test_a_state_of_another_shape_is_refused():
    text = r"must hold h of shape .* \(2, 3, 11\); got \(2, 3, 11\), \(2, 3, 11\)"
    with pytest.raises(ValueError, match=text):
        GRU(CONFIG).logits_and_state(TOKENS, (torch.zeros(2, 3, 11), torch.zeros(2, 3, 11)))
