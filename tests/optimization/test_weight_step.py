"""One step of one weight of a feedforward model, against finite differences and torch.optim."""

import copy

import pytest
import torch
import torch.nn.functional as F

from lmcore.models.feedforward import Feedforward, FeedforwardConfig
from lmcore.optimization.weight_step import SYMBOLS, trace_weight_step

NETWORK = Feedforward(FeedforwardConfig(7, embedding=3, hidden=4, context=2), seed=1)
WINDOW, TARGET = (5, 2), 4
RATES = torch.tensor([0.0, 0.1, 0.7], dtype=torch.float64)
PLACES = {"E": (5, 1), "W": (2, 4), "b": (3,), "U": (4, 2), "b₂": (4,)}


def loss_of(network):
    """−log p(target) by the model itself."""
    logits, _ = network.logits_and_state(torch.tensor([WINDOW]))
    return F.cross_entropy(logits[0, -1], torch.tensor(TARGET))


@pytest.mark.parametrize("symbol", SYMBOLS)
def test_the_gradient_is_the_limit_of_differences(symbol):
    trace, place = trace_weight_step(NETWORK, WINDOW, TARGET, symbol, PLACES[symbol], RATES)
    assert place == PLACES[symbol]
    small = 1e-6
    ends = []
    for move in (small, -small):
        moved = copy.deepcopy(NETWORK).double()
        with torch.no_grad():
            dict(moved.named_parameters())[SYMBOLS[symbol]][place] += move
        ends.append(loss_of(moved).item())
    difference = (ends[0] - ends[1]) / (2 * small)
    assert float(trace.gradient) == pytest.approx(difference, rel=1e-5, abs=1e-9)


@pytest.mark.parametrize("symbol", SYMBOLS)
def test_the_step_is_equation_8_for_one_weight_and_for_all(symbol):
    trace, place = trace_weight_step(NETWORK, WINDOW, TARGET, symbol, PLACES[symbol], RATES)
    torch.testing.assert_close(trace.after, trace.before - RATES * trace.gradient)
    for i, rate in enumerate(RATES.tolist()):
        every = copy.deepcopy(NETWORK).double()
        optimizer = torch.optim.SGD(every.parameters(), lr=rate)
        loss_of(every).backward()
        optimizer.step()
        assert float(trace.loss_after_all[i]) == pytest.approx(loss_of(every).item(), rel=1e-12)
        one = copy.deepcopy(NETWORK).double()
        with torch.no_grad():
            dict(one.named_parameters())[SYMBOLS[symbol]][place] = trace.after[i]
        assert float(trace.loss_after_one[i]) == pytest.approx(loss_of(one).item(), rel=1e-12)


def test_a_step_of_zero_changes_nothing_and_a_small_one_lowers_the_loss():
    trace, _ = trace_weight_step(NETWORK, WINDOW, TARGET, "U", None, RATES)
    assert float(trace.loss_after_one[0]) == pytest.approx(float(trace.loss_before), rel=1e-12)
    assert float(trace.loss_after_one[1]) < float(trace.loss_before)
    assert float(trace.loss_after_all[1]) < float(trace.loss_after_one[1])


def test_without_a_place_it_is_the_steepest_weight():
    for symbol in SYMBOLS:
        trace, place = trace_weight_step(NETWORK, WINDOW, TARGET, symbol, None, RATES)
        assert abs(float(trace.gradient)) == float(trace.largest)
        assert place is not None


def test_the_network_stays_as_it_is():
    before = copy.deepcopy(NETWORK.state_dict())
    trace_weight_step(NETWORK, WINDOW, TARGET, "W", None, RATES)
    for name, value in NETWORK.state_dict().items():
        assert torch.equal(value, before[name])
        assert value.dtype == torch.float32


@pytest.mark.parametrize(
    ("window", "target", "symbol", "place", "message"),
    [
        ((1,), 0, "U", None, "the number of words before must be from 2 to 2; got 1"),
        ((1, 9), 0, "U", None, "the id of a word must be from 0 to 6; got 9"),
        ((1, 2), -1, "U", None, "the id of a word must be from 0 to 6; got -1"),
        ((1, 2), 0, "V", None, "the parameter must be one of E, W, b, U, b₂; got 'V'"),
        ((1, 2), 0, "U", (1,), "a place in U must be 2 numbers; got 1"),
        ((1, 2), 0, "U", (7, 0), "number 1 of a place in U must be from 0 to 6; got 7"),
    ],
)
def test_what_is_not_there_is_named(window, target, symbol, place, message):
    with pytest.raises(ValueError, match=message):
        trace_weight_step(NETWORK, window, target, symbol, place, RATES)
