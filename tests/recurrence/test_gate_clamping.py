import pytest
import torch
import torch.nn.functional as F

from lmcore.models.lstm import LSTM, GateClamp, LSTMConfig
from lmcore.recurrence import gate_clamping
from lmcore.recurrence.through_time import gradient_through_time

NETWORK = LSTM(LSTMConfig(13, 5, 11, 2), seed=2).double()
TOKENS = torch.randint(13, (7,), generator=torch.Generator().manual_seed(1))


def test_a_free_reading_is_what_the_network_does():
    found = gate_clamping.trace_clamped(NETWORK, TOKENS)
    with torch.no_grad():
        trace = NETWORK(TOKENS[None])
    torch.testing.assert_close(found.layer.cell, trace.layers[-1].cell)
    torch.testing.assert_close(found.next, trace.logits[0, -1].softmax(dim=-1))
    assert found.loss == pytest.approx(float(F.cross_entropy(trace.logits[0, -2:-1], TOKENS[-1:])))
    torch.testing.assert_close(found.gradient, gradient_through_time(NETWORK, TOKENS)[-1])
    assert not found.next.requires_grad and not found.layer.cell.requires_grad


def test_a_held_gate_is_held_and_changes_what_comes_next():
    free = gate_clamping.trace_clamped(NETWORK, TOKENS)
    held = gate_clamping.trace_clamped(NETWORK, TOKENS, (GateClamp("forget", 1.0),))
    assert (held.layer.forget == 1).all()
    assert not torch.allclose(held.next, free.next)
    assert held.gradient[0] > free.gradient[0]


def test_what_is_typed_becomes_what_is_held():
    assert gate_clamping.parse_clamps("none", "nonsense") == ()
    assert gate_clamping.parse_clamps("input", "0.5") == (GateClamp("input", 0.5),)
    with pytest.raises(ValueError, match="the held value must be a number"):
        gate_clamping.parse_clamps("input", "much")
    with pytest.raises(ValueError, match="the input gate must be from 0 to 1; got 2"):
        gate_clamping.parse_clamps("input", "2")
    with pytest.raises(ValueError, match="a held gate must be one of forget"):
        gate_clamping.parse_clamps("door", "1")


@pytest.mark.parametrize("length", [1, gate_clamping.MAX_TOKENS + 1])
def test_a_text_too_short_or_too_long_is_refused(length):
    with pytest.raises(
        ValueError, match=f"from 2 to {gate_clamping.MAX_TOKENS} tokens; got {length}"
    ):
        gate_clamping.trace_clamped(NETWORK, torch.zeros(length, dtype=torch.long))
