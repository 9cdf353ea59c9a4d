"""GloVe's objective equals a double loop, its gradients autograd's; it can fit the log counts.

Also here: the multiply–adds of one token, against PyTorch's counter of floating-point operations.
"""

import math

import pytest
import torch
import torch.nn.functional as F
from torch.utils.flop_counter import FlopCounterMode

from lmcore.embeddings.static import costs, glove
from lmcore.embeddings.static.glove import GloveConfig
from lmcore.embeddings.static.pairs import index_sentences, window_pairs
from lmcore.models.feedforward import Feedforward, FeedforwardConfig

COUNTS = torch.tensor([[0.0, 3, 1], [3, 2, 0], [1, 0, 200]]).double()


def drawn(*shape, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(shape, generator=generator, dtype=torch.float64)


def test_the_objective_is_that_of_a_double_loop():
    W, C = drawn(3, 5), drawn(3, 5, seed=1)
    total = 0.0
    for i in range(3):
        for j in range(3):
            x = float(COUNTS[i, j])
            if x:
                error = float(W[i, :4] @ C[j, :4] + W[i, 4] + C[j, 4]) - math.log(x)
                total += min(1.0, (x / 100) ** 0.75) * error**2
    trace = glove.trace_objective(COUNTS, W, C, 100.0)
    assert float(trace.loss) == pytest.approx(total)
    assert trace.errors[0, 0] == 0 == trace.weights[0, 0]


def test_weights_rise_to_1_at_x_max():
    found = glove.weigh_counts(torch.tensor([[0.0, 1, 16, 17, 1000]]).double(), 16.0)
    assert found[0].tolist() == [0, 0.125, 1, 1, 1]


def test_gradients_by_hand_are_autograds():
    W, C = drawn(3, 5).requires_grad_(), drawn(3, 5, seed=1).requires_grad_()
    trace = glove.trace_objective(COUNTS, W, C, 10.0)
    found = glove.glove_gradients(W, C, trace)
    expected = torch.autograd.grad(trace.loss, [W, C])
    torch.testing.assert_close(found.words, expected[0])
    torch.testing.assert_close(found.contexts, expected[1])


def test_the_first_step_is_that_of_torchs_optimiser():
    before, after = glove.train_glove(COUNTS, GloveConfig(dimensions=4, steps=1, snapshots=2))
    W, C = before.inputs.clone().requires_grad_(), before.outputs.clone().requires_grad_()
    theirs = torch.optim.Adam([W, C], lr=GloveConfig().learning_rate)
    glove.trace_objective(COUNTS, W, C, 100.0).loss.backward()
    theirs.step()
    torch.testing.assert_close(after.inputs, W.detach())
    torch.testing.assert_close(after.outputs, C.detach())


def test_enough_dimensions_fit_the_logarithms_of_the_counts():
    config = GloveConfig(dimensions=4, steps=2000, learning_rate=0.05, x_max=10.0)
    *_, last = glove.train_glove(COUNTS, config)
    found = glove.trace_objective(COUNTS, last.inputs, last.outputs, 10.0)
    assert last.loss < 1e-6
    seen = COUNTS > 0
    torch.testing.assert_close(found.predictions[seen], COUNTS[seen].log(), rtol=0, atol=1e-2)
    torch.testing.assert_close(last.vectors, (last.inputs + last.outputs)[:, :-1])


def test_a_seed_is_a_training():
    one, same, other = (
        list(glove.train_glove(COUNTS, GloveConfig(dimensions=3, seed=seed))) for seed in (1, 1, 2)
    )
    assert torch.equal(one[-1].vectors, same[-1].vectors)
    assert not torch.equal(one[-1].vectors, other[-1].vectors)
    assert (one[0].step, one[-1].step, one[-1].seen) == (0, 50, 50 * 6)
    assert one[-1].to_frame()["loss"].tolist() == [one[-1].loss]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"x_max": 0.0}, "x_max must be a number above 0; got 0"),
        ({"steps": 0}, "steps must be from 1 to 5000; got 0"),
        ({"dimensions": 301}, "the dimensions d must be from 1 to 300; got 301"),
    ],
)
def test_a_setting_out_of_bounds_is_refused(change, message):
    with pytest.raises(ValueError, match=message):
        GloveConfig(**change)


def test_an_empty_table_and_a_divergence_are_refused():
    with pytest.raises(ValueError, match="counts must have one above 0; got none"):
        next(glove.train_glove(torch.zeros(2, 2).double(), GloveConfig()))
    wild = GloveConfig(optimizer="SGD", learning_rate=100.0, x_max=1.0)
    with pytest.raises(ValueError, match="J must stay finite: lower η; got"):
        list(glove.train_glove(COUNTS, wild))


def counted(forward):
    """Multiply–adds of a scalar's forward and backward pass: half the floating-point operations."""
    with FlopCounterMode(display=False) as counter:
        forward().backward()
    return counter.get_total_flops() / 2


def test_the_nnlm_costs_what_pytorch_counts():
    config = FeedforwardConfig(101, embedding=7, hidden=13, context=3)
    network = Feedforward(config)

    def forward():
        return network.logits_and_state(torch.tensor([[5]]))[0].sum()

    cost = costs.nnlm_cost(config)
    assert counted(forward) == cost.training == 3 * cost.forward
    assert cost.forward == 3 * 7 * 13 + 13 * 101


def test_word2vec_costs_what_pytorch_counts():
    V, U = drawn(20, 8).requires_grad_(), drawn(20, 8, seed=1).requires_grad_()

    def pair():
        return F.softplus(U[[3, 4, 5, 6, 7, 8]] @ V[[2]].T).sum()

    assert 4 * counted(pair) == costs.skip_gram_cost(8, 5, 4.0).training
    cbow = costs.cbow_cost(8, 5, 4.0)
    assert counted(pair) == cbow.training - 2 * 4 * 8


def test_the_mean_context_is_below_two_windows():
    pairs = window_pairs(index_sentences([["a", "b", "c"]]), 2)
    assert costs.contexts_per_token(pairs) == 2
    table = costs.cbow_cost(8, 5, 2.0).to_frame()
    assert table["forward"].tolist() == [16, 48] and set(table["model"]) == {"CBOW"}


def test_a_size_of_no_model_is_refused():
    with pytest.raises(ValueError, match="context words n must be above 0 and at most"):
        costs.cbow_cost(8, 5, 0.0)
    with pytest.raises(ValueError, match="the dimensions d must be from 1 to"):
        costs.skip_gram_cost(0, 5, 1.0)
