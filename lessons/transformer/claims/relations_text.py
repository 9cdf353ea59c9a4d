"""Texts of the view “A head each”."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from lmcore.evaluation.probes import ProbeItem

ROLES = {"agreement": "activation", "pronoun": "input"}
TITLES = {"agreement": "agreement", "pronoun": "pronouns"}
LOST = 5
"""A relation needs a head without which it loses at least this much, in percent."""
CHANCE = 50
"""The share that is right by guessing: one of two words is."""
WHOLE = "None"
"""The name of the share with all heads."""
METHOD = (
    "Our small GPT, not BERT. A muted head adds nothing: its part of Z is 0. A sentence counts as "
    "right if the right one of two words is the more probable. That a relation needs a head does "
    "not say that the head does it alone. The page Heads mutes any head of any model."
)


class Relation(NamedTuple):
    """A relation: the share that is right by the muted head, in percent, and a sentence of it."""

    name: str
    right: Mapping[str, int]
    item: ProbeItem
    items: int

    @property
    def heads(self) -> list[str]:
        """Every head, as layer.head."""
        return [head for head in self.right if head != WHOLE]

    @property
    def needs(self) -> list[str]:
        """The heads without which it suffers."""
        return [head for head in self.heads if self.lost(head) >= LOST]

    def lost(self, head: str) -> int:
        """What it loses without a head, in percent."""
        return self.right[WHOLE] - self.right[head]


def finding(found: Sequence[Relation], muted: str) -> tuple[str, str | None]:
    """What the muted head changes, as a template, and the number that it marks.

    With no head muted it is what each relation needs.
    """
    if not muted:
        return _overview(found), None
    falls = [each for each in found if each.lost(muted) >= LOST]
    stays = [each for each in found if each not in falls]
    first, *others = [*falls, *stays]
    marked = f"=={{{first.name} {muted}}} %=="
    if not falls:
        rest = " and ".join(f"{TITLES[each.name]} at {_share(each, muted)}" for each in others)
        return (
            f"Without head {muted} nothing is lost: {TITLES[first.name]} stays at {marked}, {rest}."
        ), f"{first.name} {muted}"
    verb = "fall" if first.name == "pronoun" else "falls"
    said = (
        f"Without head {muted} {TITLES[first.name]} {verb} from {_share(first, WHOLE)} to {marked}"
    )
    for each in others:
        how = "falls to" if each in falls else "stays at"
        plural = how.replace("falls", "fall").replace("stays", "stay")
        said += f"; {TITLES[each.name]} {plural if each.name == 'pronoun' else how} "
        said += _share(each, muted)
    return f"{said}.", f"{first.name} {muted}"


def _share(each: Relation, head: str) -> str:
    return f"{{{each.name} {head}}} %"


def _overview(found: Sequence[Relation]) -> str:
    parts = ", ".join(
        f"{TITLES[each.name]} need{'' if each.name == 'pronoun' else 's'} {listed(each.needs)}"
        for each in found
    )
    common = set[str].intersection(*(set(each.needs) for each in found))
    apart = all(each.needs for each in found) and not common
    return f"Different relations need different heads: {parts}." if apart else f"Here {parts}."


def listed(heads: Sequence[str]) -> str:
    """Heads in words."""
    if not heads:
        return "no single head"
    return f"head{'s' * (len(heads) > 1)} {' and '.join(heads)}"


def needs(found: Sequence[Relation]) -> list[str]:
    """The formula: which heads each relation needs, and how many heads neither does."""
    parts = [
        f"[{ROLES[each.name]}|{TITLES[each.name]}]: **{listed(each.needs)}**" for each in found
    ]
    heads = found[0].heads
    free = [head for head in heads if not any(head in each.needs for each in found)]
    return [*parts, f"{len(free)} of {len(heads)} heads are needed by neither"]


def describe(found: Sequence[Relation]) -> str:
    """The alt text of the picture."""
    said = "; ".join(
        f"{TITLES[each.name]}: "
        + ", ".join(f"{each.right[head]} percent without head {head}" for head in each.heads)
        for each in found
    )
    return f"The share of sentences that are right with one head muted. {said}."
