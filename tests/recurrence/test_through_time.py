import math

import pytest
import torch
import torch.nn.functional as F

from lmcore.models.gru import GRU, GRUConfig
from lmcore.models.lstm import LSTM, LSTMConfig
from lmcore.models.rnn import RNN, RNNConfig
from lmcore.recurrence.through_time import gradient_through_time, spectral_radius

TOKENS = torch.randint(13, (8,), generator=torch.Generator().manual_seed(1))
NETWORKS = {
    "rnn": RNN(RNNConfig(13, 5, 11, 2), seed=2).double(),
    "gru": GRU(GRUConfig(13, 5, 11, 2), seed=2).double(),
    "lstm": LSTM(LSTMConfig(13, 5, 11, 2), seed=2).double(),
}


def one_unit(factor, nonlinearity):
    """A plain RNN of one unit with W_h = `factor` and W_x = 1 on positive embeddings."""
    network = RNN(RNNConfig(13, 1, 1, nonlinearity=nonlinearity), seed=2).double()
    with torch.no_grad():
        network.embedding.weight.abs_()
        network.recurrent.weight_ih_l0.fill_(1)
        network.recurrent.weight_hh_l0.fill_(factor)
    return network


@pytest.mark.parametrize("name", NETWORKS)
def test_gradients_are_those_of_finite_differences(name):
    network, step = NETWORKS[name], 1e-5
    norms = gradient_through_time(network, TOKENS)

    def losses(nudge):
        with torch.no_grad():
            logits = network(TOKENS[None, :-1], nudge=nudge).logits[0]
        return F.cross_entropy(logits, TOKENS[1:], reduction="none")

    squares = torch.zeros(7, 7, dtype=torch.float64)
    for k in range(7):
        for unit in range(11):
            nudge = torch.zeros(7, 11, dtype=torch.float64)
            nudge[k, unit] = step
            squares[:, k] += ((losses(nudge) - losses(-nudge)) / (2 * step)).square()
    torch.testing.assert_close(norms, squares.sqrt(), rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("name", NETWORKS)
def test_no_loss_depends_on_a_later_state(name):
    norms = gradient_through_time(NETWORKS[name], TOKENS)
    assert torch.equal(norms, norms.tril())
    assert (norms.diagonal() > 0).all()


def test_of_one_unit_it_is_the_product_of_the_slopes():
    network = one_unit(0.8, "tanh")
    trace = network(TOKENS[None, :-1])
    h = trace.layers[0].hidden[0, :, 0].detach()
    error = trace.logits[0].detach().softmax(dim=-1) - F.one_hot(TOKENS[1:], 13)
    at_loss = (error @ network.output.weight.detach())[:, 0]
    norms = gradient_through_time(network, TOKENS)
    for t in range(7):
        for k in range(t + 1):
            product = math.prod(0.8 * (1 - float(h[j]) ** 2) for j in range(k + 1, t + 1))
            assert float(norms[t, k]) == pytest.approx(abs(float(at_loss[t]) * product), rel=1e-12)


@pytest.mark.parametrize(("factor", "after_50"), [(0.9, 0.00515), (1.1, 117.4)])
def test_a_linear_unit_vanishes_or_explodes_by_its_power(factor, after_50):
    # A positive ReLU unit is linear, so each step multiplies the gradient by W_h.
    norms = gradient_through_time(one_unit(factor, "relu"), TOKENS.repeat(7))
    row = norms[50] / norms[50, 50]
    torch.testing.assert_close(row[:51], factor ** torch.arange(50, -1, -1).double())
    assert float(row[0]) == pytest.approx(after_50, rel=1e-3)


def test_it_leaves_no_gradient_on_the_weights():
    network = LSTM(LSTMConfig(13, 5, 11))
    gradient_through_time(network, TOKENS)
    assert all(weight.grad is None for weight in network.parameters())


def test_spectral_radius_is_the_largest_eigenvalue():
    turn = torch.tensor([[0.0, -2.0], [2.0, 0.0]])
    assert spectral_radius(turn) == pytest.approx(2)
    assert spectral_radius(torch.diag(torch.tensor([0.5, -3.0, 1.0]))) == pytest.approx(3)


def test_a_text_without_a_target_is_refused():
    with pytest.raises(ValueError, match="at least 2 tokens for a loss; got 1"):
        gradient_through_time(NETWORKS["rnn"], TOKENS[:1])
