"""The sentences, the formulas and the description of the apple with a paper label."""

from __future__ import annotations

from lessons.results.cases.paper_picture import OTHERS, WRITTEN, Answers


def sentences(found: Answers, *, hidden: bool = False) -> list[str]:
    """What CLIP answers without and with the paper; `hidden`: the latter is asked."""
    before, after = found.best("off"), found.best("on")
    seen, read = (found.labels.index(each) for each in (before, after))
    alone = f"An apple: CLIP answers **{before}** with =={{off {seen}}}== %"
    if hidden:
        return [f"{alone}.", f"The same apple with a paper that reads “{WRITTEN}”: what now?"]
    return [
        f"{alone}, and {after} with {{off {read}}} %.",
        f"The same apple with a paper on it: **{after}** =={{on {read}}}== %; **{before}** falls "
        f"from {{off {seen}}} to {{on {seen}}} %.",
    ]


def formulas(found: Answers) -> list[list[str]]:
    """What other labels get, and what the paper changes."""
    before, after = found.best("off"), found.best("on")
    seen, read = (found.labels.index(each) for each in (before, after))
    last = len(found.labels) - 1
    printed = " − ".join(f"{share:g}" for share in found.off[:-1] if share)
    return [
        [f"{OTHERS}: 100 − {printed} = {{off {last}}} %"],
        [
            f"{after}: {{on {read}}} − {{off {read}}} = **[gradient|{{rise}} points]**",
            f"{before}: {{on {seen}}} − {{off {seen}}} = **[activation|{{fall}} points]**",
        ],
    ]


def describe(found: Answers) -> str:
    """The alt text, as a template."""
    rows = "; ".join(
        f"{label}: {{off {n}}} % without, {{on {n}}} % with" for n, label in enumerate(found.labels)
    )
    return (
        f"An apple and a paper that reads “{WRITTEN}”, and a bar for each label that CLIP gives. "
        f"{rows}."
    )
