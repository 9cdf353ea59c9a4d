"""numbers.js and lmcore.numbers print every number alike."""

from __future__ import annotations

import math
import random

from lmcore.numbers import format_number, operand
from tests.browser.conftest import Visit
from tests.browser.serving import ROOT

NUMBERS_PER_KIND = 300


def function(name: str) -> str:
    """The source of a top-level function of numbers.js."""
    script = (ROOT / "drawing" / "numbers.js").read_text("utf-8")
    start = script.index(f"function {name}(")
    return script[start : script.index("\n}\n", start) + 3]


def values() -> list[float]:
    """Numbers of many sizes, whole ones, short decimals, rounding ties, and edge cases."""
    draw = random.Random(11)
    sizes = [draw.uniform(1, 10) * 10.0 ** draw.randint(-30, 30) for _ in range(NUMBERS_PER_KIND)]
    usual = [draw.gauss(0, 1) for _ in range(NUMBERS_PER_KIND)]
    whole = [float(draw.randint(-200_000, 200_000)) for _ in range(NUMBERS_PER_KIND)]
    short = [round(draw.uniform(-50, 50), draw.randint(1, 5)) for _ in range(NUMBERS_PER_KIND)]
    edges = [0.0, -0.0, 1e-4, 9.9995e-5, 99999.5, 1e5, 0.99995, 9.9995, 5e-324, 1.7e308, 0.1 + 0.2]
    ties = [draw.randint(1, 9999) / 2.0 ** draw.randint(1, 12) for _ in range(NUMBERS_PER_KIND)]
    every = [*sizes, *usual, *whole, *short, *ties, *edges]
    return [*every, *(-value for value in every), math.inf, -math.inf, math.nan]


def test_the_browser_prints_numbers_as_python_does(visit: Visit) -> None:
    numbers = values()
    all_three = "".join(map(function, ("raised", "formatNumber", "operand")))
    script = f"(numbers) => {{ {all_three} return numbers.map(NAME); }}"
    for name, python in (("formatNumber", format_number), ("operand", operand)):
        printed = visit.page.evaluate(script.replace("NAME", name), numbers)
        expected = [python(number) for number in numbers]
        differ = [
            (number, theirs, ours)
            for number, theirs, ours in zip(numbers, printed, expected, strict=True)
            if theirs != ours
        ]
        assert differ == []
