"""Compares recorded lines with the lines of today, up to the last digits of numbers."""

import re
from pathlib import Path

from sending import NUMBER

SHAPE = re.compile(r'\s*("|(rect|circle|path|line|image|canvas|foreignObject|stop)\b)')
"""A line about a drawn shape: its whole numbers outside quotes are positions, sizes and colours."""
PAINTED = re.compile(r"\s*(image|canvas)\b")
"""A line about an image or a canvas, whose shades are the steps of a scale, a few units apart."""
HASH = re.compile(r"\b[0-9a-f]{16}\b")
"""The hash of the bytes of a picture, whose last bits depend on the processor."""
ROUNDED_OFF = 1e-9
"""Numbers below it are what rounding leaves."""
OF_ROUNDING = re.compile(r"rounding|differ by at most")
"""A line about what rounding leaves: its numbers below `LEFT_OVER` depend on the processor."""
LEFT_OVER = 1e-5
RECORDED = Path(__file__).parent / "recorded"


def value(token: str) -> tuple[float, float]:
    """A printed number, and about half a unit of its last digit."""
    digits, power = [*re.split("×10|e", token.replace(",", "").replace("−", "-")), ""][:2]
    raised = int(power.translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789"))) if power else 0
    decimals = len(digits.partition(".")[2])
    return float(digits) * 10.0**raised, 0.51 * 10.0 ** (raised - decimals)


def differs(line: str, other: str) -> bool:
    """Whether two lines differ by more than the last digits, which another processor may change.

    A position may differ by 1.5 pixels, a shade by 4 of 255, a decimal number by 1.5 units of its
    last digit. All these, and whole numbers from 1,000 on, may also differ by half a
    percent: numbers of a run of 200 steps do so by 0.3. Smaller whole numbers must be equal. What
    rounding leaves is alike.
    """
    line, other = (HASH.sub("…", each).replace("\\", "") for each in (line, other))
    if line == other:
        return False
    if NUMBER.sub("#", line) != NUMBER.sub("#", other):
        return True
    rounded = LEFT_OVER if OF_ROUNDING.search(line) else ROUNDED_OFF
    quoted = [m.span() for m in re.finditer(r'"[^"]*"', line)]
    for one, two in zip(NUMBER.finditer(line), NUMBER.finditer(other), strict=True):
        (a, half), (b, _) = value(one[0]), value(two[0])
        whole = one[0].isdecimal()
        if whole and SHAPE.match(line) and not any(at <= one.start() < end for at, end in quoted):
            least = 4 if PAINTED.match(line) else 1.5
        else:
            least = 0 if whole else 3 * half
        rounding = not whole and max(abs(a), abs(b)) < rounded
        close = max(least, 0.005 * abs(a) if abs(a) >= 1000 or least else 0)
        if not rounding and abs(a - b) > close:
            return True
    return False


def differences(path: Path, now: str, *, record: bool) -> list[tuple[str, str]]:
    """The pairs of a recorded line and today's line that differ; `record` writes the file anew."""
    if record:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(now, "utf-8")
    before, lines = path.read_text("utf-8").splitlines(), now.splitlines()
    longest = max(len(before), len(lines))
    before, lines = ([*each, *[""] * (longest - len(each))] for each in (before, lines))
    return [(was, now) for was, now in zip(before, lines, strict=True) if differs(was, now)]


def heads(kind: str, slug: str) -> list[str]:
    """What the parts of a page's record of this kind are about."""
    path = RECORDED / kind / f"{slug}.txt"
    lines = path.read_text("utf-8").splitlines() if path.exists() else []
    return [each.removeprefix("== ") for each in lines if each.startswith("== ")]
