"""The figures of a class as in the README: Markdown tables, in milliseconds and kilobytes."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.crowd import Log, Sample


@dataclass(frozen=True, slots=True)
class Spread:
    """Median, 95th percentile and maximum, in milliseconds."""

    count: int
    p50: float
    p95: float
    most: float

    @classmethod
    def of(cls, seconds: Iterable[float]) -> Spread:
        values = sorted(1000 * each for each in seconds)
        if not values:
            return cls(0, math.nan, math.nan, math.nan)
        p95 = values[min(math.ceil(0.95 * len(values)) - 1, len(values) - 1)]
        return cls(len(values), values[len(values) // 2], p95, values[-1])

    def cells(self) -> list[str]:
        return [str(self.count), *(f"{each:.0f}" for each in (self.p50, self.p95, self.most))]


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a Markdown table, aligned."""
    lines = [list(head), ["---"] * len(head), *map(list, rows)]
    widths = [max(len(line[n]) for line in lines) for n in range(len(head))]
    for line in lines:
        print(
            "| " + " | ".join(f"{cell:<{w}}" for cell, w in zip(line, widths, strict=True)) + " |"
        )
    print(flush=True)


def latencies(log: Log) -> None:
    """Print the latencies per page: acting, turning to it, and opening it in a new browser."""
    pages = list(dict.fromkeys(sample.page for sample in log.samples))
    rows = []
    for page in sorted(pages):
        of_page = [sample for sample in log.samples if sample.page == page]
        row = [f"`/{page}`", *spread(of_page, "act").cells()]
        for what in ("turn", "open"):
            row += spread(of_page, what).cells()
        rows.append(row)
    whole = ["**all**", *spread(log.samples, "act").cells()]
    whole += spread(log.samples, "turn").cells() + spread(log.samples, "open").cells()
    part = ["p50", "p95", "max"]
    head = ["page, ms", "acts", *part, "turned to", *part, "opened", *part]
    table(head, [*rows, whole])


def spread(samples: Iterable[Sample], what: str) -> Spread:
    return Spread.of(sample.answer.seconds for sample in samples if sample.what == what)


def slowest(log: Log, count: int = 8) -> None:
    """Print the moves that took longest."""
    acts = sorted((s for s in log.samples if s.what == "act"), key=lambda s: -s.answer.seconds)
    print("slowest moves:")
    for sample in acts[:count]:
        print(f"  {1000 * sample.answer.seconds:7.0f} ms  /{sample.page}  {sample.control}")
    print(flush=True)


def levels_off(looks: Sequence[tuple[int, float]]) -> None:
    """Print resident memory over visits, and its least-squares slope after the first third."""
    for visits, resident in looks[:: max(len(looks) // 12, 1)]:
        print(f"  {visits:6d} visits {resident:8.1f} MB")
    late = np.array(looks[len(looks) // 3 :])
    (slope, start), spread = np.polyfit(late[:, 0], late[:, 1], 1, cov=True)
    error = math.sqrt(spread[0, 0])
    print(
        f"slope {1000 * slope:+.2f} ± {1000 * error:.2f} MB per 1000 visits, from {start:.0f} MB\n"
    )


def errors(log: Log, most: int = 12) -> None:
    """Print the number of errors, the refusals among them, and the most frequent errors."""
    refused = sum("refused:" in each for each in log.errors)
    print(f"errors: {len(log.errors)}, of them {refused} refusals")
    for text, count in Counter(log.errors).most_common(most):
        print(f"  {count} × {text[:220]}")
    print(flush=True)
