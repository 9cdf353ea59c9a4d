"""The sentences, the formulas and the description of what was missing before a model."""

from __future__ import annotations

from collections.abc import Sequence

from lessons.results.missing_picture import GAPS, MODELS, Gain


def sentences(found: Sequence[Gain], model: str) -> list[str]:
    """The finding about each test."""
    label = MODELS[model]
    shares = sorted(each.share for each in found)
    range_ = f"on all {len(found)} tests, {shares[0]:.0f} to {shares[-1]:.0f} %"
    return [
        f"On **{each.test}**, {{missing}} points were missing to 100. {label} closes "
        f"=={{share}}== % of the gap; {range_}."
        for each in found
    ]


def formulas(found: Sequence[Gain], model: str) -> list[list[str]]:
    """How the share of each test comes about."""
    return [
        [
            f"gain: {printed(each.after)} − {printed(each.before)} = {{gain}}"
            if GAPS[model].before
            else f"before: {printed(each.after)} − {printed(each.gain)} = {{before}}",
            f"missing: 100 − {printed(each.before)} = [gradient|{{missing}}]",
            f"closed: {printed(each.gain)} ÷ {printed(each.missing)} = "
            "**[activation|{share} %]**",
        ]
        for each in found
    ]


def printed(score: float) -> str:
    """A score with one decimal, as most are printed, or with two."""
    return f"{score:.2f}".removesuffix("0")


def describe(found: Sequence[Gain], model: str) -> str:
    """The alt text, as a template."""
    label = MODELS[model]
    rows = "; ".join(
        f"{each.test}: {printed(each.before)} before, {printed(each.after)} with {label}"
        for each in found
    )
    return f"Bars hang from 100, as long as what was missing before {label}. {rows}"
