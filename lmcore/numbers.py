"""Formats numbers for display: four significant digits, without meaningless zeros.

A trailing zero means "rounded here": 0.6660 stands for 0.66596…, 0.69 for exactly 0.69.
`drawing/numbers.js` prints with the same rule; a browser test holds the two together.
"""

from __future__ import annotations

import math
from decimal import ROUND_HALF_UP, Context, Decimal
from functools import lru_cache

DIGITS = 4
DECIMAL_CONTEXT = Context(prec=DIGITS, rounding=ROUND_HALF_UP)
"""Ties go up, as they do in the browser: 1.0625 is 1.063 on both sides."""
PLACES = tuple(Decimal(1).scaleb(-places) for places in range(2 * DIGITS))
"""1, 0.1, 0.01, …"""


@lru_cache(maxsize=4096)
def format_number(value: float) -> str:
    """`value` with four significant digits, a true minus sign, and no spurious zeros.

    Values below 1e-4 or from 1e5 on are written as 1.234×10⁵. Exact short decimals (-10, 0.69)
    are written as they are; "exact" means equal to 12 significant digits.
    """
    if math.isnan(value):
        return "undefined"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    if value == 0:
        return "0"
    size = Decimal(abs(value))
    short = DECIMAL_CONTEXT.plus(size)
    power = short.adjusted()
    if -4 <= power < 5:
        text = f"{size.quantize(PLACES[max(DIGITS - 1 - power, 0)], ROUND_HALF_UP):f}"
        text = _shortest(text, exact=abs(float(text) - abs(value)) <= 1e-12 * abs(value))
    else:
        mantissa = f"{short.scaleb(-power):.{DIGITS - 1}f}"
        exact = abs(float(f"{mantissa}e{power}") - abs(value)) <= 1e-12 * abs(value)
        text = f"{_shortest(mantissa, exact=exact)}×10{_superscript(power)}"
    return f"−{text}" if value < 0 else text


def operand(value: float) -> str:
    """`format_number(value)`, in parentheses if it is negative, to follow an operator."""
    text = format_number(value)
    return f"({text})" if text.startswith("−") else text


def latex(value: float) -> str:
    """`operand(value)` for a formula."""
    text, times, raised = operand(value).partition("×10")
    closing = ")" if raised.endswith(")") else ""
    power = raised.rstrip(")").translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789"))
    return (rf"{text}\times 10^{{{power}}}{closing}" if times else text).replace("−", "-")


def _shortest(text: str, *, exact: bool) -> str:
    return text.rstrip("0").rstrip(".") if exact and "." in text else text


def subscript(index: int) -> str:
    """An index as a Unicode subscript: 12 is ₁₂."""
    return str(index).translate(str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉"))


def _superscript(power: int) -> str:
    return str(power).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
