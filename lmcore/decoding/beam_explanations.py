"""Explains a beam search in words: each candidate's outcome, and why the search stopped."""

from __future__ import annotations

from collections.abc import Sequence

from lmcore.decoding.beam import BeamConfig, Expansion

LAST_TENTH = 10
TEENS = range(11, 14)
ENDINGS = {1: "st", 2: "nd", 3: "rd"}


def ordinal(number: int) -> str:
    """An ordinal as text: 1st, 2nd, 3rd, 4th …, 11th."""
    teen = number % 100 in TEENS
    return f"{number}{'th' if teen else ENDINGS.get(number % LAST_TENTH, 'th')}"


def explain_candidates(expansion: Expansion, how: BeamConfig) -> list[str]:
    """For each candidate of an expansion: why it continues, ends, or is pruned."""
    width = how.width // how.groups
    cut_off = is_last_step(expansion, how)
    ended = {beam.tokens for beam in expansion.ended}
    reasons, on = [], 0
    for rank, each in enumerate(expansion.candidates, start=1):
        tokens = (*expansion.under_way[each.parent].tokens, each.token)
        ends = each.token in how.stop
        on += not ends
        if each.outcome == "ends":
            reasons.append(_of_one_that_ends(rank, width, ends=ends, kept=tokens in ended))
        elif each.outcome == "goes on":
            reasons.append(f"{ordinal(on)} of the {width} that may go on")
        elif ends or cut_off:
            reason = "would end" if ends else "the last step"
            reasons.append(f"{reason}, but {ordinal(rank)}: not among the first {width}")
        else:
            reasons.append(f"{ordinal(on)} of those that could go on; only {width} may")
    return reasons


def _of_one_that_ends(rank: int, width: int, *, ends: bool, kept: bool) -> str:
    how = "ends here" if ends else "cut off: the last step"
    if kept:
        return f"{how}, {ordinal(rank)} of the step"
    return f"{how}, but {width} better texts have ended"


def is_last_step(expansion: Expansion, how: BeamConfig) -> bool:
    """Whether this step reached the length limit, at which every text ends."""
    natural = all(each.token in how.stop for each in expansion.candidates)
    return not natural and all(each.outcome != "goes on" for each in expansion.candidates)


def explain_stop(steps: Sequence[tuple[Expansion, ...]], how: BeamConfig, room: int | None) -> str:
    """Why the search stopped; `room` is how many more tokens the model can read."""
    if len(steps) == how.length:
        return f"the length limit of {how.length} tokens is reached"
    if room is not None and len(steps) > room:
        return "the model’s maximum length is reached"
    last = {each.group: each for step in steps for each in step}
    if any(is_last_step(each, how) for each in steps[-1]):
        return f"the time limit of {how.seconds:g} s is reached"
    width = how.width // how.groups
    if all(not each.go_on for each in last.values()):
        return "no hypothesis is left that could go on"
    if how.early and all(len(each.ended) == width for each in last.values()):
        return f"{how.width} texts have ended, and that is enough"
    return (
        f"{how.width} texts have ended, and the best hypothesis, scored as it stands, is no better "
        "than the worst of them"
        if how.groups == 1
        else "in every group no hypothesis is better than the worst text that ended"
    )
