"""The sentences, the formulas and the description of models as circles on a line of time."""

from __future__ import annotations

from lessons.results.sizes_picture import TESTS, Sized, Sizes
from lmcore.numbers import format_number

ALIKE = 1.25
"""Up to this ratio two sizes are about the same."""


def sentences(found: Sizes) -> list[str]:
    """The finding once 1, 2, … models are shown."""
    say = {"release": _release, "held": _held}.get(found.story, _growth)
    return [say(found, each) for each in found.models]


def _release(found: Sizes, last: Sized) -> str:
    first, test = found.models[0], TESTS[found.test]
    if last is first:
        return (
            f"The smallest GPT-2 has {first.printed} parameters: perplexity =={{score}}== on "
            f"{test}, zero-shot. The best before it had {format_number(found.best)}."
        )
    return (
        f"**{{times}} times** the parameters: the perplexity on {test} goes from "
        f"{format_number(first.score)} to =={{score}}==, zero-shot. {_against(found, last)}"
    )


def _against(found: Sizes, last: Sized) -> str:
    best = format_number(found.best)
    if last.score < found.best:
        return f"The best before was {best}."
    return f"The best before, {best}, stays better."


def _held(found: Sizes, last: Sized) -> str:
    first, largest = found.models[0], found.models[-1]
    if last is largest:
        return (
            f"The largest GPT-2 was described in {_month(first)} and released in {_month(last)}: "
            "=={months}== **months** later."
        )
    return (
        f"In {_month(last)} 2019 {last.printed} parameters are released. The largest, described "
        f"in {_month(first)}, is still held back."
    )


def _growth(found: Sizes, last: Sized) -> str:
    first = found.models[0]
    if last is first:
        return f"**{first.name}**, {first.released}: {first.printed} parameters."
    alike = 1 / ALIKE < last.billions / first.billions < ALIKE
    more = (
        "about as many parameters, =={times}== times"
        if alike
        else "=={times}== **times** the parameters"
    )
    return f"From {first.name} to **{last.name}**, in {{months}} months: {more}."


def _month(its: Sized) -> str:
    return its.released.split()[0]


def formulas(found: Sizes) -> list[list[str]]:
    """How the numbers of each step come about."""
    return [_formula(found, each) for each in found.models]


def _formula(found: Sizes, last: Sized) -> list[str]:
    first = found.models[0]
    if last is first:
        return ["area of a circle = number of parameters"]
    if found.story == "release":
        millions = (f"{1000 * each.billions:.0f}" for each in (last, first))
        ratio = f"{' ÷ '.join(millions)} = **{{times}}**"
        fall = f"{format_number(first.score)} ÷ {format_number(last.score)} = {{fall}}"
        return [f"parameters in millions: {ratio}", f"perplexity: {fall}"]
    if found.story == "held":
        steps = " → ".join(each.printed for each in found.models)
        return [steps, f"{_month(first)} to {_month(last)}: {{months}} months"]
    ratio = f"{_plain(last)} ÷ {_plain(first)} = **{{times}}**"
    if last.billions <= first.billions * ALIKE:
        return [f"parameters in billions: {ratio}"]
    return [
        f"parameters in billions: {ratio}",
        "{months} months ÷ log₂ {times} = **{double}** months a doubling",
    ]


def _plain(its: Sized) -> str:
    return format_number(its.billions)


def describe(found: Sizes) -> str:
    """The alt text, as a template."""
    scores = f" with its perplexity on {TESTS[found.test]}" if found.scored else ""
    models = "; ".join(
        f"{each.name}, {each.released}: {each.printed}"
        + (f", {format_number(each.score)}" if found.scored else "")
        for each in found.models
    )
    return f"Language models as circles{scores}, by month; {{shown}} are shown. {models}."
