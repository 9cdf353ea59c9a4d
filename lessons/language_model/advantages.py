"""Four advantages and one cost of networks over counts: each said from measured values, or denied.

The four are those that the lecture's objective asks for and no slide lists: more context, what
helps one word helps its like, no zeros, better prediction for the numbers stored. The cost is time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, NamedTuple

from lessons.shared.probability_grid import TableRow
from lmcore.evaluation import costs
from lmcore.evaluation.costs import ModelCosts
from lmcore.numbers import format_number

BENEFIT_COLUMNS = (
    "model",
    "sees, words",
    "test perplexity",
    "KL, nats a token",
    "impossible, share",
    "p(fed | the dog gets)",
    "… the cat gets",
)
COST_COLUMNS = (
    "model",
    "weights or counts",
    "numbers a query",
    "tokens read",
    "learning, s",
    "a query, ms",
)
Verdict = Literal["holds", "holds in part", "does not hold here"]


class LearningCost(NamedTuple):
    """What learning took: tokens read, and seconds (estimated for a network)."""

    tokens: float
    seconds: float


class Claim(NamedTuple):
    """A sentence of the lecture's, what became of it here, and the numbers that say so."""

    title: str
    verdict: Verdict
    why: str


def benefit_row(label: str, found: ModelCosts) -> TableRow:
    """What `BENEFIT_COLUMNS` names, of one model."""
    return (
        label,
        *(found.sees, found.perplexity, found.divergence, found.zeros),
        *(found.fed_dog, found.fed_cat),
    )


def cost_row(label: str, found: ModelCosts, learnt: LearningCost) -> TableRow:
    """What `COST_COLUMNS` names, of one model."""
    return label, float(found.stored), float(found.touched), *learnt, 1000 * found.query


def measurement_words(one: ModelCosts) -> str:
    """Where the numbers of the table come from."""
    return (
        f"Perplexity on {costs.DOCUMENTS:,} test documents, where the grammar's own is "
        f"{format_number(one.truth)}; KL on {costs.ROWS}. The n-grams were counted here and timed. "
        "The networks were trained beforehand: tokens read over all their steps, and seconds "
        f"from {costs.STEPS} steps made now, times all. A query is one word more. The clock is "
        "of this server at this moment."
    )


def claims(
    found: Mapping[str, ModelCosts], learnt: Mapping[str, LearningCost], floors: Sequence[float]
) -> list[Claim]:
    """The four advantages and the cost, from the numbers of some counts and some networks.

    `floors` holds the lowest perplexity of any model that sees 0, 1, 2 … words.

    Raises:
        ValueError: if there is no n-gram, or no network, to compare.
    """
    counts = {label: each for label, each in found.items() if each.kind == "counts"}
    networks = {label: each for label, each in found.items() if each.kind == "network"}
    if not counts or not networks:
        raise ValueError(
            "a comparison must have at least one n-gram and one network; got "
            f"{len(counts)} and {len(networks)}"
        )
    return [
        _context(counts, networks, floors),
        _alike(counts, networks),
        _zeros(counts, networks),
        _per_number(counts, networks),
        _slower(counts, networks, learnt),
    ]


def _context(
    counts: Mapping[str, ModelCosts], networks: Mapping[str, ModelCosts], floors: Sequence[float]
) -> Claim:
    longest = max(counts, key=lambda label: counts[label].sees)
    words = int(counts[longest].sees)
    floor = floors[words]
    below = [label for label in networks if networks[label].perplexity < floor]
    why = (
        f"The longest context of a count here is {words} words ({longest}). No model that sees so "
        f"much gets below {format_number(floor)}: that is a theorem. "
    )
    each = ", ".join(_valued(networks, lambda m: m.perplexity))
    why += f"The networks have {each}; below it: {', '.join(below) or 'none'}."
    return Claim("A longer context", _verdict(len(below), len(networks)), why)


def _alike(counts: Mapping[str, ModelCosts], networks: Mapping[str, ModelCosts]) -> Claim:
    best = max(counts, key=lambda label: counts[label].fed_dog)
    level = counts[best].fed_dog
    above = [label for label in networks if networks[label].fed_dog > level]
    why = (
        f"Of a dog it was never said that it gets fed. p(fed | the dog gets): at most "
        f"{format_number(level)} by counting ({best}); "
        f"{', '.join(_valued(networks, lambda m: m.fed_dog))}. "
        f"Above every count: {', '.join(above) or 'none'}. The cat, which does get fed: "
        f"{', '.join(_valued(networks, lambda m: m.fed_cat))}."
    )
    return Claim(
        "What is learnt of the cat helps the dog", _verdict(len(above), len(networks)), why
    )


def _zeros(counts: Mapping[str, ModelCosts], networks: Mapping[str, ModelCosts]) -> Claim:
    nil = {label: each for label, each in counts.items() if each.zeros > 0}
    clean = [label for label in networks if networks[label].zeros == 0]
    shares = ", ".join(f"{label} {each.zeros:.3%}" for label, each in nil.items())
    why = (
        f"Test tokens called impossible: {shares or 'none by these counts, all smoothed'}. "
        f"Without any smoothing none by {', '.join(clean) or 'no network'}."
    )
    part = len(clean) if nil else min(len(clean), len(networks) - 1)
    return Claim("No zeros, without smoothing", _verdict(part, len(networks)), why)


def _per_number(counts: Mapping[str, ModelCosts], networks: Mapping[str, ModelCosts]) -> Claim:
    """A network wins if it predicts better than every count, and outright if it also stores no
    more numbers than the best of them."""
    best = min(counts, key=lambda label: counts[label].perplexity)
    table = counts[best]
    wins = [label for label, each in networks.items() if each.perplexity < table.perplexity]
    outright = [label for label in wins if networks[label].stored <= table.stored]
    each = [
        f"{label} {format_number(m.perplexity)} from {m.stored:,} weights"
        for label, m in networks.items()
    ]
    why = (
        f"The best table, {best}: {format_number(table.perplexity)} from {table.stored:,} counts. "
        f"{'; '.join(each)}. Better than every table: {', '.join(wins) or 'none'}; with no more "
        f"numbers than that table: {', '.join(outright) or 'none'}."
    )
    if len(outright) < len(networks):
        why += " A small world needs few counts; tables grow with the text, weights do not."
    if wins and len(outright) < len(networks):
        return Claim(PER_NUMBER, "holds in part", why)
    return Claim(PER_NUMBER, _verdict(len(outright), len(networks)), why)


PER_NUMBER = "Better prediction for the numbers stored"


def _slower(
    counts: Mapping[str, ModelCosts],
    networks: Mapping[str, ModelCosts],
    learnt: Mapping[str, LearningCost],
) -> Claim:
    slowest = max(each.query for each in counts.values())
    fastest = min(each.query for each in networks.values())
    holds = [fastest > slowest]
    why = (
        f"A query: counts {_range([m.query for m in counts.values()], 1000.0)} ms, networks "
        f"{_range([m.query for m in networks.values()], 1000.0)} ms; it goes through "
        f"{_range([float(m.touched) for m in counts.values()])} numbers of a table, "
        f"{_range([float(m.touched) for m in networks.values()])} of a network."
    )
    table = [learnt[label].seconds for label in counts if label in learnt]
    trained = [learnt[label].seconds for label in networks if label in learnt]
    if table and trained:
        holds.append(min(trained) > max(table))
        why = (
            f"Learning: counts {_range(table)} s, networks {_range(trained)} s, "
            f"{min(trained) / max(table):.0f} times as long at the least. {why}"
        )
    if fastest <= slowest:
        why += (
            " By the clock a query is not slower than of every table: weights are multiplied fast, "
            "and this world is small."
        )
    return Claim("The cost: slower to train and to ask", _verdict(sum(holds), len(holds)), why)


def _range(values: Sequence[float], scale: float = 1.0) -> str:
    low, high = (format_number(float(f"{scale * end:.2g}")) for end in (min(values), max(values)))
    return low if low == high else f"{low} to {high}"


def _valued(found: Mapping[str, ModelCosts], value: Callable[[ModelCosts], float]) -> list[str]:
    return [f"{label} {format_number(value(each))}" for label, each in found.items()]


def _verdict(yes: int, of: int) -> Verdict:
    if yes == of:
        return "holds"
    return "holds in part" if yes else "does not hold here"
