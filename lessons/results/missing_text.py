"""The sentences, the formulas and the description of what was missing before BERT."""

from __future__ import annotations

from collections.abc import Sequence

from lessons.results.missing_picture import Gain


def sentences(found: Sequence[Gain]) -> list[str]:
    """The finding about each test."""
    shares = sorted(each.share for each in found)
    range_ = f"on all {len(found)} tests, {shares[0]:.0f} to {shares[-1]:.0f} %"
    return [
        f"On **{each.test}**, {{missing}} points were missing to 100. BERT closes =={{share}}== % "
        f"of the gap; {range_}."
        for each in found
    ]


def formulas(found: Sequence[Gain]) -> list[list[str]]:
    """How the share of each test comes about."""
    return [
        [
            f"before: {each.after:.1f} − {each.gain:.1f} = {{before}}",
            f"missing: 100 − {each.before:.1f} = [gradient|{{missing}}]",
            f"closed: {each.gain:.1f} ÷ {each.missing:.1f} = **[activation|{{share}} %]**",
        ]
        for each in found
    ]


def describe(found: Sequence[Gain]) -> str:
    """The alt text, as a template."""
    return "Bars hang from 100, as long as what was missing before BERT. " + "; ".join(
        f"{each.test}: {each.before:.1f} before, {each.after:.1f} with BERT" for each in found
    )
