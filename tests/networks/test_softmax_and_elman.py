"""Softmax in both forms, and one recurrent unit, against torch.nn."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from lmcore.networks.elman import Elman, unroll_elman
from lmcore.networks.softmax import trace_softmax

LOGITS = st.lists(st.floats(-50, 50), min_size=2, max_size=8)


@given(LOGITS, st.floats(0.1, 10), st.floats(-20, 20))
@settings(max_examples=60, deadline=None)
def test_softmax_is_torchs_and_does_not_change_with_a_shift(logits, temperature, shift):
    trace = trace_softmax(logits, temperature)
    z = torch.tensor(logits, dtype=torch.float64)
    torch.testing.assert_close(trace.probabilities, (z / temperature).softmax(dim=-1))
    moved = trace_softmax((z + shift).tolist(), temperature)
    torch.testing.assert_close(moved.probabilities, trace.probabilities, rtol=1e-9, atol=1e-12)


def test_both_forms_agree_where_nothing_overflows():
    trace = trace_softmax([2.0, 1.0, 0.0])
    torch.testing.assert_close(trace.naive, trace.probabilities)
    assert math.isclose(float(trace.probabilities[0]), 1 / (1 + math.exp(-1) + math.exp(-2)))


@pytest.mark.parametrize(
    ("precision", "breaks", "holds"), [("float32", 89.0, 88.0), ("float64", 710.0, 709.0)]
)
def test_the_naive_form_breaks_where_the_exponential_overflows(precision, breaks, holds):
    broken = trace_softmax([breaks, 0.0], precision=precision)
    assert math.isinf(float(broken.exponentials[0]))
    assert math.isnan(float(broken.naive[0]))
    assert broken.probabilities.isfinite().all()
    assert trace_softmax([holds, 0.0], precision=precision).naive.isfinite().all()


@pytest.mark.parametrize(
    ("how", "message"),
    [
        (([1.0],), "the number of logits must be from 2 to 8; got 1"),
        (([1e6, 0.0],), r"a logit must be within ±10,000; got 1e\+06"),
        (([float("nan"), 0.0],), "a logit must be within ±10,000; got nan"),
        (([1.0, 0.0], 0.0), "the temperature must be a number above 0; got 0"),
        (
            ([1.0, 0.0], 1.0, "float16"),
            "the precision must be one of float32, float64; got 'float16'",
        ),
    ],
)
def test_what_is_no_softmax_is_refused(how, message):
    with pytest.raises(ValueError, match=message):
        trace_softmax(*how)


@given(
    st.lists(st.floats(-3, 3), min_size=1, max_size=8),
    st.floats(-2, 2),
    st.floats(-2, 2),
    st.floats(-1, 1),
)
@settings(max_examples=40, deadline=None)
def test_the_unrolled_unit_is_nn_rnn(inputs, w_x, w_h, bias):
    rnn = nn.RNN(1, 1, dtype=torch.float64)
    numbers = {"weight_ih_l0": w_x, "weight_hh_l0": w_h, "bias_ih_l0": bias, "bias_hh_l0": 0.0}
    rnn.load_state_dict(
        {name: torch.full_like(rnn.state_dict()[name], v) for name, v in numbers.items()}
    )
    trace = unroll_elman(Elman(tuple(inputs), w_x, w_h, bias))
    oracle, _ = rnn(torch.tensor(inputs, dtype=torch.float64)[:, None])
    torch.testing.assert_close(trace.hidden, oracle[:, 0].detach())
    torch.testing.assert_close(trace.before[1:], trace.hidden[:-1])


def test_a_sweep_of_a_weight_is_each_weight_alone():
    along = torch.tensor([-1.0, 0.5, 2.0], dtype=torch.float64)
    swept = unroll_elman(Elman(), hidden_weight=along)
    for i, weight in enumerate(along.tolist()):
        alone = unroll_elman(Elman(hidden_weight=weight))
        torch.testing.assert_close(swept.hidden[i], alone.hidden)


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"inputs": ()}, "the number of inputs must be from 1 to 8; got 0"),
        ({"hidden_weight": float("inf")}, "must be within ±100; got inf"),
        ({"activation": "x"}, "activation must be one of"),
    ],
)
def test_a_recurrent_unit_that_cannot_be_is_refused(how, message):
    with pytest.raises(ValueError, match=message):
        Elman(**how)
