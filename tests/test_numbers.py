import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lmcore.numbers import format_number, latex, operand, subscript


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.69, "0.69"),
        (0.665967, "0.6660"),
        (-10.0, "−10"),
        (5.0, "5"),
        (0.1 + 0.2, "0.3"),
        (1 / 3, "0.3333"),
        (12345.678, "12346"),
        (0.99996, "1.000"),
        (1e308, "1×10³⁰⁸"),
        (9.5367e-7, "9.537×10⁻⁷"),
        (0.0, "0"),
        (-0.0, "0"),
        (math.inf, "∞"),
        (-math.inf, "−∞"),
        (1.0625, "1.063"),
        (0.25**3, "0.01563"),
        (1234.5, "1235"),
        (math.nan, "undefined"),
    ],
)
def test_four_significant_digits_and_no_spurious_zeros(value, text):
    assert format_number(value) == text


@given(st.floats(allow_nan=False, allow_infinity=False, min_value=-1e300, max_value=1e300))
def test_text_reads_back_to_within_half_a_unit_of_the_fourth_digit(value):
    superscripts = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹−", "-0123456789-")
    back = float(format_number(value).replace("×10", "e").translate(superscripts))
    assert back == pytest.approx(value, rel=5.1e-4, abs=5e-324)


def test_a_negative_operand_stands_in_parentheses():
    assert (operand(-2.0), operand(2.0)) == ("(−2)", "2")


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (0.69, "0.69"),
        (-0.5, "(-0.5)"),
        (1.5e-7, r"1.5\times 10^{-7}"),
        (-2e9, r"(-2\times 10^{9})"),
    ],
)
def test_a_number_in_a_formula(value, written):
    assert latex(value) == written


def test_subscripts():
    assert subscript(10) == "₁₀"
