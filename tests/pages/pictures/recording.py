"""What was recorded and what is now: alike but for the last digits of numbers."""

import re
from pathlib import Path

from sending import NUMBER

SHAPE = re.compile(r'\s*("|(rect|circle|path|line|image|foreignObject|stop)\b)')
"""The line of what is drawn: its numbers outside of quotes are places, sizes and colours."""
HASH = re.compile(r"\b[0-9a-f]{16}\b")
"""The hash of the bytes of a picture, whose last bits depend on the processor."""
ROUNDED_OFF = 1e-9
RECORDED = Path(__file__).parent / "recorded"


def value(token: str) -> tuple[float, float]:
    """A printed number, and half a unit of its last digit."""
    digits, power = [*re.split("×10|e", token.replace(",", "").replace("−", "-")), ""][:2]
    raised = int(power.translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789"))) if power else 0
    decimals = len(digits.partition(".")[2])
    return float(digits) * 10.0**raised, 0.51 * 10.0 ** (raised - decimals)


def differs(line: str, other: str) -> bool:
    """Whether two lines differ by more than the last digits, which another processor may change.

    Places may differ by a pixel, numbers of four digits by two parts in a thousand, and what is
    rounded off by anything; smaller whole numbers are the same.
    """
    line, other = (HASH.sub("…", each) for each in (line, other))
    if line == other:
        return False
    if NUMBER.sub("#", line) != NUMBER.sub("#", other):
        return True
    quoted = [m.span() for m in re.finditer(r'"[^"]*"', line)]
    for one, two in zip(NUMBER.finditer(line), NUMBER.finditer(other), strict=True):
        (a, half), (b, _) = value(one[0]), value(two[0])
        is_place = SHAPE.match(line) and not any(at <= one.start() < end for at, end in quoted)
        least = 1.5 if is_place else 0 if one[0].isdecimal() else max(3 * half, ROUNDED_OFF)
        if abs(a - b) > max(least, 0.002 * abs(a) if abs(a) >= 1000 or least else 0):
            return True
    return False


def differences(path: Path, now: str, *, record: bool) -> list[tuple[str, str]]:
    """Each recorded line that is another one now, with that; `record` writes the file anew."""
    if record:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(now, "utf-8")
    before, lines = path.read_text("utf-8").splitlines(), now.splitlines()
    longest = max(len(before), len(lines))
    before, lines = ([*each, *[""] * (longest - len(each))] for each in (before, lines))
    return [(was, now) for was, now in zip(before, lines, strict=True) if differs(was, now)]
