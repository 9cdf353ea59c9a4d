"""Check what pages claim at randomly drawn settings against the numbers.

A page has `cases`, which draws settings, `scenes` and claims. For each case `scenes` yields what
the page says, with its numbers filled in, and facts that are computed anew. A claim is a pattern
of the text, and a relation that the facts must fulfil wherever the pattern matches: greater, less,
equal, largest, nearest, none, all, times.
"""

from __future__ import annotations

import math
import os
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.strategies import SearchStrategy

from drawing.live import LiveNumbers

EXAMPLES = int(os.environ.get("CLAIMS", "25"))
"""Cases per round; CLAIMS=500 in the environment draws more."""
MORE = 12
"""The most rounds after the page's own, until every claim was met. What Hypothesis draws depends
on the constants of all loaded modules, so the page's own rounds may not meet every claim."""
MARKS = re.compile(r"\*\*|==|(?<!\\)\[[a-z][\w-]*\||(?<!\\)\]")


class Scene(NamedTuple):
    """What a page says, and the facts to check it by."""

    said: str
    facts: Mapping[str, Any]


class Claim(NamedTuple):
    """A claim, the pattern of its text, and `holds`, which checks a match by the facts."""

    what: str
    pattern: str
    holds: Callable[[re.Match[str], Mapping[str, Any]], bool]


class Page(NamedTuple):
    """A page with claims."""

    cases: SearchStrategy[Any]
    scenes: Callable[[Any], Iterator[Scene]]
    claims: tuple[Claim, ...]
    often: int = 1
    """The least number of rounds; more than 1 if some claims are seldom made."""


def plain(template: str) -> str:
    """A text without its markup."""
    return MARKS.sub("", template).replace("\\", "")


def filled(sentences: list[str], live: LiveNumbers) -> str:
    """The sentence that the number @say chooses, with its numbers filled in."""
    return plain(live.fill(sentences[int(live["@say"])]))


def at_rows(live: LiveNumbers, every: int = 20) -> Iterator[LiveNumbers]:
    """The current numbers, and the numbers at some positions of each slider."""
    yield live
    for table in live.table:
        for row in table[::every]:
            yield LiveNumbers(live.group, live.names, row)


def number(text: str) -> float:
    """The value of a number as the page prints it."""
    if text in ("∞", "−∞"):
        return math.inf if text == "∞" else -math.inf
    mantissa, _, power = text.strip("()").replace("−", "-").replace(",", "").partition("×10")
    exponent = int(power.translate(str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")) or 0)
    return float(mantissa) * 10.0**exponent


def check(page: Page, examples: int = EXAMPLES) -> Counter[str]:
    """How often each claim was met; raises AssertionError where one is refuted."""
    met: Counter[str] = Counter()

    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.generate],  # a refuted case is shown as drawn, not shrunk
        suppress_health_check=list(HealthCheck),
    )
    @given(page.cases)
    def every_case(case: Any) -> None:
        for said, facts in page.scenes(case):
            for claim in page.claims:
                if found := re.search(claim.pattern, said):
                    met[claim.what] += 1
                    assert claim.holds(found, facts), f"“{said}” is refuted: {claim.what}, {facts}"

    for number_of_round in range(page.often + MORE):
        if number_of_round >= page.often and all(met[claim.what] for claim in page.claims):
            break
        seed(number_of_round)(every_case)()
    return met
