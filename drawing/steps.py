"""A row of a step table: an operation with its name, its formula, its value and its operands."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class StepRow:
    """`formula`, `value` and the second of each operand are templates: {z} is a number."""

    name: str
    formula: str
    value: str
    symbol: str = ""
    role: str = ""
    shape: str = "scalar"
    operands: tuple[tuple[str, str], ...] = ()
