"""Weights in 12 bits: every number shown is the tensor's own number, correctly rounded."""

from decimal import ROUND_HALF_UP, Decimal

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from lmcore.attention import weight_packing
from lmcore.attention.weight_packing import code_text, code_values, encode, pack, unpack

TINIEST = float(np.nextafter(np.float32(0), np.float32(1)))
SHARES = st.floats(0, 1, width=32)
SMALL = st.floats(TINIEST, 0.125, width=32)


def tensor(*numbers):
    return torch.tensor(numbers, dtype=torch.float32)


def rounded(weight):
    """The weight as text, by the same rounding rule in decimal arithmetic."""
    exact = Decimal(weight)
    if exact == 0:
        return "0"
    if exact < Decimal("0.00001"):
        return "< 0.00001"
    digits = 6 if exact < Decimal("0.0001") else max(3, 2 - exact.adjusted())
    text = exact.quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)
    return str(text)


@given(st.one_of(SHARES, SMALL))
def test_a_weight_is_shown_correctly_rounded(weight):
    shown = code_text(int(encode(tensor(weight))[0]))
    expected = rounded(float(np.float32(weight)))
    if shown.startswith("<") or shown == "0":
        assert shown == expected
    else:
        # 0.0999996 rounds into the next decade, which is written with one digit fewer
        assert Decimal(shown) == Decimal(expected)
        assert len(expected) - len(shown) in (0, 1)


def test_every_code_stands_for_the_number_it_shows_and_codes_grow_with_it():
    numbers = [float(value) for value in code_values()]
    assert len(numbers) == 3693 <= 2**12
    assert numbers == sorted(numbers)
    # The float32 next to a decimal may lie just below it.
    codes = encode(torch.tensor(numbers[2:]) * (1 + 2e-7))
    assert codes.tolist() == list(range(2, len(numbers)))
    assert [code_text(code) for code in (0, 1, 2, 91, 92, len(numbers) - 1)] == [
        "0", "< 0.00001", "0.000010", "0.000099", "0.000100", "1.000"
    ]  # fmt: skip


@given(SHARES, SHARES)
def test_a_larger_weight_never_has_a_smaller_code(one, other):
    low, high = encode(tensor(*sorted((one, other))))
    assert low <= high


def test_the_first_look_is_at_most_one_code_too_small():
    table = weight_packing._table()
    leading = table.thresholds[1:-1].view(np.uint32) >> weight_packing.CUT
    assert len(set(leading.tolist())) == len(leading)


@given(arrays(np.float32, st.integers(0, 50), elements=SHARES))
def test_what_is_packed_is_unpacked_as_the_browser_does(weights):
    codes = encode(torch.tensor(weights))
    packed = pack(torch.tensor(weights))
    assert len(packed) == 3 * ((len(weights) + 1) // 2)
    assert unpack(packed, len(weights)).tolist() == codes.tolist()


def test_all_heads_of_a_base_model_at_128_tokens_are_under_4_megabytes():
    assert len(pack(torch.rand(12, 12, 128, 128).softmax(-1))) < 4e6


def test_a_softmax_that_ends_a_rounding_error_above_1_is_1():
    assert code_text(int(encode(tensor(1.0000001))[0])) == "1.000"


@pytest.mark.parametrize("weight", [-0.1, 1.1, float("nan"), float("inf")])
def test_what_is_no_weight_is_refused(weight):
    with pytest.raises(ValueError, match=r"a weight must be from 0 to 1; got (-0.1|1.1|nan|inf)"):
        encode(tensor(0.5, weight))


@pytest.mark.parametrize("code", [-1, 3693])
def test_there_is_no_such_code(code):
    with pytest.raises(ValueError, match=f"a code must be from 0 to 3692; got {code}"):
        code_text(code)
