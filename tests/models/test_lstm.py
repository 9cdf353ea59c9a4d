import dataclasses
import math

import numpy as np
import pytest
import torch
from torch import nn

from lmcore.models.lstm import (
    LSTM,
    GateClamp,
    LSTMConfig,
    LSTMWeights,
    layer_parameters,
    lstm_layer,
)

# A different prime on every axis: batch 3, time 7, width 5, hidden 11, vocabulary 13, layers 2.
CONFIG = LSTMConfig(13, embedding=5, hidden=11, layers=2)
TOKENS = torch.randint(13, (3, 7), generator=torch.Generator().manual_seed(1))


def gradients(values, of):
    target = torch.linspace(-1, 1, values.numel(), dtype=values.dtype).view_as(values)
    return torch.autograd.grad((values * target).sum(), of)


def shaken(network):
    """Vary the biases, so that a bias in the wrong place fails a test."""
    with torch.no_grad():
        for weight in network.parameters():
            if weight.ndim == 1:
                weight.add_(torch.linspace(-2, 2, len(weight)).cos())
    return network


@pytest.mark.parametrize("layers", [1, 3])
@pytest.mark.parametrize(("dtype", "close"), [(torch.float64, 1e-10), (torch.float32, 1e-6)])
def test_equations_agree_with_torch_in_values_and_gradients(layers, dtype, close):
    network = shaken(LSTM(dataclasses.replace(CONFIG, layers=layers), seed=2)).to(dtype)
    trace = network(TOKENS)
    logits, state = network.logits_and_state(TOKENS)
    torch.testing.assert_close(trace.logits, logits, rtol=0, atol=close)
    for slow, fast in zip(trace.state, state, strict=True):
        torch.testing.assert_close(slow, fast, rtol=0, atol=close)
    weights = list(network.parameters())
    for slow, fast in zip(
        gradients(trace.logits, weights), gradients(logits, weights), strict=True
    ):
        scale = float(fast.abs().max().clamp(min=1))
        torch.testing.assert_close(slow, fast, rtol=0, atol=close * scale)


def test_one_step_by_hand():
    network = shaken(LSTM(dataclasses.replace(CONFIG, layers=1), seed=2)).double()
    E, of_e, of_h, b_e, b_h, _, _ = (weight.detach().numpy() for weight in network.parameters())
    h_0, c_0 = np.linspace(-1, 1, 11), np.linspace(2, -2, 11)
    i, f, new, o = np.split(of_e @ E[8] + of_h @ h_0 + b_e + b_h, 4)
    f, i, o = (1 / (1 + np.exp(-z)) for z in (f, i, o))
    c = f * c_0 + i * np.tanh(new)
    start = tuple(torch.tensor(part).view(1, 1, 11) for part in (h_0, c_0))
    layer = network(torch.tensor([[8]]), start).layers[0]
    expected = (f, i, np.tanh(new), c, o, o * np.tanh(c))
    for field, value in zip(dataclasses.fields(layer), expected, strict=True):
        np.testing.assert_allclose(getattr(layer, field.name)[0, 0].detach(), value, atol=1e-14)


def test_nothing_comes_from_the_future():
    network = LSTM(CONFIG, seed=2)
    before = network(TOKENS).logits
    for place in range(7):
        changed = TOKENS.clone()
        changed[:, place] = (changed[:, place] + 1) % 13
        assert torch.equal(network(changed).logits[:, :place], before[:, :place])


def test_a_carried_state_reads_like_one_long_text():
    network = LSTM(CONFIG, seed=2)
    whole, _ = network.logits_and_state(TOKENS)
    _, state = network.logits_and_state(TOKENS[:, :2])
    torch.testing.assert_close(network.logits_and_state(TOKENS[:, 2:], state)[0], whole[:, 2:])
    torch.testing.assert_close(network(TOKENS[:, 2:], state).logits, whole[:, 2:])


def test_a_layer_reads_both_ways_as_torch_does():
    oracle = nn.LSTM(
        5, 11, num_layers=2, batch_first=True, bidirectional=True, device="meta"
    ).to_empty(device="cpu")
    generator = torch.Generator().manual_seed(3)
    for weight in oracle.parameters():
        nn.init.uniform_(weight, -0.5, 0.5, generator=generator)
    oracle.double()
    inputs = torch.linspace(-1, 1, 3 * 7 * 5).double().view(3, 7, 5).requires_grad_()
    ours, zeros = inputs, torch.zeros(3, 11).double()
    for layer in range(2):
        ways = [
            lstm_layer(
                ours,
                LSTMWeights.from_torch(oracle, layer, reverse=reverse),
                (zeros, zeros),
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


def test_keeping_all_and_writing_nothing_leaves_the_cell_as_it_was():
    start = (torch.zeros(2, 3, 11), torch.linspace(-1, 1, 66).view(2, 3, 11))
    clamps = (GateClamp("forget", 1.0), GateClamp("input", 0.0))
    trace = LSTM(CONFIG, seed=2)(TOKENS, start, clamps=clamps)
    for layer, cell in zip(trace.layers, start[1], strict=True):
        assert torch.equal(layer.cell, cell[:, None].expand(3, 7, 11))
    assert torch.equal(trace.state[1], start[1])


def test_forgetting_all_makes_the_cell_what_is_written_now():
    for layer in LSTM(CONFIG, seed=2)(TOKENS, clamps=(GateClamp("forget", 0.0),)).layers:
        assert torch.equal(layer.cell, layer.input * layer.candidate)


def test_an_untrained_output_layer_reaches_as_far_as_torchs_and_the_loss_is_near_ln_v():
    network = LSTM(LSTMConfig(50, hidden=100), seed=2)
    assert 0.099 < float(network.output.weight.detach().abs().max()) <= 0.1  # 1/√100
    tokens = torch.arange(50)[None]
    log_p = network(tokens).logits.detach().log_softmax(-1)
    assert float(-log_p[0, :-1].gather(1, tokens[:, 1:].T).mean()) == pytest.approx(
        math.log(50), abs=0.05
    )


@pytest.mark.parametrize(
    ("gate", "value"), [("forget", 0.25), ("input", 0.5), ("candidate", -1.0), ("output", 1.0)]
)
def test_a_hold_forces_its_own_units_of_its_own_layer(gate, value):
    network = LSTM(CONFIG, seed=2)
    plain = network(TOKENS).layers
    first, last = network(TOKENS, clamps=(GateClamp(gate, value, units=(2, 5), layer=1),)).layers
    assert all(
        torch.equal(getattr(first, field.name), getattr(plain[0], field.name))
        for field in dataclasses.fields(first)
    )
    values, before = getattr(last, gate), getattr(plain[1], gate)
    assert (values[..., [2, 5]] == value).all()
    rest = [unit for unit in range(11) if unit not in (2, 5)]
    # At the first step the hold has not reached the other units yet.
    assert torch.equal(values[:, 0, rest], before[:, 0, rest])
    assert (last.hidden != plain[1].hidden).any()


def test_the_last_of_two_holds_counts():
    clamps = (GateClamp("output", 0.0), GateClamp("output", 1.0, units=(3,)))
    layer = LSTM(CONFIG)(TOKENS, clamps=clamps).layers[1]
    assert (layer.hidden[..., 3] == torch.tanh(layer.cell[..., 3])).all()
    assert (layer.hidden[..., 4] == 0).all()


def test_no_gradient_flows_into_a_held_gate():
    network = LSTM(dataclasses.replace(CONFIG, layers=1), seed=2)
    network(TOKENS, clamps=(GateClamp("output", 1.0),)).logits.sum().backward()
    i, f, c, o = network.recurrent.weight_ih_l0.grad.chunk(4)
    assert o.abs().max() == 0
    assert min(i.abs().max(), f.abs().max(), c.abs().max()) > 0


def test_a_nudge_moves_its_own_step_and_what_follows():
    network = LSTM(CONFIG, seed=2)
    nudge = torch.zeros(7, 11)
    nudge[3, 2] = 0.5
    plain, nudged = network(TOKENS).layers[1], network(TOKENS, nudge=nudge).layers[1]
    moved = nudged.hidden - plain.hidden
    assert torch.equal(moved[:, :3], torch.zeros(3, 3, 11))
    torch.testing.assert_close(moved[:, 3], nudge[3].expand(3, 11))
    assert (moved[:, 4] != 0).all()
    assert torch.equal(nudged.cell[:, 3], plain.cell[:, 3])


@pytest.mark.parametrize("layers", [1, 2, 4])
def test_parameters_are_counted_right(layers):
    config = dataclasses.replace(CONFIG, layers=layers)
    assert config.parameters == sum(weight.numel() for weight in LSTM(config).parameters())


def test_a_layer_of_64_into_128_has_98816_numbers_and_99328_as_torch_stores_it():
    assert layer_parameters(64, 128, biases=1) == 98_816
    assert layer_parameters(64, 128) == 99_328
    assert sum(weight.numel() for weight in nn.LSTM(64, 128, device="meta").parameters()) == 99_328


def test_a_layer_of_the_1_billion_word_model_has_75_million_numbers():
    assert layer_parameters(512, 4096, biases=1) == 75_513_856


def test_an_untrained_forget_gate_is_more_open_than_the_others():
    layer = LSTM(LSTMConfig(13, hidden=128), seed=2)(TOKENS).layers[0]
    assert float(layer.forget.mean().detach()) == pytest.approx(1 / (1 + np.exp(-1)), abs=0.03)
    assert float(layer.input.mean().detach()) == pytest.approx(0.5, abs=0.03)


@pytest.mark.parametrize(
    ("gate", "value", "text"),
    [
        ("forget", 1.5, "the forget gate must be from 0 to 1; got 1.5"),
        ("output", -0.1, "the output gate must be from 0 to 1; got -0.1"),
        ("candidate", -2.0, "the candidate gate must be from -1 to 1; got -2"),
        ("input", float("nan"), "the input gate must be from 0 to 1; got nan"),
    ],
)
def test_a_value_no_gate_can_have_is_refused(gate, value, text):
    with pytest.raises(ValueError, match=text):
        GateClamp(gate, value)


def test_a_hold_on_what_is_not_there_is_refused():
    network = LSTM(CONFIG)
    with pytest.raises(ValueError, match="a held layer must be from 0 to 1; got 2"):
        network(TOKENS, clamps=(GateClamp("forget", 1.0, layer=2),))
    with pytest.raises(ValueError, match="a held unit must be from 0 to 10; got 11"):
        network(TOKENS, clamps=(GateClamp("forget", 1.0, units=(3, 11)),))


def test_a_size_out_of_bounds_is_refused():
    with pytest.raises(ValueError, match=r"number of layers must be a whole number .* 4; got 0"):
        LSTMConfig(13, layers=0)


def test_a_state_without_its_cell_is_refused():
    text = r"must hold h and c of shape \[layer batch hidden\] \(2, 3, 11\); got \(2, 3, 11\)"
    with pytest.raises(ValueError, match=text):
        LSTM(CONFIG)(TOKENS, torch.zeros(2, 3, 11))
