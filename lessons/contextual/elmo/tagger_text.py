"""The sentence, the formula and the description of a tagger with ELMo."""

from __future__ import annotations

from collections.abc import Sequence

from lessons.contextual.elmo.tagger_picture import Errors, named_task
from lessons.contextual.recorded_text import PLACES
from lmcore.contextual.tagger import Placement

LITTLE = 0.05
"""A gain below this, in words of 100, is none."""


def reading(date: str, seeds: int) -> str:
    """What the bars are measured with."""
    return (
        f"Means of {seeds} seeds, with the lowest and the highest; held-out words. xₖ and a GRU "
        "from both sides are trained on the labelled texts alone; the biLM that makes ELMoₖ is "
        f"frozen. Dropout is 0.2 on ELMoₖ and hₖ. Recorded on {date}."
    )


def sentence(found: Sequence[Errors], place: Placement) -> str:
    """The finding: what ELMo takes away of the errors of the task that gains most."""
    n = named_task(found)
    if place == "none":
        return (
            f"{{texts}} labelled texts, no ELMo: of 100 words, **{found[n].task}** gets "
            f"=={{before {n}}}== wrong."
        )
    if found[n].gain < LITTLE:
        return (
            f"ELMo {PLACES[place]} brings nothing: {found[n].task} still gets =={{now {n}}}== of "
            "100 wrong."
        )
    others = [each.task for m, each in enumerate(found) if m != n and each.gain < LITTLE]
    rest = f"; **{'** and **'.join(others)}** gains nothing" if others else ""
    return (
        f"ELMo {PLACES[place]}: of 100 words, **{found[n].task}** gets {{before {n}}} → "
        f"=={{now {n}}}== wrong{rest}."
    )


def formula(place: Placement) -> list[str]:
    """What the reader reads, and what the scores are made of."""
    elmo = "[activation|ELMoₖ]"
    at_input = f"\\[[input|xₖ]; {elmo}\\]" if place in ("input", "both") else "[input|xₖ]"
    at_output = f"\\[hₖ; {elmo}\\]" if place in ("output", "both") else "hₖ"
    return [f"hₖ = GRU({at_input})", f"scores = {at_output} [weight|W] + [weight|b]"]


def describe(found: Sequence[Errors], place: Placement) -> str:
    """The alt text, as a template."""
    each = "; ".join(
        f"{its.task}: {{before {n}}} without ELMo, {{now {n}}} now" for n, its in enumerate(found)
    )
    return f"A tagger that has ELMo {PLACES[place]}. Wrong of 100 words, {each}."
